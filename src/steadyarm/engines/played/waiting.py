"""Rewards of several runs that wait to be told, a list for each round after which some are due.

A list's place is used again after `room` rounds, a power of two that is more than any reward waits. Rewards wait in
slots, of which the one that was free last is taken first: the memory in use grows with the rewards that wait, not with
the horizon.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled, inlined

NONE = -1

Shorts = npt.NDArray[np.int32]


class Waiting(NamedTuple):
    """Slots, and by the round after which they are due the last one of a list.

    Lists begin behind all slots, in a place that holds no reward: an empty list needs no branch.
    """

    who: Shorts  # whose reward it is
    reward: Floats
    following: Shorts  # in a list, or among the free slots
    last: Shorts
    free: Integers  # (1,): the first of the free slots, or NONE
    fresh: Integers  # (1,): the first slot that was never used


def room_to_wait(room: int, runs: int) -> Waiting:
    """Return slots for a reward of each run in so many rounds, and lists that are not begun."""
    slots, one = room * runs, np.empty(1, np.int64)
    short = np.int32
    return Waiting(
        np.empty(slots, short),
        np.empty(slots),
        np.empty(slots + room, short),
        np.empty(room, short),
        one,
        one.copy(),
    )


@compiled
def let_nothing_wait(waiting: Waiting) -> None:
    """Empty all lists."""
    for due in range(waiting.last.size):
        waiting.last[due] = waiting.who.size + due
    waiting.free[0], waiting.fresh[0] = NONE, 0


@inlined
def wait(waiting: Waiting, who: np.uint64, reward: float, due: np.uint64) -> None:
    """Put a reward at the end of the list that is due."""
    slot = np.uint64(waiting.free[0])
    if waiting.free[0] == NONE:
        slot = np.uint64(waiting.fresh[0])
        waiting.fresh[0] += 1
    else:
        waiting.free[0] = waiting.following[slot]
    waiting.who[slot], waiting.reward[slot] = who, reward
    waiting.following[np.uint64(waiting.last[due])] = slot
    waiting.last[due] = slot


@inlined
def take_list(waiting: Waiting, due: np.uint64) -> tuple[int, int]:
    """Empty a list, and return behind which place it begins and at which it ends: to be read before others wait."""
    begin, end = waiting.who.size + int(due), int(waiting.last[due])
    if end != begin:
        waiting.following[np.uint64(end)] = waiting.free[0]
        waiting.free[0] = waiting.following[np.uint64(begin)]
        waiting.last[due] = begin
    return begin, end


@compiled
def first_unheard(rank: Integers, assigned: Integers, told: Integers) -> int:
    """Return the arm that comes first among those without a reward: the one with the fewest pulls, then by rank."""
    first = NONE
    for arm in range(told.size):
        if told[arm] == 0 and (
            first == NONE
            or assigned[arm] < assigned[first]
            or (assigned[arm] == assigned[first] and rank[arm] < rank[first])
        ):
            first = arm
    return first
