"""The state of all arms in one run of an own-history policy, and the two ways to move it forward.

An arm's indices depend on its own rewards only, so they are worked out ahead of time, a block of pulls at
once, in loops that the compiler vectorises. `advance` takes one arm alone down to a level of the index;
`play_on` plays the rounds that are left one by one, by merging the arms' sequences of indices. The step
engine uses the second only; the prefix engine uses the first for nearly all rounds. Blocks grow with the arm's
pull count within limits, so memory is flat in the horizon.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.model.compiled import compiled, inlined
from steadyarm.model.instance import Instance
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells
from steadyarm.policies.core.curves import Curves, joined, reach, tilt, width

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SLICE = 1 << 16  # rounds between two looks at the stop flag
NOBODY = -1
_MOST_AHEAD = 512  # indices of one arm worked out ahead of its pulls
_ALL_AHEAD = 1 << 17  # indices of all arms worked out ahead
_DEAR_AHEAD = 16  # indices ahead where each takes a bisection
_PATIENCE = 16  # wins in a row after which an arm is taken down alone; doubled while that does not pay
_TILT_ERROR = 1e-12  # more than the rounding error of log(T/n)
_MOST_TABLED = 1 << 18  # pull counts whose curves are kept in a table


class Source(NamedTuple):
    """Where rewards come from: the reward table of an instance, with at most one cell overridden."""

    law: int
    location: Floats
    scale: Floats
    seed: np.uint64
    overridden_arm: int = NOBODY
    overridden_pull: int = 0  # from 1
    override: float = 0.0


class Tables(NamedTuple):
    """The curves at n = 0, 1, 2, … (entry 0 is not used), shared by all arms and runs."""

    reached: Floats
    tilts: Floats


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
    values: Floats  # likewise
    rank: Integers
    by_rank: Integers
    following: Integers  # for `play_on`, by rank: where the arm's next index stands in `ahead`
    end: Integers  # and where its block ends
    losers: Integers
    losing: Floats  # the losers' indices


def source_of(instance: Instance, seed: int) -> Source:
    """Return the reward table of an instance in the form that kernels read."""
    return Source(instance.law, instance.location, instance.scale, np.uint64(seed))


def tables_of(curves: Curves, last: int | None = None) -> Tables:
    """Return the curves of a policy in tables up to `last` pulls; by default of bounded length."""
    last = int(min(curves.horizon, _MOST_TABLED)) if last is None else last
    tables = Tables(np.empty(last + 1), np.empty(last + 1))
    _fill_tables(curves, tables)
    return tables


@compiled
def _fill_tables(curves: Curves, tables: Tables) -> None:
    tables.reached[0] = tables.tilts[0] = np.inf
    for n in range(1, tables.reached.size):
        tables.reached[n] = reach(curves, np.float64(n))
        tables.tilts[n] = tilt(curves, np.float64(n))


@compiled
def empty_arms(n_arms: int) -> Arms:
    """Return room for the state of this many arms."""
    block = min(_MOST_AHEAD, max(CELLS_PER_BLOCK, _ALL_AHEAD // n_arms // CELLS_PER_BLOCK * CELLS_PER_BLOCK))
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
def begin(arms: Arms, arm: int) -> None:
    """Put an arm back to where it has no pulls."""
    arms.count[arm] = 0
    arms.index[arm] = np.inf
    arms.start[arm] = 0
    arms.filled[arm] = 0
    arms.total[arm] = 0.0
    arms.value[arm] = np.inf


@inlined
def _read_block(curves: Curves, tables: Tables, source: Source, run: int, arms: Arms, arm: int) -> int:
    """Work out mean + width for the pulls after `filled`, into `arms.values`; return how many they are.

    As many as the arm has pulls, within limits: a block is never more than half of the work wasted.
    """
    first = arms.filled[arm]
    most = _DEAR_AHEAD if curves.bernoulli else arms.cells.size
    blocks = max(1, min(most, first) // CELLS_PER_BLOCK)
    size = blocks * CELLS_PER_BLOCK
    cells, values = arms.cells, arms.values
    fill_cells(
        source.law,
        source.location[arm],
        source.scale[arm],
        source.seed,
        run,
        arm,
        first // CELLS_PER_BLOCK,
        blocks,
        cells,
    )
    if arm == source.overridden_arm and first < source.overridden_pull <= first + size:
        cells[source.overridden_pull - 1 - first] = source.override
    clip, total = curves.clip, arms.total[arm]
    for place in range(size):  # one rounded sum after the other, as a play adds them
        total += min(clip, max(-clip, cells[place]))
        cells[place] = total
    arms.total[arm] = total
    _join(curves, tables.reached, first, size, cells, values)
    return size


@inlined
def _join(curves: Curves, reached: Floats, first: int, size: int, totals: Floats, values: Floats) -> None:
    """Write mean + width after pulls first + 1, …, first + size, with the widths from the table as far as it goes."""
    if curves.bernoulli:
        for place in range(size):
            n = first + place + 1
            pulls = np.float64(n)
            reached_now = reached[n] if n < reached.size else reach(curves, pulls)
            values[place] = joined(curves, totals[place] / pulls, reached_now)
    elif first + size < reached.size:
        for place in range(size):
            values[place] = totals[place] / np.float64(first + place + 1) + reached[first + place + 1]
    else:
        for place in range(size):
            pulls = np.float64(first + place + 1)
            values[place] = totals[place] / pulls + width(curves, pulls)


@inlined
def _keep_block(curves: Curves, tables: Tables, arms: Arms, arm: int, size: int) -> None:
    """Turn the block in `arms.values` into the arm's indices ahead."""
    first = arms.filled[arm]
    ahead, values, tilts = arms.ahead[arm], arms.values, tables.tilts
    if curves.envelope:
        lowest = arms.value[arm]
        for place in range(size):
            lowest = min(lowest, values[place])
            values[place] = lowest
    arms.value[arm] = values[size - 1]
    if first + size < tilts.size:
        for place in range(size):
            ahead[place] = values[place] + tilts[first + place + 1]
    else:
        for place in range(size):
            ahead[place] = values[place] + tilt(curves, np.float64(first + place + 1))
    arms.start[arm] = first
    arms.filled[arm] = first + size


