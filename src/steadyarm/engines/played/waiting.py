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
    """Places by round, and by the round after which they are due the first and the last of a list."""

    arm: Integers
    reward: Floats
    following: Integers
    first: Integers
    last: Integers


@compiled
def nothing_waits(room: int) -> Waiting:
    """Return so many places, all empty."""
    empty = np.full(room, NONE)
    return Waiting(empty.copy(), np.empty(room), empty.copy(), empty.copy(), empty)


@inlined
def wait(following: Integers, first: Integers, last: Integers, place: int, due: int) -> None:
    """Put a place at the end of the list that is due."""
    following[place] = NONE
    if first[due] == NONE:
        first[due] = place
    else:
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
