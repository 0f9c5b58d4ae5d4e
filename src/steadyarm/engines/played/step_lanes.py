"""The step engine's kernel for general policies: many runs side by side, round by round.

The lanes of all runs are at the same round. What they choose is found for all of them at once; what an arm gives is
drawn, and told when it is due, lane by lane. It is compiled anew for each type of parameters, and what is None, `late`
or `fault`, costs nothing. It calls no cached function with the parameters but by way of `dispatch` and `side_by_side`,
in whose place a user's rule has functions of its own: no process without the user's module could read such a cache.
"""

from typing import Any, NamedTuple

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_CHECK, Watch
from steadyarm.engines.played.waiting import NONE, first_unheard
from steadyarm.engines.source import MovingSource, reward_from
from steadyarm.model.feedback import ROUNDS_AT_ONCE, Lateness, fill_due
from steadyarm.model.priority import fill_priority
from steadyarm.model.table import CELLS_PER_BLOCK, Row, fill_cells
from steadyarm.numerics.arrays import Integers, borrowed, copy
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.lanes import lane_of
from steadyarm.policies.rules.binding import OVERWRITTEN
from steadyarm.policies.rules.dispatch import keep_by, update_by
from steadyarm.policies.rules.mixing import Mixing, mixed_arm, share_in
from steadyarm.policies.rules.noise import Noise
from steadyarm.policies.rules.side_by_side import Room, Runs, choose_side_by_side

_CELLS_READ_AHEAD = 1 << 14  # at most, of all arms and lanes together
_FEWEST, _MOST = 16, 64  # of one arm in one lane

BYTES_PER_REWARD = 32
"""What a reward takes that waits."""


class Frame(NamedTuple):
    """What a general policy says besides its rule, and how many rounds are given at random."""

    horizon: int
    state_size: int
    pulls_each_arm_first: bool
    share: float = 0.0
    decay: float = 0.0


class RuleGame(NamedTuple):
    """What all runs of a general policy share: its rule's numbers, what else it says, the rewards."""

    parameters: Any
    frame: Frame
    source: MovingSource
    at: Integers  # the rounds after which counts are noted


