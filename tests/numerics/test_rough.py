"""Rough normals are as near to the exact ones as they say, for the words that are hardest too."""

import numba
import numpy as np
import pytest

from steadyarm.numerics.arithmetic import gaussian_pair
from steadyarm.numerics.rough import ROUGH_ERROR, rough_normal


@numba.njit
def worst(radii, angles):
    largest = 0.0
    for place in range(radii.size):
        exact = gaussian_pair(radii[place], angles[place])[0]
        largest = max(largest, abs(rough_normal(np.uint32(radii[place]), np.uint32(angles[place])) - exact))
    return largest


@pytest.mark.parametrize("end", [0, 2**32 - 2**16, 2**31, int(2**32 * np.sqrt(0.5)) - 2**15])
def test_every_radius_near_the_ends_and_joints_is_near_enough(end):
    radii = np.arange(end, end + 2**16, dtype=np.uint64)
    for angle in (0, 2**29 - 1, 2**29, 2**30, 2**31 + 2**29, 2**32 - 1):
        assert worst(radii, np.full(radii.size, angle, np.uint64)) < ROUGH_ERROR


def test_a_million_words_are_near_enough_and_not_all_equal_to_the_exact_ones():
    radii, angles = np.random.default_rng(1).integers(0, 2**32, (2, 10**6), dtype=np.uint64)
    assert 1e-7 < worst(radii, angles) < ROUGH_ERROR
