"""The three machine operations: compiled code and plain Python agree bit for bit."""

import math
from fractions import Fraction

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.numerics.operations import bits_of, float_of, fma

doubles = st.floats(min_value=-1e100, max_value=1e100, allow_subnormal=False)


@numba.njit
def compiled_fma(a, b, c):
    return fma(a, b, c)


@numba.njit
def compiled_bits_of(x):
    return bits_of(x)


@numba.njit
def compiled_float_of(bits):
    return float_of(bits)


@given(doubles, doubles, doubles)
def test_fma_rounds_the_exact_result_once(a, b, c):
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    assert fma(a, b, c) == float(exact) == compiled_fma(a, b, c)


def test_fma_differs_from_two_roundings_where_it_should():
    assert 0.1 * 10.0 - 1.0 == 0.0
    assert compiled_fma(0.1, 10.0, -1.0) == 5.551115123125783e-17


@given(st.floats(allow_nan=False))
def test_bits_go_there_and_back(x):
    assert float_of(bits_of(x)) == x
    assert math.copysign(1.0, float_of(bits_of(x))) == math.copysign(1.0, x)
    assert int(compiled_bits_of(x)) == bits_of(x)
    assert compiled_float_of(np.uint64(bits_of(x))) == x
