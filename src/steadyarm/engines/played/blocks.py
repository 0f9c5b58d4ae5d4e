"""A block of an arm's rewards turned into its indices, ahead of the pulls, in place.

Small functions on plain arrays: the compiler vectorises a loop whose places are counted from zero, and a function that
takes no record of arrays apart counts no references.
"""

import numpy as np

from steadyarm.model.table import CELLS_PER_BLOCK, Row, fill_cells
from steadyarm.numerics.arrays import Floats
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.curves import Curves, bonus_at, tilt, upper_from_bonus, width

_EXPENSIVE_AHEAD = 16  # where each takes a bisection


@compiled
def block_size(longest: int, places: int, most: int) -> int:
    """Return how many indices each of some arms may have worked out ahead, if all together may have `most`.

    >>> block_size(128, 10, 1 << 16), block_size(128, 1000, 1 << 16), block_size(128, 10**6, 1 << 16)
    (128, 64, 4)
    """
    return max(CELLS_PER_BLOCK, min(longest, most // places // CELLS_PER_BLOCK * CELLS_PER_BLOCK))


@compiled
def longest_block(curves: Curves, size: int) -> int:
    """Return how many of them are worked out at once, where there is room for `size`."""
    return min(size, _EXPENSIVE_AHEAD) if curves.bernoulli else size


@compiled
def draw(row: Row, first: int, size: int, cells: Floats) -> None:
    """Write the rewards of pulls first + 1, …, first + size of an arm, whole blocks of the table."""
    fill_cells(row, first // CELLS_PER_BLOCK, size // CELLS_PER_BLOCK, cells)


@compiled
def add_up(cells: Floats, size: int, clip: float, total: float) -> float:
    """Turn clipped rewards into the sums so far, one rounded sum after the other, as a play adds them."""
    for place in range(size):
        total += min(clip, max(-clip, cells[place]))
        cells[place] = total
    return total


@compiled
def raise_means(curves: Curves, bonuses: Floats, first: int, size: int, cells: Floats) -> None:
    """Turn sums after pulls first + 1, … into mean + width, with the widths from a table as far as it goes."""
    if curves.bernoulli:
        for place in range(size):
            n = first + place + 1
            pulls = np.float64(n)
            bonus = bonuses[n] if n < bonuses.size else bonus_at(curves, pulls)
            cells[place] = upper_from_bonus(curves, cells[place] / pulls, bonus, pulls)
    elif first + size < bonuses.size:
        _add_bonuses(first, size, bonuses[first + 1 :], cells)
    else:
        for place in range(size):
            pulls = np.float64(first + place + 1)
            cells[place] = cells[place] / pulls + width(curves, pulls)


@compiled
def _add_bonuses(first: int, size: int, bonuses: Floats, cells: Floats) -> None:
    for place in range(size):
        cells[place] = cells[place] / np.float64(first + place + 1) + bonuses[place]


@compiled
def lower_on(cells: Floats, size: int, lowest: float) -> float:
    """Turn numbers into the least so far."""
    for place in range(size):
        lowest = min(lowest, cells[place])
        cells[place] = lowest
    return lowest


@compiled
def add_tilts(curves: Curves, tilts: Floats, first: int, size: int, values: Floats, indices: Floats) -> None:
    """Write value + tilt after pulls first + 1, …, with the tilts from a table as far as it goes."""
    if first + size < tilts.size:
        _add(size, tilts[first + 1 :], values, indices)
    elif curves.tilt == 0.0:
        for place in range(size):
            indices[place] = values[place] + 0.0
    else:
        for place in range(size):
            indices[place] = values[place] + tilt(curves, np.float64(first + place + 1))


@compiled
def _add(size: int, tilts: Floats, values: Floats, indices: Floats) -> None:
    for place in range(size):
        indices[place] = values[place] + tilts[place]
