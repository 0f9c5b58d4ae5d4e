"""First passages for the leap engine: the first pull at which an arm's index is at or below a level.

"Passed by pull n" is monotone in n, so octaves and then halves of one octave are searched; whether it is so at one n
is decided block by block, by the certificates of `walks`.
"""

import math

from steadyarm.engines.leap.walks import (
    BOUND,
    FULL,
    HALF,
    LEFT,
    LOWEST,
    RIGHT,
    TOP,
    Walks,
    octave,
    split,
    upper_at,
)
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.curves import own_level, own_part

NO_ROOM = -1.0


@compiled
def first_passage(
    walks: Walks, run: int, arm: int, level: float, most: float, tolerance: float, resolution: float
) -> float:
    """Return the first n ≤ most at which an arm's index is at or below the level, to the tolerance; or NO_ROOM."""
    if _passed(walks, run, arm, level, 1.0, resolution) == 1:
        return 1.0
    low, high = 0, TOP - 2  # octaves: not passed at 2^low; the first is passed at 2^(number + 1)
    high = min(high, math.ceil(math.log2(most)) - 1)
    verdict = _passed(walks, run, arm, level, 2.0 ** (high + 1), resolution)
    if verdict == FULL:
        return NO_ROOM
    if verdict == 0:
        return most
    while low < high:
        middle = (low + high) // 2
        verdict = _passed(walks, run, arm, level, 2.0 ** (middle + 1), resolution)
        if verdict == FULL:
            return NO_ROOM
        if verdict == 1:
            high = middle
        else:
            low = middle + 1
    blocks = walks.blocks
    block = octave(walks, run, arm, low)
    while blocks[block, RIGHT] - blocks[block, LEFT] > tolerance:
        half = split(walks, run, arm, block)
        if half == FULL:
            return NO_ROOM
        verdict = _passed(walks, run, arm, level, blocks[half, RIGHT], resolution)
        if verdict == FULL:
            return NO_ROOM
        block = half if verdict == 1 else half + 1
    return float(min(most, blocks[block, RIGHT]))


@compiled
def _passed(walks: Walks, run: int, arm: int, level: float, n: float, resolution: float) -> int:
    """Whether the arm's index has been at or below the level by pull n: 1, 0, or FULL for no room.

    n is the end of a block that has been split off already, or a power of two.
    """
    curves = walks.curves
    threshold = own_level(curves, level, n)
    if upper_at(walks.source, arm, walks.origin[arm], 1.0, own_part(curves, 1.0)) <= threshold:
        return 1
    blocks, stack = walks.blocks, walks.stack
    number = 0
    while 2.0**number < n:
        block = walks.octaves[arm, number]
        if block == FULL:
            block = octave(walks, run, arm, number)
            if block == FULL:
                return FULL
        stack[0] = block
        height = 1
        while height > 0:
            height -= 1
            block = stack[height]
            half = int(blocks[block, HALF])
            if half != FULL:  # what is known of the halves has become better since
                blocks[block, BOUND] = min(blocks[half, BOUND], blocks[half + 1, BOUND])
                blocks[block, LOWEST] = min(blocks[half, LOWEST], blocks[half + 1, LOWEST])
            if blocks[block, LEFT] >= n or blocks[block, BOUND] > threshold:
                continue
            inside = blocks[block, RIGHT] <= n
            if inside and blocks[block, LOWEST] <= threshold:
                return 1
            if inside and blocks[block, RIGHT] - blocks[block, LEFT] <= resolution:
                continue
            half = split(walks, run, arm, block)
            if half == FULL:
                return FULL
            stack[height] = half
            stack[height + 1] = half + 1
            height += 2
        number += 1
    return 0
