"""Noise within a range: sub-Gaussian as declared, and as little informative about its mean as the lemma says."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from steadyarm.theory.trimmed_noise import RATIOS, trimmed_noise


def density(ratio):
    """Return the density in units of σ, its square root's slope, and its reach."""
    reach = trimmed_noise(ratio).reach
    s = reach / ratio

    def root(x):
        return math.exp(-((x / s) ** 2) / 4.0) * math.cos(math.pi * x / (2.0 * reach))

    mass = quad(lambda x: root(x) ** 2, -reach, reach)[0]
    return (lambda x: root(x) ** 2 / mass), (lambda x: root(x) / math.sqrt(mass)), reach


@pytest.mark.parametrize("ratio", RATIOS)
def test_it_is_as_sub_gaussian_as_declared(ratio):
    f, _, reach = density(ratio)
    for theta in (0.1, 0.5, 1.0, 2.0, 4.0, 8.0):
        moment = quad(lambda x, theta=theta: math.exp(theta * x) * f(x), -reach, reach)[0]
        assert 1.0 < moment <= math.exp(theta**2 / 2.0)


@pytest.mark.parametrize("ratio", RATIOS)
def test_its_information_is_that_of_its_density(ratio):
    _, root, reach = density(ratio)
    x = np.linspace(-reach, reach, 20_001)
    slopes = np.gradient(np.array([root(each) for each in x]), x)
    information = 4.0 * np.trapezoid(slopes**2, x)
    assert trimmed_noise(ratio).hidden == pytest.approx(1.0 / math.sqrt(information), rel=1e-5)
    assert information > 1.0  # Gaussian noise says least


def test_farther_reach_is_nearer_to_gaussian_noise():
    reaches, hidden = zip(*map(trimmed_noise, (1.0, *RATIOS, 8.0)), strict=True)
    assert list(reaches) == sorted(reaches)
    assert list(hidden) == sorted(hidden)
    assert hidden[-1] == pytest.approx(1.0, abs=0.003)
