"""The step engine's kernel for indices of general policies: many runs side by side, round by round.

The lanes of all runs are at the same round. Their indices of an arm are one loop that the compiler vectorises, and so
is the search for the largest; what an arm gives is then told lane by lane. The counts are those of `step_rules`.
"""

from typing import Any

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_LOOK, Watch
from steadyarm.engines.played.step_rules import Frame
from steadyarm.engines.source import Source
from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import compiled
from steadyarm.model.lanes import LED_AT_ONCE, lane_of, lead
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells
from steadyarm.policies.rules.dispatch import index_of, keep_by, update_by
from steadyarm.policies.rules.noise import Noise

_CELLS_READ_AHEAD = 1 << 14  # at most, of all arms and lanes together
_FEWEST, _MOST = 16, 64  # of one arm in one lane


@compiled
def fill_values(
    parameters: Any,
    seed: np.uint64,
    run: int,
    number: int,
    count: Integers,
    total: Floats,
    state: Floats,
    values: Floats,
) -> None:
    """Write the indices of all arms, a row each, in all lanes; a function of its own, where the loop is vectorised."""
    n_arms, lanes = values.shape
    for arm in range(n_arms):
        for lane in range(lanes):
            values[arm, lane] = index_of(
                parameters,
                Noise(seed, run + lane, number),
                arm,
                lane_of(count, lane, lanes, n_arms),
                lane_of(total, lane, lanes, n_arms),
                lane_of(state, lane, lanes, state.size // lanes),
            )


@compiled
def play_lanes(
    parameters: Any,
    frame: Frame,
    source: Source,
    lanes: int,
    at: Integers,
    first_run: int,
    counts: Integers,
    watch: Watch,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run."""
    rows, n_arms = counts.shape[0], counts.shape[2]
    stop, done = watch.stop, watch.done
    law, location, scale, seed = source.law, source.location, source.scale, source.seed
    buffered = max(_FEWEST, min(_MOST, _CELLS_READ_AHEAD // (n_arms * lanes) // _FEWEST * _FEWEST))
    order = np.empty(n_arms, np.int64)
    rank = np.empty((n_arms, lanes), np.int64)
    ranked = np.empty((n_arms, lanes), np.int64)
    count = np.empty(n_arms * lanes, np.int64)
    total = np.empty(n_arms * lanes)
    state = np.empty(frame.state_size * lanes)
    filled = np.empty((n_arms, lanes), np.int64)
    cells = np.empty((n_arms, lanes, buffered))
    values = np.empty((n_arms, lanes))
    leader = np.empty(lanes, np.int64)
    opening = n_arms if frame.pulls_each_arm_first else 0
    for row in range(0, rows, lanes):
        run, written = first_run + row, min(lanes, rows - row)
        for lane in range(lanes):
            fill_priority(seed, run + lane, order)
            for arm in range(n_arms):
                rank[arm, lane] = order[arm]
                ranked[order[arm], lane] = arm
        count[:], filled[:], total[:], state[:] = 0, 0, 0.0, 0.0
        played, moment = 0, 0
        while played < frame.horizon:
            if stop[0] != 0:
                return
            rounds = min(ROUNDS_PER_LOOK // lanes, at[moment] - played)
            for number in range(played + 1, played + rounds + 1):
                if number <= opening:
                    leader[:] = ranked[number - 1]
                else:
                    fill_values(parameters, seed, run, number, count, total, state, values)
                    for lane in range(0, lanes, LED_AT_ONCE):
                        lead(values, rank, leader, lane)
                for lane in range(lanes):
                    arm = leader[lane]
                    place = arm * lanes + lane
                    n = count[place]
                    if n == filled[arm, lane]:
                        blocks = max(1, min(buffered, n) // CELLS_PER_BLOCK)
                        read = blocks * CELLS_PER_BLOCK
                        fill_cells(
                            law,
                            location[arm],
                            scale[arm],
                            seed,
                            run + lane,
                            arm,
                            n // CELLS_PER_BLOCK,
                            blocks,
                            cells[arm, lane, buffered - read :],
                        )
                        filled[arm, lane] = n + read
                    reward = cells[arm, lane, buffered + n - filled[arm, lane]]
                    count[place] = n + 1
                    total[place] += reward
                    seen, sums = lane_of(count, lane, lanes, n_arms), lane_of(total, lane, lanes, n_arms)
                    own = lane_of(state, lane, lanes, frame.state_size)
                    update_by(parameters, Noise(seed, run + lane, number), arm, reward, seen, sums, own)
                    keep_by(parameters, arm, seen, sums, own)
            played += rounds
            done[0] += rounds * written
            if played == at[moment]:
                for lane in range(written):
                    for arm in range(n_arms):
                        counts[row + lane, moment, arm] = count[arm * lanes + lane]
                moment += 1
