"""The GPU's kernel for general policies: one thread a run, any rule, compiled for its type of parameters.

Every round reads what the rule keeps of every arm. With few arms that stays in shared memory while rounds are played,
and otherwise in the card's memory. All threads of a warp draw rewards together, after every `CELLS_PER_BLOCK` rounds:
each for the arm of those just pulled that is nearest to its last reward. An arm that has none left waits until then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda, float64, int64

from steadyarm.engines.cuda.card import LANES
from steadyarm.engines.cuda.columns import array_of, column_of
from steadyarm.engines.cuda.operations import shared_with_cpu
from steadyarm.model import priority
from steadyarm.model.table import CELLS_PER_BLOCK, Row, four_cells
from steadyarm.policies.rules import dispatch
from steadyarm.policies.rules.binding import with_names
from steadyarm.policies.rules.dispatch import specialise_for_gpu
from steadyarm.policies.rules.noise import Noise

IN_SHARED = True  # where a run's numbers are; the kernel for many arms has another value under this name
RING = 2 * CELLS_PER_BLOCK  # room for an arm's rewards ahead; a power of two

fill_priority = shared_with_cpu(priority.fill_priority)
choose_arm = shared_with_cpu(dispatch.choose_arm)
absorb_reward = shared_with_cpu(dispatch.absorb_reward)


class Runs(NamedTuple):
    """The state of all runs, a row for each number and a column for each run, laid out flat."""

    rank: Any
    counts: Any
    totals: Any
    drawn: Any  # rewards of each arm that were drawn so far
    state: Any  # what the rule keeps itself
    cells: Any  # `RING` rows for each arm: the rewards drawn last
    played: Any
    faults: Any  # two rows: round and arm of a choice that is no arm


def _play_rule(parameters, frame, source, first_run, rounds, runs):
    """Play up to `rounds` more rounds of every run; a choice that is no arm ends it, and stands in `faults`."""
    column, columns, n_arms = cuda.grid(1), runs.played.size, source.location.size
    if column >= columns or runs.faults[column] > 0:
        return
    room, cells = runs.state.size // columns, runs.cells
    run, now, seed = first_run + column, runs.played[column], source.seed
    ranks = runs.rank[column::columns]
    if IN_SHARED:
        doubles, integers, lane = cuda.shared.array(0, float64), cuda.shared.array(0, int64), cuda.threadIdx.x
        count = column_of(integers, lane, LANES, n_arms)
        drawn = column_of(integers, LANES * n_arms + lane, LANES, n_arms)
        total = column_of(doubles, 2 * LANES * n_arms + lane, LANES, n_arms)
        own = column_of(doubles, 3 * LANES * n_arms + lane, LANES, room)
        for arm in range(n_arms):
            slot = arm * columns + column
            count[arm], drawn[arm], total[arm] = runs.counts[slot], runs.drawn[slot], runs.totals[slot]
        for place in range(room):
            own[place] = runs.state[place * columns + column]
    else:
        count = column_of(runs.counts, column, columns, n_arms)
        drawn = column_of(runs.drawn, column, columns, n_arms)
        total = column_of(runs.totals, column, columns, n_arms)
        own = column_of(runs.state, column, columns, room)
    if now == 0:
        fill_priority(seed, run, ranks)
    end = min(frame.horizon, now + rounds)
    arm = needy = -1
    while now < end:
        if needy >= 0:
            block = drawn[needy] // CELLS_PER_BLOCK
            row = Row(source.law, source.location[needy], source.scale[needy], seed, run, needy)
            x0, x1, x2, x3 = four_cells(row, block)
            first = (RING * needy + (drawn[needy] & (RING - 1))) * columns + column
            cells[first], cells[first + columns] = x0, x1
            cells[first + 2 * columns], cells[first + 3 * columns] = x2, x3
            drawn[needy] += CELLS_PER_BLOCK
        needy, fewest = -1, CELLS_PER_BLOCK
        for _ in range(CELLS_PER_BLOCK):
            if now == end:
                break
            noise = Noise(seed, run, now + 1)
            if arm < 0:
                if frame.pulls_each_arm_first and now < n_arms:
                    arm = 0
                    while ranks[arm] != now:
                        arm += 1
                else:
                    arm = choose_arm(parameters, noise, ranks, count, total, own)
                    if arm < 0 or arm >= n_arms:
                        runs.faults[column], runs.faults[columns + column] = now + 1, arm
                        return
            n = count[arm]
            ahead = drawn[arm] - n
            if ahead <= fewest:
                needy, fewest = arm, ahead
            if ahead == 0:
                break
            reward = cells[(RING * arm + (n & (RING - 1))) * columns + column]
            absorb_reward(parameters, noise, arm, reward, count, total, own)
            now += 1
            arm = -1
    runs.played[column] = np.int64(end)
    if IN_SHARED:
        for arm in range(n_arms):
            slot = arm * columns + column
            runs.counts[slot], runs.drawn[slot], runs.totals[slot] = count[arm], drawn[arm], total[arm]
        for place in range(room):
            runs.state[place * columns + column] = own[place]


play_in_shared = cuda.jit(_play_rule)
play_in_memory = cuda.jit(with_names(_play_rule, {"IN_SHARED": False}))


def kernel_for(parameters, in_shared):
    """Return the kernel with the rule for such parameters, as it is now."""
    choose, absorb = specialise_for_gpu(parameters)
    if choose is dispatch.choose_arm:
        return play_in_shared if in_shared else play_in_memory
    bound = {"choose_arm": shared_with_cpu(choose), "absorb_reward": shared_with_cpu(absorb)}
    bound |= {
        "IN_SHARED": in_shared,
        "column_of": array_of,
    }  # its rule may do anything that one does with arrays
    return cuda.jit(with_names(_play_rule, bound))


def shared_bytes(n_arms: int, state_size: int) -> int:
    """Return the shared memory that a block of `LANES` runs takes."""
    return 8 * (3 * n_arms + state_size) * LANES
