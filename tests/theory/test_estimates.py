"""Estimates: values, degenerate samples and their text."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaincinv, ndtri

from steadyarm.theory.estimates import (
    UNKNOWN,
    Estimate,
    largest_sd_estimate,
    mean_estimate,
    sd_estimate,
    share_estimate,
)

samples = st.lists(st.integers(0, 10**6), min_size=2, max_size=40)


@given(samples)
def test_value_and_interval_are_in_order(sample):
    for estimate in (mean_estimate(sample), sd_estimate(sample)):
        assert estimate.low <= estimate.value <= estimate.high
        assert estimate.runs == len(sample)
    assert mean_estimate(sample).value == pytest.approx(np.mean(sample))
    assert sd_estimate(sample).value == pytest.approx(np.std(sample, ddof=1))


@given(samples, st.floats(0.5, 0.89))
def test_a_higher_level_gives_a_wider_interval(sample, level):
    for estimator in (mean_estimate, sd_estimate):
        narrow, wide = estimator(sample, level), estimator(sample, level + 0.1)
        assert wide.low <= narrow.low
        assert narrow.high <= wide.high


def test_a_constant_sample_has_no_spread():
    assert sd_estimate([7.0] * 10) == Estimate(0.0, 0.0, 0.0, 10)
    assert mean_estimate([7.0] * 10) == Estimate(7.0, 7.0, 7.0, 10)
    assert sd_estimate([7.0] * 10).relative_half_width == 0.0


def test_one_value_with_different_roundings_has_no_spread():
    found = mean_estimate([0.2, 0.2 + 2.0**-55, 0.2 - 2.0**-55])
    assert found.low == found.high == pytest.approx(0.2)


def test_the_largest_of_several_is_the_largest():
    table = np.random.default_rng(0).normal(size=(200, 4)) * [1.0, 5.0, 2.0, 0.0]
    estimate = largest_sd_estimate(table)
    assert estimate.value == pytest.approx(table[:, 1].std(ddof=1))
    alone = sd_estimate(table[:, 1])
    assert (estimate.low, estimate.high) == pytest.approx((alone.low, alone.high))


def test_many_equal_columns_are_handled():
    table = np.random.default_rng(0).normal(size=(100, 300))
    estimate = largest_sd_estimate(table)
    assert estimate.low <= 1.0 <= estimate.high
    assert estimate.value > 1.1


def test_two_mirrored_columns_have_the_interval_of_one():
    column = np.random.default_rng(0).normal(size=300)
    both = largest_sd_estimate(np.column_stack([column, -column]))
    alone = sd_estimate(column)
    assert (both.low, both.high) == pytest.approx((alone.low, alone.high), rel=0.01)


def test_a_handful_of_runs_bounds_nothing():
    assert sd_estimate([1.0, 2.0]).high == math.inf
    assert mean_estimate([1.0]).high == math.inf


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.0, 0.0, 0.0, 5), "0 [0, 0]"),
        (Estimate(0.012345, 0.01, 0.02, 5), "0.01235 [0.01000, 0.02000]"),
        (Estimate(3.14159, 3.0, 3.3, 5), "3.142 [3.000, 3.300]"),
        (Estimate(1234567.8, 1234000.0, 1235000.0, 5), "1,234,568 [1,234,000, 1,235,000]"),
        (Estimate(1.0, -math.inf, math.inf, 1), "1.000 [-inf, inf]"),
        (Estimate(math.nan, 0.0, math.inf, 1), "nan [0, inf]"),
    ],
)
def test_an_estimate_reads_well(estimate, text):
    assert str(estimate) == text


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.0, 0.0, 0.025, 150), "0.0000 [0.0000, 0.0250]"),
        (Estimate(0.0, -0.5, 0.3, 10), "0.000 [-0.500, 0.300]"),
        (Estimate(0.3, 0.29997, 0.30003, 10**9), "0.3000000 [0.2999700, 0.3000300]"),
        (Estimate(0.0, 0.0, 0.0, 5), "0 [0, 0]"),
        (Estimate(12.346, 11.9, 12.81, 1000), "12.35 [11.90, 12.81]"),
    ],
)
def test_an_interval_is_printed_with_digits_that_show_its_width(estimate, text):
    assert str(estimate) == text


def test_wilsons_interval_covers_as_it_says():
    """A share near one, where Student's interval fails: 2,000 samples of 60."""
    draws = np.random.default_rng(1).random((2000, 60)) < 0.97
    ends = [share_estimate(int(row.sum()), 60, 0.95) for row in draws]
    held = np.mean([each.low <= 0.97 <= each.high for each in ends])
    assert abs(held - 0.95) < 0.03
    assert np.mean([each.low <= 0.90 <= each.high for each in ends]) < 0.8  # another share is found out


@pytest.mark.parametrize(("successes", "runs"), [(0, 40), (1, 40), (38, 40), (40, 40), (1234, 8000)])
def test_the_intervals_are_wilsons_and_clopper_and_pearsons(successes, runs):
    share, z = successes / runs, float(ndtri(0.975))
    wilson = share_estimate(successes, runs, 0.95)
    centre = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z * math.sqrt(share * (1 - share) / runs + (z / (2 * runs)) ** 2) / (1 + z * z / runs)
    assert (wilson.low, wilson.value, wilson.high) == pytest.approx(
        (centre - half, share, centre + half), abs=1e-14
    )
    exact = share_estimate(successes, runs, 0.999, "exact")
    assert exact.low == pytest.approx(
        betaincinv(successes, runs - successes + 1, 0.0005) if successes else 0.0
    )
    assert exact.high == pytest.approx(
        betaincinv(successes + 1, runs - successes, 0.9995) if successes < runs else 1.0
    )
    assert 0.0 <= wilson.low <= share <= wilson.high <= 1.0


def test_columns_of_a_table_are_value_and_ends_in_the_unit_that_is_asked_for():
    estimate = Estimate(12.0, 11.0, math.inf, runs=100, level=0.9)
    assert estimate.over(4.0) == Estimate(3.0, 2.75, math.inf, runs=100, level=0.9)
    assert estimate.over(4.0).columns("lost") == {"lost": 3.0, "lost_low": 2.75, "lost_high": math.inf}
    assert all(math.isnan(value) for value in UNKNOWN.columns("lost").values())
