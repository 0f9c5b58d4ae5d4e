"""How experiments end: averages over runs, and what they decide."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.sums import reward_moments
from steadyarm.inference.outcomes import simulated

COINS = sa.Instance.bernoulli([0.2, 0.2, 0.4])


@pytest.fixture(scope="module")
def runs():
    return sa.simulate(sa.RoundRobin(n_arms=3, horizon=300), COINS, runs=50, seed=2)


def test_sums_alone_tell_the_same_of_coins_as_all_moments(runs):
    moments = reward_moments(COINS, runs.counts, seed=2)
    ends = [
        simulated(runs, known).difference_ends("auto", 0.95, [(2, 0)], 100.0)
        for known in (moments, moments.sums)
    ]
    assert np.array_equal(ends[0], ends[1])


def test_the_best_arm_is_picked_where_its_mean_leads(runs):
    outcomes = simulated(runs, reward_moments(COINS, runs.counts, seed=2))
    means = outcomes.sample.means
    assert np.array_equal(outcomes.best_picked == 1.0, means[:, 2] > means[:, :2].max(axis=1))
    right = outcomes.decided("wilson", 0.95, [(2, 0), (1, 0)], 100.0)[1]
    low = outcomes.difference_ends("wilson", 0.95, [(2, 0)], 100.0)[0]
    assert np.array_equal(right, low[:, 0] > 0.0)
