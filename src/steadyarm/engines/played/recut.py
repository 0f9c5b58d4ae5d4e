"""Cuts one run again with one changed reward: only the arm that owns the reward is taken down anew.

All other arms stay at the level at which the run was first cut (the paper's single-coordinate perturbation);
the rounds that are left are then played one by one.
"""

import numpy as np

from steadyarm.engines.played.arms import (
    Arms,
    Floats,
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
from steadyarm.engines.played.prefix import cut_all, expected_level
from steadyarm.model.compiled import compiled
from steadyarm.model.instance import Instance
from steadyarm.model.priority import fill_priority
from steadyarm.policies.core.base import OwnHistoryPolicy
from steadyarm.policies.core.curves import Curves

_ROOM = 4.0  # extra standard deviations of the level that leave room for the changed arm


def counts_with_changes(
    policy: OwnHistoryPolicy,
    instance: Instance,
    seed: int,
    run: int,
    arms: Integers,
    pulls: Integers,
    rewards: Floats,
) -> tuple[Integers, Integers]:
    """Return a run's counts, and below each other its counts with each of the changes made alone."""
    level, spread = expected_level(policy.curves, instance)
    before = np.zeros(policy.n_arms, dtype=np.int64)
    after = np.zeros((len(arms), policy.n_arms), dtype=np.int64)
    _recut(
        policy.curves,
        tables_of(policy.curves),
        source_of(instance, seed),
        run,
        level + _ROOM * spread,
        spread,
        policy.horizon,
        arms,
        pulls,
        rewards,
        before,
        after,
    )
    return before, after


@compiled
def _recut(
    curves: Curves,
    tables: Tables,
    source: Source,
    run: int,
    expected: float,
    spread: float,
    horizon: int,
    changed_arms: Integers,
    changed_pulls: Integers,
    rewards: Floats,
    before: Integers,
    after: Integers,
) -> None:
    never, ignored = np.zeros(1, np.int64), np.zeros(1, np.int64)
    cut, arms = empty_arms(before.size), empty_arms(before.size)
    fill_priority(source.seed, run, cut.rank)
    arms.rank[:] = cut.rank
    taken = cut_all(curves, tables, source, run, cut, expected, spread, horizon, never)
    level = cut.index.max()  # nobody's index is above it, and each is the first of its arm to be so low
    _copy(cut, arms)
    play_on(curves, tables, source, run, arms, taken, horizon, never, ignored)
    before[:] = arms.count
    for change in range(rewards.size):
        arm, pull = changed_arms[change], changed_pulls[change]
        if pull > before[arm]:  # eq. (pull_count_unchanged): a reward that is never read changes nothing
            after[change] = before
            continue
        changed = Source(source.law, source.location, source.scale, source.seed, arm, pull, rewards[change])
        _copy(cut, arms)
        begin(arms, arm)
        room = horizon - taken + cut.count[arm]
        if advance(curves, tables, changed, run, arms, arm, level, room, never):
            played = arms.count.sum()
        else:  # the changed arm alone takes more than is left: cut all arms again, higher
            played = cut_all(curves, tables, changed, run, arms, expected, spread, horizon, never)
        play_on(curves, tables, changed, run, arms, played, horizon, never, ignored)
        after[change] = arms.count


@compiled
def _copy(source: Arms, target: Arms) -> None:
    """Copy the state of all arms."""
    target.count[:] = source.count
    target.index[:] = source.index
    target.start[:] = source.start
    target.filled[:] = source.filled
    target.total[:] = source.total
    target.value[:] = source.value
    target.ahead[:] = source.ahead
