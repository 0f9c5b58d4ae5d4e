"""Policies with an envelope: two independent decreasing sequences of indices, cut at a common level.

A round goes to the larger index, and an index never rises. So arm 0 ends with n pulls and arm 1 with m, the last of
them arm 0's, if the index of arm 0 before its last pull lies between those of arm 1 after and before its last pull
(Lemma online_offline_equivalence). All that has to be known of an arm is the law of its successes and its running
minimum after each pull, and both arms have the same one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.operations import fma
from steadyarm.policies.core.curves import tilt
from steadyarm.policies.core.own_history import OwnHistoryPolicy, upper_values


class Minima(NamedTuple):
    """The law of an arm's successes and running minimum after some pulls.

    The nodes with s successes stand from starts[s] to starts[s + 1], by increasing minimum.
    """

    starts: Integers
    ranks: Integers  # of the running minimum among all values that it can take
    ways: Floats  # how many reward sequences lead here


def cut_weights(policy: OwnHistoryPolicy) -> list[Floats]:
    """Return how many reward sequences lead to each end, over both orders of priority; see `recursion_weights`."""
    curves, horizon = policy.curves, policy.horizon
    uppers = [upper_values(curves, n) for n in range(horizon)]
    values, places = np.unique(np.concatenate(uppers), return_inverse=True)  # the last one is infinite
    ranks = np.split(places.astype(np.int64), np.cumsum([len(upper) for upper in uppers])[:-1])
    tilts = np.array([0.0] + [float(tilt(curves, float(n))) for n in range(1, horizon)])
    laws = [Minima(np.array([0, 1]), ranks[0], np.ones(1))]
    for n in range(1, horizon - 1):
        laws.append(_after_one_more(laws[-1], ranks[n]))

    last_first = [np.zeros((n + 1, horizon - n + 1)) for n in range(horizon + 1)]
    for n in range(1, horizon):
        m = horizon - n
        taken = np.zeros(len(values), bool)
        taken[laws[n - 1].ranks] = True
        levels, places = np.flatnonzero(taken), np.cumsum(taken) - 1
        between = np.zeros((len(levels), m + 1))
        now, then = uppers[m] + tilts[m], values + tilts[m - 1]
        _fill_between(values[levels] + tilts[n - 1], laws[m - 1], then, values + tilts[m], now, between)
        joint = np.zeros((n, m + 1))
        _add_up(laws[n - 1], places[laws[n - 1].ranks], between, joint)
        last_first[n][:-1] += joint
        last_first[n][1:] += joint
    return [last_first[n] + last_first[horizon - n].T for n in range(horizon + 1)]


def _after_one_more(law: Minima, caps: Integers) -> Minima:
    """Return the law after one more pull, where the minimum is at most caps[s]."""
    most = 2 * len(law.ranks)
    after = Minima(np.zeros(len(caps) + 1, np.int64), np.empty(most, np.int64), np.empty(most))
    _merge(law, caps, after)
    size = after.starts[-1]
    return Minima(after.starts, after.ranks[:size].copy(), after.ways[:size].copy())


@compiled
def _merge(law: Minima, caps: Integers, after: Minima) -> None:
    """Merge the nodes that a zero and a one lead to; equal minima become one node, and so do all from the cap on."""
    size = 0
    for s in range(caps.size):
        at, end = (law.starts[s], law.starts[s + 1]) if s + 1 < caps.size else (0, 0)
        other, last = (law.starts[s - 1], law.starts[s]) if s > 0 else (0, 0)
        begin = size
        while at < end or other < last:
            if other == last or (at < end and law.ranks[at] <= law.ranks[other]):
                rank, ways = law.ranks[at], law.ways[at]
                at += 1
            else:
                rank, ways = law.ranks[other], law.ways[other]
                other += 1
            rank = min(rank, caps[s])
            if size > begin and after.ranks[size - 1] == rank:
                after.ways[size - 1] += ways
            else:
                after.ranks[size], after.ways[size] = rank, ways
                size += 1
        after.starts[s + 1] = size


@compiled
def _fill_between(
    levels: Floats, law: Minima, before: Floats, after: Floats, fresh: Floats, between: Floats
) -> None:
    """Write for each level and success how many sequences have an index above the level before their last pull only.

    On the level itself priority decides: half of both. `before` and `after` are the indices by the rank of the minimum
    so far, `fresh` those by the successes if the last pull gave a new minimum.
    """
    # Sums over nodes of equal successes only: sequences of others can be far more, and far less probable.
    sums = np.zeros(law.ranks.size + 1)
    for s in range(fresh.size):
        for one in range(2):
            if not 0 <= s - one < law.starts.size - 1:
                continue
            begin, end = law.starts[s - one], law.starts[s - one + 1]
            sums[begin] = 0.0
            for node in range(begin, end):
                sums[node + 1] = sums[node] + law.ways[node]
            at_most, below, at_most_after, below_after = begin, begin, begin, begin
            lowest = min(fresh[s], after[law.ranks[begin]])
            for place in range(np.searchsorted(levels, lowest), levels.size):
                level = levels[place]
                if level > before[law.ranks[end - 1]]:
                    break
                while at_most < end and before[law.ranks[at_most]] <= level:
                    at_most += 1
                while below < end and before[law.ranks[below]] < level:
                    below += 1
                while at_most_after < end and after[law.ranks[at_most_after]] <= level:
                    at_most_after += 1
                while below_after < end and after[law.ranks[below_after]] < level:
                    below_after += 1
                won = sums[end if fresh[s] <= level else at_most_after] - sums[at_most]
                lost = sums[end if fresh[s] < level else below_after] - sums[below]
                between[place, s] += 0.5 * (won + lost)


@compiled
def _add_up(law: Minima, places: Integers, between: Floats, joint: Floats) -> None:
    """Add over the nodes of arm 0 what its index is between; of each level mostly zeros, left and right."""
    first = np.full(between.shape[0], between.shape[1])
    last = np.zeros(between.shape[0], np.int64)
    for place in range(between.shape[0]):
        for r in range(between.shape[1]):
            if between[place, r] > 0.0:
                first[place] = min(first[place], r)
                last[place] = r + 1
    for s in range(law.starts.size - 1):
        for node in range(law.starts[s], law.starts[s + 1]):
            for r in range(first[places[node]], last[places[node]]):
                joint[s, r] = fma(law.ways[node], between[places[node], r], joint[s, r])
