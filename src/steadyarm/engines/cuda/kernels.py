"""The GPU's kernels for own-history policies, built from the scalar functions of the CPU's engines.

`cut` takes every arm of every run alone down to a level, one thread an arm; `play` plays the rounds that are
left, one thread a run. Both work out an arm's indices a block of four pulls at a time, ahead of the play. Arrays
have a row for each rank of an arm and a column for each run, laid out flat, so that neighbouring threads read
neighbouring numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda, float64, int32, types, uint32
from numba.cuda.extending import overload

from steadyarm.engines.cuda.blocks import next_block
from steadyarm.engines.cuda.card import LANES
from steadyarm.engines.cuda.operations import inlined, kernel, shared_with_cpu
from steadyarm.model import priority
from steadyarm.model.table import CELLS_PER_BLOCK

AHEAD = CELLS_PER_BLOCK  # indices of one arm that are worked out together
RING = 2 * AHEAD  # room for an arm's indices ahead; a power of two
_EMPTY = -1
_WAITING_BITS = 4  # of a place, that count indices ahead
_WAITING = (1 << _WAITING_BITS) - 1

fill_priority = shared_with_cpu(priority.fill_priority)


class Game(NamedTuple):
    """What all threads share: what indices are worked out from, the rewards, and the number of the first run."""

    indices: Any
    source: Any
    first_run: Any


class Arms(NamedTuple):
    """The arms of all runs, a row for each rank: which arm it is, how far its indices are worked out, and these."""

    rank: Any  # (arms, runs)
    arm_of: Any
    filled: Any
    total: Any
    value: Any
    ahead: Any  # `RING` rows for each rank; behind them there is room for the loser tree
    place: Any  # likewise


class Busy(NamedTuple):
    """The part of the state that every round touches, in the card's memory or in shared memory, and a run's column."""

    ahead: Any
    place: Any
    place_row: Any  # the first row of `place`
    column: Any
    columns: Any


@kernel
def begin(game, levels, arms):
    """Put the runs with a level to where no arm has a pull."""
    run, runs = cuda.grid(1), levels.size
    if run >= runs or np.isnan(levels[run]):
        return
    ranks = arms.rank[:, run]
    fill_priority(game.source.seed, game.first_run + run, ranks)
    for arm in range(ranks.size):
        slot = ranks[arm] * runs + run
        arms.arm_of[slot] = arm
        arms.filled[slot] = 0
        arms.total[slot] = 0.0
        arms.value[slot] = np.inf
        arms.place[slot] = 0


@kernel
def cut(game, most, pulls, levels, arms, unfinished):
    """Take every arm down to its run's level, at most `pulls` pulls at a time; count the arms still above it.

    An arm that was cut before, at a higher level, goes on from there. An arm that takes `most` pulls is left
    there: its run does not fit.
    """
    runs = levels.size
    thread = cuda.grid(1)
    arm = thread // runs
    run = thread - arm * runs
    if arm >= game.source.location.size or np.isnan(levels[run]):
        return
    rank, filled, total, value, ahead, place = (
        arms.rank,
        arms.filled,
        arms.total,
        arms.value,
        arms.ahead,
        arms.place,
    )
    slot = rank[arm, run] * runs + run
    ring = RING * rank[arm, run]
    level = levels[run]
    pulled = place[slot]
    if pulled > 0:
        first = (ring + _in_ring(filled[slot] - AHEAD)) * runs + run
        while pulled < AHEAD and ahead[first + (pulled - 1) * runs] > level:
            pulled += 1
        place[slot] = pulled
        if not ahead[first + (pulled - 1) * runs] > level:
            return
        pulled = 0
    n, total_now, value_now = filled[slot], total[slot], value[slot]
    last = min(most, n + pulls)
    i0 = i1 = i2 = i3 = 0.0
    while n < last and pulled == 0:
        total_now, value_now, (i0, i1, i2, i3) = next_block(
            game.indices, game.source, game.first_run + run, arm, n, total_now, value_now
        )
        n += AHEAD
        if not i0 > level:
            pulled = 1
        elif not i1 > level:
            pulled = 2
        elif not i2 > level:
            pulled = 3
        elif not i3 > level:
            pulled = 4
    filled[slot], total[slot], value[slot] = n, total_now, value_now
    if pulled == 0 and n >= most:
        pulled = AHEAD
    place[slot] = pulled
    if pulled == 0:
        cuda.atomic.add(unfinished, 0, 1)
        return
    first = (ring + _in_ring(n - AHEAD)) * runs + run
    ahead[first], ahead[first + runs], ahead[first + 2 * runs], ahead[first + 3 * runs] = i0, i1, i2, i3


@kernel
def count(n_arms, arms, counts, taken):
    """Write each arm's pulls, a row a run, and their sum."""
    run, runs = cuda.grid(1), taken.size
    if run >= runs:
        return
    together = 0
    for row in range(n_arms):
        slot = row * runs + run
        pulls = arms.filled[slot] - AHEAD + arms.place[slot]
        counts[run, arms.arm_of[slot]] = pulls
        together += pulls
    taken[run] = together


@inlined
def _in_ring(n):
    return n & (RING - 1)


def _at(row, column, columns):
    """Return where a row of a column stands; as a number of 32 bits, half the work of 64, where `column` is one."""
    return row * columns + column


@overload(_at, strict=False)
def _compiled_at(row, column, columns):
    if column == types.uint32:
        return lambda row, column, columns: uint32(row * columns + column)
    return lambda row, column, columns: row * columns + column


