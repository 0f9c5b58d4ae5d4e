"""The prefix engine: cuts every arm's index sequence at one common level (Lemma online_offline_equivalence).

Let V(i, n+1) be the smallest index of arm i among its first n pulls. The online rule takes the T items (i, n)
of largest V, ties by priority: when an arm's index rises it keeps being played until it falls below its old
minimum, since no other arm changes meanwhile. So all arms can be taken down to a level c a little above the
final one, each alone and in any order, as long as the pulls do not exceed T; the few rounds that are left
are then played one by one. If the level was too low, the run is cut again at a higher one. The counts are
those of `step`, bit for bit.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import NANOSECOND, Engine, Player, Watch
from steadyarm.engines.played.arms import Arms, advance, empty_arms, reset_arm
from steadyarm.engines.played.game import NOT_OWN_HISTORY, Game, game_of
from steadyarm.engines.played.merge import play_on
from steadyarm.model.arrays import Integers
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
    """The level of the index at which runs are expected to end, and its standard deviation."""

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

    def prepare(self, policy: Policy, instance: Instance, seed: int) -> Player:
        """Return a player with a level to cut at."""
        assert isinstance(policy, OwnHistoryPolicy)
        return PrefixPlayer(policy, instance, seed, self.run_cost(policy))


class PrefixPlayer(Player):
    """Cuts run after run."""

    def __init__(self, policy: OwnHistoryPolicy, instance: Instance, seed: int, run_cost: float) -> None:
        self.game, self.level = game_of(policy, instance, seed), expected_level(policy.curves, instance)
        self.rounds, self.run_cost = policy.horizon, run_cost

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        _play_prefixes(self.game, self.level, first_run, rows, watch)


def expected_level(curves: Curves, instance: Instance) -> Level:
    """Return the fluid's level, or an infinite one where there is none."""
    if curves.bernoulli:
        return Level(np.inf, 0.0)
    once, counts, spreads = np.ones(instance.n_arms), np.empty(instance.n_arms), np.empty(instance.n_arms)
    means, variances = clipped_moments(instance, curves.clip)
    level = fluid_counts(curves, means, once, counts)
    spread = fluid_spread(curves, variances, once, counts, spreads)
    # The fluid counts in fractions of a pull; whole pulls add half a pull an arm, which a higher level takes off.
    per_level = sum(1.0 / steep for steep in (slope(curves, count) for count in counts) if steep > 0.0)
    level += 0.5 * instance.n_arms / per_level if per_level > 0.0 else 0.0
    return Level(level, spread) if np.isfinite(level + spread) else Level(np.inf, 0.0)


@compiled
def _play_prefixes(game: Game, level: Level, first_run: int, counts: Integers, watch: Watch) -> None:
    n_arms = counts.shape[1]
    arms = empty_arms(n_arms)
    mean, squares = 0.0, 0.0  # of the levels at which runs ended (Welford's recursion)
    for row in range(counts.shape[0]):
        run = first_run + row
        if watch.stop[0] != 0:
            return
        fill_priority(game.source.seed, run, arms.rank)
        if row >= _ENOUGH_RUNS:
            level = Level(mean, np.sqrt(squares / (row - 1)))
        taken = cut_all(game, run, arms, level, watch.stop)
        watch.done[0] += taken
        if not play_on(game, run, arms, taken, watch):
            return
        counts[row] = arms.count
        change = arms.index.max() - mean
        mean += change / (row + 1)
        squares += change * (arms.index.max() - mean)


@compiled
def cut_all(game: Game, run: int, arms: Arms, level: Level, stop: Integers) -> int:
    """Take every arm down to a level at which no more than T pulls are taken; return how many they are."""
    n_arms = arms.count.size
    margin = _MARGIN
    for cut in range(_MOST_CUTS):
        cut_at = np.inf if cut == _MOST_CUTS - 1 else level.expected + margin * level.spread
        taken, fits = 0, True
        for arm in range(n_arms):
            reset_arm(arms, arm)
            room = game.horizon - taken - (n_arms - 1 - arm)  # the arms to come need a pull each
            fits = advance(game, run, arms, arm, cut_at, room, stop)
            if not fits:
                break
            taken += arms.count[arm]
        if fits:
            return taken
        if stop[0] != 0:
            return 0
        margin = 2.0 * margin + 1.0
    return n_arms
