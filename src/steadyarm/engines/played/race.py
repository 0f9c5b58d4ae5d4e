"""The step engine's kernel for own-history policies: several runs, round by round in turn, O(log K) a round.

A round of a run waits for the one before it, so a single run leaves much of a core idle; runs in turn fill it. An arm's
indices depend on its own rewards only, so they are worked out ahead of time, a block of pulls at once. An arm that has
led for a whole block is taken on by whole blocks as long as all their indices are above those of the others.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_LOOK, Watch
from steadyarm.engines.played.arms import TILT_ERROR, least
from steadyarm.engines.played.blocks import add_tilts, add_up, draw, lower_on, raise_means
from steadyarm.engines.played.game import Game
from steadyarm.engines.played.tournament import (
    begin_tournament,
    change,
    change_of_two,
    level_starts,
    runner_up,
)
from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import compiled, inlined
from steadyarm.model.operations import bits_of, float_of
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK
from steadyarm.policies.core.curves import Curves, tilt

_FEWEST_ABREAST, _MOST_ABREAST = 4, 8  # runs
_ARMS_ABREAST = 400  # of all runs together, where there may be fewer runs
_MOST_AHEAD = 128  # indices of one arm worked out ahead of its pulls
_ALL_AHEAD = 1 << 18  # indices of all arms of all runs worked out ahead
_EXPENSIVE_AHEAD = 16  # indices ahead where each takes a bisection
_SHORT = 2 * _MOST_AHEAD  # rounds in which nobody is taken on by blocks

_SIGN = np.int64(63)
_ALL_BUT_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)
_END = np.iinfo(np.int64).max  # what stands behind the last order of a block
_UNPULLED = np.int64(0x7FF0000000000000)  # the order of ∞


class Field(NamedTuple):
    """Where runs stand: numbers of each arm of each run, its arms by rank; a tournament for each run; and each run.

    A tournament is one of the orders of a run's arms: see `_order_of`. Only the arm just pulled changes its own.
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