@inlined
def _play_run(game, now, end, run, runs, arms, busy):
    """Play one run's rounds now + 1, …, end: largest index, ties by rank.

    A loser tree over the ranks, as on the CPU. The arm of rank r has the index after pull n at row n − 1 modulo
    `RING` of its ring. While rounds are played, `place` says where in the ring the next pull stands (upper bits)
    and how many indices are ahead (lower bits). The tree's losers stand behind, and their indices behind `ahead`.

    All threads of a warp fill together, one block after every `AHEAD` rounds: for the arm that has the fewest
    indices ahead among those just pulled. So an arm hardly ever runs out; if so, its run waits for the next filling.
    """
    n_arms = game.source.location.size
    arm_of, filled, total, value = arms.arm_of, arms.filled, arms.total, arms.value
    ahead, place, place_row, column, columns = busy
    losers_row, losing_row = place_row + n_arms, RING * n_arms
    for node in range(1, n_arms):
        place[_at(losers_row + node, column, columns)] = _EMPTY
    champion, index = 0, 0.0
    for row in range(n_arms):
        own = _at(place_row + row, column, columns)
        waiting = AHEAD - place[own]
        pulled = filled[row * runs + run] - waiting
        place[own] = (_in_ring(pulled) << _WAITING_BITS) | waiting
        champion = row
        index = ahead[_at(RING * row + _in_ring(pulled - 1), column, columns)]
        node = (n_arms + row) >> 1
        while node > 0:
            loser, its = _at(losers_row + node, column, columns), _at(losing_row + node, column, columns)
            rival, its_index = place[loser], ahead[its]
            if rival == _EMPTY:
                place[loser], ahead[its] = champion, index
                break
            if its_index > index or (its_index == index and rival < champion):
                place[loser], ahead[its] = champion, index
                champion, index = rival, its_index
            node >>= 1

    needy, fewest = champion, place[_at(place_row + champion, column, columns)] & _WAITING
    while now < end:
        if fewest < AHEAD:
            slot = needy * runs + run
            arm, n = arm_of[slot], filled[slot]
            total_now, value_now, (i0, i1, i2, i3) = next_block(
                game.indices, game.source, game.first_run + run, arm, n, total[slot], value[slot]
            )
            filled[slot], total[slot], value[slot] = n + AHEAD, total_now, value_now
            first = RING * needy + _in_ring(n)
            ahead[_at(first, column, columns)], ahead[_at(first + 1, column, columns)] = i0, i1
            ahead[_at(first + 2, column, columns)], ahead[_at(first + 3, column, columns)] = i2, i3
            place[_at(place_row + needy, column, columns)] += AHEAD
        fewest = RING
        for _ in range(AHEAD):
            own = _at(place_row + champion, column, columns)
            state = place[own]
            waiting = state & _WAITING
            if waiting == 0:
                needy, fewest = champion, 0
            if waiting == 0 or now == end:
                break
            waiting -= 1
            if waiting < fewest:
                needy, fewest = champion, waiting
            index = ahead[_at(RING * champion + (state >> _WAITING_BITS), column, columns)]
            place[own] = (_in_ring((state >> _WAITING_BITS) + 1) << _WAITING_BITS) | waiting
            now += 1
            node = (n_arms + champion) >> 1
            while node > 0:
                loser, its = _at(losers_row + node, column, columns), _at(losing_row + node, column, columns)
                rival, its_index = place[loser], ahead[its]
                if its_index > index or (its_index == index and rival < champion):
                    place[loser], ahead[its] = champion, index
                    champion, index = rival, its_index
                node >>= 1

    for row in range(n_arms):
        own = _at(place_row + row, column, columns)
        place[own] = AHEAD - (place[own] & _WAITING)


@kernel
def play_in_memory(game, horizon, rounds, arms, played):
    """Play up to `rounds` more rounds of every run, with its state in the card's memory: for many arms."""
    run, runs = cuda.grid(1), played.size
    if run >= runs or played[run] >= horizon:
        return
    end = min(horizon, played[run] + rounds)
    busy = Busy(arms.ahead, arms.place, 0, run, runs)
    _play_run(game, played[run], end, run, runs, arms, busy)
    played[run] = end


@kernel
def play_in_shared(game, horizon, rounds, arms, played):
    """Do the same with the busy part of the state in shared memory, in blocks of `LANES` threads: for few arms."""
    doubles = cuda.shared.array(0, float64)
    integers = cuda.shared.array(0, int32)  # the same bytes; used behind the doubles
    run, runs, n_arms = cuda.grid(1), played.size, game.source.location.size
    if run >= runs or played[run] >= horizon:
        return
    lane = uint32(cuda.threadIdx.x)
    behind = 2 * (RING + 1) * n_arms  # rows of integers that the doubles take
    for row in range(RING * n_arms):
        doubles[row * LANES + lane] = arms.ahead[row * runs + run]
    for row in range(n_arms):
        integers[(behind + row) * LANES + lane] = arms.place[row * runs + run]
    end = min(horizon, played[run] + rounds)
    busy = Busy(doubles, integers, behind, lane, LANES)
    _play_run(game, played[run], end, run, runs, arms, busy)
    for row in range(RING * n_arms):
        arms.ahead[row * runs + run] = doubles[row * LANES + lane]
    for row in range(n_arms):
        arms.place[row * runs + run] = integers[(behind + row) * LANES + lane]
    played[run] = end


def shared_bytes(n_arms: int) -> int:
    """Return the shared memory that a block of `LANES` runs takes."""
    return (8 * (RING + 1) + 4 * 2) * n_arms * LANES
