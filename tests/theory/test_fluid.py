"""The fluid: its slopes, its inverse, and counts that share out the rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.policies.core.curves import Curves
from steadyarm.theory.fluid import bonus, fluid_counts, fluid_spread, lag, pulls_down_to, slope


@pytest.mark.parametrize("kind", ["SLEUCB", "UCB", "MOSS", "SafeUCB", "KLUCBpp", "Steady"])
@given(n=st.floats(1.5, 900))
def test_the_slope_is_the_derivative_and_the_inverse_an_inverse(kind, n):
    curves = sa.all_policies()[kind](n_arms=2, horizon=2000).curves
    step = 1e-5 * n
    derivative = (bonus(curves, n - step) - bonus(curves, n + step)) / (2 * step)
    assert slope(curves, n) == pytest.approx(derivative, rel=1e-3)
    assert pulls_down_to(curves, bonus(curves, n), 2000.0) == pytest.approx(n, rel=1e-8)


def test_counts_share_out_the_rounds_at_one_level_and_copies_count_as_often_as_they_are():
    curves = sa.SLEUCB(n_arms=3, horizon=50_000).curves
    counts = np.empty(2)
    level = fluid_counts(curves, np.array([0.2, 0.0]), np.array([1.0, 2.0]), 50_000.0, counts)
    assert counts[0] + 2.0 * counts[1] == pytest.approx(50_000.0, rel=1e-9)
    assert 0.2 + bonus(curves, counts[0]) == pytest.approx(level, rel=1e-9)
    assert bonus(curves, counts[1]) == pytest.approx(level, rel=1e-9)
    apart = np.empty(3)
    fluid_counts(curves, np.array([0.2, 0.0, 0.0]), np.ones(3), 50_000.0, apart)
    assert apart == pytest.approx([counts[0], counts[1], counts[1]], rel=1e-9)


def test_the_spread_of_two_arms_is_the_same_for_both_and_none_without_noise():
    curves = sa.SLEUCB(n_arms=2, horizon=10_000).curves
    counts, spread = np.array([6000.0, 4000.0]), np.empty(2)
    fluid_spread(curves, np.array([1.0, 4.0]), np.ones(2), counts, spread)
    assert spread[0] == pytest.approx(spread[1], rel=1e-9)
    assert spread[0] > 0.0
    assert fluid_spread(curves, np.zeros(2), np.ones(2), counts, spread) == 0.0
    assert spread.tolist() == [0.0, 0.0]


def test_a_width_that_is_flat_leaves_its_index_any_distance_below():
    assert lag(Curves(horizon=100.0), 1.0, 10.0) == np.inf
    falling = Curves(horizon=100.0, root=1.0)
    assert lag(falling, 2.0, 10.0) == pytest.approx(2.0 * lag(falling, 1.0, 10.0))
