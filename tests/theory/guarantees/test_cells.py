"""Theorem E2 cell by cell: no cell lies below the formula inside it, and a concave majorant lies above all."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.theory.guarantees import cells
from steadyarm.theory.guarantees.cells import COARSE, FINE, theorem_e
from steadyarm.theory.guarantees.instability import theorem_c
from steadyarm.theory.guarantees.parameters import Parameters, parameters_of


def sharp(n_arms, horizon, alpha=1.0, beta=None):
    return parameters_of(sa.SLEUCB(n_arms=n_arms, horizon=horizon, alpha=alpha, beta=beta, constants="sharp"))


SETTINGS = [sharp(2, 10**5), sharp(4, 10**6, alpha=3.0), sharp(10, 10**5, beta=18.0), sharp(1000, 10**12)]


def formula(found, n0):
    """Second moment around n₀ as the theorem states it for two arms and σ = 1, at the best of many φ and θ."""
    beta, lam, most, b = found.beta, found.lam, found.most_pulls, n0 - 1.0
    eta = lam + lam * n0 / (most - n0) + beta / (2.0 * math.sqrt(n0))
    norms = [(p, math.sqrt(2.0) * (2.0 * math.factorial(p)) ** (0.5 / p)) for p in range(1, 13)]
    time = most
    for _ in range(50):
        overshoot = eta + min(norm * time ** (0.5 / p) for p, norm in norms)
        time = (0.5 * math.sqrt(n0) + overshoot) / eta
    t, x = np.linspace(1e-5, 1.0 - 1e-5, 20_001), np.linspace(0.0, 1.0, 101)
    pull = lam * float(np.min(-np.log1p(-t) / t + b / (most - b * (1.0 - t))))
    up = (overshoot + np.sqrt(x * n0 + time)) / eta
    best = math.inf
    for phi, theta in product(np.linspace(0.0, 0.6, 7), np.linspace(0.2, 0.9, 29)):
        slope = pull + phi * beta / (2.0 * math.sqrt(b))
        rare = min(_rare(theta * (1.0 - phi) * beta, b, ratio) for ratio in (1.1, 1.2, 1.3, 1.5, 1.8, 2.2))
        walk = math.sqrt(2.0 * b) / ((1.0 - theta) * (1.0 - phi) * beta)
        low = 1.0 + (np.sqrt((1.0 - x) * n0) + walk) / slope + b * math.sqrt(rare)
        best = min(best, float((up**2 + low**2).max()))
    return best


def _rare(level, b, ratio):
    j = np.arange(math.ceil(math.log(b) / (2.0 * math.log(ratio))))
    return float(np.exp(-2.0 * (level / (1.0 + ratio**-j)) ** 2 * ratio / (1.0 + ratio) ** 2).sum())


@pytest.mark.parametrize("n0", [3000.0, 33_333.0, 50_000.0, 80_000.0])
def test_for_two_arms_a_cell_lies_above_the_formula_and_close_to_it(n0):
    for found in (sharp(2, 10**5), sharp(2, 10**5, alpha=2.0, beta=17.0)):
        low, high = cells._cells(found, FINE)
        cell = cells._second_moments(found, low, high)[np.searchsorted(high, n0)]
        assert (1.0 - 2e-3) * formula(found, n0) <= cell <= 1.05 * formula(found, n0)


@pytest.mark.parametrize("found", SETTINGS)
def test_cells_cover_every_count_once(found):
    low, high = cells._cells(found, COARSE)
    assert (low[0], high[-1]) == (1.0, found.most_pulls)
    assert (low[1:] == high[:-1] + 1.0).all()
    assert (low <= high).all()


@pytest.mark.parametrize("found", SETTINGS)
def test_narrower_cells_bring_the_bound_down_a_little(found):
    fine, coarse = theorem_e(found, FINE), theorem_e(found, COARSE)
    assert fine < coarse < 1.03 * fine
    assert fine < 1.02 * theorem_c(found)


def test_the_least_pull_is_below_the_function_everywhere_and_touches_it():
    y = np.array([0.0, 1e-6, 0.1, 0.41, 0.42, 0.5, 0.7, 0.9, 0.99, 1.0 - 1e-9])
    t = np.linspace(1e-4, 1.0 - 1e-4, 30_001)[:, None]
    for response in (1.0, 0.3):
        seen = (-np.log1p(-t) / t + response * y / (1.0 - y + y * t)).min(axis=0)
        least = cells._least_pull(y, np.full_like(y, response))
        assert (least <= seen).all()
        assert least == pytest.approx(seen, rel=1e-3)
        assert (np.diff(least) >= 0.0).all()


five = st.tuples(*[st.floats(1e-3, 1e3)] * 5)


@given(five)
def test_the_maximum_over_x_is_one(numbers):
    c1, a1, e1, c2, a2 = (np.array([number]) for number in numbers)
    x = np.linspace(0.0, 1.0, 2001)
    seen = ((c1 + np.sqrt(a1 * x + e1)) ** 2 + (c2 + np.sqrt(a2 * (1.0 - x))) ** 2).max()
    assert seen * (1.0 - 1e-12) <= cells._largest(c1, a1, e1, c2, a2)[0] <= seen * (1.0 + 1e-3)


@given(st.lists(st.floats(0.0, 1e6), min_size=2, max_size=40))
def test_a_majorant_is_concave_and_above(values):
    x, y = np.arange(float(len(values))), np.array(values)
    corners, heights = cells._majorant(x, y)
    assert (np.interp(x, corners, heights) >= y * (1.0 - 1e-12)).all()
    assert (np.diff(np.diff(heights) / np.diff(corners)) <= 1e-6).all()
    assert set(corners) <= set(x)


@settings(max_examples=25)
@given(
    st.builds(
        Parameters,
        n_arms=st.integers(2, 1000),
        horizon=st.integers(1001, 10**15).map(float),
        beta=st.floats(1e-3, 1e6),
        lam=st.floats(1e-6, 1e6),
        noise=st.floats(1e-2, 1e2),
        bias=st.just(0.0),
    ),
    st.floats(1.5, 10.0),
)
def test_it_is_capped_falls_with_the_stabilizer_and_knows_no_units(found, factor):
    bound = theorem_e(found, COARSE)
    assert 0.5 <= bound <= found.most_instability
    assert theorem_e(found._replace(lam=factor * found.lam), COARSE) <= bound * (1.0 + 1e-6)
    scaled = found._replace(beta=factor * found.beta, lam=factor * found.lam, noise=factor * found.noise)
    assert theorem_e(scaled, COARSE) == pytest.approx(bound, rel=1e-6)