@compiled
def _look_ahead(curves: Curves, tables: Tables, source: Source, run: int, arms: Arms, arm: int) -> None:
    """Work out the next block of an arm's indices."""
    _keep_block(curves, tables, arms, arm, _read_block(curves, tables, source, run, arms, arm))


@inlined
def _least(values: Floats, size: int, room: Floats) -> float:
    """Return the least of the first `size` values, by halves: loops that vectorise, as a running minimum does not."""
    half = (size + 1) // 2
    for place in range(half):
        room[place] = min(values[place], values[size - half + place])
    while half > 1:
        size, half = half, (half + 1) // 2
        for place in range(size - half):
            room[place] = min(room[place], room[half + place])
    return room[0]


@inlined
def _skip_block(curves: Curves, tables: Tables, arms: Arms, arm: int, size: int, level: float) -> bool:
    """Pull the whole block in `arms.values` if every index in it is certainly above the level; say whether."""
    last = arms.filled[arm] + size
    lowest = _least(arms.values, size, arms.cells)
    if curves.envelope:
        lowest = min(lowest, arms.value[arm])
    lowest_tilt = tables.tilts[last] if last < tables.tilts.size else tilt(curves, np.float64(last))
    if not lowest + (lowest_tilt - _TILT_ERROR * curves.tilt) > level:
        return False
    value = lowest if curves.envelope else arms.values[size - 1]
    arms.value[arm] = value
    arms.index[arm] = value + lowest_tilt
    arms.count[arm] = arms.start[arm] = arms.filled[arm] = last
    return True


@compiled
def advance(
    curves: Curves,
    tables: Tables,
    source: Source,
    run: int,
    arms: Arms,
    arm: int,
    level: float,
    most: int,
    stop: Integers,
) -> bool:
    """Pull an arm until its index is at or below a level.

    False if that takes more than `most` pulls, or if the stop flag is set meanwhile.
    """
    while arms.count[arm] == 0 or arms.index[arm] > level:
        n = arms.count[arm]
        if n == most or stop[0] != 0:
            return False
        if n == arms.filled[arm]:
            size = _read_block(curves, tables, source, run, arms, arm)
            if n + size <= most and _skip_block(curves, tables, arms, arm, size, level):
                continue
            _keep_block(curves, tables, arms, arm, size)
        ahead, start = arms.ahead[arm], arms.start[arm]
        end = min(most, arms.filled[arm]) - start
        place = n - start
        while place < end - 1 and ahead[place] > level:
            place += 1
        arms.count[arm] = start + place + 1
        arms.index[arm] = ahead[place]
    return True


