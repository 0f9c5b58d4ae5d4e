"""One changed reward: re-cutting one arm gives what playing the changed table from the start gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.policies import OwnHistoryPolicy
from steadyarm.study.influence import efron_stein, most_influential

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


def test_the_most_influential_pulls_come_first_and_really_move_that_much():
    policy = sa.SLEUCB(n_arms=2, horizon=300, constants="sharp", alpha=0.2)
    instance = sa.equal_arms(2)
    top = most_influential(policy, instance, seed=5, run=2, most=5)
    moves = [moved for _, _, moved in top]
    assert moves == sorted(moves, reverse=True)
    arm, pull, moved = top[0]
    copy = sa.reward_table(instance, seed=6, run=2, pulls=pull)[arm, pull - 1]
    found = sa.influence(policy, instance, seed=5, run=2, arm=arm, pull=pull, reward=copy)
    assert abs(found.change).max() == moved > 0


@pytest.mark.slow
def test_the_efron_stein_estimate_bounds_the_variance_and_half_the_cells_do_not():
    policy = sa.SLEUCB(n_arms=2, horizon=400, constants="sharp", alpha=0.3)
    instance = sa.equal_arms(2)
    bound = efron_stein(policy, instance, runs=60, seed=1)[0]
    sd = sa.simulate(policy, instance, runs=4000, seed=2).arm(0)[1]
    assert bound.high >= sd.low**2
    assert bound.value / 3 < sd.low**2  # the control: the bound is not vacuous


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"arm": 2}, "arm must be at most 1"),
        ({"pull": 0}, "pull must be at least 1; got 0. The first pull of an arm is number 1."),
        ({"pull": 501}, "pull must be at most 500"),
        ({"reward": float("nan")}, "reward must be finite"),
        ({"run": -1}, "run must be at least 0"),
    ],
)
def test_a_cell_that_is_none_is_refused(changes, words):
    policy = sa.SLEUCB(n_arms=2, horizon=500)
    with pytest.raises(InvalidInput, match=words):
        sa.influence(policy, sa.equal_arms(2), **({"arm": 0, "pull": 1, "reward": 0.0} | changes))


def test_a_general_policy_has_no_influence():
    with pytest.raises(NotSupported, match="UCB1 has none"):
        sa.influence(sa.UCB1(n_arms=2, horizon=50), sa.equal_arms(2), arm=0, pull=1, reward=0.0)
