"""Pairs of arms: which are compared, of which enough is known, and how far intervals reach."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, ttest_ind_from_stats

from steadyarm.inference.pairs import newcombe_reach, pairs_of, sides_of, welch_errors
from steadyarm.inference.sample import Sample


def coins(counts, sums):
    return Sample(np.array(counts), np.array(sums, float), None, None, "bernoulli", 0.0, 1.0, None)


@given(st.integers(1, 12), st.none() | st.integers(0, 11))
def test_every_pair_is_compared_once_or_every_arm_with_the_control(n_arms, control):
    control = control if control is None else control % n_arms
    pairs = pairs_of(n_arms, control)
    assert len({frozenset(pair) for pair in pairs}) == len(pairs)
    assert all(arm != other for arm, other in pairs)
    if control is None:
        assert len(pairs) == n_arms * (n_arms - 1) // 2
    else:
        assert pairs == [(arm, control) for arm in range(n_arms) if arm != control]


def test_a_pair_is_known_when_both_arms_have_a_reward_and_others_are_filled_in():
    sides = sides_of(coins([5, 0, 3], [2, 0, 3]), "wilson", [(0, 1), (2, 0)])
    assert sides.known.tolist() == [False, True]
    assert sides.one.counts.tolist() == [3, 3]
    assert sides.other.counts.tolist() == [3, 5]
    assert np.isfinite(sides.one.means).all()


def test_where_variances_are_estimated_two_rewards_are_needed():
    sample = Sample(
        np.array([2, 1, 4]),
        np.array([1.0, 0.5, 2.0]),
        np.array([0.9, 0.25, 1.5]),
        None,
        "bounded",
        0.0,
        1.0,
        None,
    )
    assert sides_of(sample, "wald", [(0, 1), (0, 2)]).known.tolist() == [False, True]


def test_errors_and_degrees_are_welchs():
    sample = Sample(
        np.array([8, 5]),
        np.array([10.0, 3.0]),
        np.array([20.0, 4.0]),
        None,
        "gaussian",
        -np.inf,
        np.inf,
        None,
    )
    errors, degrees = welch_errors(sides_of(sample, "wald", [(0, 1)]))
    means, sds = sample.means, np.sqrt(sample.variances)
    found = ttest_ind_from_stats(means[0], sds[0], 8, means[1], sds[1], 5, equal_var=False)
    assert (means[0] - means[1]) / errors[0] == pytest.approx(found.statistic)
    assert 2.0 * t.sf(abs(found.statistic), degrees[0]) == pytest.approx(found.pvalue)


def test_newcombes_reach_is_that_of_his_example():
    """56/70 against 48/80, method 10 of his Table II: 0.0524 to 0.3339."""
    sides = sides_of(coins([70, 80], [56, 48]), "wilson", [(0, 1)])
    below, above = newcombe_reach(sides, 1.959964)
    assert (0.2 - below[0], 0.2 + above[0]) == pytest.approx((0.0524, 0.3339), abs=5e-5)
