"""Cuts: all arms of a run taken down to one level, each alone; how low that may be is told by the fluid.

A run's first cut goes to the level at which it is expected to be after some rounds. From there on it is known where
the run is: its level is lowered by as much as is nearly certain to take no more than the rounds that are left. What a
level is worth changes nothing but the time: a cut that takes too much is undone.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import Watch
from steadyarm.engines.played.arms import Arms, advance, copy_arms, pull_each_once
from steadyarm.engines.played.descent import Descent, enter, leave, leave_out, take_down, take_run_down
from steadyarm.engines.played.game import Game
from steadyarm.model.clipping import kinds_of_arms
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats, Integers, borrowed
from steadyarm.numerics.compiled import compiled, inlined
from steadyarm.policies.core.curves import Curves
from steadyarm.theory.fluid import fluid_counts, fluid_spread, slope

_MARGIN = 2.5  # standard deviations of the level by which the first cut stays above the expected one
_MOST_CUTS = 8
_LOW_MARGIN = 1.5  # standard deviations of the pulls that a lower level takes
_MOST_LOWERED = 32  # times that a level is lowered on the way to one moment
_REACH = 4  # times the rounds played so far: the fluid is not asked about later ones
_WORTH = 16  # rounds an arm from which cutting is quicker than playing
_LEAST_SHARE = 0.4  # of the rounds ahead that a cut should take; below, chance has the better part


class Room(NamedTuple):
    """Room for runs that are taken down side by side."""

    group: list[Arms]
    kept: list[Arms]  # as they were
    descent: Descent  # of all of them
    alone: Descent  # of one of them


class Level(NamedTuple):
    """The level of the index to which runs are expected to come, and its standard deviation."""

    expected: float
    spread: float


def expected_level(curves: Curves, instance: Instance, rounds: float) -> Level:
    """Return the fluid's level after so many rounds, or an infinite one where there is none."""
    if curves.bernoulli:
        return Level(np.inf, 0.0)
    kinds, copies, _ = kinds_of_arms(instance, curves.clip)
    counts, spreads = np.empty(copies.size), np.empty(copies.size)
    level = fluid_counts(curves, np.ascontiguousarray(kinds[:, 1]), copies, rounds, counts)
    spread = fluid_spread(curves, kinds[:, 2], copies, counts, spreads)
    # The fluid counts in fractions of a pull; whole pulls add half a pull an arm, which a higher level takes off.
    slopes = np.array([slope(curves, count) for count in counts])
    falling = slopes > 0.0
    per_level = float((copies[falling] / slopes[falling]).sum())
    level += 0.5 * instance.n_arms / per_level if per_level > 0.0 else 0.0
    return Level(level, spread) if np.isfinite(level + spread) else Level(np.inf, 0.0)


@inlined
def _finish_cut(game: Game, run: int, arms: Arms, level: float, until: int, stop: Integers) -> int:
    """Take every arm down to a level and return the pulls taken by then, or 0 if they exceed `until`."""
    taken = arms.count.sum()
    for arm in range(arms.count.size):
        before = arms.count[arm]
        if taken > until or not advance(game, run, arms, arm, level, before + until - taken, stop):
            return 0
        taken += arms.count[arm] - before
    return int(taken)


@inlined
def first_cut(level: Level) -> float:
    """Return where a run is cut first."""
    return level.expected + _MARGIN * level.spread


@compiled
def cut_all(
    game: Game, run: int, arms: Arms, descent: Descent, level: Level, until: int, stop: Integers
) -> int:
    """Take every arm down to a level at which no more than `until` pulls are taken; return how many they are.

    Every arm has had a pull, and maybe those that are certain at the first level, `first_cut`.
    """
    cut_at, margin = first_cut(level), _MARGIN
    for _ in range(_MOST_CUTS):
        if stop[0] != 0 or not arms.index.max() > cut_at:
            break
        take_run_down(game, run, cut_at, arms, until - arms.count.sum(), descent, stop)
        taken = _finish_cut(game, run, arms, cut_at, until, stop)
        if taken > 0:
            return taken
        pull_each_once(game, run, arms, stop)
        margin = 2.0 * margin + 1.0
        cut_at = level.expected + margin * level.spread
    return int(arms.count.sum())


@compiled
def lower_all(
    game: Game,
    first_run: int,
    room: Room,
    noise: Floats,
    levels: Floats,
    until: int,
    stop: Integers,
) -> None:
    """Lower the levels of runs first_run, first_run + 1, … towards their round `until`, as often as that pays.

    `levels` are such that the runs have come down to, and `noise` the standard deviations of the arms' rewards.
    """
    group, kept, descent = room.group, room.kept, borrowed(room.descent)
    runs = levels.size
    margins, lower, left = np.full(runs, _LOW_MARGIN), np.zeros(runs), np.zeros(runs, np.int64)
    nowhere = Watch(stop, np.zeros(1, np.int64))
    for row in range(runs):
        levels[row] = min(levels[row], borrowed(group[row]).index.max())
    for _ in range(_MOST_LOWERED):
        busy = False
        for row in range(runs):
            arms = borrowed(group[row])
            lower[row] = (
                _lower(game, arms, noise, levels[row], margins[row], until) if lower[row] < np.inf else np.inf
            )
            left[row] = 0
            leave_out(row, descent)
            if lower[row] < np.inf:
                busy = True
                copy_arms(arms, borrowed(kept[row]))
                left[row] = until - arms.count.sum()
                enter(game, first_run + row, row, lower[row], arms, left, descent, stop)
        if not busy or stop[0] != 0:
            return
        take_down(game, first_run, lower, descent, left, nowhere)
        for row in range(runs):
            if not lower[row] < np.inf:
                continue
            arms = borrowed(group[row])
            leave(game, row, arms, descent)
            if _finish_cut(game, first_run + row, arms, lower[row], until, stop) > 0:
                levels[row] = lower[row]
            else:
                copy_arms(borrowed(kept[row]), arms)
                margins[row] = 2.0 * margins[row] + 1.0


@inlined
def _lower(game: Game, arms: Arms, noise: Floats, level: float, margin: float, until: int) -> float:
    """Return the level that is nearly certain to take no more than the rounds up to `until`; ∞ where none would pay."""
    curves, n_arms, played = game.curves, arms.count.size, arms.count.sum()
    if curves.bernoulli or until - played < _WORTH * n_arms:
        return np.inf
    goal = min(until, _REACH * played)
    left = goal - played
    # An arm's index falls by `steep` a pull and strays by σ/n, so its pulls stray by σ/(n·steep) times their root.
    per_level, variance = 0.0, 0.0
    for arm in range(n_arms):
        n = arms.count[arm] * (goal / played)
        steep = slope(curves, n)
        per_level += 1.0 / steep
        variance += (noise[arm] / (n * steep)) ** 2 / steep
    # per_level · d + margin · √(variance · d) = left, for √d
    reserve = margin * np.sqrt(variance)
    root = (np.sqrt(reserve * reserve + 4.0 * per_level * left) - reserve) / (2.0 * per_level)
    return level - root * root if per_level * root * root > _LEAST_SHARE * left else np.inf