@compiled
def play_on(
    curves: Curves,
    tables: Tables,
    source: Source,
    run: int,
    arms: Arms,
    played: int,
    horizon: int,
    stop: Integers,
    done: Integers,
) -> bool:
    """Play rounds played + 1, …, horizon one by one: largest index, ties by rank. False if stopped.

    A loser tree holds the order of the arms. Only the arm just pulled changes its index, so one walk from
    its leaf to the root, with one comparison a level, finds the next one.
    """
    # Local names: Numba counts references on each access to a field of a record, which would cost more than
    # the round itself. An arm is named by its rank here, so that a tie is one comparison.
    by_rank, losers, losing, following, end = arms.by_rank, arms.losers, arms.losing, arms.following, arms.end
    ahead, row, n_arms = arms.ahead.ravel(), arms.ahead.shape[1], losers.size
    for arm in range(n_arms):
        place = arms.rank[arm]
        by_rank[place] = arm
        following[place] = arm * row + arms.count[arm] - arms.start[arm]
        end[place] = arm * row + arms.filled[arm] - arms.start[arm]
    champion = _first_tournament(arms)
    index, streak, patience = 0.0, 0, _PATIENCE
    while played < horizon:
        if stop[0] != 0:
            return False
        rounds = min(SLICE, horizon - played)
        left = rounds
        while left > 0:
            if streak < patience:
                place = following[champion]
                if place == end[champion]:
                    arm = by_rank[champion]
                    _look_ahead(curves, tables, source, run, arms, arm)
                    place = arm * row
                    end[champion] = place + arms.filled[arm] - arms.start[arm]
                index = ahead[place]
                following[champion] = place + 1
                left -= 1
            else:  # an arm far in front: take it alone down to the runner-up
                arm = by_rank[champion]
                before = arms.start[arm] + following[champion] - arm * row
                arms.count[arm], arms.index[arm] = before, index
                advance(
                    curves, tables, source, run, arms, arm, _runner_up(losing, champion), before + left, stop
                )
                index = arms.index[arm]
                following[champion] = arm * row + arms.count[arm] - arms.start[arm]
                end[champion] = arm * row + arms.filled[arm] - arms.start[arm]
                taken = arms.count[arm] - before
                left -= taken
                streak, patience = 0, _PATIENCE if taken >= _PATIENCE else 2 * patience
            # Written without a branch: who wins is as unpredictable as the rewards.
            before = champion
            node = (n_arms + champion) >> 1
            while node > 0:
                rival, its_index = losers[node], losing[node]
                beaten = (its_index > index) | ((its_index == index) & (rival < champion))
                winner = rival if beaten else champion
                losers[node] = rival ^ champion ^ winner
                losing[node] = min(its_index, index)
                index = max(its_index, index)
                champion = winner
                node >>= 1
            streak = streak + 1 if champion == before else 0
        played += rounds
        done[0] += rounds
    for arm in range(n_arms):
        place = following[arms.rank[arm]]
        arms.count[arm] = arms.start[arm] + place - arm * row
        if place > arm * row:
            arms.index[arm] = ahead[place - 1]
    return True


@inlined
def _runner_up(losing: Floats, champion: int) -> float:
    """Return the largest index among those that the champion beat."""
    node = (losing.size + champion) >> 1
    largest = -np.inf
    while node > 0:
        largest = max(largest, losing[node])
        node >>= 1
    return largest


@compiled
def _first_tournament(arms: Arms) -> int:
    """Fill the loser tree, one arm after the other, and return the champion; arms are named by their ranks.

    A node keeps the first arm that comes along; when the second does, the loser stays and the winner goes on.
    """
    losers, losing, n_arms = arms.losers, arms.losing, arms.losers.size
    losers[:] = NOBODY
    champion = 0
    for place in range(n_arms):
        champion, index = place, arms.index[arms.by_rank[place]]
        node = (n_arms + place) >> 1
        while node > 0:
            rival, its_index = losers[node], losing[node]
            if rival == NOBODY:
                losers[node], losing[node] = champion, index
                break
            if its_index > index or (its_index == index and rival < champion):
                losers[node], losing[node] = champion, index
                champion, index = rival, its_index
            node >>= 1
    return champion
