"""The GPU's kernel for general policies: one thread a run, any rule, compiled for its type of parameters."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from steadyarm.engines.cuda.operations import shared_with_cpu
from steadyarm.model import priority
from steadyarm.model.table import CELLS_PER_BLOCK, four_cells
from steadyarm.policies.rules import dispatch
from steadyarm.policies.rules.binding import with_names
from steadyarm.policies.rules.dispatch import specialise_for_gpu
from steadyarm.policies.rules.noise import Noise

fill_priority = shared_with_cpu(priority.fill_priority)
choose_arm = shared_with_cpu(dispatch.choose_arm)
absorb_reward = shared_with_cpu(dispatch.absorb_reward)


def kernel_for(parameters):
    """Return the kernel with the rule for such parameters, as it is now."""
    choose, absorb = specialise_for_gpu(parameters)
    if choose is dispatch.choose_arm:
        return play_rule
    shared = {"choose_arm": shared_with_cpu(choose), "absorb_reward": shared_with_cpu(absorb)}
    return cuda.jit(with_names(_play_rule, shared))


class Runs(NamedTuple):
    """The state of all runs, a column each: ranks, pulls and sums of the arms, and what the rule keeps itself."""

    rank: Any
    counts: Any
    totals: Any
    state: Any
    cells: Any  # `CELLS_PER_BLOCK` rows for each arm: the rewards read last
    played: Any
    faults: Any  # round and arm of a choice that is no arm


def _play_rule(parameters, frame, source, first_run, rounds, runs):
    """Play up to `rounds` more rounds of every run; a choice that is no arm ends it, and stands in `faults`."""
    column, cells, faults = cuda.grid(1), runs.cells, runs.faults
    if column >= runs.played.size or faults[0, column] > 0:
        return
    run, now, seed = first_run + column, runs.played[column], source.seed
    ranks, own = runs.rank[:, column], runs.state[:, column]
    count, total = runs.counts[:, column], runs.totals[:, column]
    if now == 0:
        fill_priority(seed, run, ranks)
    end = min(frame.horizon, now + rounds)
    while now < end:
        noise = Noise(seed, run, now + 1)
        arm = 0
        if frame.pulls_each_arm_first and now < ranks.size:
            while ranks[arm] != now:
                arm += 1
        else:
            arm = choose_arm(parameters, noise, ranks, count, total, own)
            if arm < 0 or arm >= ranks.size:
                faults[0, column], faults[1, column] = now + 1, arm
                return
        n = count[arm]
        place = n % CELLS_PER_BLOCK
        if place == 0:
            location, scale = source.location[arm], source.scale[arm]
            x0, x1, x2, x3 = four_cells(source.law, location, scale, seed, run, arm, n // CELLS_PER_BLOCK)
            first = CELLS_PER_BLOCK * arm
            cells[first, column], cells[first + 1, column] = x0, x1
            cells[first + 2, column], cells[first + 3, column] = x2, x3
        absorb_reward(parameters, noise, arm, cells[CELLS_PER_BLOCK * arm + place, column], count, total, own)
        now += 1
    runs.played[column] = np.int64(end)


play_rule = cuda.jit(_play_rule)
