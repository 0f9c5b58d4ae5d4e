"""The step engine's kernel for own-history policies when no arm is its own clock.

That is so when rewards come late, when means move with the rounds, or when random rounds are mixed in. The index is
then envelope(rewards told) + tilt(pulls assigned), as in `IndexPlay`. O(log K) a round. Unless delays are random,
rewards are told in the order of their rounds, and need no lists to wait in.
"""

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_LOOK, Watch
from steadyarm.engines.played.cells import BUFFERED, read_ahead
from steadyarm.engines.played.game import Tables, tilt_after
from steadyarm.engines.played.waiting import first_unheard, let_nothing_wait, room_to_wait, wait
from steadyarm.engines.source import MovingSource, noise_of, reward_from
from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import compiled, inlined
from steadyarm.model.feedback import ROUNDS_AT_ONCE, Lateness, fill_due
from steadyarm.model.priority import fill_priority
from steadyarm.policies.core.curves import Curves, bonus_at, upper_from_bonus
from steadyarm.policies.rules.mixing import Mixing, mixed_arm, share_in
from steadyarm.policies.rules.noise import Noise

_FEW = 32  # arms, for which looking at all of them is quicker than a tree


@compiled
def play_late_indices(
    curves: Curves,
    tables: Tables,
    source: MovingSource,
    late: Lateness,
    mixing: Mixing,
    at: Integers,
    first_run: int,
    counts: Integers,
    watch: Watch,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run.

    Arms are named by their ranks, so that of equal indices the left one wins.
    """
    seed, law, horizon, n_arms = source.seed, source.law, at[-1], counts.shape[2]
    bonuses, tilts, clip, mask = tables.bonuses, tables.tilts, curves.clip, late.room - 1
    rank, by_rank = np.empty(n_arms, np.int64), np.empty(n_arms, np.int64)
    assigned, told = np.empty(n_arms, np.int64), np.empty(n_arms, np.int64)
    total, value, index = np.empty(n_arms), np.empty(n_arms), np.empty(n_arms)
    start, filled = np.empty(n_arms, np.int64), np.empty(n_arms, np.int64)
    cells, tree = np.empty((n_arms, BUFFERED)), np.empty(2 * n_arms, np.int64)
    order, many = np.arange(n_arms), n_arms > _FEW
    in_order, delay, batch = late.slope == 0.0 and late.up_to.size == 0, late.rounds, late.batch
    tilts_before_news = curves.tilt != 0.0 and not (in_order and delay == 0 and batch == 1)
    waiting, told_after = room_to_wait(late.room), np.empty(ROUNDS_AT_ONCE, np.int64)
    waiting_arm, waiting_reward, following, last = waiting
    for row in range(counts.shape[0]):
        run = first_run + row
        fill_priority(seed, run, rank)
        for arm in range(n_arms):
            by_rank[rank[arm]] = arm
        let_nothing_wait(last)
        assigned[:], told[:], start[:], filled[:] = 0, 0, 0, 0
        total[:], value[:], index[:] = 0.0, np.inf, -np.inf
        tree[:n_arms], tree[n_arms:] = 0, order
        played, moment, stretch, unheard = 0, 0, 0, n_arms
        heard, news = 0, batch  # in order: the last round that was told, and the next after which some are
        while played < horizon:
            if watch.stop[0] != 0:
                return
            while played >= source.ends[stretch]:
                stretch += 1
            location, scale = source.location[stretch], source.scale[stretch]
            rounds = min(ROUNDS_PER_LOOK, at[moment] - played, source.ends[stretch] - played)
            for number in range(played + 1, played + rounds + 1):
                one = tree[1] if many else _largest(index)
                if unheard > 0:
                    one = first_unheard(order, assigned, told)
                if mixing.share > 0.0:
                    share = share_in(mixing, number)
                    one = rank[mixed_arm(Noise(seed, run, number), share, n_arms, by_rank[one])]
                arm, n = by_rank[one], assigned[one]
                if n == filled[one]:
                    read_ahead(noise_of(source, run, arm), n, cells, start, filled, one)
                assigned[one] = n + 1
                place = number & mask
                waiting_arm[place] = one
                waiting_reward[place] = reward_from(
                    law, location[arm], scale[arm], cells[one, n - start[one]]
                )
                if not in_order:
                    if number == 1 or number % ROUNDS_AT_ONCE == 0:
                        fill_due(late, seed, run, number // ROUNDS_AT_ONCE, told_after)
                    due = told_after[number % ROUNDS_AT_ONCE]
                    if due < horizon:
                        wait(following, last, place, due & mask)
                if tilts_before_news and told[one] > 0:
                    index[one] = value[one] + tilt_after(curves, tilts, n + 1)
                    if many:
                        _replant(tree, index, one)
                if in_order:
                    place = heard & mask
                    if number == news:
                        heard, news = max(heard, number - delay), news + batch
                    end = heard & mask
                else:
                    place = late.room + (number & mask)
                    end, last[number & mask] = last[number & mask], place
                while place != end:
                    place = (place + 1) & mask if in_order else following[place]
                    one = waiting_arm[place]
                    n = told[one] + 1
                    told[one] = n
                    total[one] += min(clip, max(-clip, waiting_reward[place]))
                    pulls = np.float64(n)
                    bonus = bonuses[n] if n < bonuses.size else bonus_at(curves, pulls)
                    new = upper_from_bonus(curves, total[one] / pulls, bonus, pulls)
                    value[one] = min(value[one], new) if curves.envelope else new
                    index[one] = value[one] + tilt_after(curves, tilts, assigned[one])
                    if many:
                        _replant(tree, index, one)
                    unheard -= n == 1
            played += rounds
            watch.done[0] += rounds
            if played == at[moment]:
                for arm in range(n_arms):
                    counts[row, moment, arm] = assigned[rank[arm]]
                moment += 1


@inlined
def _largest(index: Floats) -> int:
    """Return where the largest index is, the first of equal ones.

    Without a branch, which no one could predict, and in two halves at once, as each comparison waits for the last one.
    """
    half, end = (index.size + 1) // 2, index.size - 1
    left, right = 0, min(half, end)
    largest_left, largest_right = index[left], index[right]
    for step in range(1, half):
        here, there = step, min(half + step, end)
        larger = index[here] > largest_left
        left = here if larger else left
        largest_left = index[here] if larger else largest_left
        larger = index[there] > largest_right
        right = there if larger else right
        largest_right = index[there] if larger else largest_right
    return right if largest_right > largest_left else left


@inlined
def _replant(tree: Integers, index: Floats, one: int) -> None:
    """Find the winners above an arm, named by its rank, whose index has changed."""
    node = (index.size + one) >> 1
    while node > 0:
        left, right = tree[2 * node], tree[2 * node + 1]
        behind = (index[left] < index[right]) | ((index[left] == index[right]) & (right < left))
        tree[node] = right if behind else left
        node >>= 1
