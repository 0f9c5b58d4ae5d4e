"""Exponents from measurements: slopes, their intervals, and curves that are no lines."""

import math

import numpy as np
import pytest

from steadyarm.errors import InvalidInput
from steadyarm.study.scaling.fit import fit_exponents, log_error


def test_a_fit_finds_the_exponents_and_its_intervals_cover():
    """200 samples on a line with known errors: the 95 % interval holds the slope in 95 % of them."""
    rng = np.random.default_rng(3)
    sizes = np.column_stack([np.tile([1e2, 1e3, 1e4, 1e5], 2), np.repeat([2.0, 8.0], 4)])
    truth, held, other = 0.5 * sizes[:, 0] ** 1.5 * sizes[:, 1] ** -0.5, 0, 0
    half = np.full(8, 0.1)
    for _ in range(200):
        values = truth * np.exp(rng.normal(0.0, 0.1 / 1.96, 8))
        (in_t, in_k), _ = fit_exponents(sizes, values, half, level=0.95, runs=100)
        held += in_t.low <= 1.5 <= in_t.high and in_k.low <= -0.5 <= in_k.high
        other += in_t.low <= 1.55 <= in_t.high
    assert 0.85 <= held / 200 <= 1.0
    assert other / 200 < 0.4  # a slope that is 0.05 off is usually found out


def test_a_curve_that_is_no_line_is_told_and_gets_a_wider_interval():
    sizes = np.geomspace(1e2, 1e6, 5)[:, None]
    bent = np.exp(0.1 * np.log(sizes[:, 0]) ** 2)
    (straight,), fits = fit_exponents(sizes, sizes[:, 0] ** 1.5, np.full(5, 0.01), level=0.95, runs=9)
    (crooked,), lack = fit_exponents(sizes, bent, np.full(5, 0.01), level=0.95, runs=9)
    assert fits < 1.0 < 10.0 < lack
    assert crooked.high - crooked.low > 10.0 * (straight.high - straight.low)


def test_errors_on_the_scale_of_logarithms():
    assert log_error(0.5, 2.0) == pytest.approx(math.log(2.0))
    assert log_error(0.0, 2.0) == math.inf
    with pytest.raises(InvalidInput, match="a fit of 1 exponent needs at least 2 measurements; got 1"):
        fit_exponents(np.array([[10.0]]), np.array([1.0]), np.array([0.1]), level=0.95, runs=9)
    with pytest.raises(InvalidInput, match="at least two different sizes"):
        fit_exponents(np.full((3, 1), 10.0), np.ones(3), np.full(3, 0.1), level=0.95, runs=9)
