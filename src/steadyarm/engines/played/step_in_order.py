"""The step engine's kernel for own-history policies whose rewards come late, but in the order of their rounds.

Then an arm's rewards are told in the order of its pulls, so envelope(rewards told) is a sequence of its own, worked
out ahead a block of pulls at once; the index is that + tilt(pulls assigned), as in `IndexPlay`. Runs are played side
by side. Of few arms the largest indices of all runs are found at once, of many by a tournament for each run.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.engines.interface import ROUNDS_PER_CHECK, Watch
from steadyarm.engines.played.blocks import add_up, block_size, draw, longest_block, lower_on, raise_means
from steadyarm.engines.played.game import Game, tilt_after
from steadyarm.engines.played.tournament import Tournaments, begin_tournaments, change, order_of
from steadyarm.engines.played.waiting import first_unheard
from steadyarm.engines.source import row_of
from steadyarm.model.feedback import Lateness
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK
from steadyarm.numerics.arrays import Floats, Integers, borrowed
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.lanes import LED_AT_ONCE, lead

_AHEAD, _ALL_AHEAD = 512, 1 << 17  # values of an arm, and of all arms of all runs, worked out ahead
_RUNS = np.uint64(LED_AT_ONCE)

BYTES_PER_ROUND = 4 * LED_AT_ONCE
"""Of the rounds whose rewards wait."""


class InOrder(NamedTuple):
    """Where runs stand. An arm is named by its rank, so that of equal indices the first wins; −∞ without a reward."""

    index: Floats  # type: ignore[assignment]  # (arms, runs)
    rank: Integers  # likewise
    leader: Integers  # of each run
    by_rank: Integers  # (runs, arms), as all that follows: the arm's number
    assigned: Integers  # pulls
    filled: Integers  # pulls up to the end of the block ahead
    following: Integers  # where the value after the next reward stands in `ahead`
    end: Integers  # and where the block ends
    total: Floats  # the reward sum after them
    value: Floats  # the envelope, or mean + width, of what was told; −∞ without a reward
    ahead: Floats  # (runs, arms, block)
    unheard: Integers  # of each run: arms without a reward
    waiting: npt.NDArray[
        np.int32
    ]  # (rounds, runs): the arms of the last rounds, each in the place of its round


def room_in_order(n_arms: int, rounds: int) -> InOrder:
    """Return room for the runs that are played side by side, with so many rounds waiting."""
    runs, shape = LED_AT_ONCE, (LED_AT_ONCE, n_arms)
    block = block_size(_AHEAD, runs * n_arms, _ALL_AHEAD)
    return InOrder(
        np.full((n_arms, runs), -np.inf),
        np.repeat(np.arange(n_arms), runs).reshape(n_arms, runs),
        np.zeros(runs, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape, np.int64),
        np.empty(shape),
        np.empty(shape),
        np.empty((*shape, block)),
        np.empty(runs, np.int64),
        np.empty((rounds, runs), np.int32),
    )


@compiled
def play_in_order(
    game: Game,
    late: Lateness,
    room: InOrder,
    tournaments: Tournaments | None,
    at: Integers,
    first_run: int,
    counts: Integers,
    watch: Watch,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run."""
    game, room, watch = borrowed(game), borrowed(room), borrowed(watch)
    n_arms, rank = counts.shape[2], np.empty(counts.shape[2], np.int64)
    for row in range(0, counts.shape[0], LED_AT_ONCE):
        runs = min(LED_AT_ONCE, counts.shape[0] - row)
        for lane in range(runs):
            fill_priority(game.source.seed, first_run + row + lane, rank)
            _line_up(room, lane, rank)
        if tournaments is not None:
            begin_tournaments(tournaments, n_arms)
        played = 0
        for moment in range(at.size):
            while played < at[moment]:
                if watch.stop[0] != 0:
                    return
                until = min(at[moment], played + ROUNDS_PER_CHECK // runs)
                _play_on(game, late, room, tournaments, first_run + row, runs, played, until)
                watch.done[0] += (until - played) * runs
                played = until
            for lane in range(runs):
                for place in range(n_arms):
                    counts[row + lane, moment, room.by_rank[lane, place]] = room.assigned[lane, place]


@compiled
def _line_up(room: InOrder, lane: int, rank: Integers) -> None:
    """Begin a run."""
    for arm in range(rank.size):
        room.by_rank[lane, rank[arm]] = arm
        room.index[arm, lane] = -np.inf
        room.assigned[lane, arm] = room.filled[lane, arm] = room.following[lane, arm] = room.end[
            lane, arm
        ] = 0
        room.total[lane, arm], room.value[lane, arm] = 0.0, -np.inf
    room.unheard[lane] = rank.size


@compiled
def _play_on(
    game: Game,
    late: Lateness,
    room: InOrder,
    tournaments: Tournaments | None,
    first_run: int,
    runs: int,
    played: int,
    until: int,
) -> None:
    """Play rounds played + 1, …, until of some runs."""
    room = borrowed(room)
    # Rewards up to round `heard` are told, and the next ones after round `news`.
    delay, batch, mask = late.rounds, late.batch, np.uint64(room.waiting.shape[0] - 1)
    heard, news = max(0, played // batch * batch - delay), (played // batch + 1) * batch
    curves, tilts, tilted = game.curves, game.tables.tilts, game.curves.tilt != 0.0
    leader, value, ahead, assigned = (
        room.leader,
        room.value.ravel(),
        room.ahead.ravel(),
        room.assigned.ravel(),
    )
    following, end, waiting, unheard = (
        room.following.ravel(),
        room.end.ravel(),
        room.waiting.ravel(),
        room.unheard,
    )
    n_arms, index, rank, flat = room.index.shape[0], room.index, room.rank, room.index.ravel()
    if tournaments is not None:
        orders, leaders, levels = borrowed(tournaments)
        size = levels[-1]
    # Unsigned places: others may count from the end, which would be looked into each time.
    for number in range(played + 1, until + 1):
        if tournaments is None:
            lead(index, rank, leader, 0)
        now = (np.uint64(number) & mask) * _RUNS
        for lane in range(runs):
            arm = leader[lane]
            if unheard[lane] > 0:
                arm = first_unheard(room.rank[:, lane], room.assigned[lane], room.filled[lane])
            place = np.uint64(lane * n_arms + arm)
            n = assigned[place] + 1
            assigned[place] = n
            waiting[now + np.uint64(lane)] = arm
            if tilted:
                new = value[place] + tilt_after(curves, tilts, n)
                if tournaments is None:
                    flat[np.uint64(arm) * _RUNS + np.uint64(lane)] = new
                else:
                    leader[lane] = change(orders, leaders, lane * size, levels, arm, order_of(new))
        if number < news:
            continue
        for past in range(heard + 1, number - delay + 1):
            then = (np.uint64(past) & mask) * _RUNS
            for lane in range(runs):
                arm = int(waiting[then + np.uint64(lane)])
                place = np.uint64(lane * n_arms + arm)
                if following[place] == end[place]:
                    unheard[lane] -= room.filled[lane, arm] == 0
                    _read_on(game, room, first_run + lane, lane, arm)
                value[place] = ahead[np.uint64(following[place])]
                following[place] += 1
                new = value[place] + tilt_after(curves, tilts, assigned[place])
                if tournaments is None:
                    flat[np.uint64(arm) * _RUNS + np.uint64(lane)] = new
                else:
                    leader[lane] = change(orders, leaders, lane * size, levels, arm, order_of(new))
        heard, news = max(heard, number - delay), news + batch


@compiled
def _read_on(game: Game, room: InOrder, run: int, lane: int, arm: int) -> None:
    """Work out an arm's next values when all others were told: as many as it has pulls, within limits."""
    curves, n, block = game.curves, room.filled[lane, arm], room.ahead.shape[2]
    most = longest_block(curves, block)
    size = max(1, min(most, n) // CELLS_PER_BLOCK) * CELLS_PER_BLOCK
    cells = room.ahead[lane, arm]
    draw(row_of(game.source, run, room.by_rank[lane, arm]), n, size, cells)
    room.total[lane, arm] = add_up(cells, size, curves.clip, room.total[lane, arm])
    raise_means(curves, game.tables.bonuses, n, size, cells)
    if curves.envelope:
        lower_on(cells, size, room.value[lane, arm] if n > 0 else np.inf)
    room.filled[lane, arm] = n + size
    room.following[lane, arm] = (lane * room.rank.shape[0] + arm) * block
    room.end[lane, arm] = room.following[lane, arm] + size
