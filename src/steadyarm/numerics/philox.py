"""Philox4x32-10, the counter-based generator behind every random number of steadyarm.

Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). A keyed bijection of
128-bit counters: the words at a counter are a pure function of (key, counter), with no state between calls.
Words are kept in 64-bit registers, which is what lets the compiler vectorise the 32 × 32 → 64 products.
"""

import numpy as np

from steadyarm.numerics.compiled import inlined
from steadyarm.numerics.operations import wide_product

Words = tuple[np.uint64, np.uint64, np.uint64, np.uint64]

_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@inlined
def philox(c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64) -> Words:
    """Return the four 32-bit words at counter (c0, c1, c2, c3) under key (k0, k1), all below 2³²."""
    for _ in range(10):
        product_0 = wide_product(_MULTIPLIER_0, c0)
        product_1 = wide_product(_MULTIPLIER_1, c2)
        c0 = (product_1 >> _HALF) ^ c1 ^ k0
        c1 = product_1 & _LOW
        c2 = (product_0 >> _HALF) ^ c3 ^ k1
        c3 = product_0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


# What a block of words is for: streams never share a counter, so they are independent of each other.
REWARDS = 0
PRIORITY = 1
CHOICES = 2  # a policy's own draws; it and the numbers above it, one for each attempt of a rejection sampler
WALK = 2  # the leap engine's walks, likewise: only policies without draws of their own can leap
DELAYS = 255  # above the last attempt of a sampler

_STREAM_SHIFT = np.uint64(24)


@inlined
def words_at(seed: np.uint64, run: np.uint64, arm: np.uint64, stream: np.uint64, block: np.uint64) -> Words:
    """Return the four words of one block of a stream; block < 2⁵⁶, run and arm < 2³².

    The seed is the key; run, arm, stream and block together are the counter.
    """
    return philox(
        block & _LOW,
        (block >> _HALF) | (stream << _STREAM_SHIFT),
        arm,
        run,
        seed & _LOW,
        seed >> _HALF,
    )
