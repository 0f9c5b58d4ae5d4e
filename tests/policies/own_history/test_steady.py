"""Steady: its shape is the computed one, value and slope meet at the kink, and counts spread by what was asked."""

import math
import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.policies.core.curves import tilt, tilt_slope
from steadyarm.policies.own_history.steady import shape_for
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases

TOOL = runpy.run_path(str(Path(__file__).parents[3] / "tools" / "steady_shapes.py"))


def steady(n_arms=2, horizon=10**6, **parameters):
    return sa.Steady(n_arms=n_arms, horizon=horizon, **parameters)


@pytest.mark.parametrize("n_arms", [2, 3, 6, 8, 10, 15])
def test_the_largest_spread_in_the_table_and_between_its_rows_is_that_of_the_simplex(n_arms):
    kink, bend, spread = shape_for(n_arms)
    regret, largest = TOOL["worst"](n_arms, kink, bend)
    assert spread == pytest.approx(largest, rel=0.006)
    assert 1.0 < regret * largest / sa.theory.product_constant(n_arms) < 1.025


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_arms", "ratio"), [(20, 1.02), (30, 1.03), (100, 1.05), (700, 1.11), (1000, 1.12), (3000, 1.3)]
)
def test_regret_times_spread_is_near_the_least_for_many_arms_too(n_arms, ratio):
    kink, bend, spread = shape_for(n_arms)
    regret, largest = TOOL["worst"](n_arms, kink, bend)
    assert spread == pytest.approx(largest, rel=0.01)
    assert 1.0 < regret * largest / sa.theory.product_constant(n_arms) < ratio


@given(n_arms=st.integers(2, 5000), n=st.floats(1.0, 1e6))
def test_the_tilt_is_the_tools_formula_and_its_slope_the_derivative(n_arms, n):
    policy = steady(n_arms, spread=100.0)
    curves = policy.curves
    scale = policy.lam / (math.sqrt(curves.kink / 1e6) / (1.0 - curves.bend**2 * curves.kink / 1e6))
    expected = scale * (TOOL["tilt"](n / 1e6, curves.kink / 1e6, curves.bend))
    assert tilt(curves, n) - tilt(curves, curves.kink) == pytest.approx(expected, rel=1e-9, abs=1e-9 * scale)
    assert tilt.py_func(curves, n) == tilt(curves, n)
    assert tilt_slope(curves, n) == pytest.approx(
        scale * TOOL["slope"](n / 1e6, curves.kink / 1e6, curves.bend) / 1e6, rel=1e-12
    )


def test_beyond_the_horizon_where_engines_look_ahead_the_tilt_stays_finite():
    curves = steady(1000, 2000).curves
    assert tilt(curves, 5000.0) == tilt(curves, 2000.0)


@pytest.mark.parametrize("n_arms", [2, 3, 5, 10, 50])
@pytest.mark.parametrize("horizon", [10**6, 10**10])
def test_the_predicted_worst_spread_is_what_was_asked_and_the_regret_near_the_least(n_arms, horizon):
    asked = 0.03 * horizon / n_arms
    policy = steady(n_arms, horizon, spread=asked)
    found = worst_cases(policy.curves, n_arms, class_of("gaussian"))
    assert found.deviation.value == pytest.approx(asked, rel=0.02)
    assert found.regret.value < 1.06 * sa.theory.least_regret(asked, n_arms=n_arms, horizon=horizon)


def test_scaled_rewards_scale_the_index():
    small, large = steady(noise_scale=0.5, spread=1000.0), steady(noise_scale=1.0, spread=1000.0)
    assert 2.0 * small.lam == pytest.approx(large.lam)
    assert small.curves.log_reach == pytest.approx(large.curves.log_reach)


@pytest.mark.parametrize(
    ("spread", "words"),
    [
        (0.0, "spread must be positive; got 0.0. It is in pulls"),
        (
            500.5,
            r"spread must be at most 500\.0; got 500\.5\. It is in pulls, and no count between 0 and T spreads",
        ),
        ("1", "spread must be a number; got '1'"),
    ],
)
def test_a_spread_that_no_count_can_have_is_refused(spread, words):
    with pytest.raises(InvalidInput, match=words):
        steady(horizon=1000, spread=spread)


def test_no_guarantee_is_claimed_anywhere():
    assert "no finite-time guarantee" in sa.Steady.source
    assert "finite-time guarantee is proved" in sa.Steady.__doc__


def test_a_spread_too_large_for_first_order_is_noted_wherever_the_policy_is_played():
    asked = {share: steady(10, 10_000, spread=share * 1000.0) for share in (0.1, 0.3)}
    notes = {share: sa.simulate(each, sa.equal_arms(10), runs=2).notes for share, each in asked.items()}
    assert [len(each) for each in notes.values()] == [1, 2]
    assert "30% of the fair share T/K" in notes[0.3][1]
