"""The state of all arms in one run of an own-history policy, and how one arm alone is moved forward.

An arm's indices depend on its own rewards only, so they are worked out ahead of time, a block of pulls at
once, in loops that the compiler vectorises. `advance` takes one arm alone down to a level of the index. Blocks
grow with the arm's pull count within limits, so memory is flat in the horizon. What is done for every arm again and
again is compiled into its callers: to hand over these records takes as long as the work.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.played.blocks import (
    add_tilts,
    add_up,
    block_size,
    draw,
    longest_block,
    lower_on,
    raise_means,
)
from steadyarm.engines.played.game import Game, tilt_after
from steadyarm.engines.source import row_of
from steadyarm.model.table import CELLS_PER_BLOCK
from steadyarm.numerics.arrays import Floats, Integers, copy
from steadyarm.numerics.compiled import compiled, inlined

_AHEAD, _ALL_AHEAD = 128, 1 << 16  # indices of an arm, and of all arms, worked out ahead
TILT_ERROR = 1e-12
"""More than the rounding error of log(T/n)."""


class Arms(NamedTuple):
    """What is known of each arm: pulls, the index after them, and the indices of the pulls to come."""

    count: Integers  # type: ignore[assignment]
    index: Floats  # type: ignore[assignment]
    start: Integers  # pulls before the first index ahead
    filled: Integers  # pulls up to the last index ahead
    total: Floats  # the reward sum after `filled` pulls
    value: Floats  # envelope, or mean + width, after `filled` pulls
    ahead: Floats  # (arms, block): the indices after pulls start + 1, …, filled
    cells: Floats  # room for one block of one arm
    room: Floats  # likewise
    rank: Integers
    by_rank: Integers
    following: Integers  # for `play_on`, by rank: where the arm's next index stands in `ahead`
    end: Integers  # and where its block ends
    losers: Integers
    losing: Floats  # the losers' indices


@compiled
def empty_arms(n_arms: int) -> Arms:
    """Return room for the state of this many arms."""
    block = block_size(_AHEAD, n_arms, _ALL_AHEAD)
    return Arms(
        np.empty(n_arms, np.int64),
        np.empty(n_arms),
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty(n_arms),
        np.empty(n_arms),
        np.empty((n_arms, block)),
        np.empty(block),
        np.empty(block),
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty(n_arms),
    )


@compiled
def reset_arm(arms: Arms, arm: int) -> None:
    """Put an arm back to where it has no pulls."""
    arms.count[arm] = 0
    arms.index[arm] = np.inf
    arms.start[arm] = 0
    arms.filled[arm] = 0
    arms.total[arm] = 0.0
    arms.value[arm] = np.inf


@inlined
def put_arm(game: Game, arms: Arms, arm: int, pulls: int, total: float, value: float) -> None:
    """Put an arm to where it has had some pulls, a multiple of four, with no indices ahead."""
    arms.count[arm] = arms.start[arm] = arms.filled[arm] = pulls
    arms.total[arm], arms.value[arm] = total, value
    arms.index[arm] = value + tilt_after(game.curves, game.tables.tilts, pulls)


@inlined
def copy_arms(source: Arms, target: Arms) -> None:
    """Copy the state of all arms, and of the indices ahead those that are there; ranks and `play_on`'s room stay."""
    copy(source.count, target.count)
    copy(source.index, target.index)
    copy(source.start, target.start)
    copy(source.filled, target.filled)
    copy(source.total, target.total)
    copy(source.value, target.value)
    for arm in range(source.count.size):
        known = source.filled[arm] - source.start[arm]
        copy(source.ahead[arm, :known], target.ahead[arm])


