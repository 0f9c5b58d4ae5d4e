"""The step engine's kernel for general policies: one kernel, compiled anew for each type of parameters.

It calls no other compiled function with the parameters: Numba would cache that one on disk with a user's own
type in it, and no process without the user's module could read the cache again.
"""

from typing import Any, NamedTuple

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_LOOK, Watch
from steadyarm.engines.played.cells import BUFFERED, read_ahead
from steadyarm.engines.played.waiting import first_unheard, let_nothing_wait, room_to_wait, wait
from steadyarm.engines.source import MovingSource, reward_from
from steadyarm.model.arrays import Integers, copy
from steadyarm.model.compiled import compiled
from steadyarm.model.feedback import ROUNDS_AT_ONCE, Lateness, fill_due
from steadyarm.model.priority import fill_priority
from steadyarm.policies.rules.binding import OVERWRITTEN
from steadyarm.policies.rules.dispatch import choose_fast, keep_by, update_by
from steadyarm.policies.rules.mixing import Mixing, mixed_arm, share_in
from steadyarm.policies.rules.noise import Noise


class Frame(NamedTuple):
    """What a general policy says besides its rule, and how many rounds are given at random."""

    horizon: int
    state_size: int
    pulls_each_arm_first: bool
    share: float = 0.0
    decay: float = 0.0


@compiled
def play_rules(
    parameters: Any,
    frame: Frame,
    source: MovingSource,
    late: Lateness,
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
    horizon, mixing = frame.horizon, Mixing(frame.share, frame.decay)
    stop, done = watch.stop, watch.done
    law, noise_law, seed, ends = source.law, source.noise_law, source.seed, source.ends
    n_arms, mask = counts.shape[2], late.room - 1
    rank = np.empty(n_arms, np.int64)
    count = np.empty(n_arms, np.int64)
    totals = np.empty(n_arms)
    values = np.empty(n_arms)
    state = np.empty(frame.state_size)
    assigned = np.empty(n_arms, np.int64)
    told = np.empty(n_arms, np.int64)
    sums = np.empty(n_arms)
    filled = np.empty(n_arms, np.int64)
    start = np.empty(n_arms, np.int64)
    cells = np.empty((n_arms, BUFFERED))
    waiting, told_after = room_to_wait(late.room), np.empty(ROUNDS_AT_ONCE, np.int64)
    waiting_arm, waiting_reward, following, last = waiting
    for row in range(counts.shape[0]):
        run = first_run + row
        fill_priority(seed, run, rank)
        let_nothing_wait(last)
        count[:], assigned[:], told[:], filled[:], start[:] = 0, 0, 0, 0, 0
        totals[:], sums[:], state[:] = 0.0, 0.0, 0.0
        played, moment, stretch, reports = 0, 0, 0, 0
        unheard = n_arms if frame.pulls_each_arm_first else 0
        while played < horizon:
            if stop[0] != 0:
                return
            while played >= ends[stretch]:
                stretch += 1
            location, scale = source.location[stretch], source.scale[stretch]
            rounds = min(ROUNDS_PER_LOOK, at[moment] - played, ends[stretch] - played)
            for number in range(played + 1, played + rounds + 1):
                if unheard > 0:
                    arm = first_unheard(rank, assigned, told)
                else:
                    noise = Noise(seed, run, number)
                    arm = choose_fast(parameters, noise, rank, count, totals, state, values)
                    if arm < 0 or arm >= n_arms:
                        fault[0], fault[1], fault[2] = number, run, arm
                        return
                if mixing.share > 0.0:
                    share = share_in(mixing, number)
                    arm = mixed_arm(Noise(seed, run, number), share, n_arms, arm)
                n = assigned[arm]
                if n == filled[arm]:
                    read_ahead(noise_law, seed, run, arm, n, cells, start, filled, arm)
                assigned[arm] = n + 1
                if number == 1 or number % ROUNDS_AT_ONCE == 0:
                    fill_due(late, seed, run, number // ROUNDS_AT_ONCE, told_after)
                due = told_after[number % ROUNDS_AT_ONCE]
                if due < horizon:
                    place = number & mask
                    waiting_arm[place] = arm
                    waiting_reward[place] = reward_from(
                        law, location[arm], scale[arm], cells[arm, n - start[arm]]
                    )
                    wait(following, last, place, due & mask)
                place = late.room + (number & mask)
                end, last[number & mask] = last[number & mask], place
                while place != end:
                    place = following[place]
                    arm, reward = waiting_arm[place], waiting_reward[place]
                    if count[arm] != told[arm] or totals[arm] != sums[arm]:
                        fault[0], fault[1], fault[2] = number, run, OVERWRITTEN
                        return
                    unheard -= told[arm] == 0 and frame.pulls_each_arm_first
                    told[arm] += 1
                    sums[arm] += reward
                    count[arm] = told[arm]
                    totals[arm] = sums[arm]
                    reports += 1
                    noise = Noise(seed, run, reports)
                    update_by(parameters, noise, arm, reward, count, totals, state)
                    keep_by(parameters, arm, count, totals, state)
            for arm in range(n_arms):
                if count[arm] != told[arm] or totals[arm] != sums[arm]:
                    fault[0], fault[1], fault[2] = played + rounds, run, OVERWRITTEN
                    return
            played += rounds
            done[0] += rounds
            if played == at[moment]:
                copy(assigned, counts[row, moment])
                moment += 1
