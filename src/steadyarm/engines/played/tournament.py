"""A tournament of whole numbers in groups of `WIDTH`: who is the largest, found anew when one of them changes.

The largest of each group stands in the level above, up to one group, the top. A changed number goes up a group a
level, and from the top the first that is equal to the largest is followed down: equals go by their place. A group is
compared as a vector, so a level costs no more than a comparison or two of a binary tree. Compiled code only.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from steadyarm.numerics.arrays import Integers
from steadyarm.numerics.compiled import compiled, inlined
from steadyarm.numerics.lanes import LED_AT_ONCE
from steadyarm.numerics.operations import bits_of, float_of

WIDTH = 16
"""Numbers of a group, a power of two."""

_FEW = 32  # places, of which looking at all is quicker than a tournament
_WIDTH_BITS = np.uint64(WIDTH.bit_length() - 1)
_WITHIN = np.uint64(WIDTH - 1)
_GROUPS = np.uint64(2**64 - WIDTH)

_SIGN = np.int64(63)
_ALL_BUT_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)

LEAST = np.iinfo(np.int64).min
"""The number of a place that nobody has: below all others."""


@inlined
def order_of(index: float) -> int:
    """Turn a number into a whole one that is larger if and only if the number is; −0 is 0."""
    return int(_flipped(np.int64(bits_of(index + 0.0))))


@inlined
def index_of(order: int) -> float:
    """Turn an order back into the number."""
    return float_of(np.uint64(_flipped(np.int64(order))))


@inlined
def _flipped(bits: np.int64) -> np.int64:
    return bits ^ ((bits >> _SIGN) & _ALL_BUT_SIGN)


@compiled
def level_starts(places: int) -> Integers:
    """Return where each level begins, the lowest first, and last where the tournament ends."""
    size, starts = places, [0]
    while True:
        size = (size + WIDTH - 1) // WIDTH
        starts.append(starts[-1] + size * WIDTH)
        if size == 1:
            return np.array(starts)


@compiled
def begin_tournament(
    numbers: Integers, leaders: Integers, starts: Integers, places: int, number: int
) -> None:
    """Give each of some places the same number; the first leads."""
    numbers[: starts[-1]] = LEAST
    size, step = places, 1
    for level in range(starts.size - 1):
        for place in range(size):
            numbers[starts[level] + place], leaders[starts[level] + place] = number, place * step
        size, step = (size + WIDTH - 1) // WIDTH, step * WIDTH


class Tournaments(NamedTuple):
    """The orders of the arms' indices, a tournament for each of the runs that are played side by side."""

    orders: Integers
    leaders: Integers
    levels: Integers  # where the levels of each begin


def tournaments_for(n_arms: int) -> Tournaments | None:
    """Return room for the runs that are played side by side; None if there are so few arms that nobody needs it."""
    if n_arms <= _FEW:
        return None
    levels = level_starts(n_arms)
    size = LED_AT_ONCE * levels[-1]
    return Tournaments(np.empty(size, np.int64), np.empty(size, np.int64), levels)


@compiled
def begin_tournaments(tournaments: Tournaments, n_arms: int) -> None:
    """Give all arms of all runs the index −∞."""
    orders, leaders, levels = tournaments
    for first in range(0, orders.size, levels[-1]):
        begin_tournament(orders[first:], leaders[first:], levels, n_arms, order_of(-np.inf))


@inlined
def change(
    numbers: Integers, leaders: Integers, first: int, starts: Integers, place: int, number: int
) -> np.int64:
    """Change the number at a place of the tournament that begins at `first`; return the place that leads then.

    Above the lowest level `leaders` has the place of each number, which is among the lowest.
    """
    # Unsigned places: others may count from the end, which would be looked into each time.
    start, group = np.uint64(first), np.uint64(place) & _GROUPS
    number, ahead = changed_group(numbers, start + group, np.uint64(place) & _WITHIN, number)
    leader = np.int64(group + ahead)
    for level in range(1, starts.size - 1):
        begin, place_above = start + np.uint64(starts[level]), group >> _WIDTH_BITS
        leaders[begin + place_above] = leader
        group = place_above & _GROUPS
        number, ahead = changed_group(numbers, begin + group, place_above & _WITHIN, number)
        leader = leaders[begin + group + ahead]
    return leader


@inlined
def change_of_two(numbers: Integers, first: int, place: int, number: int) -> np.int64:
    """Do as `change` does where there are only two places: one comparison, and no choice that might become a jump."""
    other = numbers[np.uint64(first + 1 - place)]
    numbers[np.uint64(first + place)] = number
    return place ^ np.int64(number + (1 - place) <= other)


@compiled
def runner_up(numbers: Integers, first: int, starts: Integers, leader: int) -> int:
    """Return the largest number of all places but the leader's."""
    largest = LEAST
    for level in range(starts.size - 1):
        group = leader // WIDTH
        for place in range(group * WIDTH, (group + 1) * WIDTH):
            if place != leader:
                largest = max(largest, numbers[first + starts[level] + place])
        leader = group
    return int(largest)


def changed_group(numbers: Any, start: Any, within: Any, number: int) -> tuple[int, Any]:
    """Change one number of the group that begins at `start`; return the largest, and which is the first so large."""
    raise TypeError("change a group from compiled code")


_WHOLE, _SMALL, _GROUP = ir.IntType(64), ir.IntType(32), ir.VectorType(ir.IntType(64), WIDTH)


def _everywhere(builder: Any, number: Any) -> Any:
    one = builder.insert_element(_GROUP(ir.Undefined), number, _SMALL(0))
    zeros = ir.Constant(ir.VectorType(_SMALL, WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, _GROUP(ir.Undefined), zeros)


@intrinsic
def _changed_group(_context: Any, numbers: Any, _start: Any, _within: Any, _number: Any) -> Any:
    result = types.Tuple((types.int64, types.uint64))  # type: ignore[no-untyped-call]

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, start, within, number = arguments
        address = builder.gep(context.make_array(signature.args[0])(context, builder, array).data, [start])
        group = builder.load(builder.bitcast(address, _GROUP.as_pointer()), align=8)
        # The new number is put in on the way: a vector that is read right after one of its numbers was written waits.
        places = ir.Constant(_GROUP, list(range(WIDTH)))
        here = builder.icmp_signed("==", places, _everywhere(builder, within))
        group = builder.select(here, _everywhere(builder, number), group)
        builder.store(number, builder.gep(address, [within]))
        reduce = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, ir.FunctionType(_WHOLE, [_GROUP]), f"llvm.vector.reduce.smax.v{WIDTH}i64"
        )
        largest = builder.call(reduce, [group])
        equal = builder.bitcast(
            builder.icmp_signed("==", group, _everywhere(builder, largest)), ir.IntType(WIDTH)
        )
        ahead = builder.cttz(builder.zext(equal, _WHOLE), ir.IntType(1)(1))
        return context.make_tuple(builder, result, [largest, ahead])

    return result(numbers, types.uint64, types.uint64, types.int64), emit


_inlined = partial(overload, strict=False, jit_options={"forceinline": True})


@_inlined(changed_group)
def _compiled_changed_group(numbers: Any, start: Any, within: Any, number: Any) -> Any:
    return lambda numbers, start, within, number: _changed_group(numbers, start, within, number)  # type: ignore[call-arg]
