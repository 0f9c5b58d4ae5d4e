"""An arm's reward sums as a virtual tree: a random walk sampled only where somebody looks.

The walk is known at 1, 2, 4, 8, …; inside a dyadic block the midpoint given both ends is Gaussian on the
chord (a Brownian bridge at whole numbers), or hypergeometric for coins. The draw for the point n is keyed by
(seed, run, arm, n), so the walk is a pure function, whatever is asked and in whatever order.

On a block of length L with both ends known the walk stays within D·σ·√L of its chord but for a probability of
2·exp(−2D²). On that event g(s) = mean(s) + b(s), where b is the width (and without an envelope also the tilt), has a
lower bound over the block, the *certificate*: with x = 1/√s the terms in 1/s and 1/√s form a quadratic whose
minimum over the block is at an end, and what b has besides falls in s, so its value at the right end is a bound.
"""

import math
from typing import NamedTuple

import numpy as np

from steadyarm.engines.source import Source
from steadyarm.model.discrete import Cell, binomial, half_of
from steadyarm.model.instance import BERNOULLI
from steadyarm.numerics.arithmetic import gaussian_pair
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.philox import WALK, words_at
from steadyarm.policies.core.curves import Curves, own_part

DEVIATIONS = 4.3  # D: one decision is wrong with probability 2·exp(−2D²) < 2e-16
TOP = 54  # octaves: the walk reaches to 2⁵³
FULL = -1


# The columns of a block [a, b]: one row is one line of the processor's cache.
LEFT = 0  # a
RIGHT = 1  # b
LEFT_SUM = 2  # the sum of the first a rewards; less a·mean, but for coins, whose equal indices are equal bits
RIGHT_SUM = 3
BOUND = 4  # certificate: g is at least this on the block
LOWEST = 5  # the smallest g known on the block
HALF = 6  # the row of the left half, the right half stands next to it; FULL if not split yet
_COLUMNS = 8


class Walks(NamedTuple):
    """The rewards and curves that walks are made of, and the blocks known so far of all arms of one run."""

    curves: Curves
    source: Source
    blocks: Floats
    used: Integers  # (1,): how many there are
    octaves: Integers  # (arms, TOP): the row of the block [2^k, 2^(k+1)], FULL if not looked at yet
    origin: Floats  # (arms,): the sum after one pull
    stack: Integers  # rows still to be looked at by a search


def room_for(curves: Curves, source: Source, blocks: int) -> Walks:
    """Return walks with room for this many blocks."""
    n_arms = len(source.location)
    return Walks(
        curves,
        source,
        np.empty((blocks, _COLUMNS)),
        np.zeros(1, dtype=np.int64),
        np.empty((n_arms, TOP), dtype=np.int64),
        np.empty(n_arms),
        np.empty(2 * TOP, dtype=np.int64),
    )


@compiled
def begin_walks(walks: Walks, run: int) -> None:
    """Forget the last run and take the first pull of every arm."""
    walks.used[0] = 0
    walks.octaves[:] = FULL
    for arm in range(walks.origin.size):
        walks.origin[arm] = increment(walks.source, run, arm, 1.0, 1.0)


@compiled
def increment(source: Source, run: int, arm: int, length: float, point: float) -> float:
    """Draw the sum of `length` rewards, keyed by the point where they end."""
    location, scale = source.location[arm], source.scale[arm]
    if source.law == BERNOULLI:
        return binomial(length, location, Cell(source.seed, run, arm, WALK, int(point)))
    words = words_at(source.seed, np.uint64(run), np.uint64(arm), np.uint64(WALK), np.uint64(point))
    return float(scale * math.sqrt(length) * gaussian_pair(words[0], words[1])[0])


