"""What is kept of an arm's rewards."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.model.moments import with_reward


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=30))
def test_moments_are_sums_squares_and_distances_to_the_mean_before(rewards):
    kept = (0.0, 0.0, 0.0)
    for known, reward in enumerate(rewards):
        kept = with_reward(float(known), *kept, reward)
    table = np.array(rewards)
    before = np.cumsum(table)[:-1] / np.arange(1, len(table))
    expected = (table.sum(), (table**2).sum(), ((table[1:] - before) ** 2).sum())
    assert kept == pytest.approx(expected, rel=1e-9, abs=1e-6)


@given(st.floats(-10, 10), st.floats(-10, 10), st.integers(1, 100))
def test_plain_python_and_compiled_code_have_the_same_bits(total, reward, known):
    arguments = (float(known), total, 3.7, 1.3, reward)
    assert with_reward(*arguments) == with_reward.py_func(*arguments)
