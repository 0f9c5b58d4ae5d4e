"""Own-history policies round by round: the counts of the reference for many arms, ties and moments."""

import numpy as np
import pytest
from tests.engines.played.test_step import counts_at_by, counts_by

from steadyarm.model import Instance, equal_gap
from steadyarm.policies import SLEUCB


@pytest.mark.parametrize(("n_arms", "horizon"), [(2, 3), (100, 101), (100, 1500), (1000, 3000)])
def test_step_equals_the_reference_for_many_arms_and_short_horizons(n_arms, horizon):
    policy = SLEUCB(n_arms=n_arms, horizon=horizon, beta=1.0)
    for instance in (equal_gap(n_arms, 0.5), Instance.bernoulli([0.5] * n_arms)):
        expected = counts_by("reference", policy, instance, seed=3)
        assert np.array_equal(counts_by("step", policy, instance, seed=3), expected)


def test_ties_really_happen_with_discrete_rewards():
    policy = SLEUCB(n_arms=3, horizon=50, beta=1.0)
    instance = Instance.bernoulli([0.5, 0.5, 0.5])
    played = counts_by("step", policy, instance, seed=1, runs=50)
    mirrored = []
    for run in range(50):
        play = policy.start(priority=[-rank + 2 for rank in policy.start(seed=1, run=run).priority])
        table = iter_table(instance, 1, run)
        while play.round < 50:
            arm = play.ask()
            play.tell(arm, next(table[arm]))
        mirrored.append(play.counts)
    differences = np.abs(played - np.array(mirrored))
    assert differences.any()  # another priority gives other counts, so there were ties
    assert differences.max() <= 1  # Term (★): by at most one


def iter_table(instance, seed, run):
    from steadyarm.model import reward_table

    return [iter(row.tolist()) for row in reward_table(instance, seed=seed, run=run, pulls=60)]


def test_counts_on_the_way_add_up_and_first_pulls_go_by_priority():
    policy, instance = SLEUCB(n_arms=4, horizon=300), equal_gap(4, 0.5)
    counts = counts_at_by("step", policy, instance, 3, [1, 3, 4, 150, 300], runs=5)
    assert counts.sum(axis=2).tolist() == [[1, 3, 4, 150, 300]] * 5
    for run in range(5):
        order = np.argsort(policy.start(seed=3, run=run).priority)
        assert counts[run, 0, order[0]] == 1
        assert counts[run, 1, order[3]] == 0
    assert (counts[:, 2] == 1).all()