@compiled
def _empty_field(runs: int, n_arms: int) -> Field:
    places, levels = runs * n_arms, level_starts(n_arms)
    block = max(CELLS_PER_BLOCK, min(_MOST_AHEAD, _ALL_AHEAD // places // CELLS_PER_BLOCK * CELLS_PER_BLOCK))
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


@inlined
def _order_of(bits: np.int64) -> np.int64:
    """Turn the bits of a double into a whole number that is larger if and only if the double is, and back."""
    return bits ^ ((bits >> _SIGN) & _ALL_BUT_SIGN)


@inlined
def _index_of(order: int) -> float:
    return float_of(np.uint64(_order_of(np.int64(order))))


@compiled
def _fill_orders(values: Floats, size: int, orders: Integers) -> None:
    for place in range(size):
        orders[place] = _order_of(np.int64(bits_of(values[place] + 0.0)))  # −0 is 0


@compiled
def play_race(game: Game, at: Integers, abreast: int, first_run: int, counts: Integers, watch: Watch) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run."""
    rows, n_arms = counts.shape[0], counts.shape[2]
    field, rank = _empty_field(abreast, n_arms), np.empty(n_arms, np.int64)
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
    # Local names: Numba counts references on each access to a field of a record.
    by_rank, following, end, filled = field.by_rank, field.following, field.end, field.filled
    begun, total, value, ahead = field.begun, field.total, field.value, field.ahead
    cells, values = field.cells, field.values
    orders, leaders, levels = field.orders, field.leaders, field.levels
    champion, left = field.champion, field.left
    curves, bonuses, tilts, source = game.curves, game.tables.bonuses, game.tables.tilts, game.source
    law, location, scale, seed = source.law, source.location, source.scale, source.seed
    stop, done = watch.stop, watch.done
    playing, busy, room = np.arange(lanes), lanes, levels[-1]
    left[:lanes] = rounds
    while busy > 0:
        if stop[0] != 0:
            return False
        fewest, before = until, 0
        for lane in playing[:busy]:
            fewest, before = min(fewest, left[lane]), before + left[lane]
        rounds = fewest if fewest <= _SHORT else min(ROUNDS_PER_LOOK // busy, fewest // 2)
        for lane in playing[:busy]:
            left[lane] -= rounds
        turns, turn = rounds * busy, 0
        while True:
            turn = _take_turns(
                turn, turns, playing, busy, n_arms, following, ahead, orders, leaders, levels, champion
            )
            if turn == turns:
                break
            lane = playing[turn % busy]
            place = lane * n_arms + champion[lane]
            arm, begin, now = (
                by_rank[place],
                place * (cells.size + 1),
                until - left[lane] - rounds + turn // busy,
            )
            led = now - begun[place] == end[place] - begin  # through the whole last block
            level = _index_of(runner_up(orders, lane * room, levels, champion[lane])) if led else np.inf
            n, size, total[place], value[place] = _read_on(
                curves,
                bonuses,
                tilts,
                law,
                location[arm],
                scale[arm],
                seed,
                first_run + lane,
                arm,
                filled[place],
                total[place],
                value[place],
                level,
                min(left[lane], ROUNDS_PER_LOOK),
                cells,
                values,
                ahead[begin:],
            )
            left[lane] -= n - filled[place]
            begun[place], filled[place] = now + n - filled[place], n + size
            following[place], end[place] = begin, begin + size
            ahead[begin + size] = _END
        after, still = 0, 0
        for lane in playing[:busy]:
            after += left[lane]
            playing[still] = lane
            still += 1 if left[lane] > 0 else 0
        busy = still
        done[0] += before - after
    return True


@compiled
def _take_turns(
    first: int,
    turns: int,
    playing: Integers,
    busy: int,
    n_arms: int,
    following: Integers,
    ahead: Integers,
    orders: Integers,
    leaders: Integers,
    levels: Integers,
    champion: Integers,
) -> int:
    """Let runs play a round each in turn; return the turn whose champion has no more orders ahead, or `turns`."""
    # Unsigned places: others may count from the end, which would be looked into each time.
    arms, room = np.uint64(n_arms), levels[-1]
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
def _read_on(
    curves: Curves,
    bonuses: Floats,
    tilts: Floats,
    law: int,
    location: float,
    scale: float,
    seed: np.uint64,
    run: int,
    arm: int,
    n: int,
    total: float,
    value: float,
    level: float,
    most: int,
    cells: Floats,
    values: Floats,
    orders: Integers,
) -> tuple[int, int, float, float]:
    """Read the next block of an arm, or the first one that comes to a level: at most so many pulls lie before it.

    Returns the pulls before it, its size, and sum and envelope after it; its orders are written. Blocks are as long as
    the arm has pulls, within limits, so never more than half of the work is wasted.
    """
    longest = min(cells.size, _EXPENSIVE_AHEAD) if curves.bernoulli else cells.size
    most += n
    while True:
        size = max(1, min(longest, n) // CELLS_PER_BLOCK) * CELLS_PER_BLOCK
        draw(law, location, scale, seed, run, arm, n, size, cells)
        total = add_up(cells, size, curves.clip, total)
        raise_means(curves, bonuses, n, size, cells)
        last = n + size
        if level == np.inf or last > most:
            break
        lowest = least(cells, size, values)
        if curves.envelope:
            lowest = min(lowest, value)
        last_tilt = tilts[last] if last < tilts.size else tilt(curves, np.float64(last))
        if not lowest + (last_tilt - TILT_ERROR * curves.tilt) > level:
            break
        n, value = last, lowest
    if curves.envelope:
        value = lower_on(cells, size, value)
    add_tilts(curves, tilts, n, size, cells, values)
    _fill_orders(values, size, orders)
    return n, size, total, value
