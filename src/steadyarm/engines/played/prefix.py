"""The prefix engine: cuts every arm's index sequence at one common level (Lemma online_offline_equivalence).

Let V(i, n+1) be the smallest index of arm i among its first n pulls. The online rule takes the T items (i, n)
of largest V, ties by priority: when an arm's index rises it keeps being played until it falls below its old
minimum, since no other arm changes meanwhile. So all arms can be taken down to a level c a little above the
final one, each alone and in any order, as long as the pulls do not exceed T; the few rounds that are left
are then played one by one. If the level was too low, the run is cut again at a higher one. The counts are
those of `step`, bit for bit. Counts on the way, after t rounds, are cut likewise, one moment after the other: the
run goes on from the counts that it had at the last one.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import NANOSECOND, Engine, Player, Watch
from steadyarm.engines.played.arms import (
    Arms,
    advance,
    copy_arms,
    empty_arms,
    first_counts,
    pull_each_once,
)
from steadyarm.engines.played.game import NOT_OWN_HISTORY, Game, game_of
from steadyarm.engines.played.merge import play_on
from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.clipping import clipped_moments
from steadyarm.model.compiled import compiled
from steadyarm.model.instance import Instance
from steadyarm.model.priority import fill_priority
from steadyarm.policies.core.curves import Curves
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.fluid import fluid_counts, fluid_spread, slope

_MARGIN = 2.5  # standard deviations of the level by which the first cut stays above the expected one
_ENOUGH_RUNS = 8  # finished runs after which their levels tell better than the fluid where to cut
_MOST_CUTS = 8
_OF_A_CELL = 45.0 * NANOSECOND


class Level(NamedTuple):
    """The level of the index to which runs are expected to come, and its standard deviation."""

    expected: float
    spread: float


class Prefix(Engine):
    """Plays own-history policies."""

    name = "prefix"

    def refusal(self, policy: Policy, instance: Instance) -> str | None:  # noqa: ARG002
        """Refuse a policy whose arms cannot be cut each alone."""
        if isinstance(policy, OwnHistoryPolicy):
            return None
        return NOT_OWN_HISTORY

    def run_cost(self, policy: Policy) -> float:
        """Return the seconds of T cells of the table."""
        return _OF_A_CELL * policy.horizon

    def prepare(self, policy: Policy, instance: Instance, seed: int, at: Integers) -> Player:
        """Return a player with levels to cut at."""
        assert isinstance(policy, OwnHistoryPolicy)
        return PrefixPlayer(policy, instance, seed, at, self.run_cost(policy))


class PrefixPlayer(Player):
    """Cuts run after run."""

    def __init__(
        self, policy: OwnHistoryPolicy, instance: Instance, seed: int, at: Integers, run_cost: float
    ) -> None:
        self.game, self.at = game_of(policy, instance, seed), at
        self.levels = np.array([expected_level(policy.curves, instance, float(rounds)) for rounds in at])
        self.rounds, self.run_cost = policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        _play_prefixes(self.game, self.at, self.levels, first_run, rows, watch)


def expected_level(curves: Curves, instance: Instance, rounds: float) -> Level:
    """Return the fluid's level after so many rounds, or an infinite one where there is none."""
    if curves.bernoulli:
        return Level(np.inf, 0.0)
    once, counts, spreads = np.ones(instance.n_arms), np.empty(instance.n_arms), np.empty(instance.n_arms)
    means, variances = clipped_moments(instance, curves.clip)
    level = fluid_counts(curves, means, once, rounds, counts)
    spread = fluid_spread(curves, variances, once, counts, spreads)
    # The fluid counts in fractions of a pull; whole pulls add half a pull an arm, which a higher level takes off.
    per_level = sum(1.0 / steep for steep in (slope(curves, count) for count in counts) if steep > 0.0)
    level += 0.5 * instance.n_arms / per_level if per_level > 0.0 else 0.0
    return Level(level, spread) if np.isfinite(level + spread) else Level(np.inf, 0.0)


@compiled
def _play_prefixes(
    game: Game, at: Integers, levels: Floats, first_run: int, counts: Integers, watch: Watch
) -> None:
    n_arms = counts.shape[2]
    arms, kept = empty_arms(n_arms), empty_arms(n_arms)
    # Of how far levels fell from moment to moment in the runs so far (Welford's recursion).
    means, squares = np.zeros(at.size), np.zeros(at.size)
    for row in range(counts.shape[0]):
        run = first_run + row
        if watch.stop[0] != 0:
            return
        fill_priority(game.source.seed, run, arms.rank)
        pull_each_once(game, run, arms, watch.stop)
        watch.done[0] += n_arms
        played, reached, foreseen = n_arms, 0.0, 0.0
        for moment in range(at.size):
            if at[moment] <= n_arms:
                first_counts(arms.rank, at[moment], counts[row, moment])
                continue
            level = Level(reached + (levels[moment, 0] - foreseen), levels[moment, 1])
            if row >= _ENOUGH_RUNS:
                level = Level(reached + means[moment], np.sqrt(squares[moment] / (row - 1)))
            taken = cut_all(game, run, arms, kept, level, at[moment], watch.stop)
            watch.done[0] += taken - played
            if not play_on(game, run, arms, taken, at[moment], watch):
                return
            counts[row, moment] = arms.count
            fallen = arms.index.max() - reached
            change = fallen - means[moment]
            means[moment] += change / (row + 1)
            squares[moment] += change * (fallen - means[moment])
            played, reached, foreseen = at[moment], reached + fallen, levels[moment, 0]


@compiled
def cut_all(game: Game, run: int, arms: Arms, kept: Arms, level: Level, until: int, stop: Integers) -> int:
    """Take every arm down to a level at which no more than `until` pulls are taken; return how many they are.

    Every arm has had a pull. `kept` is room for the arms as they were, for another try.
    """
    played, highest = arms.count.sum(), arms.index.max()
    margin = _MARGIN
    for cut in range(_MOST_CUTS):
        cut_at = level.expected + margin * level.spread
        if not highest > cut_at:
            return int(played)
        if cut == 0:
            copy_arms(arms, kept)
        taken, fits = played, True
        for arm in range(arms.count.size):
            before = arms.count[arm]
            fits = advance(game, run, arms, arm, cut_at, before + until - taken, stop)
            if not fits:
                break
            taken += arms.count[arm] - before
        if fits:
            return int(taken)
        copy_arms(kept, arms)
        if stop[0] != 0:
            break
        margin = 2.0 * margin + 1.0
    return int(played)
