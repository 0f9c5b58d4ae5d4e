"""Cuts one run again with one changed reward: only the arm that owns the reward is taken down anew.

All other arms stay at the level at which the run was first cut (the paper's single-coordinate perturbation);
the rounds that are left are then played one by one.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.engines.interface import Watch
from steadyarm.engines.played.arms import Arms, advance, copy_arms, empty_arms, pull_each_once, reset_arm
from steadyarm.engines.played.cuts import Level, cut_all, expected_level
from steadyarm.engines.played.descent import Descent, empty_descent
from steadyarm.engines.played.game import Game, game_of
from steadyarm.engines.played.merge import play_on
from steadyarm.engines.source import Source
from steadyarm.model.instance import Instance
from steadyarm.model.priority import fill_priority
from steadyarm.numerics.arrays import Floats, Integers, borrowed, copy
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.own_history import OwnHistoryPolicy

_ROOM = 4.0  # extra standard deviations of the level that leave room for the changed arm


class Changes(NamedTuple):
    """Rewards that are changed, each alone: of which arm, of which of its pulls (from 1), to what."""

    arms: Integers
    pulls: Integers
    rewards: Floats


class Room(NamedTuple):
    """Room for a run: its arms where it was first cut, its arms as they are played on, and a descent."""

    cut: Arms
    arms: Arms
    descent: Descent


def counts_with_changes(
    policy: OwnHistoryPolicy, instance: Instance, seed: int, run: int, changes: Changes
) -> tuple[Integers, Integers]:
    """Return a run's counts, and below each other its counts with each of the changes made alone."""
    expected, spread = expected_level(policy.curves, instance, policy.horizon)
    before = np.zeros(policy.n_arms, dtype=np.int64)
    after = np.zeros((len(changes.arms), policy.n_arms), dtype=np.int64)
    level = Level(expected + _ROOM * spread, spread)
    room = Room(
        empty_arms(policy.n_arms), empty_arms(policy.n_arms), empty_descent(1, policy.n_arms, policy.horizon)
    )
    _recut(game_of(policy, instance, seed), run, level, changes, room, before, after)
    return before, after


@compiled
def _recut(
    game: Game, run: int, expected: Level, changes: Changes, room: Room, before: Integers, after: Integers
) -> None:
    game, (cut, arms, descent) = borrowed(game), borrowed(room)
    never, ignored = np.zeros(1, np.int64), np.zeros(1, np.int64)
    watch, source, horizon = Watch(never, ignored), game.source, game.horizon
    fill_priority(source.seed, run, cut.rank)
    copy(cut.rank, arms.rank)
    pull_each_once(game, run, cut, never)
    taken = cut_all(game, run, cut, descent, expected, horizon, never)
    level = cut.index.max()  # nobody's index is above it, and each is the first of its arm to be so low
    copy_arms(cut, arms)
    play_on(game, run, arms, taken, horizon, watch)
    copy(arms.count, before)
    for change in range(changes.rewards.size):
        arm, pull, reward = changes.arms[change], changes.pulls[change], changes.rewards[change]
        if pull > before[arm]:  # eq. (pull_count_unchanged): a reward that is never read changes nothing
            copy(before, after[change])
            continue
        changed = Source(source.law, source.location, source.scale, source.seed, arm, pull, reward)
        other = Game(game.curves, game.tables, changed, game.horizon)
        copy_arms(cut, arms)
        reset_arm(arms, arm)
        most = horizon - taken + cut.count[arm]
        if advance(other, run, arms, arm, level, most, never):
            played = arms.count.sum()
        else:  # the changed arm alone takes more than is left: cut all arms again, higher
            pull_each_once(other, run, arms, never)
            played = cut_all(other, run, arms, descent, expected, horizon, never)
        play_on(other, run, arms, played, horizon, watch)
        copy(arms.count, after[change])
