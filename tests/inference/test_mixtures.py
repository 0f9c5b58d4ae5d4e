"""Mixtures of bets: integrals, martingales, and how rarely they win against what is true."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import xlog1py, xlogy
from scipy.stats import beta

from steadyarm.inference.mixtures import (
    bernstein_evidence,
    bounded_ends,
    coin_difference_lows,
    coin_ends,
    coin_evidence,
    concentration,
    normal_difference_half_widths,
    normal_half_widths,
)

rates = st.floats(0.02, 0.98)


@pytest.mark.parametrize(("n", "ones", "rate"), [(20, 18, 0.5), (30, 1, 0.02), (5, 0, 0.3)])
def test_the_evidence_of_coins_is_the_mixture_of_likelihood_ratios(n, ones, rate):
    prior = beta(6.0 * rate, 6.0 * (1.0 - rate))

    def bet(theta):
        log_ratio = xlogy(ones, theta / rate) + xlog1py(n - ones, -theta) - xlog1py(n - ones, -rate)
        return math.exp(log_ratio) * prior.pdf(theta)

    mixture = quad(bet, 0.0, rate)[0] + quad(bet, rate, 1.0)[0]
    found = coin_evidence(rate, np.array(n), np.array(float(ones)), 6.0)
    assert math.exp(found) == pytest.approx(mixture, rel=1e-6)


@given(rates, st.integers(0, 60), st.integers(0, 60), st.floats(0.5, 50))
def test_the_evidence_of_coins_is_a_martingale_under_the_true_rate(rate, ones, noughts, rho):
    def capital(more_ones, more):
        n, s = np.array(ones + noughts + more), np.array(float(ones + more_ones))
        return math.exp(coin_evidence(rate, n, s, rho))

    assert rate * capital(1, 1) + (1.0 - rate) * capital(0, 1) == pytest.approx(capital(0, 0), rel=1e-9)


@given(rates, rates, rates, st.integers(0, 60), st.integers(0, 60))
def test_the_evidence_of_coins_is_convex_in_the_rate(one, other, share, ones, noughts):
    n, s = np.array(ones + noughts), np.array(float(ones))
    between = coin_evidence(share * one + (1.0 - share) * other, n, s, 5.0)
    chord = share * coin_evidence(one, n, s, 5.0) + (1.0 - share) * coin_evidence(other, n, s, 5.0)
    assert between <= chord + 1e-9


@pytest.mark.parametrize(("excess", "variance", "rho"), [(0.0, 4.0, 2.0), (10.0, 4.0, 2.0), (3.0, 0.25, 9.0)])
def test_the_evidence_of_bounded_rewards_is_the_mixture_of_bets(excess, variance, rho):
    def prior(size):
        return (1.0 - size) ** (rho - 1.0) * math.exp(-rho * (1.0 - size))

    def bet(size):
        return math.exp(size * excess + (math.log1p(-size) + size) * variance) * prior(size)

    mixture = quad(bet, 0.0, 1.0)[0] / quad(prior, 0.0, 1.0)[0]
    assert math.exp(bernstein_evidence(excess, variance, rho)) == pytest.approx(mixture, rel=1e-7)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.05, 1)), min_size=1, max_size=3),
    st.floats(0, 1),
    st.floats(1, 20),
    st.floats(0, 20),
    st.floats(0.2, 20),
)
def test_the_evidence_of_bounded_rewards_grows_on_average_under_no_law_and_no_guess(
    law, guess, excess, variance, rho
):
    values, weights = np.array([value for value, _ in law]), np.array([weight for _, weight in law])
    weights /= weights.sum()
    away = values - weights @ values
    after = np.exp(bernstein_evidence(excess + away, variance + (values - guess) ** 2, rho))
    assert weights @ after <= math.exp(bernstein_evidence(excess, variance, rho)) * (1.0 + 1e-9)


PATHS, LAST, ALPHA = 1500, 1000, 0.1
ERROR = math.sqrt(ALPHA * (1.0 - ALPHA) / PATHS)
LAWS = {
    "coins of 1 %": lambda rng: (rng.random((PATHS, LAST)) < 0.01) * 1.0,
    "coins of 50 %": lambda rng: (rng.random((PATHS, LAST)) < 0.5) * 1.0,
    "skewed": lambda rng: rng.beta(0.05, 0.95, (PATHS, LAST)),
}
MEANS = {"coins of 1 %": 0.01, "coins of 50 %": 0.5, "skewed": 0.05}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_bounded_intervals_miss_at_any_of_a_thousand_looks_no_more_often_than_they_say(law):
    rewards, mean = LAWS[law](np.random.default_rng(4)), MEANS[law]
    n = np.arange(1, LAST + 1)
    sums = np.cumsum(rewards, axis=1)
    away = (rewards[:, 1:] - sums[:, :-1] / n[:-1]) ** 2
    v = np.cumsum(np.hstack([np.zeros((PATHS, 1)), away]), axis=1) + 0.25
    rho = concentration(LAST / 20.0, ALPHA / 2.0)

    def outside(mean):
        strays = sums - n * mean
        sides = (bernstein_evidence(np.maximum(side * strays, 0.0), v, rho) for side in (1, -1))
        return np.maximum(*sides) >= math.log(2.0 / ALPHA)

    missed = outside(mean)
    assert missed.any(axis=1).mean() <= ALPHA + 3.0 * ERROR
    assert outside(mean + 0.06).any(axis=1).mean() > 0.5  # another mean is found out
    # The interval at the last look is the set of means against which that evidence is small.
    low, high = bounded_ends(np.full(PATHS, LAST), sums[:, -1], v[:, -1] - 0.25, 1.0 - ALPHA, LAST)
    assert np.array_equal(missed[:, -1], (mean < low) | (mean > high))


@pytest.mark.parametrize("law", ["coins of 1 %", "coins of 50 %"])
def test_intervals_of_coins_miss_at_any_of_a_thousand_looks_no_more_often_than_they_say(law):
    rate, n = MEANS[law], np.arange(1, LAST + 1)
    ones = np.cumsum(LAWS[law](np.random.default_rng(5)), axis=1)
    evidence = coin_evidence(rate, n, ones, concentration(LAST, ALPHA))
    missed = (evidence.max(axis=1) >= math.log(1.0 / ALPHA)).mean()
    assert missed <= ALPHA + 3.0 * ERROR
    # Nor is it loose: looks at which one would stop too early are found with half the evidence.
    assert (evidence.max(axis=1) >= 0.5 * math.log(1.0 / ALPHA)).mean() > ALPHA
    low, high = coin_ends(np.full(PATHS, LAST), ones[:, -1], 1.0 - ALPHA, LAST)
    assert np.array_equal(evidence[:, -1] >= math.log(1.0 / ALPHA), (rate < low) | (rate > high))


@pytest.mark.parametrize("ones", [(3, 20), (0, 0), (150, 150), (40, 40), (1, 149)])
def test_the_least_difference_of_rates_is_the_best_of_all_pairs_with_little_evidence(ones):
    counts, level = (150, 300), 0.95
    rho = concentration(150, math.sqrt(1.0 - level))
    grid = np.linspace(0.0, 1.0, 2001)
    evidence = [coin_evidence(grid, n, float(s), rho) for n, s in zip(counts, ones, strict=True)]
    inside = evidence[0][:, None] + evidence[1][None, :] < math.log(20.0)
    least = (grid[:, None] - grid[None, :])[inside].min()
    found = coin_difference_lows(
        (np.array([150]), np.array([300])), (np.array([1.0 * ones[0]]), np.array([1.0 * ones[1]])), level, 150
    )
    assert least - 0.001 <= found[0] <= least + 1e-6


def test_the_difference_of_normal_means_is_that_of_the_ellipse_of_little_evidence():
    n, sigma, rho = np.array([100.0, 400.0]), np.array([1.0, 2.0]), concentration(200, math.sqrt(0.05))
    angle = np.linspace(0.0, 2.0 * math.pi, 100_001)
    budget = math.log(20.0) + 0.5 * np.log1p(n / rho).sum()
    axes = sigma * np.sqrt(2.0 * budget * (n + rho)) / n
    farthest = (axes[0] * np.cos(angle) - axes[1] * np.sin(angle)).max()
    half = normal_difference_half_widths(tuple(n), tuple(sigma), 0.95, 200)
    assert float(half) == pytest.approx(farthest, rel=1e-8)
    apart = normal_half_widths(n, sigma, 0.975, 200).sum()
    assert half < 0.85 * apart
