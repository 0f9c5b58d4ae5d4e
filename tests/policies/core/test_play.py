"""What every play does: it takes and refuses what is told, ends at its horizon and can be saved."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.errors import HorizonReached, InvalidInput, PlayError
from steadyarm.policies import SLEUCB, play_from_dict


@given(
    seed=st.integers(0, 1000),
    cut=st.integers(0, 60),
    delay=st.integers(0, 5),
    beta=st.sampled_from([0.5, 20.0]),
)
def test_a_play_saved_as_json_goes_on_exactly_as_it_would_have(seed, cut, delay, beta):
    policy = SLEUCB(n_arms=3, horizon=60, beta=beta)
    rng = np.random.default_rng(seed)
    rewards = rng.normal(size=60).round(1)

    def advance(play, until, queue):
        arms = []
        while play.round < until:
            arms.append(play.ask())
            queue.append((arms[-1], float(rewards[play.round - 1])))
            if len(queue) > delay:
                play.tell(*queue.pop(0))
        return arms

    play, queue = policy.start(seed=seed), []
    advance(play, cut, queue)
    saved = json.loads(json.dumps(play.to_dict()))
    rest = advance(play, 60, list(queue))
    restored = play_from_dict(saved)
    assert advance(restored, 60, list(queue)) == rest
    assert restored.to_dict() == play.to_dict()


def test_a_broken_save_is_refused():
    play = SLEUCB(n_arms=2, horizon=10).start()
    play.tell(play.ask(), 0.5)
    good = play.to_dict()
    for change in (
        {"counts": [1]},
        {"counts": [9, 9]},
        {"counts": "11"},
        {"observed": [5, 0]},
        {"totals": [math.nan, 0.0]},
        {"values": [0.0]},
        {"priority": [0, 0]},
        {"policy": {"policy": "Nobody"}},
        {"policy": {"policy": "SLEUCB", "arms": 3}},
    ):
        with pytest.raises(InvalidInput):
            play_from_dict(good | change)
    with pytest.raises(InvalidInput):
        play_from_dict({})


def test_a_hundred_thousand_arms_are_usable():
    play = SLEUCB(n_arms=100_000, horizon=200_000, beta=1.0).start(seed=1)
    rng = np.random.default_rng(1)
    for reward in rng.normal(size=100_500):
        play.tell(play.ask(), reward)
    assert play.counts.sum() == 100_500
    assert play.counts.max() > 1
    assert play.indices.argmax() == play.ask()


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf, 1.7e308, "1", None, True, [1.0], 1j])
def test_a_bad_reward_is_refused_and_changes_nothing(reward):
    play = SLEUCB(n_arms=2, horizon=10).start()
    arm = play.ask()
    before = play.to_dict()
    with pytest.raises(InvalidInput, match="reward must be"):
        play.tell(arm, reward)
    assert play.to_dict() == before


@pytest.mark.parametrize("arm", [-1, 2, "0", 0.5, True, None])
def test_a_bad_arm_is_refused(arm):
    play = SLEUCB(n_arms=2, horizon=10).start()
    play.ask()
    with pytest.raises(InvalidInput, match="arm must be"):
        play.tell(arm, 1.0)


def test_a_reward_without_an_outstanding_pull_is_refused():
    play = SLEUCB(n_arms=2, horizon=10).start(priority=[0, 1])
    play.ask()
    with pytest.raises(PlayError, match="arm 1 has no outstanding pull"):
        play.tell(1, 1.0)
    play.tell(0, 1.0)
    with pytest.raises(PlayError, match="arm 0 has no outstanding pull: 1 assigned, 1 rewarded"):
        play.tell(0, 1.0)


def test_asking_beyond_the_horizon_is_refused():
    play = SLEUCB(n_arms=2, horizon=3).start()
    for _ in range(3):
        play.tell(play.ask(), 0.0)
    with pytest.raises(HorizonReached, match="all 3 rounds are assigned"):
        play.ask()
    assert play.counts.sum() == 3
