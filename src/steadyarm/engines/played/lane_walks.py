"""Sums of rewards side by side: the arms of many runs, one a lane, each at its own pull count. Compiled code only.

A running sum waits for the one before it, so a single arm leaves most of a core idle. Here the sums of all lanes are in
vector registers.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from steadyarm.model.table import CELLS_PER_BLOCK
from steadyarm.numerics.lanes import LED_AT_ONCE

WALKERS = LED_AT_ONCE
"""Arms that are taken side by side: as many as the registers of most machines hold."""

_VECTOR = 8


class Walk(NamedTuple):
    """Where the lanes stand, one arm a lane."""

    cells: Any
    """(cells of a block, blocks · WALKERS): cell c of block q in lane l is `cells[c, q·WALKERS + l]`."""
    pulls: Any
    """Counted in floats."""
    total: Any
    lowest: Any
    """(2, WALKERS): the least mean + bonus on the way, and the last."""


def walk_on(walk: Walk, blocks: int, bonuses: Any, before: Any, clip: float, envelope: bool) -> None:
    """Add `blocks` blocks of cells to the sums of all lanes; `walk.lowest` is lowered to the least mean + bonus.

    A cell is clipped to [−clip, clip], and the bonus of cell c in block q of lane l stands 4q + c + 1 places after
    `before[l]` in `bonuses`. Its mean + bonus, or with an envelope the least one so far, takes its place.
    """
    raise TypeError("walk on from compiled code")


@intrinsic
def _walk_on(
    _context: Any,
    cells: Any,
    _blocks: Any,
    bonuses: Any,
    before: Any,
    _clip: Any,
    _envelope: Any,
    pulls: Any,
    total: Any,
    lowest: Any,
) -> Any:
    number, whole, small = ir.DoubleType(), ir.IntType(64), ir.IntType(32)
    vector = ir.VectorType(number, WALKERS)  # a machine with shorter vectors takes two or four
    same = ir.Constant(ir.VectorType(small, WALKERS), [0] * WALKERS)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data_of(place: int) -> Any:
            return context.make_array(signature.args[place])(context, builder, arguments[place]).data

        cell, table, offsets, counted, sums, least = (data_of(place) for place in (0, 2, 3, 6, 7, 8))
        shape = context.make_array(signature.args[0])(context, builder, arguments[0]).shape
        width = builder.extract_value(shape, 1)

        def vector_at(data: Any, place: Any) -> Any:
            return builder.bitcast(builder.gep(data, [place]), vector.as_pointer())

        def all_lanes(value: Any) -> Any:
            one = builder.insert_element(vector(ir.Undefined), value, small(0))
            return builder.shuffle_vector(one, vector(ir.Undefined), same)

        def chosen(relation: str, one: Any, other: Any) -> Any:
            return builder.select(builder.fcmp_ordered(relation, one, other), one, other)

        starts = [
            builder.gep(table, [builder.load(builder.gep(offsets, [whole(lane)]))]) for lane in range(WALKERS)
        ]

        def bonus_at(place: Any) -> Any:
            found = vector(ir.Undefined)
            for lane, start in enumerate(starts):
                value = builder.load(builder.gep(start, [place]))
                found = builder.insert_element(found, value, small(lane))
            return found

        high = all_lanes(arguments[4])
        low = builder.fsub(all_lanes(number(-0.0)), high)
        homes = ((counted, 0), (sums, 0), (least, 0), (least, WALKERS))
        kept = [cgutils.alloca_once(builder, vector) for _ in homes]
        pulled, summed, lowest_yet, last = kept
        for room, (data, row) in zip(kept, homes, strict=True):
            builder.store(builder.load(vector_at(data, whole(row)), align=8), room)
        with cgutils.for_range(builder, arguments[1]) as block:
            column = builder.mul(block.index, whole(WALKERS))
            for c in range(CELLS_PER_BLOCK):
                row = builder.add(builder.mul(width, whole(c)), column)
                step = builder.add(builder.mul(block.index, whole(CELLS_PER_BLOCK)), whole(c + 1))
                reward = builder.load(vector_at(cell, row), align=8)
                reward = chosen("<", high, chosen(">", low, reward))
                n = builder.fadd(builder.load(pulled), all_lanes(number(1.0)))
                now = builder.fadd(builder.load(summed), reward)
                value = builder.fadd(builder.fdiv(now, n), bonus_at(step))
                least_now = chosen("<", value, builder.load(lowest_yet))
                for room, new in ((pulled, n), (summed, now), (last, value), (lowest_yet, least_now)):
                    builder.store(new, room)
                kept_value = builder.select(arguments[5], least_now, value)
                builder.store(kept_value, vector_at(cell, row), align=8)
        for room, (data, row) in zip(kept, homes, strict=True):
            builder.store(builder.load(room), vector_at(data, whole(row)), align=8)
        return context.get_dummy_value()

    arguments = (cells, types.int64, bonuses, before, types.float64, types.boolean, pulls, total, lowest)
    return types.void(*arguments), emit


@partial(overload, strict=False, jit_options={"forceinline": True})(walk_on)
def _compiled_walk_on(walk: Any, blocks: Any, bonuses: Any, before: Any, clip: Any, envelope: Any) -> Any:
    return lambda walk, blocks, bonuses, before, clip, envelope: _walk_on(  # type: ignore[call-arg]
        walk.cells, blocks, bonuses, before, clip, envelope, walk.pulls, walk.total, walk.lowest
    )
