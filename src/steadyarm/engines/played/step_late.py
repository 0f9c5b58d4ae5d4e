"""The step engine's kernel for own-history policies when no arm is its own clock.

That is so when rewards come late out of their order, when means move with the rounds, or when random rounds are mixed
in. The index is then envelope(rewards told) + tilt(pulls assigned), as in `IndexPlay`. Runs are played side by side,
and their rewards wait together.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_CHECK, Watch
from steadyarm.engines.played.game import Tables, tilt_after
from steadyarm.engines.played.tournament import Tournaments, begin_tournaments, change, order_of
from steadyarm.engines.played.waiting import (
    Waiting,
    first_unheard,
    let_nothing_wait,
    room_to_wait,
    take_list,
    wait,
)
from steadyarm.engines.source import MovingSource, noise_of, reward_from
from steadyarm.model.feedback import ROUNDS_AT_ONCE, Lateness, fill_due
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells
from steadyarm.numerics.arrays import Floats, Integers, borrowed
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.lanes import LED_AT_ONCE, lead
from steadyarm.policies.core.curves import Curves, bonus_at, upper_from_bonus
from steadyarm.policies.rules.mixing import Mixing, mixed_arm, share_in
from steadyarm.policies.rules.noise import Noise

_BUFFERED = 64  # cells of an arm read ahead, a power of two
_ALL_BUFFERED = 1 << 15  # cells of all arms of all runs
_RUNS = np.uint64(LED_AT_ONCE)

BYTES_PER_ROUND = 16 * LED_AT_ONCE + 8
"""Of the rounds whose rewards wait."""


class LateGame(NamedTuple):
    """A policy's curves, the rewards it meets and when it is told of them, and how many rounds are given at random."""

    curves: Curves
    tables: Tables
    source: MovingSource
    late: Lateness
    mixing: Mixing
    horizon: int


class Late(NamedTuple):
    """Where runs stand: (arms, runs). An arm is named by its rank, so that of equal indices the first wins."""

    index: Floats  # type: ignore[assignment]  # −∞ without a reward
    rank: Integers
    by_rank: Integers  # the arm's number
    rank_of: Integers  # and by its number its name
    assigned: Integers  # pulls
    told: Integers  # rewards
    total: Floats  # their sum
    value: Floats  # the envelope, or mean + width, of what was told
    filled: Integers  # pulls up to the end of the cells ahead
    cells: Floats  # (arms, runs, block): the noise of the pulls ahead, each in the place of its pull
    leader: Integers  # of each run
    unheard: Integers  # of each run: arms without a reward
    due: Integers  # (runs, rounds): after how many rounds the rewards of these are told
    waiting: Waiting


def room_late(n_arms: int, rounds: int) -> Late:
    """Return room for the runs that are played side by side, with so many rounds waiting."""
    runs, shape = LED_AT_ONCE, (n_arms, LED_AT_ONCE)
    block = _BUFFERED
    while block > CELLS_PER_BLOCK and block * runs * n_arms > _ALL_BUFFERED:
        block //= 2
    return Late(
        np.full(shape, -np.inf),
        np.repeat(np.arange(n_arms), runs).reshape(shape),
        np.empty(shape, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape),
        np.empty(shape),
        np.empty(shape, np.int64),
        np.empty((*shape, block)),
        np.zeros(runs, np.int64),
        np.empty(runs, np.int64),
        np.empty((runs, ROUNDS_AT_ONCE), np.int64),
        room_to_wait(rounds, runs),
    )


