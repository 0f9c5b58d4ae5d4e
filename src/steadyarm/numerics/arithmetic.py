"""Elementary functions from IEEE basic operations, so that every engine and device gets the same bits.

Built from +, −, ×, ÷, square root and the fused multiply–add `fma` only: no libm, whose results differ
between machines, and no a·b+c that a compiler might or might not contract. The coefficients come from
`tools/coefficients.py`; the largest errors are stated here and checked in `tests/numerics/test_arithmetic.py`.
"""

import math

import numpy as np

from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import bits_of, float_of, fma

_LN2 = 0.6931471805599453
_ROOT_HALF_BITS = np.uint64(0x3FE6A09E667F3BCD)  # of √½
_OFFSET = np.uint64(0x3FF0000000000000 - 0x3FE6A09E667F3BCD)
_FRACTION = np.uint64((1 << 52) - 1)
_EXPONENT_SHIFT = np.uint64(52)

_LOG_0 = 0.666666666666667
_LOG_1 = 0.39999999999899505
_LOG_2 = 0.28571428625975487
_LOG_3 = 0.2222221113479508
_LOG_4 = 0.18182889125261723
_LOG_5 = 0.15331721600556042
_LOG_6 = 0.14616449685043406

_SIN_0 = 1.5707963267948966
_SIN_1 = -0.6459640975062443
_SIN_2 = 0.07969262624604301
_SIN_3 = -0.004681754132340976
_SIN_4 = 0.0001604411507421909
_SIN_5 = -3.59864335298231e-06
_SIN_6 = 5.633933781537854e-08

_COS_0 = -1.2337005501361697
_COS_1 = 0.2536695079010478
_COS_2 = -0.020863480763340773
_COS_3 = 0.0009192602745468447
_COS_4 = -2.5202039028029178e-05
_COS_5 = 4.710678405505227e-07
_COS_6 = -6.329396344967424e-09

_EXP_0 = 0.5000000000000001
_EXP_1 = 0.16666666666666669
_EXP_2 = 0.041666666666624164
_EXP_3 = 0.008333333333330065
_EXP_4 = 0.0013888888917196719
_EXP_5 = 0.00019841269863040545
_EXP_6 = 2.4801521322368692e-05
_EXP_7 = 2.7557268480310024e-06
_EXP_8 = 2.7620075879983367e-07
_EXP_9 = 2.5100375832561234e-08


@inlined
def product(a: float, b: float) -> float:
    """Return a·b rounded on its own: for a product that is added to something, which a compiler might fuse."""
    return fma(a, b, 0.0)


_WHOLE = 2.0**52
_WHOLE_BITS = np.uint64(0x4330000000000000)  # of 2⁵²


@inlined
def whole(number: np.uint64) -> float:
    """Return a whole number below 2⁵² as a double, by two operations; many machines' vectors know no conversion.

    >>> whole(np.uint64(12345))
    12345.0
    """
    return float_of(number | _WHOLE_BITS) - _WHOLE


@inlined
def log(x: float) -> float:
    """Return the natural logarithm of a positive, normal double; relative error below 3e-16.

    >>> log(1.0), log(8.0) / log(2.0)
    (0.0, 3.0)
    """
    # x = m · 2^e with m in [√½, √2); log m = 2 artanh(s) with s = (m − 1)/(m + 1).
    shifted = bits_of(x) + _OFFSET
    exponent = whole(shifted >> _EXPONENT_SHIFT) - 1023.0
    m = float_of((shifted & _FRACTION) + _ROOT_HALF_BITS)
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    tail = fma(z, _LOG_6, _LOG_5)
    tail = fma(z, tail, _LOG_4)
    tail = fma(z, tail, _LOG_3)
    tail = fma(z, tail, _LOG_2)
    tail = fma(z, tail, _LOG_1)
    tail = fma(z, tail, _LOG_0)
    return fma(exponent, _LN2, fma(s * z, tail, s + s))


_PER_LN2 = 1.4426950408889634  # 1/log 2
_LN2_HIGH, _LN2_LOW = (
    0.6931471803691238,
    1.9082149292705877e-10,
)  # the first has 32 bits: a product with k is exact
_ROUNDER = (
    1.5 * 2.0**52 + 1023.0
)  # added to a number it leaves the next whole one, and 1023 more, in the last bits
_EXPONENT = np.uint64((1 << 11) - 1)


@inlined
def exp(x: float) -> float:
    """Return e^x for |x| ≤ 700; relative error below 3e-16.

    >>> exp(0.0), round(exp(1.0), 12)
    (1.0, 2.718281828459)
    """
    # x = k·log 2 + r with |r| ≤ ½·log 2.
    rounded = fma(x, _PER_LN2, _ROUNDER)
    k = rounded - _ROUNDER
    r = fma(-k, _LN2_LOW, fma(-k, _LN2_HIGH, x))
    tail = fma(r, _EXP_9, _EXP_8)
    tail = fma(r, tail, _EXP_7)
    tail = fma(r, tail, _EXP_6)
    tail = fma(r, tail, _EXP_5)
    tail = fma(r, tail, _EXP_4)
    tail = fma(r, tail, _EXP_3)
    tail = fma(r, tail, _EXP_2)
    tail = fma(r, tail, _EXP_1)
    tail = fma(r, tail, _EXP_0)
    power = float_of((np.uint64(bits_of(rounded)) & _EXPONENT) << _EXPONENT_SHIFT)  # 2^k
    return (1.0 + fma(r * r, tail, r)) * power


_TURN_BITS = np.uint64(30)
_TURN_MASK = np.uint64((1 << 30) - 1)
_ONE = np.uint64(1)
_QUARTER_TURNS = 2.0**30


@inlined
def gaussian_pair(radius_word: np.uint64, angle_word: np.uint64) -> tuple[float, float]:
    """Map two 32-bit words to two independent standard normals (Box–Muller).

    The radius is √(−2 log u) with u = (w + ½)/2³², so no value exceeds 6.77 in magnitude; the two
    top bits of the other word choose the quarter turn and its other 30 bits the angle within ±π/4 of it.
    Absolute error below 2e-15.
    """
    u = whole((radius_word << _ONE) | _ONE) * 2.0**-33
    radius = math.sqrt(-2.0 * log(u))

    t = (whole(((angle_word & _TURN_MASK) << _ONE) | _ONE) - _QUARTER_TURNS) * 2.0**-31
    z = t * t
    sine = fma(z, _SIN_6, _SIN_5)
    sine = fma(z, sine, _SIN_4)
    sine = fma(z, sine, _SIN_3)
    sine = fma(z, sine, _SIN_2)
    sine = fma(z, sine, _SIN_1)
    sine = fma(z, sine, _SIN_0)
    sine = t * sine
    cosine = fma(z, _COS_6, _COS_5)
    cosine = fma(z, cosine, _COS_4)
    cosine = fma(z, cosine, _COS_3)
    cosine = fma(z, cosine, _COS_2)
    cosine = fma(z, cosine, _COS_1)
    cosine = fma(z, cosine, _COS_0)
    cosine = fma(z, cosine, 1.0)

    quarter = angle_word >> _TURN_BITS
    odd = (quarter & _ONE) == _ONE
    x = sine if odd else cosine
    y = cosine if odd else sine
    x = -x if ((quarter + _ONE) >> _ONE) & _ONE == _ONE else x  # quarters 1 and 2
    y = -y if quarter >> _ONE == _ONE else y  # quarters 2 and 3
    return radius * x, radius * y