@compiled
def play_lanes(
    game: RuleGame,
    late: Lateness | None,
    runs: Runs,
    room: Room,
    first_run: int,
    counts: Integers,
    watch: Watch,
    fault: Integers | None,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `game.at`, one row a run.

    Without `late` rewards are told at once, and no round is given at random. Rewards wait in slots. Unless delays are
    random they are told in the order of their rounds, slot after slot; else by lists, one for each round after which
    some are due, of all lanes.

    With a `fault`, for a rule that nobody knows, a choice that is no arm ends the work, and `fault` gets its round, run
    and arm. So does a rule that writes to the counts or the totals: a second copy of both, which no rule sees, tells.
    """
    parameters, frame, source, at = game
    runs, room = borrowed(runs), borrowed(room)
    rank, ranks, count, total, state, unheard, leader = runs
    rows, (n_arms, lanes), horizon = counts.shape[0], ranks.shape, frame.horizon
    stop, done, mixing = watch.stop, watch.done, Mixing(frame.share, frame.decay)
    law, seed, ends, still = source.law, source.seed, source.ends, source.ends.size == 1
    cell_law = law if still else source.noise_law
    buffered = max(_FEWEST, min(_MOST, _CELLS_READ_AHEAD // (n_arms * lanes) // _FEWEST * _FEWEST))
    order = np.empty(n_arms, np.int64)
    ranked = np.empty((n_arms, lanes), np.int64)
    filled = np.empty((n_arms, lanes), np.int64)
    cells = np.empty((n_arms, lanes, buffered))
    opening = n_arms if frame.pulls_each_arm_first else 0
    assigned = count
    if late is not None:
        mask, slots, delay = late.room - 1, late.room * lanes, late.rounds
        in_order = late.slope == 0.0 and late.up_to.size == 0
        assigned = np.empty(n_arms * lanes, np.int64)
        reports = np.empty(lanes, np.int64)
        due_after = np.empty((lanes, ROUNDS_AT_ONCE), np.int64)
        last, due_then = np.empty(late.room, np.int64), np.empty(late.room, np.int64)
        following = np.empty(
            slots + late.room, np.int64
        )  # lists begin in the last places, which hold no reward
        waiting_arm, waiting_lane = np.empty(slots, np.int64), np.empty(slots, np.int64)
        waiting_reward = np.empty(slots)
    if fault is not None:
        true_count, true_total = np.empty(n_arms * lanes, np.int64), np.empty(n_arms * lanes)
    for row in range(0, rows, lanes):
        run, written = first_run + row, min(lanes, rows - row)
        for lane in range(lanes):
            fill_priority(seed, run + lane, order)
            for arm in range(n_arms):
                rank[arm * lanes + lane] = order[arm]
                ranked[order[arm], lane] = arm
        count[:], filled[:], total[:], state[:], unheard[:] = 0, 0, 0.0, 0.0, 0
        if late is not None:
            assigned[:], reports[:], due_then[:], unheard[:] = 0, 0, 0, opening
            free, fresh, silent = NONE, 0, lanes if opening > 0 else 0
            heard, next_news = (
                0,
                late.batch,
            )  # in order: the last round that was told, and the next after which some are
            for place in range(late.room):
                last[place] = slots + place
        if fault is not None:
            true_count[:], true_total[:] = 0, 0.0
        played, moment, stretch = 0, 0, 0
        while played < horizon:
            if stop[0] != 0:
                return
            while played >= ends[stretch]:
                stretch += 1
            location, scale = source.location[stretch], source.scale[stretch]
            rounds = min(ROUNDS_PER_CHECK // lanes, at[moment] - played, ends[stretch] - played)
            for number in range(played + 1, played + rounds + 1):
                noise = Noise(seed, run, number)
                if late is None:
                    if number <= opening:
                        copy(ranked[number - 1], leader)
                    else:
                        choose_side_by_side(parameters, noise, runs, room)
                else:
                    if silent < lanes:
                        choose_side_by_side(parameters, noise, runs, room)
                    if silent > 0:
                        for lane in range(lanes):
                            if unheard[lane] > 0:
                                leader[lane] = first_unheard(
                                    lane_of(rank, lane, lanes, n_arms),
                                    lane_of(assigned, lane, lanes, n_arms),
                                    lane_of(count, lane, lanes, n_arms),
                                )
                    if fault is not None and not 0 <= leader[0] < n_arms:
                        fault[0], fault[1], fault[2] = number, run, leader[0]
                        return
                    if mixing.share > 0.0:
                        share = share_in(mixing, number)
                        for lane in range(lanes):
                            leader[lane] = mixed_arm(
                                Noise(seed, run + lane, number), share, n_arms, leader[lane]
                            )
                    if not in_order and (number == 1 or number % ROUNDS_AT_ONCE == 0):
                        for lane in range(lanes):
                            fill_due(late, seed, run + lane, number // ROUNDS_AT_ONCE, due_after[lane])
                for lane in range(lanes):
                    arm = leader[lane]
                    n = assigned[arm * lanes + lane]
                    if n == filled[arm, lane]:
                        blocks = max(1, min(buffered, n) // CELLS_PER_BLOCK)
                        read = blocks * CELLS_PER_BLOCK
                        cells_from = n // CELLS_PER_BLOCK
                        own_cells = cells[arm, lane, buffered - read :]
                        base, unit = (location[arm], scale[arm]) if still else (0.0, 1.0)
                        own_row = Row(cell_law, base, unit, seed, run + lane, arm)
                        fill_cells(own_row, cells_from, blocks, own_cells)
                        filled[arm, lane] = n + read
                    reward = cells[arm, lane, buffered + n - filled[arm, lane]]
                    if not still:
                        reward = reward_from(law, location[arm], scale[arm], reward)
                    if late is None:
                        count[arm * lanes + lane] = n + 1
                        total[arm * lanes + lane] += reward
                        seen, sums = lane_of(count, lane, lanes, n_arms), lane_of(total, lane, lanes, n_arms)
                        own = lane_of(state, lane, lanes, frame.state_size)
                        update_by(parameters, Noise(seed, run + lane, number), arm, reward, seen, sums, own)
                        keep_by(parameters, arm, seen, sums, own)
                    else:
                        assigned[arm * lanes + lane] = n + 1
                        slot = (number & mask) * lanes + lane
                        if not in_order:
                            due = due_after[lane, number % ROUNDS_AT_ONCE]
                            if due >= horizon:
                                continue
                            slot = fresh
                            if free == NONE:
                                fresh += 1
                            else:
                                slot, free = free, following[free]
                            following[last[due & mask]] = slot
                            last[due & mask] = slot
                            due_then[due & mask] += 1
                        waiting_arm[slot], waiting_lane[slot], waiting_reward[slot] = arm, lane, reward
                if late is not None:
                    if in_order:
                        slot, news = ((heard + 1) & mask) * lanes, 0
                        if number == next_news:
                            news = max(0, number - delay - heard) * lanes
                            heard, next_news = max(heard, number - delay), next_news + late.batch
                    else:
                        place = number & mask
                        slot, end, news = following[slots + place], last[place], due_then[place]
                        last[place], due_then[place] = slots + place, 0
                        if news > 0:
                            following[end], free = free, slot
                    for _ in range(news):
                        arm, lane, reward = waiting_arm[slot], waiting_lane[slot], waiting_reward[slot]
                        slot = (slot + 1) & (slots - 1) if in_order else following[slot]
                        reports[lane] += 1
                        place = arm * lanes + lane
                        if fault is not None:
                            if count[place] != true_count[place] or total[place] != true_total[place]:
                                fault[0], fault[1], fault[2] = number, run, OVERWRITTEN
                                return
                            true_count[place] += 1
                            true_total[place] += reward
                        if count[place] == 0 and opening > 0:
                            unheard[lane] -= 1
                            silent -= unheard[lane] == 0
                        count[place] += 1
                        total[place] += reward
                        seen, sums = lane_of(count, lane, lanes, n_arms), lane_of(total, lane, lanes, n_arms)
                        own = lane_of(state, lane, lanes, frame.state_size)
                        update_by(
                            parameters, Noise(seed, run + lane, reports[lane]), arm, reward, seen, sums, own
                        )
                        keep_by(parameters, arm, seen, sums, own)
            if fault is not None:
                for place in range(n_arms):
                    if count[place] != true_count[place] or total[place] != true_total[place]:
                        fault[0], fault[1], fault[2] = played + rounds, run, OVERWRITTEN
                        return
            played += rounds
            done[0] += rounds * written
            if played == at[moment]:
                for lane in range(written):
                    for arm in range(n_arms):
                        counts[row + lane, moment, arm] = assigned[arm * lanes + lane]
                moment += 1
