"""What every play does: it takes and refuses what is told, ends at its horizon and can be saved."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import HorizonReached, InvalidInput, PlayError
from steadyarm.policies import SLEUCB, play_from_dict
from steadyarm.policies.padded import Padded

MOSS = sa.MOSS(n_arms=3, horizon=300)
PLAYS = {
    "an index": MOSS,
    "a rule": sa.UCB1(n_arms=3, horizon=300),
    "a rule that draws": sa.GaussianThompson(n_arms=3, horizon=300),
    "a mix": sa.Mixed(MOSS, share=0.3),
    "quotas": sa.Quotas(MOSS, at_least=[0.3, 0, 0]),
    "padded": Padded(sa.MOSS(n_arms=4, horizon=300)),
}


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


@pytest.mark.parametrize("name", PLAYS)
def test_many_rewards_told_in_uneven_parts_leave_the_play_that_one_by_one_leaves(name):
    policy, rewards = PLAYS[name], np.random.default_rng(1).normal(size=300)
    one, many = policy.start(seed=4), policy.start(seed=4)
    for part in (1, 2, 40, 7, 150):
        arms = [one.ask() for _ in range(part)]
        assert arms == [many.ask() for _ in range(part)]
        told = rewards[one.round - part : one.round]
        for arm, reward in zip(arms, told.tolist(), strict=True):
            one.tell(arm, reward)
        many.tell_many(np.array(arms), told)
        assert many.counts.tolist() == one.counts.tolist()
        assert many.indices.tolist() == one.indices.tolist()
        assert [each.tolist() for each in many.moments] == [each.tolist() for each in one.moments]
    assert one.round == 200


def test_rewards_of_a_retired_arm_count_and_leave_it_retired():
    one, many = MOSS.start(seed=1), MOSS.start(seed=1)
    for play in (one, many):
        arms = [play.ask() for _ in range(30)]
        play.retire(1)
    for arm in arms:
        one.tell(arm, float(arm == 1))
    many.tell_many(arms, [float(arm == 1) for arm in arms])
    rest = [many.ask() for _ in range(100)]
    assert rest == [one.ask() for _ in range(100)]
    assert 1 not in rest
    assert many.to_dict() == one.to_dict()


def test_only_plays_without_compiled_code_take_rewards_one_by_one():
    fast = {name for name, policy in PLAYS.items() if policy.start().takes_many}
    assert fast == PLAYS.keys() - {"padded"}


@pytest.mark.parametrize("name", PLAYS)
@pytest.mark.parametrize(
    ("arms", "rewards", "kind", "said"),
    [
        ([0, 1, 1], [0.0, 1.0], InvalidInput, "each reward must have its arm; got 3 arms and 2 rewards"),
        (
            [0, 1, 9],
            [0.0, 1.0, 1.0],
            InvalidInput,
            r"arm must be at most \d; got 9. Arms are numbered from 0",
        ),
        ([-1, 1], [0.0, 1.0], InvalidInput, "arm must be at least 0; got -1"),
        ([0, 1], [0.0, math.nan], InvalidInput, "reward must be finite; got nan"),
        ([0, 1], [0.0, 1e200], InvalidInput, r"reward must be at most 1e\+140; got 1e\+200"),
        ([0] * 31, [0.0] * 31, PlayError, "arm 0 has no outstanding pull for 31 rewards.*Ask first"),
    ],
)
def test_if_one_is_refused_none_is_told(name, arms, rewards, kind, said):
    play = PLAYS[name].start(seed=2)
    for _ in range(30):
        play.ask()
    for told in ((arms, rewards), (np.array(arms), np.array(rewards))):
        with pytest.raises(kind, match=said):
            play.tell_many(*told)
    assert play.observed.sum() == 0


@pytest.mark.parametrize("bad", [True, "1", None])
def test_a_list_with_something_else_than_numbers_is_refused(bad):
    play = MOSS.start(seed=2)
    arm = play.ask()
    for told in (([arm], [bad]), ([bad], [1.0]), ("0", [1.0]), ({arm}, [1.0])):
        with pytest.raises(InvalidInput, match="must be a"):
            play.tell_many(*told)
    assert play.observed.sum() == 0