@compiled
def play_late(
    game: LateGame,
    room: Late,
    tournaments: Tournaments | None,
    at: Integers,
    first_run: int,
    counts: Integers,
    watch: Watch,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run."""
    game, room, watch = borrowed(game), borrowed(room), borrowed(watch)
    n_arms, rank, ends = counts.shape[2], np.empty(counts.shape[2], np.int64), game.source.ends
    for row in range(0, counts.shape[0], LED_AT_ONCE):
        runs = min(LED_AT_ONCE, counts.shape[0] - row)
        for lane in range(runs):
            fill_priority(game.source.seed, first_run + row + lane, rank)
            for arm in range(n_arms):
                room.by_rank[rank[arm], lane], room.rank_of[arm, lane] = arm, rank[arm]
        if tournaments is not None:
            begin_tournaments(tournaments, n_arms)
        room.assigned[:], room.told[:], room.filled[:], room.unheard[:] = 0, 0, 0, n_arms
        room.total[:], room.value[:], room.index[:], room.leader[:] = 0.0, np.inf, -np.inf, 0
        let_nothing_wait(room.waiting)
        played, stretch = 0, 0
        for moment in range(at.size):
            while played < at[moment]:
                if watch.stop[0] != 0:
                    return
                while played >= ends[stretch]:
                    stretch += 1
                until = min(at[moment], ends[stretch], played + ROUNDS_PER_CHECK // runs)
                _play_on(game, room, tournaments, first_run + row, runs, stretch, played, until)
                watch.done[0] += (until - played) * runs
                played = until
            for lane in range(runs):
                for one in range(n_arms):
                    counts[row + lane, moment, room.by_rank[one, lane]] = room.assigned[one, lane]


@compiled
def _play_on(
    game: LateGame,
    room: Late,
    tournaments: Tournaments | None,
    first_run: int,
    runs: int,
    stretch: int,
    played: int,
    until: int,
) -> None:
    """Play rounds played + 1, …, until of some runs, whose means are those of a stretch."""
    game, room = borrowed(game), borrowed(room)
    curves, late, source, mixing, waiting = game.curves, game.late, game.source, game.mixing, room.waiting
    seed, law, bonuses, tilts = source.seed, source.law, game.tables.bonuses, game.tables.tilts
    location, scale, clip, mask = source.location[stretch], source.scale[stretch], curves.clip, late.room - 1
    index, leader, unheard = room.index.ravel(), room.leader, room.unheard
    by_rank, assigned, told = room.by_rank.ravel(), room.assigned.ravel(), room.told.ravel()
    total, value, filled = room.total.ravel(), room.value.ravel(), room.filled.ravel()
    cells, due, (n_arms, _, block) = room.cells.ravel(), room.due.ravel(), room.cells.shape
    if tournaments is not None:
        orders, leaders, levels = borrowed(tournaments)
        size = levels[-1]
    # Unsigned places: others may count from the end, which would be looked into each time.
    for number in range(played + 1, until + 1):
        if tournaments is None:
            lead(room.index, room.rank, leader, 0)
        if number == 1 or number % ROUNDS_AT_ONCE == 0:
            for lane in range(runs):
                fill_due(late, seed, first_run + lane, number // ROUNDS_AT_ONCE, room.due[lane])
        within, share = np.uint64(number % ROUNDS_AT_ONCE), share_in(mixing, number)
        for lane in range(runs):
            one = leader[lane]
            if unheard[lane] > 0:
                one = first_unheard(room.rank[:, lane], room.assigned[:, lane], room.told[:, lane])
            if mixing.share > 0.0:
                noise = Noise(seed, first_run + lane, number)
                one = room.rank_of[mixed_arm(noise, share, n_arms, room.by_rank[one, lane]), lane]
            place = np.uint64(one) * _RUNS + np.uint64(lane)
            arm, n = by_rank[place], assigned[place]
            if n == filled[place]:
                read = max(CELLS_PER_BLOCK, min(block, n))
                noises = noise_of(source, first_run + lane, arm)
                ahead = room.cells[one, lane, n & (block - 1) :]
                fill_cells(noises, n // CELLS_PER_BLOCK, read // CELLS_PER_BLOCK, ahead)
                filled[place] = n + read
            assigned[place] = n + 1
            cell = cells[place * np.uint64(block) + np.uint64(n & (block - 1))]
            then = due[np.uint64(lane * ROUNDS_AT_ONCE) + within]
            if then < game.horizon:
                reward = reward_from(law, location[arm], scale[arm], cell)
                wait(waiting, place, min(clip, max(-clip, reward)), np.uint64(then & mask))
            if curves.tilt != 0.0 and told[place] > 0:
                index[place] = value[place] + tilt_after(curves, tilts, n + 1)
                if tournaments is not None:
                    leader[lane] = change(orders, leaders, lane * size, levels, one, order_of(index[place]))
        behind, end = take_list(waiting, np.uint64(number & mask))
        while behind != end:
            behind = waiting.following[np.uint64(behind)]
            place = np.uint64(waiting.who[np.uint64(behind)])
            n = told[place] + 1
            told[place] = n
            total[place] += waiting.reward[np.uint64(behind)]
            pulls = np.float64(n)
            bonus = bonuses[np.uint64(n)] if n < bonuses.size else bonus_at(curves, pulls)
            new = upper_from_bonus(curves, total[place] / pulls, bonus, pulls)
            value[place] = min(value[place], new) if curves.envelope else new
            index[place] = value[place] + tilt_after(curves, tilts, assigned[place])
            lane = int(place % _RUNS)
            if n == 1:
                unheard[lane] -= 1
            if tournaments is not None:
                one = int(place // _RUNS)
                leader[lane] = change(orders, leaders, lane * size, levels, one, order_of(index[place]))
