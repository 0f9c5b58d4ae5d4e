"""The step engine's kernel for own-history policies: several runs, round by round in turn, O(log K) a round.

A round of a run waits for the one before it, so a single run leaves much of a core idle; runs in turn fill it. An arm's
indices depend on its own rewards only, so they are worked out ahead of time, a block of pulls at once. An arm that has
led for a whole block is taken on by whole blocks as long as all their indices are above those of the others.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_CHECK, Watch
from steadyarm.engines.played.arms import TILT_ERROR, least
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
from steadyarm.engines.played.tournament import (
    begin_tournament,
    change,
    change_of_two,
    index_of,
    level_starts,
    order_of,
    runner_up,
)
from steadyarm.engines.source import row_of
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK
from steadyarm.numerics.arrays import Floats, Integers, borrowed
from steadyarm.numerics.compiled import compiled

_FEWEST_ABREAST, _MOST_ABREAST = 4, 8  # runs
_ARMS_ABREAST = 400  # of all runs together, where there may be fewer runs
_AHEAD, _ALL_AHEAD = 512, 1 << 18  # indices of an arm, and of all arms of all runs, worked out ahead
_SHORT = 256  # rounds in which nobody is taken on by blocks

_END = np.iinfo(np.int64).max  # what stands behind the last order of a block
_UNPULLED = 0x7FF0000000000000  # the order of ∞


class Field(NamedTuple):
    """Where runs stand: numbers of each arm of each run, its arms by rank; a tournament for each run; and each run.

    A tournament is one of the orders of a run's arms: see `order_of`. Only the arm just pulled changes its own.
    """

    by_rank: Integers  # the arm's number
    following: Integers  # where the order after its next pull stands in `ahead`
    end: Integers  # and where its block ends
    filled: Integers  # pulls up to the end of its block
    begun: Integers  # the round of the run in which its block was read
    total: Floats  # the reward sum after `filled` pulls
    value: Floats  # the envelope, if there is one, after `filled` pulls
    ahead: Integers  # a row for each arm
    orders: Integers  # now, a tournament for each run
    leaders: Integers  # in each
    levels: Integers  # where its levels begin
    champion: Integers  # of each run
    left: Integers  # rounds that a run has to play
    cells: Floats  # room for a block
    values: Floats  # likewise


def runs_abreast(n_arms: int) -> int:
    """Return how many runs are played in turn.

    >>> runs_abreast(2), runs_abreast(100), runs_abreast(1000)
    (8, 4, 4)
    """
    return max(_FEWEST_ABREAST, min(_MOST_ABREAST, _ARMS_ABREAST // n_arms))


def empty_field(runs: int, n_arms: int) -> Field:
    """Return room for so many runs."""
    places, levels = runs * n_arms, level_starts(n_arms)
    block = block_size(_AHEAD, places, _ALL_AHEAD)
    return Field(
        np.empty(places, np.int64),
        np.empty(places, np.int64),
        np.empty(places, np.int64),
        np.empty(places, np.int64),
        np.empty(places, np.int64),
        np.empty(places),
        np.empty(places),
        np.empty(places * (block + 1), np.int64),
        np.empty(runs * levels[-1], np.int64),
        np.empty(runs * levels[-1], np.int64),
        levels,
        np.empty(runs, np.int64),
        np.empty(runs, np.int64),
        np.empty(block),
        np.empty(block),
    )


@compiled
def _fill_orders(values: Floats, size: int, orders: Integers) -> None:
    for place in range(size):
        orders[place] = order_of(values[place])


@compiled
def play_race(game: Game, at: Integers, field: Field, first_run: int, counts: Integers, watch: Watch) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run."""
    game, field, watch = borrowed(game), borrowed(field), borrowed(watch)
    rows, n_arms, abreast = counts.shape[0], counts.shape[2], field.champion.size
    rank = np.empty(n_arms, np.int64)
    for row in range(0, rows, abreast):
        lanes, played = min(abreast, rows - row), 0
        for lane in range(lanes):
            fill_priority(game.source.seed, first_run + row + lane, rank)
            _line_up(field, lane, rank)
        for moment in range(at.size):
            if not _play_on(
                game, field, n_arms, first_run + row, lanes, at[moment] - played, at[moment], watch
            ):
                return
            played = at[moment]
            for place in range(lanes * n_arms):
                unused = field.end[place] - field.following[place]
                counts[row + place // n_arms, moment, field.by_rank[place]] = field.filled[place] - unused


@compiled
def _line_up(field: Field, lane: int, rank: Integers) -> None:
    """Begin a run: no arm has had a pull, so all are equal and above every index."""
    n_arms, room, block = rank.size, field.levels[-1], field.cells.size
    for arm in range(n_arms):
        place = lane * n_arms + rank[arm]
        field.by_rank[place] = arm
        field.following[place] = field.end[place] = place * (block + 1)
        field.ahead[place * (block + 1)] = _END
        field.filled[place], field.begun[place] = 0, -1
        field.total[place], field.value[place] = 0.0, np.inf
    orders, leaders = field.orders[lane * room :], field.leaders[lane * room :]
    begin_tournament(orders, leaders, field.levels, n_arms, _UNPULLED)
    field.champion[lane] = 0


@compiled
def _play_on(
    game: Game, field: Field, n_arms: int, first_run: int, lanes: int, rounds: int, until: int, watch: Watch
) -> bool:
    """Play the last so many rounds up to `until` of some runs: largest index, ties by rank. False if stopped."""
    champion, left, stop, done = field.champion, field.left, watch.stop, watch.done
    following, end, filled, begun = field.following, field.end, field.filled, field.begun
    playing, busy = np.arange(lanes), lanes
    left[:lanes] = rounds
    while busy > 0:
        if stop[0] != 0:
            return False
        fewest, before = until, 0
        for lane in playing[:busy]:
            fewest, before = min(fewest, left[lane]), before + left[lane]
        rounds = fewest if fewest <= _SHORT else min(ROUNDS_PER_CHECK // busy, fewest // 2)
        for lane in playing[:busy]:
            left[lane] -= rounds
        turns, turn = rounds * busy, 0
        while True:
            turn = _take_turns(field, n_arms, turn, turns, playing[:busy])
            if turn == turns:
                break
            lane = playing[turn % busy]
            place = lane * n_arms + champion[lane]
            begin, now = place * (field.cells.size + 1), until - left[lane] - rounds + turn // busy
            level = np.inf
            if now - begun[place] == end[place] - begin:  # it led through the whole last block
                root = lane * field.levels[-1]
                level = index_of(runner_up(field.orders, root, field.levels, champion[lane]))
            before_block = filled[place]
            n = _read_on(game, field, first_run + lane, place, level, min(left[lane], ROUNDS_PER_CHECK))
            left[lane] -= n - before_block
            begun[place] = now + n - before_block
            following[place], end[place] = begin, begin + filled[place] - n
            field.ahead[end[place]] = _END
        after, still = 0, 0
        for lane in playing[:busy]:
            after += left[lane]
            playing[still] = lane
            still += 1 if left[lane] > 0 else 0
        busy = still
        done[0] += before - after
    return True


@compiled
def _take_turns(field: Field, n_arms: int, first: int, turns: int, playing: Integers) -> int:
    """Let runs play a round each in turn; return the turn whose champion has no more orders ahead, or `turns`."""
    # Unsigned places: others may count from the end, which would be looked into each time.
    following, ahead, champion = field.following, field.ahead, field.champion
    orders, leaders, levels = field.orders, field.leaders, field.levels
    arms, room, busy = np.uint64(n_arms), levels[-1], playing.size
    start = first % busy
    for begun in range(first - start, turns, busy):
        for whose in range(start, busy):
            lane = np.uint64(playing[whose])
            place = lane * arms + np.uint64(champion[lane])
            next_order = following[place]
            order = ahead[np.uint64(next_order)]
            if order == _END:
                return begun + whose
            following[place] = next_order + 1
            root, winner = np.int64(lane) * room, champion[lane]
            if n_arms == 2:
                champion[lane] = change_of_two(orders, root, winner, order)
            else:
                champion[lane] = change(orders, leaders, root, levels, winner, order)
        start = 0
    return turns


@compiled
def _read_on(game: Game, field: Field, run: int, place: int, level: float, most: int) -> int:
    """Read the next block of an arm, or the first one that comes to a level: at most so many pulls lie before it.

    Returns the pulls before it; its orders are written. Blocks are as long as the arm has pulls, within limits, so
    never more than half of the work is wasted.
    """
    curves, bonuses, tilts, source = game.curves, game.tables.bonuses, game.tables.tilts, game.source
    arm, cells, values = field.by_rank[place], field.cells, field.values
    n, total, value = field.filled[place], field.total[place], field.value[place]
    longest = longest_block(curves, cells.size)
    most += n
    while True:
        size = max(1, min(longest, n) // CELLS_PER_BLOCK) * CELLS_PER_BLOCK
        draw(row_of(source, run, arm), n, size, cells)
        total = add_up(cells, size, curves.clip, total)
        raise_means(curves, bonuses, n, size, cells)
        last = n + size
        if level == np.inf or last > most:
            break
        lowest = least(cells, size, values)
        if curves.envelope:
            lowest = min(lowest, value)
        last_tilt = tilt_after(curves, tilts, last)
        if not lowest + (last_tilt - TILT_ERROR * curves.tilt) > level:
            break
        n, value = last, lowest
    if curves.envelope:
        value = lower_on(cells, size, value)
    add_tilts(curves, tilts, n, size, cells, values)
    _fill_orders(values, size, field.ahead[place * (cells.size + 1) :])
    field.filled[place], field.total[place], field.value[place] = last, total, value
    return int(n)
