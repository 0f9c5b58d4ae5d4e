"""The state of all arms in one run of an own-history policy, and the two ways to move it forward.

`advance` takes one arm alone down to a level of the index; `play_on` plays the rounds that are left one by
one. The step engine uses the second only; the prefix engine uses the first for nearly all rounds.
Rewards are read in short blocks that grow with the arm's pull count, so memory is flat in the horizon.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.model.compiled import compiled
from steadyarm.model.instance import Instance
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells
from steadyarm.policies.curves import Curves, joined, reach, tilt

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SLICE = 1 << 16  # rounds between two looks at the stop flag
NOBODY = -1
_MOST_BUFFERED = 256  # cells of one arm read ahead
_ALL_BUFFERED = 1 << 17  # cells of all arms read ahead
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
    """What is known of each arm: pulls, reward sum, envelope or mean + width, index, and cells read ahead."""

    count: Integers  # type: ignore[assignment]
    total: Floats
    value: Floats
    index: Floats  # type: ignore[assignment]
    start: Integers  # the pull whose cell stands first in the buffer
    filled: Integers  # the pull after the last one in the buffer
    cells: Floats
    rank: Integers
    losers: Integers
    winners: Integers


def source_of(instance: Instance, seed: int) -> Source:
    """Return the reward table of an instance in the form that kernels read."""
    return Source(instance.law, instance.location, instance.scale, np.uint64(seed))


def tables_of(curves: Curves) -> Tables:
    """Return the curves of a policy in a table of bounded length."""
    size = int(min(curves.horizon, _MOST_TABLED)) + 1
    tables = Tables(np.empty(size), np.empty(size))
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
    buffered = min(_MOST_BUFFERED, max(CELLS_PER_BLOCK, _ALL_BUFFERED // n_arms // 4 * 4))
    leaves = 1
    while leaves < n_arms:
        leaves *= 2
    return Arms(
        np.empty(n_arms, np.int64),
        np.empty(n_arms),
        np.empty(n_arms),
        np.empty(n_arms),
        np.empty(n_arms, np.int64),
        np.empty(n_arms, np.int64),
        np.empty((n_arms, buffered)),
        np.empty(n_arms, np.int64),
        np.empty(leaves, np.int64),
        np.empty(2 * leaves, np.int64),
    )


@compiled
def begin(arms: Arms, arm: int) -> None:
    """Put an arm back to where it has no pulls."""
    arms.count[arm] = 0
    arms.total[arm] = 0.0
    arms.value[arm] = np.inf
    arms.index[arm] = np.inf
    arms.start[arm] = 0
    arms.filled[arm] = 0


@compiled
def _read_ahead(source: Source, run: int, arms: Arms, arm: int) -> None:
    """Fill the arm's buffer from its next pull on, with as many cells as it has pulls, within limits."""
    n = arms.count[arm]
    block = n // CELLS_PER_BLOCK
    blocks = max(1, min(arms.cells.shape[1], n) // CELLS_PER_BLOCK)
    cells = arms.cells[arm]
    fill_cells(
        source.law, source.location[arm], source.scale[arm], source.seed, run, arm, block, blocks, cells
    )
    arms.start[arm] = block * CELLS_PER_BLOCK
    arms.filled[arm] = (block + blocks) * CELLS_PER_BLOCK
    if arm == source.overridden_arm and arms.start[arm] < source.overridden_pull <= arms.filled[arm]:
        cells[source.overridden_pull - 1 - arms.start[arm]] = source.override


@compiled
def _value(curves: Curves, reached: Floats, total: float, n: int) -> float:
    """Return mean + width after n pulls, from the table as far as it goes."""
    pulls = np.float64(n)
    return joined(curves, total / pulls, reached[n] if n < reached.size else reach(curves, pulls))


@compiled
def _index(curves: Curves, tilts: Floats, value: float, n: int) -> float:
    """Return value + tilt after n pulls, from the table as far as it goes."""
    return value + (tilts[n] if n < tilts.size else tilt(curves, np.float64(n)))


# The two loops below take every pull of every run. They work on local names: Numba counts references on
# each access to a field of a record, which would cost more than the pull itself.


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
    reached, tilts, cells = tables.reached, tables.tilts, arms.cells
    clip, envelope = curves.clip, curves.envelope
    n, total, value, index = arms.count[arm], arms.total[arm], arms.value[arm], arms.index[arm]
    while n == 0 or index > level:
        if n == most or stop[0] != 0:
            return False
        if n == arms.filled[arm]:
            arms.count[arm] = n
            _read_ahead(source, run, arms, arm)
        place = n - arms.start[arm]
        for ahead in range(min(most, arms.filled[arm]) - n):
            n += 1
            total += min(clip, max(-clip, cells[arm, place + ahead]))
            reached_value = _value(curves, reached, total, n)
            value = min(value, reached_value) if envelope else reached_value
            index = _index(curves, tilts, value, n)
            if not index > level:
                break
    arms.count[arm], arms.total[arm], arms.value[arm], arms.index[arm] = n, total, value, index
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
    reached, tilts = tables.reached, tables.tilts
    clip, envelope = curves.clip, curves.envelope
    count, total, value, index = arms.count, arms.total, arms.value, arms.index
    start, filled, cells, rank, losers = arms.start, arms.filled, arms.cells, arms.rank, arms.losers
    champion = _first_tournament(arms)
    while played < horizon:
        if stop[0] != 0:
            return False
        rounds = min(SLICE, horizon - played)
        for _ in range(rounds):
            n = count[champion]
            if n == filled[champion]:
                _read_ahead(source, run, arms, champion)
            reward = cells[champion, n - start[champion]]
            count[champion] = n + 1
            total[champion] += min(clip, max(-clip, reward))
            reached_value = _value(curves, reached, total[champion], n + 1)
            value[champion] = min(value[champion], reached_value) if envelope else reached_value
            index[champion] = _index(curves, tilts, value[champion], n + 1)

            node = (losers.size + champion) // 2
            while node > 0:
                rival = losers[node]
                if rival != NOBODY and _precedes(index, rank, rival, champion):
                    losers[node] = champion
                    champion = rival
                node //= 2
        played += rounds
        done[0] += rounds
    return True


@compiled
def _precedes(index: Floats, rank: Integers, one: int, other: int) -> bool:
    """Whether an arm is played before another: larger index, ties by the smaller rank."""
    if index[one] == index[other]:
        return rank[one] < rank[other]
    return index[one] > index[other]


@compiled
def _first_tournament(arms: Arms) -> int:
    """Fill the loser tree from the leaves up and return the champion."""
    losers, winners = arms.losers, arms.winners
    leaves, n_arms = losers.size, arms.count.size
    for arm in range(leaves):
        winners[leaves + arm] = arm if arm < n_arms else NOBODY
    for node in range(leaves - 1, 0, -1):
        left, right = winners[2 * node], winners[2 * node + 1]
        if right == NOBODY or _precedes(arms.index, arms.rank, left, right):
            winners[node], losers[node] = left, right
        else:
            winners[node], losers[node] = right, left
    return winners[1]
