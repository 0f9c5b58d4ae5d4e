"""The GPU's kernels for own-history policies, built from the scalar functions of the CPU's engines.

`cut` takes every arm of every run alone down to a level, one thread an arm; `play` plays the rounds that are
left, one thread a run. Both work out an arm's indices a block of four pulls at a time: threads of a warp that
have used up a block wait for each other and fill the next one together. Arrays have a row for each rank of an
arm and a column for each run, laid out flat, so that neighbouring threads read neighbouring numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import cuda, float64, int32
from numba.cuda.extending import overload

from steadyarm.engines.cuda.operations import inlined, kernel, shared_with_cpu
from steadyarm.model import priority
from steadyarm.model.operations import fma
from steadyarm.model.table import CELLS_PER_BLOCK, four_cells
from steadyarm.policies.curves import joined, reach, tilt

AHEAD = CELLS_PER_BLOCK  # indices of one arm worked out ahead
LANES = 64  # threads of a block that keeps its trees in shared memory
_ROUNDS_BETWEEN = 5  # played between two fillings of blocks
_EMPTY = -1

fill_priority = shared_with_cpu(priority.fill_priority)


@kernel
def begin(seed, first_run, levels, rank, arm_of, filled, total, value, place):
    """Put the runs with a level to where no arm has a pull."""
    run, runs = cuda.grid(1), levels.size
    if run >= runs or np.isnan(levels[run]):
        return
    ranks = rank[:, run]
    fill_priority(seed, first_run + run, ranks)
    for arm in range(ranks.size):
        slot = ranks[arm] * runs + run
        arm_of[slot] = arm
        filled[slot] = 0
        total[slot] = 0.0
        value[slot] = np.inf
        place[slot] = 0


@inlined
def quotient(total, n, inverse):
    """Return total/n, correctly rounded, given the correctly rounded 1/n (Markstein 1990): a third of a division."""
    first = total * inverse
    return fma(fma(-n, first, total), inverse, first)


class Tabled(NamedTuple):
    """What is left of a policy's curves where tables hold their values for every pull."""

    clip: float
    envelope: bool


def _from_tables(curves, reached, tilts, inverses, n, total):
    return quotient(total, np.float64(n), inverses[n]) + reached[n], tilts[n]


def _from_formulas(curves, reached, tilts, inverses, n, total):
    pulls = np.float64(n)
    return joined(curves, total / pulls, reach(curves, pulls)), tilt(curves, pulls)


def _look_up(curves, reached, tilts, inverses, n, total):
    """Return mean + width and the tilt after n pulls. Which way follows from the type of the curves."""
    look_up = _from_tables if isinstance(curves, Tabled) else _from_formulas
    return look_up(curves, reached, tilts, inverses, n, total)


@overload(_look_up, strict=False)
def _compiled_look_up(curves, reached, tilts, inverses, n, total):
    return _from_tables if curves.instance_class is Tabled else _from_formulas


@inlined
def _next(curves, reached, tilts, inverses, n, reward, total, value):
    """Return the reward sum, envelope and index after pull n."""
    clip = curves.clip
    total += min(clip, max(-clip, reward))
    now, tilted = _look_up(curves, reached, tilts, inverses, n, total)
    value = min(value, now) if curves.envelope else now
    return total, value, value + tilted


