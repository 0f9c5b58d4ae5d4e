"""The step engine's kernel for general policies: one kernel, compiled anew for each type of parameters.

It calls no other compiled function with the parameters: Numba would cache that one on disk with a user's own
type in it, and no process without the user's module could read the cache again.
"""

from typing import Any, NamedTuple

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_LOOK, Watch
from steadyarm.engines.source import Source
from steadyarm.model.arrays import Integers
from steadyarm.model.compiled import compiled
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells
from steadyarm.policies.core.binding import OVERWRITTEN
from steadyarm.policies.core.dispatch import choose_fast, update_by
from steadyarm.policies.core.mixing import mixed_arm
from steadyarm.policies.core.noise import Noise

_BUFFERED = 64  # cells of one arm read ahead


class Frame(NamedTuple):
    """What a general policy says besides its rule, and the share of rounds that are given at random."""

    horizon: int
    state_size: int
    pulls_each_arm_first: bool
    share: float = 0.0


@compiled
def play_rules(
    parameters: Any,
    frame: Frame,
    source: Source,
    at: Integers,
    first_run: int,
    counts: Integers,
    watch: Watch,
    fault: Integers,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run.

    A choice that is no arm ends the work; `fault` gets its round, run and arm. So does a rule that writes to the counts
    or the totals, which are kept for it: a second copy of both, which no rule sees, tells.
    """
    horizon, share = frame.horizon, frame.share
    stop, done = watch.stop, watch.done
    law, location, scale, seed = source.law, source.location, source.scale, source.seed
    n_arms = location.size
    rank = np.empty(n_arms, np.int64)
    by_rank = np.empty(n_arms, np.int64)
    totals = np.empty(n_arms)
    values = np.empty(n_arms)
    state = np.empty(frame.state_size)
    pulls = np.empty(n_arms, np.int64)
    sums = np.empty(n_arms)
    filled = np.empty(n_arms, np.int64)
    start = np.empty(n_arms, np.int64)
    cells = np.empty((n_arms, _BUFFERED))
    for row in range(counts.shape[0]):
        count = counts[row, at.size - 1]
        run = first_run + row
        fill_priority(seed, run, rank)
        for arm in range(n_arms):
            by_rank[rank[arm]] = arm
            count[arm] = 0
            totals[arm] = 0.0
            pulls[arm] = 0
            sums[arm] = 0.0
            filled[arm] = 0
            start[arm] = 0
        state[:] = 0.0
        played, moment = 0, 0
        first = 0 if frame.pulls_each_arm_first else n_arms
        while played < horizon:
            if stop[0] != 0:
                return
            rounds = min(ROUNDS_PER_LOOK, at[moment] - played)
            for number in range(played + 1, played + rounds + 1):
                noise = Noise(seed, run, number)
                while first < n_arms and pulls[by_rank[first]] > 0:
                    first += 1
                if first < n_arms:
                    arm = by_rank[first]
                else:
                    arm = choose_fast(parameters, noise, rank, count, totals, state, values)
                    if arm < 0 or arm >= n_arms:
                        fault[0], fault[1], fault[2] = number, run, arm
                        return
                if share > 0.0:
                    arm = mixed_arm(noise, share, n_arms, arm)
                n = pulls[arm]
                if n == filled[arm]:
                    blocks = max(1, min(_BUFFERED, n) // CELLS_PER_BLOCK)
                    block = n // CELLS_PER_BLOCK
                    fill_cells(law, location[arm], scale[arm], seed, run, arm, block, blocks, cells[arm])
                    start[arm] = n
                    filled[arm] = n + blocks * CELLS_PER_BLOCK
                reward = cells[arm, n - start[arm]]
                if count[arm] != n or totals[arm] != sums[arm]:
                    fault[0], fault[1], fault[2] = number, run, OVERWRITTEN
                    return
                pulls[arm] = n + 1
                sums[arm] += reward
                count[arm] = pulls[arm]
                totals[arm] = sums[arm]
                update_by(parameters, noise, arm, reward, count, totals, state)
            for arm in range(n_arms):
                if count[arm] != pulls[arm] or totals[arm] != sums[arm]:
                    fault[0], fault[1], fault[2] = played + rounds, run, OVERWRITTEN
                    return
            played += rounds
            done[0] += rounds
            if played == at[moment]:
                counts[row, moment] = count
                moment += 1
