"""Our logarithm, exponential and Gaussian map against 50-digit arithmetic; the stated errors are the asserted ones."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.numerics.arithmetic import exp, gaussian_pair, log

LOG_ERROR = 3e-16  # relative; stated in log's docstring
GAUSSIAN_ERROR = 2e-15  # absolute; stated in gaussian_pair's docstring
words = st.integers(min_value=0, max_value=2**32 - 1)


@pytest.fixture(autouse=True)
def fifty_digits():
    with mp.workdps(50):
        yield


def log_arguments():
    rng = np.random.default_rng(1)
    near_one = 1.0 + np.array([2.0**-k for k in range(1, 53)] + [-(2.0**-k) for k in range(2, 53)])
    return np.concatenate([np.exp(rng.uniform(-30.0, 40.0, 20_000)), near_one, 2.0 ** np.arange(-33.0, 54.0)])


def test_log_is_within_its_stated_relative_error():
    worst = 0.0
    for x in log_arguments():
        exact = mp.log(mp.mpf(float(x)))
        if exact != 0:
            worst = max(worst, float(abs((mp.mpf(log(x)) - exact) / exact)))
    assert worst < LOG_ERROR
    assert worst > LOG_ERROR / 10  # the statement is not an idle one


def test_log_of_one_is_exactly_zero():
    assert log(1.0) == 0.0


@given(st.floats(min_value=2.0**-33, max_value=2.0**53))
def test_plain_and_compiled_log_agree_bit_for_bit(x):
    assert log.py_func(x) == log(x)


def exact_pair(radius_word, angle_word):
    radius = mp.sqrt(-2 * mp.log((mp.mpf(radius_word) + mp.mpf(1) / 2) / 2**32))
    quarter, rest = divmod(angle_word, 2**30)
    angle = mp.pi / 2 * (quarter + (mp.mpf(rest) + mp.mpf(1) / 2) / 2**30 - mp.mpf(1) / 2)
    return radius * mp.cos(angle), radius * mp.sin(angle)


def test_the_gaussian_map_is_within_its_stated_error_of_box_muller():
    rng = np.random.default_rng(2)
    ends = [0, 1, 2**30 - 1, 2**30, 2**31 - 1, 2**31, 3 * 2**30 - 1, 3 * 2**30, 2**32 - 2, 2**32 - 1]
    pairs = [(a, b) for a in ends for b in ends] + rng.integers(0, 2**32, (10_000, 2)).tolist()
    worst = 0.0
    for a, b in pairs:
        exact = exact_pair(a, b)
        for z, truth in zip(gaussian_pair(np.uint64(a), np.uint64(b)), exact, strict=True):
            worst = max(worst, float(abs(mp.mpf(z) - truth)))
    assert worst < GAUSSIAN_ERROR
    assert worst > GAUSSIAN_ERROR / 10


def test_the_largest_normal_is_the_one_the_documentation_states():
    reach = math.sqrt(-2.0 * math.log(2.0**-33))
    assert 6.76 < reach < 6.77
    assert max(map(abs, gaussian_pair(np.uint64(0), np.uint64(2**29)))) <= reach


@given(words, words)
def test_plain_and_compiled_gaussian_map_agree_bit_for_bit(a, b):
    assert gaussian_pair.py_func(np.uint64(a), np.uint64(b)) == gaussian_pair(np.uint64(a), np.uint64(b))


EXP_ERROR = 3e-16  # relative; stated in exp's docstring


def exp_arguments():
    rng = np.random.default_rng(3)
    halves = (np.arange(-40, 40) + 0.5) * math.log(2.0)  # where the whole part changes
    return np.concatenate([rng.uniform(-40.0, 40.0, 10_000), rng.uniform(-700.0, 700.0, 2000), halves])


def test_exp_is_within_its_stated_relative_error():
    worst = max(float(abs(mp.mpf(exp(x)) / mp.exp(mp.mpf(float(x))) - 1)) for x in exp_arguments())
    assert EXP_ERROR / 10 < worst < EXP_ERROR


def test_exp_of_nought_is_exactly_one():
    assert exp(0.0) == 1.0


@given(st.floats(min_value=-700.0, max_value=700.0))
def test_plain_and_compiled_exp_agree_bit_for_bit(x):
    assert exp.py_func(x) == exp(x)
