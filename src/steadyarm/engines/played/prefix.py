"""The prefix engine: cuts every arm's index sequence at one common level (Lemma online_offline_equivalence).

Let V(i, n+1) be the smallest index of arm i among its first n pulls. The online rule takes the T items (i, n)
of largest V, ties by priority: when an arm's index rises it keeps being played until it falls below its old
minimum, since no other arm changes meanwhile. So all arms can be taken down to a level c a little above the
final one, each alone and in any order, as long as the pulls do not exceed T; the few rounds that are left
are then played one by one. If the level was too low, the run is cut again at a higher one. The counts are
those of `step`, bit for bit.
"""

import numpy as np

from steadyarm.engines.played.arms import (
    Arms,
    Integers,
    Source,
    Tables,
    advance,
    begin,
    empty_arms,
    play_on,
    source_of,
    tables_of,
)
from steadyarm.engines.pool import PlayRange
from steadyarm.model.clipping import clipped_moments
from steadyarm.model.compiled import compiled
from steadyarm.model.instance import Instance
from steadyarm.model.priority import fill_priority
from steadyarm.policies.core.base import OwnHistoryPolicy, Policy
from steadyarm.policies.core.curves import Curves
from steadyarm.theory.fluid import fluid_counts, fluid_spread, slope

_MARGIN = 2.5  # standard deviations of the level by which the first cut stays above the expected one
_ENOUGH_RUNS = 8  # finished runs after which their levels tell better than the fluid where to cut
_MOST_CUTS = 8


def supports(policy: Policy, _instance: Instance) -> bool:
    """Whether this engine can play the policy."""
    return isinstance(policy, OwnHistoryPolicy)


def prepare(policy: OwnHistoryPolicy, instance: Instance, seed: int) -> PlayRange:
    """Return a function that plays a range of runs, one row of counts a run."""
    curves, tables, source = policy.curves, tables_of(policy.curves), source_of(instance, seed)
    level, spread = expected_level(curves, instance)

    def play_range(first_run: int, counts: Integers, stop: Integers, done: Integers) -> None:
        _play_prefixes(curves, tables, source, policy.horizon, level, spread, first_run, counts, stop, done)

    return play_range


def expected_level(curves: Curves, instance: Instance) -> tuple[float, float]:
    """Return the fluid level and its standard deviation, or an infinite level where there is none."""
    if curves.bernoulli:
        return np.inf, 0.0
    once, counts, spreads = np.ones(instance.n_arms), np.empty(instance.n_arms), np.empty(instance.n_arms)
    means, variances = clipped_moments(instance, curves.clip)
    level = fluid_counts(curves, means, once, counts)
    spread = fluid_spread(curves, variances, once, counts, spreads)
    # The fluid counts in fractions of a pull; whole pulls add half a pull an arm, which a higher level takes off.
    per_level = sum(1.0 / steep for steep in (slope(curves, count) for count in counts) if steep > 0.0)
    level += 0.5 * instance.n_arms / per_level if per_level > 0.0 else 0.0
    return (level, spread) if np.isfinite(level + spread) else (np.inf, 0.0)


@compiled
def _play_prefixes(
    curves: Curves,
    tables: Tables,
    source: Source,
    horizon: int,
    expected: float,
    spread: float,
    first_run: int,
    counts: Integers,
    stop: Integers,
    done: Integers,
) -> None:
    n_arms = counts.shape[1]
    arms = empty_arms(n_arms)
    mean, squares = 0.0, 0.0  # of the levels at which runs ended (Welford's recursion)
    for row in range(counts.shape[0]):
        run = first_run + row
        if stop[0] != 0:
            return
        fill_priority(source.seed, run, arms.rank)
        if row >= _ENOUGH_RUNS:
            expected, spread = mean, np.sqrt(squares / (row - 1))
        taken = cut_all(curves, tables, source, run, arms, expected, spread, horizon, stop)
        done[0] += taken
        if not play_on(curves, tables, source, run, arms, taken, horizon, stop, done):
            return
        counts[row] = arms.count
        change = arms.index.max() - mean
        mean += change / (row + 1)
        squares += change * (arms.index.max() - mean)


@compiled
def cut_all(
    curves: Curves,
    tables: Tables,
    source: Source,
    run: int,
    arms: Arms,
    expected: float,
    spread: float,
    horizon: int,
    stop: Integers,
) -> int:
    """Take every arm down to a level at which no more than T pulls are taken; return how many they are."""
    n_arms = arms.count.size
    margin = _MARGIN
    for cut in range(_MOST_CUTS):
        level = np.inf if cut == _MOST_CUTS - 1 else expected + margin * spread
        taken, fits = 0, True
        for arm in range(n_arms):
            begin(arms, arm)
            room = horizon - taken - (n_arms - 1 - arm)  # the arms to come need a pull each
            fits = advance(curves, tables, source, run, arms, arm, level, room, stop)
            if not fits:
                break
            taken += arms.count[arm]
        if fits:
            return taken
        if stop[0] != 0:
            return 0
        margin = 2.0 * margin + 1.0
    return n_arms
