"""The worst cases of an own-history index over a class of instances, to first order and without playing.

Every way to share out the pulls is where some instance comes to rest: the one whose gaps are the differences of
the bonus b = width + tilt between the arms. So the search runs over counts instead of means. Instances have at
most three levels: some tied best arms, some in the middle, the others at the bottom.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from steadyarm.numerics.arrays import Floats
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.curves import Curves
from steadyarm.theory.fluid import bonus, slope
from steadyarm.theory.reward_class import MeanRange, RewardClass

_PLACES = np.array([0.15, 0.3, 0.5, 0.7, 0.85])  # of a middle level, from the bottom one to the best
_DEPTHS = np.linspace(0.0, 1.0, 41)  # of the bottom level, from the widest gap to equal shares
_FIRST_STEP, _LAST_STEP = 1.0 / 16.0, 2e-5  # of the refinement
_GAIN = 1.0 + 1e-6  # what a step of it must gain
_BISECTIONS = 36

_REGRET, _SPREAD, _RELATIVE = 0, 1, 2
_VALUE, _BEST_ARMS, _MIDDLE_ARMS, _MIDDLE_GAP, _GAP, _MEAN, _PLACE, _DEPTH, _COLUMNS = range(9)


class Levels(NamedTuple):
    """How many arms are best and how many in the middle, and where the middle's counts and the bottom's lie."""

    best: float
    middle: float
    place: float  # of the middle level, from the bottom one to the best
    depth: float  # of the bottom level, from the widest gap to equal shares


class Extreme(NamedTuple):
    """The largest value of a quantity that was found, and the means of the arms where it is."""

    value: float
    means: tuple[float, ...]


class WorstCases(NamedTuple):
    """The largest regret, standard deviation of a count, and that deviation as a share of the count."""

    regret: Extreme
    deviation: Extreme
    relative_deviation: Extreme


def worst_cases(curves: Curves, n_arms: int, reward_class: RewardClass) -> WorstCases:
    """Search a class for the instances on which an index loses most and its counts spread most.

    A deviation that cannot be predicted (a flat index) counts for nothing. Half a pull of rounding is part of a
    deviation: on some instance a count wavers between two whole numbers. Neither is above what can happen.

    >>> import steadyarm as sa
    >>> from steadyarm.theory.reward_class import class_of
    >>> policy = sa.SLEUCB(n_arms=4, horizon=100_000, constants="sharp")
    >>> found = worst_cases(policy.curves, 4, class_of("gaussian"))
    >>> [round(mean, 2) for mean in found.regret.means]         # one arm better than all others
    [0.22, -0.22, -0.22, -0.22]
    >>> [round(mean, 2) for mean in found.deviation.means]      # two tied best, the others out of the way
    [1.0, 1.0, -1.0, -1.0]
    """
    found = np.zeros((3, _COLUMNS))
    _search(curves, float(n_arms), reward_class.mean_range, _sizes(n_arms), found)
    found[_REGRET, _VALUE] = min(found[_REGRET, _VALUE], reward_class.widest_gap * curves.horizon)
    found[_SPREAD, _VALUE] = min(found[_SPREAD, _VALUE], 0.5 * (curves.horizon - n_arms))
    return WorstCases(*(_extreme(row, n_arms, reward_class.mean_range) for row in found))


def _extreme(row: Floats, n_arms: int, allowed: MeanRange) -> Extreme:
    best, middle = int(row[_BEST_ARMS]), int(row[_MIDDLE_ARMS])
    levels = row[_MEAN] - np.array([0.0, row[_MIDDLE_GAP], row[_GAP]])
    inside = np.clip(levels, allowed.low, allowed.high)  # rounding must not push a mean over the edge
    means = np.repeat(inside, (best, middle, n_arms - best - middle))
    return Extreme(float(row[_VALUE]), tuple(means.tolist()))


@lru_cache(maxsize=64)
def _sizes(n_arms: int) -> Floats:
    """Return how many arms are best and how many in the middle: every pair of them that is tried."""
    grid = {1, 2, 3, *np.unique(np.geomspace(1.0, n_arms - 1.0, 8).round()).astype(int).tolist()}
    pairs = [(n_arms, 0)]
    for best in sorted(size for size in grid if size < n_arms):
        rest = n_arms - best
        pairs.append((best, 0))
        if best <= 3 or best == max(grid):
            pairs += [(best, middle) for middle in sorted({1, rest // 2, rest - 1}) if 0 < middle < rest]
    return np.array(pairs, dtype=float)


@compiled
def _search(curves: Curves, n_arms: float, means: MeanRange, sizes: Floats, found: Floats) -> None:
    """Write the worst rows of a grid over sizes and counts, each refined by a pattern search."""
    for pair in range(sizes.shape[0]):
        best, middle = sizes[pair, 0], sizes[pair, 1]
        for place in _PLACES if middle > 0.0 else _PLACES[:1]:
            least = _least_count(curves, n_arms, means, Levels(best, middle, place, 0.0))
            for depth in _DEPTHS[:: 2 if middle > 0.0 else 1] if best < n_arms else _DEPTHS[:1]:
                _try(curves, n_arms, means, Levels(best, middle, place, depth), least, found)
    for quantity in range(3):
        _refine(curves, n_arms, means, quantity, found)


@compiled
def _refine(curves: Curves, n_arms: float, means: MeanRange, quantity: int, found: Floats) -> None:
    """Move the levels of the worst instance of a quantity, in ever smaller steps, as long as that makes it worse."""
    best, middle = found[quantity, _BEST_ARMS], found[quantity, _MIDDLE_ARMS]
    step = _FIRST_STEP
    while step > _LAST_STEP and best < n_arms:
        before = found[quantity, _VALUE]
        place, depth = found[quantity, _PLACE], found[quantity, _DEPTH]
        least = _least_count(curves, n_arms, means, Levels(best, middle, place, depth))
        for moved in (min(1.0, depth + step), max(0.0, depth - step)):
            _try(curves, n_arms, means, Levels(best, middle, place, moved), least, found)
        if middle > 0.0:
            for moved in (min(1.0, place + step), max(0.0, place - step)):
                levels = Levels(best, middle, moved, depth)
                _try(curves, n_arms, means, levels, _least_count(curves, n_arms, means, levels), found)
        if found[quantity, _VALUE] <= before * _GAIN:
            step *= 0.5


@compiled
def _counts(horizon: float, n_arms: float, levels: Levels, bottom: float) -> tuple[float, float]:
    """Return the counts of the best and of the middle arms, given those of the bottom ones."""
    best, middle = levels.best, levels.middle
    rest = n_arms - best - middle
    tied = (horizon - rest * bottom) / (best + middle)  # where the middle would be level with the best
    between = bottom * (tied / bottom) ** levels.place
    return (horizon - middle * between - rest * bottom) / best, between


@compiled
def _least_count(curves: Curves, n_arms: float, means: MeanRange, levels: Levels) -> float:
    """Return the fewest pulls of the bottom arms: where their gap is the widest of the class."""
    low, high = 0.0, math.log(curves.horizon / n_arms)
    widest = means.high - means.low
    if levels.best == n_arms:
        return math.exp(high)
    top, _ = _counts(curves.horizon, n_arms, levels, 1.0)
    if bonus(curves, 1.0) - bonus(curves, top) <= widest:
        return 1.0
    for _ in range(_BISECTIONS):
        halfway = 0.5 * (low + high)
        n = math.exp(halfway)
        top, _ = _counts(curves.horizon, n_arms, levels, n)
        if bonus(curves, n) - bonus(curves, top) > widest:
            low = halfway
        else:
            high = halfway
    return math.exp(high)


@compiled
def _try(
    curves: Curves, n_arms: float, means: MeanRange, levels: Levels, least: float, found: Floats
) -> None:
    """Evaluate one way to share out the pulls and keep it where it is worse than what was found before."""
    best, middle = levels.best, levels.middle
    widest, fair = means.high - means.low, curves.horizon / n_arms
    copies = np.array([best, middle, n_arms - best - middle])
    counts = np.full(3, fair)
    gaps = np.zeros(3)
    if best < n_arms:
        counts[2] = min(
            fair, least * (fair / least) ** levels.depth
        )  # depth 0: the widest gap; 1: equal shares
        counts[0], counts[1] = _counts(curves.horizon, n_arms, levels, counts[2])
        least_bonus = bonus(curves, counts[0])
        gaps[1] = min(widest, max(0.0, bonus(curves, counts[1]) - least_bonus))
        gaps[2] = min(widest, max(0.0, bonus(curves, counts[2]) - least_bonus))
        if counts[2] == 1.0:  # an arm that is hardly pulled may be as bad as the class allows
            gaps[2] = widest
    regret = (copies * counts * gaps).sum()
    if regret > found[_REGRET, _VALUE]:
        mean = 0.5 * (means.low + means.high + gaps[2])
        _keep(found, _REGRET, regret, levels, gaps, mean)
    weights = np.empty(3)
    for level in range(3):
        weights[level] = 1.0 / max(slope(curves, counts[level]), 1e-300)
    total = (copies * weights).sum()
    for own in range(3):
        if copies[own] == 0.0:
            continue
        share = weights[own] / total
        effects = (weights / total) ** 2 * copies  # of each level's errors on an arm of this one
        effects[own] += (1.0 - share) ** 2 - share**2
        effects *= weights[own] ** 2 / counts
        mean, variance = _noisiest(means, gaps, effects)
        if not variance <= curves.horizon**2:
            continue
        spread = math.sqrt(variance + 0.25)
        if spread > found[_SPREAD, _VALUE]:
            _keep(found, _SPREAD, spread, levels, gaps, mean)
        if spread / counts[own] > found[_RELATIVE, _VALUE]:
            _keep(found, _RELATIVE, spread / counts[own], levels, gaps, mean)


@compiled
def _noisiest(means: MeanRange, gaps: Floats, effects: Floats) -> tuple[float, float]:
    """Return the best mean at which the arms' noise moves a count most, and the variance of the count.

    Rewards between two ends have a variance of at most (end − mean)(mean − start): a parabola in a shift of all
    means, whose top is where their weighted average lies in the middle.
    """
    reach = gaps[2]
    usual = 0.5 * (means.low + means.high + reach)
    if not math.isfinite(means.end):
        return usual, (effects * means.variance).sum()
    weighted = (effects * gaps).sum() / effects.sum()
    top = 0.5 * (means.start + means.end) + weighted
    mean = min(means.high, max(means.low + reach, top))
    variance = 0.0
    for level in range(3):
        at = mean - gaps[level]
        variance += effects[level] * min(means.variance, max(0.0, (means.end - at) * (at - means.start)))
    return mean, variance


@compiled
def _keep(found: Floats, quantity: int, value: float, levels: Levels, gaps: Floats, mean: float) -> None:
    found[quantity, _VALUE] = value
    found[quantity, _BEST_ARMS] = levels.best
    found[quantity, _MIDDLE_ARMS] = levels.middle
    found[quantity, _MIDDLE_GAP] = gaps[1]
    found[quantity, _GAP] = gaps[2]
    found[quantity, _MEAN] = mean
    found[quantity, _PLACE] = levels.place
    found[quantity, _DEPTH] = levels.depth