@inlined
def _read_block(game: Game, run: int, arms: Arms, arm: int) -> int:
    """Work out mean + width for the pulls after `filled`, into `arms.cells`; return how many they are.

    As many as the arm has pulls, within limits: a block is never more than half of the work wasted.
    """
    curves, source, cells, first = game.curves, game.source, arms.cells, arms.filled[arm]
    most = longest_block(curves, cells.size)
    size = max(1, min(most, first) // CELLS_PER_BLOCK) * CELLS_PER_BLOCK
    draw(row_of(source, run, arm), first, size, cells)
    if arm == source.overridden_arm and first < source.overridden_pull <= first + size:
        cells[source.overridden_pull - 1 - first] = source.override
    arms.total[arm] = add_up(cells, size, curves.clip, arms.total[arm])
    raise_means(curves, game.tables.bonuses, first, size, cells)
    return int(size)


@inlined
def _keep_block(game: Game, arms: Arms, arm: int, size: int) -> None:
    """Turn the block in `arms.cells` into the arm's indices ahead."""
    curves, cells, first = game.curves, arms.cells, arms.filled[arm]
    if curves.envelope:
        lower_on(cells, size, arms.value[arm])
    arms.value[arm] = cells[size - 1]
    add_tilts(curves, game.tables.tilts, first, size, cells, arms.ahead[arm])
    arms.start[arm] = first
    arms.filled[arm] = first + size


@compiled
def look_ahead(game: Game, run: int, arms: Arms, arm: int) -> None:
    """Work out the next block of an arm's indices."""
    _keep_block(game, arms, arm, _read_block(game, run, arms, arm))


@compiled
def least(values: Floats, size: int, room: Floats) -> float:
    """Return the least of the first `size` values, by halves: loops that vectorise, as a running minimum does not."""
    half = (size + 1) // 2
    for place in range(half):
        room[place] = min(values[place], values[size - half + place])
    while half > 1:
        size, half = half, (half + 1) // 2
        for place in range(size - half):
            room[place] = min(room[place], room[half + place])
    return float(room[0])


@inlined
def _skip_block(game: Game, arms: Arms, arm: int, size: int, level: float) -> bool:
    """Pull the whole block in `arms.cells` if every index in it is certainly above the level; say whether."""
    curves, last = game.curves, arms.filled[arm] + size
    lowest = least(arms.cells, size, arms.room)
    if curves.envelope:
        lowest = min(lowest, arms.value[arm])
    lowest_tilt = tilt_after(curves, game.tables.tilts, last)
    if not lowest + (lowest_tilt - TILT_ERROR * curves.tilt) > level:
        return False
    value = lowest if curves.envelope else arms.cells[size - 1]
    arms.value[arm] = value
    arms.index[arm] = value + lowest_tilt
    arms.count[arm] = arms.start[arm] = arms.filled[arm] = last
    return True


@inlined
def advance(game: Game, run: int, arms: Arms, arm: int, level: float, most: int, stop: Integers) -> bool:
    """Pull an arm until its index is at or below a level.

    False if that takes more than `most` pulls, or if the stop flag is set meanwhile.
    """
    while arms.count[arm] == 0 or arms.index[arm] > level:
        n = arms.count[arm]
        if n == most or stop[0] != 0:
            return False
        if n == arms.filled[arm]:
            size = _read_block(game, run, arms, arm)
            if n + size <= most and _skip_block(game, arms, arm, size, level):
                continue
            _keep_block(game, arms, arm, size)
        ahead, start = arms.ahead[arm], arms.start[arm]
        end = min(most, arms.filled[arm]) - start
        place = n - start
        if game.curves.envelope and ahead[np.uint64(end - 1)] - TILT_ERROR * game.curves.tilt > level:
            place = end - 1  # all before it are above the level, too: the envelope and the tilt only fall
        while place < end - 1 and ahead[place] > level:
            place += 1
        arms.count[arm] = start + place + 1
        arms.index[arm] = ahead[place]
    return True


@compiled
def pull_once(game: Game, run: int, arms: Arms, arm: int, stop: Integers) -> None:
    """Put an arm to where it has had one pull."""
    reset_arm(arms, arm)
    advance(game, run, arms, arm, np.inf, 1, stop)


@compiled
def pull_each_once(game: Game, run: int, arms: Arms, stop: Integers) -> None:
    """Begin a run: every arm has had one pull."""
    for arm in range(arms.count.size):
        pull_once(game, run, arms, arm, stop)


@compiled
def first_counts(rank: Integers, rounds: int, counts: Integers) -> None:
    """Write the counts after so few rounds that no arm has had a second pull: first pulls go by priority."""
    for arm in range(rank.size):
        counts[arm] = 1 if rank[arm] < rounds else 0
