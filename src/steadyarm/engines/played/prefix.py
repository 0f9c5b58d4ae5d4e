"""The prefix engine: cuts every arm's index sequence at one common level (Lemma online_offline_equivalence).

Let V(i, n+1) be the smallest index of arm i among its first n pulls. The online rule takes the T items (i, n)
of largest V, ties by priority: when an arm's index rises it keeps being played until it falls below its old
minimum, since no other arm changes meanwhile. So all arms can be taken down to a level c a little above the
final one, each alone and in any order, as long as the pulls do not exceed T; the few rounds that are left
are then played one by one. If the level was too low, the run is cut again at a higher one. The counts are
those of `step`, bit for bit. Counts after t rounds are the t items of largest V: a run is cut for one moment after the
other, and goes on from the counts that it had at the last one.
"""

import numpy as np

from steadyarm.engines.interface import OF_A_CELL, Engine, Player, Setting, Watch
from steadyarm.engines.played.arms import empty_arms, first_counts
from steadyarm.engines.played.cuts import Level, Room, cut_all, expected_level, first_cut, lower_all
from steadyarm.engines.played.descent import (
    begin,
    begin_run,
    descent_of_one,
    empty_descent,
    take_down,
)
from steadyarm.engines.played.game import NOT_OWN_HISTORY, Game, game_of
from steadyarm.engines.played.merge import play_on
from steadyarm.model.clipping import clipped_moments
from steadyarm.model.instance import Instance
from steadyarm.model.priority import fill_priority
from steadyarm.numerics.arrays import Floats, Integers, borrowed, copy
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy

_ENOUGH_RUNS = 8  # finished runs after which their levels tell better than the fluid where to cut
_MOST_TOGETHER, _ARMS_TOGETHER = 16, 160  # runs, and arms of them, that are taken down side by side


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
        return OF_A_CELL * policy.horizon

    def prepare(self, setting: Setting) -> Player:
        """Return a player with a level to cut at."""
        policy = setting.policy
        assert isinstance(policy, OwnHistoryPolicy)
        return PrefixPlayer(policy, setting.instance, setting.seed, setting.at, self.run_cost(policy))


class PrefixPlayer(Player):
    """Cuts run after run."""

    def __init__(
        self, policy: OwnHistoryPolicy, instance: Instance, seed: int, at: Integers, run_cost: float
    ) -> None:
        self.game, self.at = game_of(policy, instance, seed), at
        after_first_pulls = at[at > policy.n_arms]
        first = float(after_first_pulls[0]) if len(after_first_pulls) else float(policy.horizon)
        self.level = expected_level(policy.curves, instance, first)
        self.noise = np.sqrt(clipped_moments(instance, policy.curves.clip)[1])
        self.rounds, self.run_cost = policy.horizon, run_cost
        self.together = _runs_together(policy.n_arms)

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        _play_prefixes(self.game, self.at, self.level, self.noise, first_run, rows, watch)


@compiled
def _runs_together(n_arms: int) -> int:
    """Return how many runs are taken down side by side: so many arms that hardly a lane is ever idle."""
    return max(1, min(_MOST_TOGETHER, _ARMS_TOGETHER // n_arms))


@compiled
def _play_prefixes(
    game: Game, at: Integers, level: Level, noise: Floats, first_run: int, counts: Integers, watch: Watch
) -> None:
    n_arms = counts.shape[2]
    together = min(counts.shape[0], _runs_together(n_arms))
    descent = empty_descent(together, n_arms, game.horizon)
    room = Room(
        [empty_arms(n_arms) for _ in range(together)],
        [empty_arms(n_arms) for _ in range(together)],
        descent,
        descent_of_one(descent),
    )
    _play_groups(game, at, level, noise, room, first_run, counts, watch)


@compiled
def _play_groups(
    game: Game,
    at: Integers,
    level: Level,
    noise: Floats,
    room: Room,
    first_run: int,
    counts: Integers,
    watch: Watch,
) -> None:
    game, counts, watch = borrowed(game), borrowed(counts), borrowed(watch)
    group, descent, alone = room.group, borrowed(room.descent), borrowed(room.alone)
    rows, n_arms, seed = counts.shape[0], counts.shape[2], game.source.seed
    together = len(group)
    left = np.empty(together, np.int64)
    played, reached = np.empty(together, np.int64), np.empty(together)
    begins_with = _first_cut_moment(at, n_arms)
    mean, squares = 0.0, 0.0  # of the levels at the first moment (Welford's recursion)
    for row in range(0, rows, together):
        run, runs = first_run + row, min(together, rows - row)
        if watch.stop[0] != 0:
            return
        if row >= _ENOUGH_RUNS:
            level = Level(mean, np.sqrt(squares / (row - 1)))
        begin(descent)
        left[:], reached[:] = begins_with - n_arms, first_cut(level)
        if level.expected < np.inf:
            take_down(game, run, reached[:runs], descent, left[:runs], watch)
        reached[:] = np.inf
        for place in range(runs):
            fill_priority(seed, run + place, borrowed(group[place]).rank)
            played[place] = begin_run(game, run + place, place, descent, borrowed(group[place]), watch.stop)
            watch.done[0] += played[place] - descent.pulls[place].sum()
        for moment in range(at.size):
            until, first = at[moment], reached[0] == np.inf
            if until <= n_arms:
                for place in range(runs):
                    first_counts(borrowed(group[place]).rank, until, counts[row + place, moment])
                continue
            if first:
                for place in range(runs):
                    cut_all(game, run + place, borrowed(group[place]), alone, level, until, watch.stop)
            lower_all(game, run, room, noise, reached[:runs], until, watch.stop)
            for place in range(runs):
                arms = borrowed(group[place])
                taken = arms.count.sum()
                watch.done[0] += taken - played[place]
                if not play_on(game, run + place, arms, taken, until, watch):
                    return
                copy(arms.count, counts[row + place, moment])
                played[place], reached[place] = until, min(reached[place], arms.index.max())
                if first:
                    change = reached[place] - mean
                    mean += change / (row + place + 1)
                    squares += change * (reached[place] - mean)


@compiled
def _first_cut_moment(at: Integers, n_arms: int) -> int:
    """Return the first moment that comes after the first pulls, or the last of all."""
    moment = 0
    while moment < at.size - 1 and at[moment] <= n_arms:
        moment += 1
    return int(at[moment])
