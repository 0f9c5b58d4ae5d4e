"""Rewards that wait to be told, in the order of their rounds: a list for each round after which some are due.

A reward waits in the place of its round, and places are used again after `room` rounds, a power of two that is more
than any reward waits. So memory grows with the delay and the batch, not with the horizon.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import compiled, inlined

NONE = -1


class Waiting(NamedTuple):
    """Places by round, and by the round after which they are due the last of a list.

    Lists begin with a place that holds no reward, `room` places behind their round: an empty one needs no branch.
    """

    arm: Integers
    reward: Floats
    following: Integers
    last: Integers


@compiled
def room_to_wait(room: int) -> Waiting:
    """Return so many places, and lists that are not begun."""
    return Waiting(
        np.empty(room, np.int64), np.empty(room), np.empty(2 * room, np.int64), np.empty(room, np.int64)
    )


@compiled
def let_nothing_wait(last: Integers) -> None:
    """Empty all lists."""
    for due in range(last.size):
        last[due] = last.size + due


@inlined
def wait(following: Integers, last: Integers, place: int, due: int) -> None:
    """Put a place at the end of the list that is due."""
    following[last[due]] = place
    last[due] = place


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
