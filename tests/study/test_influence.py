"""Influence: which pulls move the counts most, and what that says of their variance."""

import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.study.influence import efron_stein, most_influential


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