@compiled
def middle_sum(source: Source, run: int, arm: int, a: float, b: float, at_a: float, at_b: float) -> float:
    """Draw the sum at the midpoint of a block given its ends, keyed by the midpoint."""
    length, point = b - a, 0.5 * (a + b)
    if source.law == BERNOULLI:
        return at_a + half_of(length, at_b - at_a, Cell(source.seed, run, arm, WALK, int(point)))
    words = words_at(source.seed, np.uint64(run), np.uint64(arm), np.uint64(WALK), np.uint64(point))
    noise = 0.5 * source.scale[arm] * math.sqrt(length) * gaussian_pair(words[0], words[1])[0]
    return float(0.5 * (at_a + at_b) + noise)


@compiled
def upper_at(source: Source, arm: int, total: float, n: float, part: float) -> float:
    """Return mean + `part` after n pulls."""
    if source.law == BERNOULLI:
        return total / n + part
    return float(source.location[arm] + total / n + part)


@compiled
def _add_block(walks: Walks, arm: int, a: float, b: float, at_a: float, at_b: float) -> int:
    """Enter a block with its certificate; FULL if there is no room."""
    curves, source, blocks = walks.curves, walks.source, walks.blocks
    block = int(walks.used[0])
    if block >= blocks.shape[0]:
        return FULL
    walks.used[0] = block + 1
    part_a, part_b = own_part(curves, a), own_part(curves, b)
    g_a, g_b = upper_at(source, arm, at_a, a, part_a), upper_at(source, arm, at_b, b, part_b)
    lowest = min(g_a, g_b)
    bound = lowest
    if b - a > 1.0:
        noise = 0.5 if source.law == BERNOULLI else source.scale[arm]
        slip = DEVIATIONS * noise * math.sqrt(b - a)
        # The part of the curves that is neither in 1/√s nor in 1/s is replaced by its value at b.
        loss = 0.0
        if curves.log_scale > 0.0 or (curves.tilt > 0.0 and not curves.envelope):
            rest_a = part_a - curves.root / math.sqrt(a) - curves.inverse / a
            rest_b = part_b - curves.root / math.sqrt(b) - curves.inverse / b
            loss = max(0.0, rest_a - rest_b)
        bound = min(g_a - slip / a - loss, g_b - slip / b)
    blocks[block, LEFT], blocks[block, RIGHT] = a, b
    blocks[block, LEFT_SUM], blocks[block, RIGHT_SUM] = at_a, at_b
    blocks[block, BOUND], blocks[block, LOWEST] = bound, lowest
    blocks[block, HALF] = FULL
    return block


@compiled
def octave(walks: Walks, run: int, arm: int, number: int) -> int:
    """Return the row of the block [2^number, 2^(number+1)] of an arm; FULL if there is no room."""
    octaves = walks.octaves
    known = number
    while known >= 0 and octaves[arm, known] == FULL:
        known -= 1
    for each in range(known + 1, number + 1):
        a = 2.0**each
        at_a = walks.blocks[octaves[arm, each - 1], RIGHT_SUM] if each > 0 else walks.origin[arm]
        at_b = at_a + increment(walks.source, run, arm, a, 2.0 * a)
        octaves[arm, each] = _add_block(walks, arm, a, 2.0 * a, at_a, at_b)
        if octaves[arm, each] == FULL:
            return FULL
    return int(octaves[arm, number])


@compiled
def split(walks: Walks, run: int, arm: int, block: int) -> int:
    """Halve a block, once; return the row of its left half, the right one stands next; FULL if no room."""
    blocks = walks.blocks
    if blocks[block, HALF] != FULL:
        return int(blocks[block, HALF])
    if walks.used[0] + 2 > blocks.shape[0]:
        return FULL
    a, b = blocks[block, LEFT], blocks[block, RIGHT]
    at_a, at_b = blocks[block, LEFT_SUM], blocks[block, RIGHT_SUM]
    middle = 0.5 * (a + b)
    at_middle = middle_sum(walks.source, run, arm, a, b, at_a, at_b)
    half = _add_block(walks, arm, a, middle, at_a, at_middle)
    _add_block(walks, arm, middle, b, at_middle, at_b)
    blocks[block, HALF] = half
    return half
