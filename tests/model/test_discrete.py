"""Binomial and hypergeometric draws against their laws, from one trial to 2⁴⁵."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steadyarm.model.discrete import Cell, binomial, half_of, log_binomial_probability, log_half_probability

DRAWS = 20_000


def draws(sampler, *law):
    return np.array([sampler(*map(float, law), Cell(np.uint64(1), run, 0, 10, 7)) for run in range(DRAWS)])


def chi_square_p(sample, probabilities):
    expected = probabilities * DRAWS
    seen = np.bincount(sample.astype(int), minlength=expected.size).astype(float)
    common = expected > 5
    seen, expected = (
        np.append(seen[common], seen[~common].sum()),
        np.append(expected[common], expected[~common].sum()),
    )
    keep = expected > 0.5
    return stats.chisquare(seen[keep], expected[keep] * seen[keep].sum() / expected[keep].sum()).pvalue


@pytest.mark.parametrize(("n", "p"), [(1, 0.5), (2, 0.3), (5, 0.9), (20, 0.5), (100, 0.01), (1000, 0.3)])
def test_binomial_draws_have_their_law_and_not_another(n, p):
    sample, k = draws(binomial, n, p), np.arange(n + 1)
    assert chi_square_p(sample, stats.binom.pmf(k, n, p)) > 1e-4
    assert chi_square_p(sample, stats.binom.pmf(k, n, 0.9 * p)) < 1e-4


@pytest.mark.parametrize(("size", "ones"), [(2, 1), (4, 2), (8, 3), (64, 32), (1024, 100), (1024, 1000)])
def test_halves_have_the_hypergeometric_law_and_not_another(size, ones):
    sample, k = draws(half_of, size, ones), np.arange(size // 2 + 1)
    assert chi_square_p(sample, stats.hypergeom.pmf(k, size, ones, size // 2)) > 1e-4
    if size > 2:
        assert chi_square_p(sample, stats.binom.pmf(k, size // 2, 0.9 * ones / size)) < 1e-4


def test_huge_draws_are_normal_with_the_right_variance():
    n = 2.0**45
    ones = draws(binomial, n, 0.3)
    assert stats.kstest((ones - 0.3 * n) / np.sqrt(0.21 * n), "norm").pvalue > 1e-4
    halves = draws(half_of, n, 0.25 * n)
    assert stats.kstest((halves - 0.125 * n) / np.sqrt(n * 0.25 * 0.1875), "norm").pvalue > 1e-4
    assert stats.kstest((halves - 0.125 * n) / np.sqrt(1.1 * n * 0.25 * 0.1875), "norm").pvalue < 1e-4


def test_sure_things_are_sure():
    assert set(draws(binomial, 10, 0.0)) == {0.0}
    assert set(draws(binomial, 10, 1.0)) == {10.0}
    assert set(draws(half_of, 8, 8)) == {4.0}
    assert set(draws(half_of, 8, 0)) == {0.0}


@given(n=st.integers(1, 10**6), share=st.floats(0, 1), p=st.floats(0.01, 0.99))
def test_log_probabilities_agree_with_scipy(n, share, p):
    k = round(share * n)
    expected = stats.binom.logpmf(k, n, p)
    assert log_binomial_probability(float(k), float(n), p) == pytest.approx(expected, rel=1e-9, abs=1e-8)
    size = 2 * n
    expected = stats.hypergeom.logpmf(k, size, n, n)
    assert log_half_probability(float(k), float(size), float(n)) == pytest.approx(
        expected, rel=1e-6, abs=1e-5
    )
