"""Clipped rewards are sub-Gaussian with nearly the same scale: the lemma against laws at its edge."""

import math

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.theory.guarantees.parameters import parameters_of

THETAS = np.concatenate([-np.geomspace(1e-3, 8.0, 60), np.geomspace(1e-3, 8.0, 60)])


def laws():
    """Values and weights of 1-sub-Gaussian laws of mean 0: Gaussian, two points, and rare far ones."""
    grid = np.linspace(-12.0, 12.0, 24_001)
    weights = np.exp(-0.5 * grid**2)
    yield grid, weights / weights.sum()
    yield np.array([-1.0, 1.0]), np.array([0.5, 0.5])
    for far in (5.5, 6.0, 8.0):
        rare = 0.4 * math.exp(-0.5 * far**2) / far**2
        yield np.array([-far * rare / (1.0 - rare), far]), np.array([1.0 - rare, rare])


@pytest.mark.parametrize(("n_arms", "horizon"), [(2, 3), (2, 5), (3, 10)])
def test_clipped_rewards_are_as_quiet_as_the_lemma_says(n_arms, horizon):
    policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon)
    found = parameters_of(policy)
    for values, weights in laws():
        for mean in (-1.0, 0.3, 1.0):
            clipped = np.clip(mean + values, -policy.clip, policy.clip)
            centre = float(weights @ clipped)
            assert abs(centre - mean - float(weights @ values)) <= found.bias
            moments = np.log(np.exp(np.outer(THETAS, clipped - centre)) @ weights)
            assert (moments <= 0.5 * (found.noise * THETAS) ** 2 + 1e-12).all()


def test_it_matters_at_no_horizon_that_one_would_play():
    assert parameters_of(sa.SLEUCB(n_arms=2, horizon=50)).noise == pytest.approx(1.0, rel=1e-7)
    assert parameters_of(sa.SLEUCB(n_arms=2, horizon=50, constants="sharp", beta=3.0)).bias == 0.0
