"""Gamma and Beta numbers have their laws, and not others."""

import numpy as np
import pytest
from scipy.stats import beta, gamma
from tests.policies.laws import KOLMOGOROV, kolmogorov_statistic

from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.sampling import beta_at, gamma_at


def many(sampler, *shapes, runs=20_000):
    seed = np.uint64(11)
    return np.array([sampler(Noise(seed, run, 4), 7, *shapes) for run in range(runs)])


@pytest.mark.parametrize("shape", [1.0, 1.5, 4.0, 250.0])
def test_gamma_numbers_have_their_law(shape):
    values = many(gamma_at, shape)
    assert kolmogorov_statistic(values, gamma(shape).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values, gamma(shape * 1.05 + 0.05).cdf) > KOLMOGOROV


@pytest.mark.parametrize("shapes", [(1.0, 1.0), (1.0, 8.0), (3.0, 2.0), (400.0, 100.0)])
def test_beta_numbers_have_their_law(shapes):
    values = many(beta_at, *shapes)
    a, b = shapes
    assert kolmogorov_statistic(values, beta(a, b).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values, beta(a * 1.1, b).cdf) > KOLMOGOROV
