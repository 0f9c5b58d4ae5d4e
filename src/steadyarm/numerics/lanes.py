"""Many runs side by side: numbers of all runs in one array, seen as the numbers of one run.

Row i of such an array holds the i-th number of every run, so a loop over the runs, the *lanes*, reads consecutive
numbers, and the compiler makes vector instructions of it. A rule sees a `Lane`, which it reads and writes as it would
the array of a single run. Compiled code only.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, make_attribute_wrapper, models, overload, register_model

from steadyarm.numerics.views import Tools, View, declare

LANES = 32
"""Runs that are played side by side."""

LED_AT_ONCE = 8
"""Lanes whose leaders are found at once, a divisor of `LANES`: as many as the registers of most machines hold."""


class Lane(View):
    """The type of one lane of an array of numbers of some kind."""


def lane_of(array: Any, number: int, lanes: int, size: int) -> Any:
    """Return lane `number` of a flat array with `size` rows of `lanes` numbers, which must outlive it."""
    raise TypeError("look at a lane from compiled code")


def lead(values: Any, rank: Any, leader: Any, first: int) -> None:
    """Write the arm with the largest value into `leader` for `LED_AT_ONCE` lanes from the first; ties go by rank.

    `values` and `rank` have a row for each arm. As the plain loop does, it begins with arm 0 and takes an arm that is
    larger, or equal and of smaller rank. All stays in vector registers, which the compiler does not find by itself.
    An arm's name is rank · 2³² + arm, so that of equals the smallest name leads: a minimum and a choice are all that an
    arm has to wait for, where a comparison of ranks would take several times as long.
    """
    raise TypeError("find leaders from compiled code")


def lead_clearly(values: Any, errors: Any, leader: Any, first: int) -> int:
    """Do as `lead` does where values are known to within errors; return the lanes in which that leaves doubts, as bits.

    In these lanes another arm may be as large as the leader.
    """
    raise TypeError("find leaders from compiled code")


@intrinsic
def _lead(_context: Any, values: Any, rank: Any, leader: Any, _first: Any) -> Any:
    whole = ir.IntType(64)
    numbers, wholes = ir.VectorType(ir.DoubleType(), LED_AT_ONCE), ir.VectorType(whole, LED_AT_ONCE)
    same = ir.Constant(ir.VectorType(ir.IntType(32), LED_AT_ONCE), [0] * LED_AT_ONCE)
    half, low, nobody = (wholes([number] * LED_AT_ONCE) for number in (32, 2**32 - 1, 2**63 - 1))

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        valued, ranked, led = (
            context.make_array(kind)(context, builder, array)
            for kind, array in zip(signature.args[:3], arguments[:3], strict=True)
        )
        n_arms, lanes = cgutils.unpack_tuple(builder, valued.shape)

        def vector_at(data: Any, arm: Any, kind: Any) -> Any:
            place = builder.add(builder.mul(arm, lanes), arguments[3])
            return builder.bitcast(builder.gep(data, [place]), kind.as_pointer())

        def load(data: Any, arm: Any, kind: Any) -> Any:
            return builder.load(vector_at(data, arm, kind), align=8)

        def named(arm: Any) -> Any:
            one = builder.insert_element(wholes(ir.Undefined), arm, ir.IntType(32)(0))
            arms = builder.shuffle_vector(one, wholes(ir.Undefined), same)
            return builder.or_(builder.shl(load(ranked.data, arm, wholes), half), arms)

        def smaller(one: Any, other: Any) -> Any:
            return builder.select(builder.icmp_signed("<", one, other), one, other)

        best, who = (cgutils.alloca_once(builder, kind) for kind in (numbers, wholes))
        builder.store(load(valued.data, whole(0), numbers), best)
        builder.store(named(whole(0)), who)
        with cgutils.for_range_slice(builder, whole(1), n_arms, whole(1)) as (arm, _):
            value, name, most = load(valued.data, arm, numbers), named(arm), builder.load(best)
            ahead, equal = (builder.fcmp_ordered(sign, value, most) for sign in (">", "=="))
            first = smaller(builder.load(who), builder.select(equal, name, nobody))
            builder.store(builder.select(ahead, name, first), who)
            builder.store(builder.select(ahead, value, most), best)
        builder.store(builder.and_(builder.load(who), low), vector_at(led.data, whole(0), wholes), align=8)
        return context.get_dummy_value()

    return types.void(values, rank, leader, types.int64), emit


@intrinsic
def _lead_clearly(_context: Any, values: Any, errors: Any, leader: Any, _first: Any) -> Any:
    whole, least = ir.IntType(64), float("-inf")
    numbers, wholes = ir.VectorType(ir.DoubleType(), LED_AT_ONCE), ir.VectorType(whole, LED_AT_ONCE)
    same = ir.Constant(ir.VectorType(ir.IntType(32), LED_AT_ONCE), [0] * LED_AT_ONCE)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        valued, wrong, led = (
            context.make_array(kind)(context, builder, array)
            for kind, array in zip(signature.args[:3], arguments[:3], strict=True)
        )
        n_arms, lanes = cgutils.unpack_tuple(builder, valued.shape)

        def vector_at(data: Any, place: Any, kind: Any) -> Any:
            return builder.bitcast(builder.gep(data, [place]), kind.as_pointer())

        def larger(one: Any, other: Any) -> Any:
            return builder.select(builder.fcmp_ordered(">", one, other), one, other)

        kept = [cgutils.alloca_once(builder, numbers) for _ in range(3)]
        lowest, highest, others = kept  # of the leader, and of all others
        who = cgutils.alloca_once(builder, wholes)
        for place in kept:
            builder.store(numbers([least] * LED_AT_ONCE), place)
        builder.store(wholes([0] * LED_AT_ONCE), who)
        with cgutils.for_range(builder, n_arms) as loop:
            one = builder.insert_element(wholes(ir.Undefined), loop.index, ir.IntType(32)(0))
            arms = builder.shuffle_vector(one, wholes(ir.Undefined), same)
            place = builder.add(builder.mul(loop.index, lanes), arguments[3])
            value = builder.load(vector_at(valued.data, place, numbers), align=8)
            error = builder.load(vector_at(wrong.data, place, numbers), align=8)
            low, high = builder.fsub(value, error), builder.fadd(value, error)
            ahead = builder.fcmp_ordered(">", low, builder.load(lowest))
            beaten = builder.select(ahead, builder.load(highest), high)
            builder.store(larger(beaten, builder.load(others)), others)
            for new, old in ((low, lowest), (high, highest), (arms, who)):
                builder.store(builder.select(ahead, new, builder.load(old)), old)
        builder.store(builder.load(who), vector_at(led.data, arguments[3], wholes), align=8)
        doubtful = builder.fcmp_unordered("<=", builder.load(lowest), builder.load(others))
        return builder.zext(builder.bitcast(doubtful, ir.IntType(LED_AT_ONCE)), whole)

    return types.int64(values, errors, leader, types.int64), emit


_inlined = partial(overload, jit_options={"forceinline": True})


@_inlined(lead_clearly, strict=False)
def _compiled_lead_clearly(values: Any, errors: Any, leader: Any, first: Any) -> Any:
    return lambda values, errors, leader, first: _lead_clearly(values, errors, leader, first)  # type: ignore[call-arg]


@_inlined(lead, strict=False)
def _compiled_lead(values: Any, rank: Any, leader: Any, first: Any) -> Any:
    return lambda values, rank, leader, first: _lead(values, rank, leader, first)  # type: ignore[call-arg]


declare(Lane, lane_of, Tools(cgutils, intrinsic, make_attribute_wrapper, models, _inlined, register_model))
