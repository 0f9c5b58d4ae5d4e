"""Many runs side by side: numbers of all runs in one array, seen as the numbers of one run.

Row i of such an array holds the i-th number of every run, so a loop over the runs, the *lanes*, reads consecutive
numbers, and the compiler makes vector instructions of it. A rule sees a `Lane`, which it reads and writes as it would
the array of a single run. Compiled code only.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, register_model

LANES = 16
"""Runs that are played side by side."""

LED_AT_ONCE = 8
"""Lanes whose leaders are found at once, a divisor of `LANES`: as many as the registers of most machines hold."""

_VECTOR = 4  # numbers; a machine with shorter vectors takes two


class Lane(types.Type):
    """The type of one lane of an array of numbers of some kind."""

    def __init__(self, kind: types.Type) -> None:
        self.kind = kind
        super().__init__(name=f"Lane({kind})")


@register_model(Lane)
class _LaneModel(models.StructModel):
    """A bare address: an array would count its users, and a loop that counts is not vectorised."""

    def __init__(self, manager: Any, lane: Lane) -> None:
        members = [("data", types.CPointer(lane.kind)), ("lanes", types.int64), ("size", types.int64)]
        super().__init__(manager, lane, members)


make_attribute_wrapper(Lane, "size", "size")


def lane_of(array: Any, number: int, lanes: int, size: int) -> Any:
    """Return lane `number` of a flat array with `size` rows of `lanes` numbers, which must outlive it."""
    raise TypeError("look at a lane from compiled code")


def lead(values: Any, rank: Any, leader: Any, first: int) -> None:
    """Write the arm with the largest value into `leader` for `LED_AT_ONCE` lanes from the first; ties go by rank.

    `values` and `rank` have a row for each arm. As the plain loop does, it begins with arm 0 and takes an arm that is
    larger, or equal and of smaller rank. All stays in vector registers, which the compiler does not find by itself.
    """
    raise TypeError("find leaders from compiled code")


@intrinsic
def _lane_of(_context: Any, array: Any, _number: Any, _lanes: Any, _size: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        lane = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        lane.data, lane.lanes, lane.size = builder.gep(data, [arguments[1]]), arguments[2], arguments[3]
        return lane._getvalue()

    return Lane(array.dtype)(array, types.int64, types.int64, types.int64), emit


def _address(context: Any, builder: Any, kind: Any, lane: Any, place: Any) -> Any:
    lane = cgutils.create_struct_proxy(kind)(context, builder, lane)
    return builder.gep(lane.data, [builder.mul(place, lane.lanes)])


@intrinsic
def _read(_context: Any, lane: Any, _place: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_address(context, builder, signature.args[0], *arguments))

    return lane.kind(lane, types.int64), emit


@intrinsic
def _write(_context: Any, lane: Any, _place: Any, _value: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _address(context, builder, signature.args[0], *arguments[:2]))
        return context.get_dummy_value()

    return types.void(lane, types.int64, lane.kind), emit


@intrinsic
def _lead(_context: Any, values: Any, rank: Any, leader: Any, _first: Any) -> Any:
    whole = ir.IntType(64)
    numbers, wholes = ir.VectorType(ir.DoubleType(), _VECTOR), ir.VectorType(whole, _VECTOR)
    same = ir.Constant(ir.VectorType(ir.IntType(32), _VECTOR), [0] * _VECTOR)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        valued, ranked, led = (
            context.make_array(kind)(context, builder, array)
            for kind, array in zip(signature.args[:3], arguments[:3], strict=True)
        )
        n_arms, lanes = cgutils.unpack_tuple(builder, valued.shape)
        starts = [builder.add(arguments[3], whole(lane)) for lane in range(0, LED_AT_ONCE, _VECTOR)]

        def vector_at(data: Any, arm: Any, start: Any, kind: Any) -> Any:
            place = builder.add(builder.mul(arm, lanes), start)
            return builder.bitcast(builder.gep(data, [place]), kind.as_pointer())

        def load(data: Any, arm: Any, start: Any, kind: Any) -> Any:
            return builder.load(vector_at(data, arm, start, kind), align=8)

        kept = [[cgutils.alloca_once(builder, kind) for kind in (numbers, wholes, wholes)] for _ in starts]
        for start, (best, least, who) in zip(starts, kept, strict=True):
            builder.store(load(valued.data, whole(0), start, numbers), best)
            builder.store(load(ranked.data, whole(0), start, wholes), least)
            builder.store(wholes([0] * _VECTOR), who)
        with cgutils.for_range_slice(builder, whole(1), n_arms, whole(1)) as (arm, _):
            one = builder.insert_element(wholes(ir.Undefined), arm, ir.IntType(32)(0))
            arms = builder.shuffle_vector(one, wholes(ir.Undefined), same)
            for start, (best, least, who) in zip(starts, kept, strict=True):
                value = load(valued.data, arm, start, numbers)
                of_rank = load(ranked.data, arm, start, wholes)
                ahead = builder.fcmp_ordered(">", value, builder.load(best))
                equal = builder.fcmp_ordered("==", value, builder.load(best))
                before = builder.icmp_signed("<", of_rank, builder.load(least))
                taken = builder.or_(ahead, builder.and_(equal, before))
                for new, old in ((value, best), (of_rank, least), (arms, who)):
                    builder.store(builder.select(taken, new, builder.load(old)), old)
        for start, (_, _, who) in zip(starts, kept, strict=True):
            builder.store(builder.load(who), vector_at(led.data, whole(0), start, wholes), align=8)
        return context.get_dummy_value()

    return types.void(values, rank, leader, types.int64), emit


_inlined = partial(overload, strict=False, jit_options={"forceinline": True})


@_inlined(lane_of)
def _compiled_lane_of(array: Any, number: Any, lanes: Any, size: Any) -> Any:
    return lambda array, number, lanes, size: _lane_of(array, number, lanes, size)  # type: ignore[call-arg]


@_inlined(lead)
def _compiled_lead(values: Any, rank: Any, leader: Any, first: Any) -> Any:
    return lambda values, rank, leader, first: _lead(values, rank, leader, first)  # type: ignore[call-arg]


@_inlined(operator.getitem)
def _getitem(lane: Any, place: Any) -> Any:
    return (lambda lane, place: _read(lane, place)) if isinstance(lane, Lane) else None  # type: ignore[call-arg]


@_inlined(operator.setitem)
def _setitem(lane: Any, place: Any, value: Any) -> Any:
    if isinstance(lane, Lane):
        return lambda lane, place, value: _write(lane, place, value)  # type: ignore[call-arg]
    return None
