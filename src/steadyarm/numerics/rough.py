"""A normal number at a fraction of its cost: in single precision, to within a known error.

It decides what no exact number is needed for, so nothing depends on its bits. The coefficients come from
`tools/coefficients.py`.
"""

import numpy as np

from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import bits_of_single, rough_root, single_of

ROUGH_ERROR = 3e-4
"""More than the distance between a rough normal and `arithmetic.gaussian_pair`'s first one, for any two words."""

_SINGLE, _WORD = np.float32, np.uint32
_ROOT_HALF_BITS = _WORD(0x3F3504F3)  # of √½
_OFFSET = _WORD(0x3F800000 - 0x3F3504F3)
_FRACTION = _WORD((1 << 23) - 1)
_EXPONENT_SHIFT = _WORD(23)
_EXPONENT_OF_ALL = _SINGLE(127.0 + 32.0)  # of 2³², beside which a word is a share
_EIGHTH_TURN = _WORD(1 << 29)
_PER_HALF_TURN = _SINGLE(2.0**-31)
_HALF, _ONE, _MINUS_TWO, _LN2 = (
    _SINGLE(0.5),
    _SINGLE(1.0),
    _SINGLE(-2.0),
    _SINGLE(0.6931471805599453),
)

_ROUGH_LOG_0 = _SINGLE(0.9999621703796009)
_ROUGH_LOG_1 = _SINGLE(-0.49950210920242516)
_ROUGH_LOG_2 = _SINGLE(0.3366878159803797)
_ROUGH_LOG_3 = _SINGLE(-0.2701022827053341)
_ROUGH_LOG_4 = _SINGLE(0.17348631544940762)
_ROUGH_COS_0 = _SINGLE(0.999999199841345)
_ROUGH_COS_1 = _SINGLE(-4.934744543965362)
_ROUGH_COS_2 = _SINGLE(4.058036739996078)
_ROUGH_COS_3 = _SINGLE(-1.332356931670994)
_ROUGH_COS_4 = _SINGLE(0.22963648735608894)
_ROUGH_COS_5 = _SINGLE(-0.0205717084059715)


@inlined
def rough_normal(radius_word: np.uint32, angle_word: np.uint32) -> np.float32:
    """Return the first normal of `gaussian_pair`, to within `ROUGH_ERROR`.

    >>> from steadyarm.numerics.arithmetic import gaussian_pair
    >>> words = 123456789, 987654321
    >>> exact = gaussian_pair(*map(np.uint64, words))[0]
    >>> abs(rough_normal(*map(np.uint32, words)) - exact) < ROUGH_ERROR
    True
    """
    # u = m · 2^e with m in [√½, √2), and log u = e·log 2 + log(1 + d) with d = m − 1.
    shifted = _WORD(bits_of_single(_SINGLE(radius_word) + _HALF) + _OFFSET)
    exponent = _SINGLE(np.int32(shifted >> _EXPONENT_SHIFT)) - _EXPONENT_OF_ALL
    d = single_of(_WORD((shifted & _FRACTION) + _ROOT_HALF_BITS)) - _ONE
    tail = d * _ROUGH_LOG_4 + _ROUGH_LOG_3
    tail = d * tail + _ROUGH_LOG_2
    tail = d * tail + _ROUGH_LOG_1
    tail = d * tail + _ROUGH_LOG_0
    radius = rough_root(_MINUS_TWO * (exponent * _LN2 + d * tail))  # of nothing negative, for any word
    h = _SINGLE(np.int32(angle_word - _EIGHTH_TURN)) * _PER_HALF_TURN  # half turns
    y = h * h
    cosine = y * _ROUGH_COS_5 + _ROUGH_COS_4
    cosine = y * cosine + _ROUGH_COS_3
    cosine = y * cosine + _ROUGH_COS_2
    cosine = y * cosine + _ROUGH_COS_1
    cosine = y * cosine + _ROUGH_COS_0
    return radius * cosine
