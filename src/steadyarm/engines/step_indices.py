"""The step engine's kernel for own-history policies, O(log K) a round.

A loser tree holds the order of the arms: only the arm just pulled changes its index, so one walk from its
leaf to the root, with one comparison a level, finds the next one. Rewards are read from the table in short
blocks that grow with the arm's pull count, so memory does not depend on the horizon.
"""

import numpy as np
import numpy.typing as npt

from steadyarm.model.compiled import compiled
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells
from steadyarm.policies.curves import Curves, tilted, upper

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SLICE = 1 << 16  # rounds between two looks at the stop flag
_NOBODY = -1
_MOST_BUFFERED = 64  # cells of one arm read ahead
_ALL_BUFFERED = 1 << 17  # cells of all arms read ahead


def buffered_cells(n_arms: int) -> int:
    """How many cells of each arm to read ahead, a multiple of a block."""
    return min(
        _MOST_BUFFERED, max(CELLS_PER_BLOCK, _ALL_BUFFERED // n_arms // CELLS_PER_BLOCK * CELLS_PER_BLOCK)
    )


@compiled
def play_indices(
    curves: Curves,
    horizon: int,
    law: int,
    location: Floats,
    scale: Floats,
    seed: np.uint64,
    first_run: int,
    buffered: int,
    counts: Integers,
    stop: Integers,
    done: Integers,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
    n_arms = location.size
    rank = np.empty(n_arms, np.int64)
    total = np.empty(n_arms)
    value = np.empty(n_arms)  # envelope, or mean + width where there is none
    index = np.empty(n_arms)
    filled = np.empty(n_arms, np.int64)  # cells of the arm drawn so far
    start = np.empty(n_arms, np.int64)  # the first of them still in the buffer
    cells = np.empty((n_arms, buffered))
    leaves = 1
    while leaves < n_arms:
        leaves *= 2
    losers = np.empty(leaves, np.int64)
    winners = np.empty(2 * leaves, np.int64)

    for row in range(counts.shape[0]):
        count = counts[row]
        run = first_run + row
        fill_priority(seed, run, rank)
        for arm in range(n_arms):
            count[arm] = 0
            total[arm] = 0.0
            value[arm] = np.inf
            filled[arm] = 0
            start[arm] = 0
            _pull(
                curves, law, location, scale, seed, run, arm, count, total, value, index, filled, start, cells
            )

        champion = _first_tournament(index, rank, losers, winners)
        played = n_arms
        done[0] += n_arms
        while played < horizon:
            if stop[0] != 0:
                return
            rounds = min(SLICE, horizon - played)
            for _ in range(rounds):
                _pull(
                    curves,
                    law,
                    location,
                    scale,
                    seed,
                    run,
                    champion,
                    count,
                    total,
                    value,
                    index,
                    filled,
                    start,
                    cells,
                )
                node = (leaves + champion) // 2
                while node > 0:
                    rival = losers[node]
                    if rival != _NOBODY and _precedes(index, rank, rival, champion):
                        losers[node] = champion
                        champion = rival
                    node //= 2
            played += rounds
            done[0] += rounds


@compiled
def _pull(
    curves: Curves,
    law: int,
    location: Floats,
    scale: Floats,
    seed: np.uint64,
    run: int,
    arm: int,
    count: Integers,
    total: Floats,
    value: Floats,
    index: Floats,
    filled: Integers,
    start: Integers,
    cells: Floats,
) -> None:
    """Pull an arm once: read its next cell and bring its index up to date."""
    n = count[arm]
    if n == filled[arm]:
        blocks = max(1, min(cells.shape[1], n) // CELLS_PER_BLOCK)
        fill_cells(law, location[arm], scale[arm], seed, run, arm, n // CELLS_PER_BLOCK, blocks, cells[arm])
        start[arm] = n
        filled[arm] = n + blocks * CELLS_PER_BLOCK
    total[arm] += min(curves.clip, max(-curves.clip, cells[arm, n - start[arm]]))
    count[arm] = n + 1
    pulls = np.float64(n + 1)
    reached = upper(curves, total[arm], pulls)
    value[arm] = min(value[arm], reached) if curves.envelope else reached
    index[arm] = tilted(curves, value[arm], pulls)


@compiled
def _precedes(index: Floats, rank: Integers, one: int, other: int) -> bool:
    """Whether an arm is played before another: larger index, ties by the smaller rank."""
    return index[one] > index[other] or (index[one] == index[other] and rank[one] < rank[other])


@compiled
def _first_tournament(index: Floats, rank: Integers, losers: Integers, winners: Integers) -> int:
    """Fill the loser tree from the leaves up and return the champion."""
    leaves = losers.size
    for arm in range(leaves):
        winners[leaves + arm] = arm if arm < index.size else _NOBODY
    for node in range(leaves - 1, 0, -1):
        left, right = winners[2 * node], winners[2 * node + 1]
        if right == _NOBODY or _precedes(index, rank, left, right):
            winners[node], losers[node] = left, right
        else:
            winners[node], losers[node] = right, left
    return winners[1]
