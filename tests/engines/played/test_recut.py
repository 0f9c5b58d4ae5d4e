"""One changed reward: re-cutting one arm gives what playing the changed table from the start gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.policies import OwnHistoryPolicy

OWN_HISTORY = [kind for kind in sa.all_policies().values() if issubclass(kind, OwnHistoryPolicy)]


def play_changed(policy, instance, seed, run, arm, pull, reward):
    """Play a run on the table with one cell overridden, round by round."""
    table = sa.reward_table(instance, seed=seed, run=run, pulls=policy.horizon)
    table[arm, pull - 1] = reward
    play = policy.start(seed=seed, run=run)
    pulled = [0] * policy.n_arms
    while play.round < policy.horizon:
        chosen = play.ask()
        play.tell(chosen, table[chosen, pulled[chosen]])
        pulled[chosen] += 1
    return pulled


@pytest.mark.parametrize("kind", OWN_HISTORY, ids=lambda kind: kind.__name__)
@settings(max_examples=25)
@given(
    arm=st.integers(0, 2),
    pull=st.integers(1, 200),
    reward=st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0, 1),
    run=st.integers(0, 50),
)
def test_recutting_one_arm_equals_playing_the_changed_table(kind, arm, pull, reward, run):
    policy = kind(n_arms=3, horizon=200)
    instance = sa.Instance.bernoulli([0.5, 0.5, 0.3])
    found = sa.influence(policy, instance, seed=3, run=run, arm=arm, pull=pull, reward=reward)
    assert found.after.tolist() == play_changed(policy, instance, 3, run, arm, pull, reward)
    assert np.array_equal(found.before, sa.simulate(policy, instance, runs=run + 1, seed=3).counts[run])
    assert found.change.sum() == 0


@pytest.mark.parametrize("reward", [-1e3, 1e3])
def test_a_wild_reward_that_takes_or_gives_nearly_everything_is_exact_too(reward):
    policy = sa.MOSS(n_arms=3, horizon=300)
    for arm in range(3):
        found = sa.influence(policy, sa.equal_arms(3), arm=arm, pull=2, reward=reward)
        assert found.after.tolist() == play_changed(policy, sa.equal_arms(3), 0, 0, arm, 2, reward)


def test_a_reward_that_is_never_read_changes_nothing():
    policy = sa.SLEUCB(n_arms=2, horizon=500, constants="sharp")
    found = sa.influence(policy, sa.equal_gap(2, 0.5), arm=1, pull=400, reward=1e6)
    assert found.before[1] < 400
    assert np.array_equal(found.before, found.after)
