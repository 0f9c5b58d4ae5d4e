"""Differences of two policies on the same rewards: intervals that cover, and what pairing is worth."""

import math

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.theory.paired_differences import largest_sd_difference, mean_difference

REPEATS, RUNS = 1500, 200


@pytest.mark.slow
@pytest.mark.parametrize("n_arms", [2, 3])
def test_paired_intervals_cover_and_a_shift_by_one_standard_error_is_noticed(n_arms):
    instance = sa.equal_gap(n_arms, 0.2)
    policies = [sa.MOSS(n_arms=n_arms, horizon=200), sa.UCB(n_arms=n_arms, horizon=200)]
    one, other = (sa.simulate(policy, instance, runs=REPEATS * RUNS, seed=6) for policy in policies)
    lost = one.run_regrets.mean() - other.run_regrets.mean()
    error = (one.run_regrets - other.run_regrets).std() / math.sqrt(RUNS)
    strays = one.sd.max() - other.sd.max()
    held = np.zeros((REPEATS, 3))
    for repeat in range(REPEATS):
        rows = slice(repeat * RUNS, (repeat + 1) * RUNS)
        regret = mean_difference(one.run_regrets[rows], other.run_regrets[rows])
        spread = largest_sd_difference(one.counts[rows], other.counts[rows])
        held[repeat] = [
            regret.low <= lost <= regret.high,
            spread.low <= strays <= spread.high,
            regret.low <= lost + error <= regret.high,
        ]
    covered = held.mean(axis=0)
    assert 0.93 <= covered[0] <= 0.97
    assert 0.93 <= covered[1] <= 0.985  # near-equal arms make the ends safe rather than sharp
    assert covered[2] < 0.93  # the negative control


def test_what_both_have_in_common_cancels():
    random = np.random.default_rng(1)
    common = 100.0 * random.standard_normal(50)
    one, other = common + random.standard_normal(50), common + random.standard_normal(50) - 1.0
    found = mean_difference(one, other)
    assert found.value == pytest.approx(np.mean(one - other))
    assert found.high - found.low < 1.0
    assert mean_difference(one, random.permutation(other)).high - found.value > 10.0


def test_the_same_counts_have_no_difference_and_the_other_way_round_it_has_the_other_sign():
    random = np.random.default_rng(2)
    one, other = random.integers(0, 100, (60, 2)), random.integers(0, 50, (60, 2))
    same = largest_sd_difference(one, one)
    assert (same.value, same.low, same.high) == (0.0, 0.0, 0.0)
    there, back = largest_sd_difference(one, other), largest_sd_difference(other, one)
    assert there.value == pytest.approx(one.std(axis=0, ddof=1).max() - other.std(axis=0, ddof=1).max())
    assert (back.value, back.low, back.high) == pytest.approx((-there.value, -there.high, -there.low))
    assert there.low < there.value < there.high


def test_runs_that_are_no_pairs_are_refused_and_one_run_has_no_ends():
    with pytest.raises(InvalidInput, match="the same runs on both sides; got 2 and 3"):
        mean_difference([1.0, 2.0], [1.0, 2.0, 3.0])
    alone = largest_sd_difference([[3, 4]], [[2, 5]])
    assert (alone.low, alone.high) == (-math.inf, math.inf)
