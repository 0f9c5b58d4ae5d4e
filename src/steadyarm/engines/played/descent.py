"""Many arms taken down to a level side by side, the arms of many runs or of one.

Each lane holds one arm at its own pull count and takes the next arm when its own has come near the level, so no
lane waits for another. An arm goes down by whole stretches of pulls in which its index is certainly above the level.
What is certain is judged as in `advance`, so the counts are the same. The stretch in which it may come to the level is
kept for `advance`, which takes it the rest of the way.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import Watch
from steadyarm.engines.played.arms import TILT_ERROR, Arms, advance, pull_once, put_arm
from steadyarm.engines.played.blocks import add_tilts
from steadyarm.engines.played.game import Game, fill_widths, tilt_after
from steadyarm.engines.played.lane_walks import WALKERS, Walk, walk_on
from steadyarm.engines.source import NO_ARM, Source
from steadyarm.model.table import CELLS_PER_BLOCK, block_words, two_cells
from steadyarm.numerics.arrays import Floats, Integers, Unsigned
from steadyarm.numerics.compiled import compiled, inlined

_FEWEST, _MOST = 8, 32  # blocks of cells in a stretch
_PULLS_PER_BLOCK = 256  # for which a stretch is a block longer
_ROW = _MOST * CELLS_PER_BLOCK + 1
_IDLE = -1  # a lane without an arm
_DOWN = -np.inf  # the value of an arm that needs no lane
_WORTH = 64  # pulls an arm from which lanes are quicker than one arm after the other
_MOST_WIDTHS = 1 << 20  # pull counts whose widths are kept
_WIDTHS_AHEAD = 1 << 10  # worked out at once


class Stretch(NamedTuple):
    """The pulls after which the arms of some runs, (runs, arms), are left to themselves."""

    size: Integers  # how many they are, or none
    totals: Floats  # after them, as in a descent
    values: Floats
    ahead: Floats  # (runs, arms, pulls): the values on the way


class Lanes(NamedTuple):
    """Which arm of which run each lane has, where it stands, and room for its next stretch."""

    row: Integers  # of the run, or _IDLE
    arm: Integers
    pulls: Integers
    total: Floats
    value: Floats
    tilt: Floats  # after the next stretch
    whence: Integers  # run, arm and block of the next cells; block q of a lane stands in column q · WALKERS + lane
    law: Floats  # their location and scale
    words: Unsigned  # behind the cells
    walk: Walk  # through the cells
    widths: Floats  # of the stretch, a row for each lane
    widths_from: Integers  # where each row begins


class Descent(NamedTuple):
    """What is known of the arms of some runs, (runs, arms): pulls, the reward sum and the envelope, or mean + width."""

    pulls: Integers
    totals: Floats
    values: Floats
    stretch: Stretch
    lanes: Lanes
    widths: Floats  # at n = 0, 1, 2, … (entry 0 is not used)
    known: Integers  # (1,): how many of them have been worked out


@compiled
def empty_descent(runs: int, n_arms: int, horizon: int) -> Descent:
    """Return room for so many runs."""
    size, most = (runs, n_arms), min(_MOST_WIDTHS, horizon + _ROW)
    known = np.ones(1, np.int64)
    stretch = Stretch(
        np.zeros(size, np.int64), np.empty(size), np.empty(size), np.empty((runs, n_arms, _ROW - 1))
    )
    return Descent(
        np.empty(size, np.int64),
        np.empty(size),
        np.empty(size),
        stretch,
        _empty_lanes(),
        np.empty(most),
        known,
    )


@compiled
def _empty_lanes() -> Lanes:
    columns = _MOST * WALKERS
    cells = np.empty((CELLS_PER_BLOCK, columns))
    return Lanes(
        np.empty(WALKERS, np.int64),
        np.empty(WALKERS, np.int64),
        np.empty(WALKERS, np.int64),
        np.zeros(WALKERS),
        np.zeros(WALKERS),
        np.empty(WALKERS),
        np.zeros((3, columns), np.int64),
        np.zeros((2, columns)),
        np.empty(cells.shape, np.uint64),
        Walk(cells, np.empty(WALKERS), np.empty(WALKERS), np.empty((2, WALKERS))),
        np.zeros(WALKERS * _ROW),
        np.arange(0, WALKERS * _ROW, _ROW),
    )


@compiled
def begin(descent: Descent) -> None:
    """Put all arms to where they have no pulls."""
    descent.pulls[:], descent.totals[:], descent.values[:], descent.stretch.size[:] = 0, 0.0, np.inf, 0


@compiled
def begin_run(game: Game, run: int, row: int, descent: Descent, arms: Arms, stop: Integers) -> int:
    """Put the arms of a run to where a descent has taken them, or to one pull; return how many pulls they have."""
    for arm in range(arms.count.size):
        pulls = descent.pulls[row, arm]
        if pulls > 0:
            _put(game, arms, arm, row, descent)
        else:
            pull_once(game, run, arms, arm, stop)
    return int(arms.count.sum())


@compiled
def descent_of_one(descent: Descent) -> Descent:
    """Return the room of the first run, for any run alone while the descent of all is not in use."""
    pulls, totals, values, stretch, lanes, widths, known = descent
    of_one = Stretch(stretch.size[:1], stretch.totals[:1], stretch.values[:1], stretch.ahead[:1])
    return Descent(pulls[:1], totals[:1], values[:1], of_one, lanes, widths, known)


@inlined
def enter(
    game: Game, run: int, row: int, level: float, arms: Arms, left: Integers, descent: Descent, stop: Integers
) -> None:
    """Let the arms of a run take part in a descent as they are, by at most `left` pulls, where that is quicker.

    What is known of an arm's indices is gone through first: a descent goes on behind it.
    """
    pulls, totals, values = descent.pulls[row], descent.totals[row], descent.values[row]
    worth = left[row] >= _WORTH * pulls.size
    leave_out(row, descent)
    for arm in range(pulls.size):
        if not worth:
            continue
        before = arms.count[arm]
        crossed = advance(game, run, arms, arm, level, min(arms.filled[arm], before + left[row]), stop)
        left[row] -= arms.count[arm] - before
        if not crossed and arms.count[arm] == arms.filled[arm]:
            pulls[arm], totals[arm], values[arm] = arms.filled[arm], arms.total[arm], arms.value[arm]


@inlined
def leave_out(row: int, descent: Descent) -> None:
    """Let the arms of a run take no part in a descent."""
    descent.pulls[row], descent.values[row], descent.stretch.size[row] = 0, _DOWN, 0


@inlined
def leave(game: Game, row: int, arms: Arms, descent: Descent) -> None:
    """Put the arms of a run to where a descent has taken them."""
    for arm in range(arms.count.size):
        if descent.pulls[row, arm] > arms.filled[arm] or descent.stretch.size[row, arm] > 0:
            _put(game, arms, arm, row, descent)


@inlined
def _put(game: Game, arms: Arms, arm: int, row: int, descent: Descent) -> None:
    """Put an arm to where a descent has taken it, with the stretch after that ahead."""
    stretch, pulls, size = descent.stretch, descent.pulls[row, arm], descent.stretch.size[row, arm]
    put_arm(game, arms, arm, pulls, descent.totals[row, arm], descent.values[row, arm])
    if 0 < size <= arms.ahead.shape[1]:
        add_tilts(game.curves, game.tables.tilts, pulls, size, stretch.ahead[row, arm], arms.ahead[arm])
        arms.total[arm], arms.value[arm] = stretch.totals[row, arm], stretch.values[row, arm]
        arms.filled[arm] = pulls + size


@compiled
def take_run_down(
    game: Game, run: int, level: float, arms: Arms, left: int, descent: Descent, stop: Integers
) -> None:
    """Take the arms of one run down towards a level, by at most `left` pulls."""
    within = np.array([left])
    enter(game, run, 0, level, arms, within, descent, stop)
    take_down(game, run, np.array([level]), descent, within, Watch(stop, np.zeros(1, np.int64)))
    leave(game, 0, arms, descent)


@compiled
def take_down(
    game: Game, first_run: int, levels: Floats, descent: Descent, left: Integers, watch: Watch
) -> None:
    """Take arms of runs first_run, first_run + 1, … down, each towards its run's level and by at most `left` pulls.

    Stops when no more than half of the lanes have an arm: an arm alone is quicker then.
    """
    pulls, totals, values, stretch, lanes, widths, known = descent
    curves, source, n_arms, n_tasks = game.curves, game.source, pulls.shape[1], left.size * pulls.shape[1]
    if curves.bernoulli or source.overridden_arm != NO_ARM or left.max() < _WORTH * n_arms:
        return
    tilts, slack, kind, seed = game.tables.tilts, TILT_ERROR * curves.tilt, source.law, source.seed
    stop, done, clip, envelope = watch.stop, watch.done, curves.clip, curves.envelope
    row_of, arm_of, n, total, value, tilt_then, whence, law, words, walk, wide, before = lanes
    lowest = walk.lowest
    row_of[:], n[:] = _IDLE, 0
    following, busy = 0, 0
    while stop[0] == 0:
        for lane in range(WALKERS):
            while row_of[lane] == _IDLE and following < n_tasks:
                row, arm = following // n_arms, following % n_arms
                following += 1
                if values[row, arm] > _DOWN:
                    row_of[lane], arm_of[lane], n[lane] = row, arm, pulls[row, arm]
                    total[lane], value[lane] = totals[row, arm], values[row, arm]
                    _turn_to(whence, law, source, lane, first_run + row, arm, n[lane])
                    busy += 1
        if 2 * busy <= WALKERS:
            return
        fewest, most = game.horizon, 0
        for lane in range(WALKERS):
            if row_of[lane] != _IDLE:
                fewest, most = min(fewest, n[lane]), max(most, n[lane])
            walk.pulls[lane], walk.total[lane] = np.float64(n[lane]), total[lane]
            lowest[0, lane] = value[lane] if envelope else np.inf
        blocks = min(_FEWEST + fewest // _PULLS_PER_BLOCK, _MOST)
        size = blocks * CELLS_PER_BLOCK
        # The table is long: what is read of it before the draws has come when they are done.
        for lane in range(WALKERS):
            tilt_then[lane] = tilt_after(curves, tilts, n[lane] + size)
        _draw_words(seed, blocks, whence, words)
        _turn_into_cells(kind, blocks, words, law, walk.cells)
        if most + size < widths.size:
            if most + size >= known[0]:
                end = min(widths.size, most + size + _WIDTHS_AHEAD)
                fill_widths(curves, known[0], widths[known[0] : end])
                known[0] = end
            walk_on(walk, blocks, widths, n, clip, envelope)
        else:
            for lane in range(WALKERS):
                fill_widths(curves, n[lane] + 1, wide[before[lane] + 1 : before[lane] + 1 + size])
            walk_on(walk, blocks, wide, before, clip, envelope)
        for lane in range(WALKERS):
            row, arm, last = row_of[lane], arm_of[lane], n[lane] + size
            if row == _IDLE:
                continue
            last_value = lowest[0 if envelope else 1, lane]
            if left[row] >= size and lowest[0, lane] + (tilt_then[lane] - slack) > levels[row]:
                n[lane], total[lane], value[lane] = last, walk.total[lane], last_value
                pulls[row, arm], totals[row, arm], values[row, arm] = last, total[lane], value[lane]
                left[row] -= size
                done[0] += size
            else:
                stretch.size[row, arm] = size
                stretch.totals[row, arm], stretch.values[row, arm] = walk.total[lane], last_value
                _keep(walk.cells, blocks, lane, stretch.ahead[row, arm])
                row_of[lane], n[lane] = _IDLE, 0
                busy -= 1


@inlined
def _keep(cells: Floats, blocks: int, lane: int, values: Floats) -> None:
    """Copy the values of a lane, one after the other."""
    for q in range(blocks):
        for c in range(CELLS_PER_BLOCK):
            values[q * CELLS_PER_BLOCK + c] = cells[c, q * WALKERS + lane]


@inlined
def _turn_to(whence: Integers, law: Floats, source: Source, lane: int, run: int, arm: int, n: int) -> None:
    """Let a lane read the cells of an arm that come after its first n pulls, whole blocks."""
    for q in range(_MOST):
        place = q * WALKERS + lane
        whence[0, place], whence[1, place], whence[2, place] = run, arm, n // CELLS_PER_BLOCK + q
        law[0, place], law[1, place] = source.location[arm], source.scale[arm]


@compiled
def _draw_words(seed: np.uint64, blocks: int, whence: Integers, words: Unsigned) -> None:
    """Draw the words of the next blocks of all lanes.

    Words and cells have a loop each, in a function of its own, where it is vectorised: what is in a register at a time
    fits, and a core has many places under way.
    """
    for place in range(blocks * WALKERS):
        run, arm, block = whence[0, place], whence[1, place], whence[2, place]
        w0, w1, w2, w3 = block_words(seed, run, arm, block)
        words[0, place], words[1, place], words[2, place], words[3, place] = w0, w1, w2, w3
    for place in range(whence.shape[1]):
        whence[2, place] += blocks


@compiled
def _turn_into_cells(kind: int, blocks: int, words: Unsigned, law: Floats, cells: Floats) -> None:
    """Turn words into the cells of all lanes."""
    for half in range(0, CELLS_PER_BLOCK, 2):
        for place in range(blocks * WALKERS):
            first, second = words[half, place], words[half + 1, place]
            x, y = two_cells(kind, law[0, place], law[1, place], first, second)
            cells[half, place], cells[half + 1, place] = x, y


CELLS_OF_STRETCHES = _MOST * WALKERS * CELLS_PER_BLOCK
"""Rewards of the longest stretches of all lanes."""


@compiled
def draw_stretches(source: Source, first_run: int, times: int) -> float:
    """Draw the longest stretches of all lanes so many times, and do nothing with them: no descent can be faster.

    Returns the last reward.
    """
    lanes = _empty_lanes()
    for lane in range(WALKERS):
        _turn_to(lanes.whence, lanes.law, source, lane, first_run + lane, 0, 0)
    for _ in range(times):
        _draw_words(source.seed, _MOST, lanes.whence, lanes.words)
        _turn_into_cells(source.law, _MOST, lanes.words, lanes.law, lanes.walk.cells)
    return float(lanes.walk.cells[-1, -1])
