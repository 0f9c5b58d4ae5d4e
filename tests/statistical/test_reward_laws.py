"""The laws of the table's cells over 10⁷ of them, and that nothing in the table depends on anything else.

Thresholds are normal or Kolmogorov quantiles at 10⁻⁵ for each statistic, with fixed seeds; every test has a
negative control that the same threshold rejects.
"""

import math

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import kstwobign, norm

from steadyarm.model import Instance, equal_arms, reward_table

pytestmark = pytest.mark.slow

CELLS = 10_000_000
Z = float(norm.isf(0.5e-5))
KOLMOGOROV = float(kstwobign.isf(1e-5))


@pytest.fixture(scope="module")
def normals():
    return reward_table(equal_arms(2), seed=20261115, run=3, pulls=CELLS // 2)


def kolmogorov_statistic(sample, cdf):
    ordered = np.sort(sample, axis=None)
    expected = cdf(ordered)
    steps = np.arange(ordered.size + 1) / ordered.size
    return math.sqrt(ordered.size) * max((expected - steps[:-1]).max(), (steps[1:] - expected).max())


def test_gaussian_cells_pass_kolmogorov_smirnov_and_a_slightly_wrong_law_does_not(normals):
    assert kolmogorov_statistic(normals, ndtr) < KOLMOGOROV
    assert kolmogorov_statistic(normals * 1.003, ndtr) > KOLMOGOROV
    assert kolmogorov_statistic(normals + 0.003, ndtr) > KOLMOGOROV


def moment_scores(sample):
    """Standardised deviations of the first six raw moments from those of a standard normal."""
    moments = [1, 0, 1, 0, 3, 0, 15, 0, 105, 0, 945, 0, 10395]
    scores = []
    power = np.ones_like(sample)
    for k in range(1, 7):
        power = power * sample
        variance = moments[2 * k] - moments[k] ** 2
        scores.append((power.mean() - moments[k]) / math.sqrt(variance / sample.size))
    return np.array(scores)


def test_the_first_six_moments_are_those_of_a_normal(normals):
    assert np.abs(moment_scores(normals.ravel())).max() < Z
    assert np.abs(moment_scores(normals.ravel() * 1.002)).max() > Z


def tail_scores(sample):
    levels = np.array([1.0, 2.0, 3.0, 4.0, 4.5, 5.0])
    expected = 2.0 * norm.sf(levels)
    seen = np.array([(np.abs(sample) > level).mean() for level in levels])
    return (seen - expected) / np.sqrt(expected / sample.size)


def test_the_tails_are_those_of_a_normal(normals):
    assert np.abs(tail_scores(normals)).max() < Z
    assert np.abs(tail_scores(np.clip(normals, -4.2, 4.2))).max() > Z


def correlation_score(one, other):
    return float((one * other).mean() / (one.std() * other.std()) * math.sqrt(one.size))


def correlations(one, other):
    """Of the values, of their squares, and of value with square: zero for independent normals."""
    squares = one**2 - 1.0, other**2 - 1.0
    return [
        correlation_score(one, other),
        correlation_score(*squares),
        correlation_score(one, squares[1]),
        correlation_score(squares[0], other),
    ]


@pytest.mark.parametrize(
    "other",
    [
        {"arm": 1},
        {"run": 1},
        {"run": 2**31},
        {"seed": 1},
        {"seed": 2**32},
        {"seed": 2**63},
        {"lag": 1},
        {"lag": 2},
        {"lag": 3},
        {"lag": 4},
    ],
    ids=str,
)
def test_arms_runs_seeds_and_neighbouring_pulls_are_independent(other):
    pulls = 1_000_000
    nu = equal_arms(2)
    base = reward_table(nu, seed=0, run=0, pulls=pulls)[0]
    lag = other.get("lag", 0)
    second = reward_table(nu, seed=other.get("seed", 0), run=other.get("run", 0), pulls=pulls, first=1 + lag)[
        other.get("arm", 0)
    ]
    assert np.abs(correlations(base, second)).max() < Z
    leaking = second + 0.01 * base
    assert np.abs(correlations(base, leaking)).max() > Z  # the control


def test_bernoulli_cells_have_their_probabilities():
    p = np.array([0.5, 0.1, 0.9, 1e-3])
    table = reward_table(Instance.bernoulli(p), seed=5, pulls=CELLS // 4)
    assert set(np.unique(table)) == {0.0, 1.0}
    error = np.sqrt(p * (1 - p) / table.shape[1])
    assert (np.abs(table.mean(axis=1) - p) / error).max() < Z
    assert (np.abs(table.mean(axis=1) - (p + 5 * Z * error)) / error).max() > Z


def test_bounded_cells_are_uniform_around_their_means():
    table = reward_table(Instance.bounded([0.3, 0.5], low=0.0, high=1.0), seed=6, pulls=CELLS // 8)
    assert kolmogorov_statistic(table[0] / 0.6, lambda u: u) < KOLMOGOROV
    assert kolmogorov_statistic(table[1], lambda u: u) < KOLMOGOROV
    assert kolmogorov_statistic(table[1] ** 1.01, lambda u: u) > KOLMOGOROV