@inlined
def _next_block(
    curves, reached, tilts, inverses, law, location, scale, seed, run, arm, n, total, value
):  # fmt: skip
    """Return the reward sum and envelope after pull n + 4, and the indices after pulls n + 1, …, n + 4."""
    x0, x1, x2, x3 = four_cells(law, location, scale, seed, run, arm, n // CELLS_PER_BLOCK)
    total, value, i0 = _next(curves, reached, tilts, inverses, n + 1, x0, total, value)
    total, value, i1 = _next(curves, reached, tilts, inverses, n + 2, x1, total, value)
    total, value, i2 = _next(curves, reached, tilts, inverses, n + 3, x2, total, value)
    total, value, i3 = _next(curves, reached, tilts, inverses, n + 4, x3, total, value)
    return total, value, i0, i1, i2, i3


@kernel
def cut(
    curves, reached, tilts, inverses, law, locations, scales, seed, first_run, most, pulls,
    levels, rank, filled, total, value, ahead, place, unfinished,
):  # fmt: skip
    """Take every arm down to its run's level, at most `pulls` pulls at a time; count the arms still above it.

    An arm that was cut before, at a higher level, goes on from there. An arm that takes `most` pulls is left
    there: its run does not fit.
    """
    runs = levels.size
    thread = cuda.grid(1)
    arm = thread // runs
    run = thread - arm * runs
    if arm >= locations.size or np.isnan(levels[run]):
        return
    slot = rank[arm, run] * runs + run
    first = AHEAD * rank[arm, run] * runs + run
    level, location, scale = levels[run], locations[arm], scales[arm]
    pulled = place[slot]
    if pulled > 0:
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
        total_now, value_now, i0, i1, i2, i3 = _next_block(
            curves, reached, tilts, inverses, law, location, scale, seed, first_run + run, arm,
            n, total_now, value_now,
        )  # fmt: skip
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
    ahead[first], ahead[first + runs], ahead[first + 2 * runs], ahead[first + 3 * runs] = i0, i1, i2, i3


@kernel
def count(n_arms, arm_of, filled, place, counts, taken):
    """Write each arm's pulls, a row a run, and their sum."""
    run, runs = cuda.grid(1), taken.size
    if run >= runs:
        return
    together = 0
    for row in range(n_arms):
        slot = row * runs + run
        pulls = filled[slot] - AHEAD + place[slot]
        counts[run, arm_of[slot]] = pulls
        together += pulls
    taken[run] = together


@inlined
def _play_run(
    curves, reached, tilts, inverses, law, locations, scales, seed, table_run, n_arms, now, end,
    run, runs, arm_of, filled, total, value, ahead, losing, first_losing, losers, place, first_place, column, columns,
):  # fmt: skip
    """Play one run's rounds now + 1, …, end: largest index, ties by rank.

    A loser tree over the ranks, as on the CPU. The arm of rank r has its indices ahead at rows 4r, …, 4r + 3
    of a column and the pulled part of them in `place`; the losers and their indices stand behind.
    """
    losers_at = first_place + n_arms * columns + column
    losing_at = first_losing + column
    place_at = first_place + column
    for node in range(1, n_arms):
        losers[losers_at + node * columns] = _EMPTY
    champion, index = 0, 0.0
    for row in range(n_arms):
        champion = row
        index = ahead[(AHEAD * row + place[place_at + row * columns] - 1) * columns + column]
        node = (n_arms + row) >> 1
        while node > 0:
            rival, its_index = losers[losers_at + node * columns], losing[losing_at + node * columns]
            if rival == _EMPTY:
                losers[losers_at + node * columns], losing[losing_at + node * columns] = champion, index
                break
            if its_index > index or (its_index == index and rival < champion):
                losers[losers_at + node * columns], losing[losing_at + node * columns] = champion, index
                champion, index = rival, its_index
            node >>= 1

    while now < end:
        pulled = place[place_at + champion * columns]
        if pulled == AHEAD:
            slot = champion * runs + run
            arm, n = arm_of[slot], filled[slot]
            total_now, value_now, i0, i1, i2, i3 = _next_block(
                curves, reached, tilts, inverses, law, locations[arm], scales[arm], seed, table_run, arm, n,
                total[slot], value[slot],
            )  # fmt: skip
            filled[slot], total[slot], value[slot] = n + AHEAD, total_now, value_now
            first = AHEAD * champion * columns + column
            ahead[first], ahead[first + columns] = i0, i1
            ahead[first + 2 * columns], ahead[first + 3 * columns] = i2, i3
            pulled = 0
        # Only so many rounds before the warp fills blocks again: those that have run out would wait too long.
        for _ in range(_ROUNDS_BETWEEN):
            if pulled == AHEAD or now == end:
                break
            index = ahead[(AHEAD * champion + pulled) * columns + column]
            place[place_at + champion * columns] = pulled + 1
            now += 1
            node = (n_arms + champion) >> 1
            while node > 0:
                rival, its_index = losers[losers_at + node * columns], losing[losing_at + node * columns]
                if its_index > index or (its_index == index and rival < champion):
                    losers[losers_at + node * columns], losing[losing_at + node * columns] = champion, index
                    champion, index = rival, its_index
                node >>= 1
            pulled = place[place_at + champion * columns]


@kernel
def play_in_memory(
    curves, reached, tilts, inverses, law, locations, scales, seed, first_run, horizon, rounds, n_arms,
    arm_of, filled, total, value, ahead, place, played,
):  # fmt: skip
    """Play up to `rounds` more rounds of every run, with its state in the card's memory: for many arms."""
    run, runs = cuda.grid(1), played.size
    if run >= runs or played[run] >= horizon:
        return
    end = min(horizon, played[run] + rounds)
    _play_run(
        curves, reached, tilts, inverses, law, locations, scales, seed, first_run + run, n_arms,
        played[run], end, run, runs, arm_of, filled, total, value, ahead, ahead, AHEAD * n_arms * runs, place,
        place, 0, run, runs,
    )  # fmt: skip
    played[run] = end


@kernel
def play_in_shared(
    curves, reached, tilts, inverses, law, locations, scales, seed, first_run, horizon, rounds, n_arms,
    arm_of, filled, total, value, ahead, place, played,
):  # fmt: skip
    """Do the same with the busy part of the state in shared memory, in blocks of `LANES` threads: for few arms."""
    doubles = cuda.shared.array(0, float64)
    integers = cuda.shared.array(0, int32)  # the same bytes; used behind the doubles
    run, runs = cuda.grid(1), played.size
    if run >= runs or played[run] >= horizon:
        return
    lane = cuda.threadIdx.x
    behind = 2 * (AHEAD + 1) * n_arms * LANES
    for row in range(AHEAD * n_arms):
        doubles[row * LANES + lane] = ahead[row * runs + run]
    for row in range(n_arms):
        integers[behind + row * LANES + lane] = place[row * runs + run]
    end = min(horizon, played[run] + rounds)
    _play_run(
        curves, reached, tilts, inverses, law, locations, scales, seed, first_run + run, n_arms,
        played[run], end, run, runs, arm_of, filled, total, value, doubles, doubles, AHEAD * n_arms * LANES,
        integers, integers, behind, lane, LANES,
    )  # fmt: skip
    for row in range(AHEAD * n_arms):
        ahead[row * runs + run] = doubles[row * LANES + lane]
    for row in range(n_arms):
        place[row * runs + run] = integers[behind + row * LANES + lane]
    played[run] = end


def shared_bytes(n_arms: int) -> int:
    """Return the shared memory that a block of `LANES` runs takes."""
    return (8 * (AHEAD + 1) + 4 * 2) * n_arms * LANES
