"""A run's numbers as a rule sees them on a GPU: one column of an array that has a row for each number.

An array would do, but Numba looks at each place of an array whether it is counted from the end, and that is more work
than most indices are.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import cuda, types
from numba.cuda import cgutils
from numba.cuda.core import config
from numba.cuda.extending import intrinsic, make_attribute_wrapper, models, overload, register_model


class Column(types.Type):
    """The type of one column of numbers of some kind."""

    def __init__(self, kind: types.Type) -> None:
        self.kind = kind
        super().__init__(name=f"Column({kind})")


@register_model(Column)
class _ColumnModel(models.StructModel):
    def __init__(self, manager: Any, column: Column) -> None:
        members = [("data", types.CPointer(column.kind)), ("stride", types.int64), ("size", types.int64)]
        super().__init__(manager, column, members)


if not config.ENABLE_CUDASIM:  # which has no columns, and no attributes to be wrapped
    make_attribute_wrapper(Column, "size", "size")


def column_of(array: Any, first: int, stride: int, size: int) -> Any:
    """Return the numbers of a flat array at `first`, first + stride, …, so many; in the simulator, as an array."""
    return array_of(array, first, stride, size)


@cuda.jit(
    device=True, **({} if config.ENABLE_CUDASIM else {"inline": "always"})
)  # it must not return an array else
def array_of(array: Any, first: int, stride: int, size: int) -> Any:
    """Return the same numbers as an array."""
    return array[first : first + stride * size : stride]


@intrinsic
def _column_of(_context: Any, array: Any, _first: Any, _stride: Any, _size: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        column = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        column.data, column.stride, column.size = (
            builder.gep(data, [arguments[1]]),
            arguments[2],
            arguments[3],
        )
        return column._getvalue()

    return Column(array.dtype)(array, types.int64, types.int64, types.int64), emit


def _address(context: Any, builder: Any, kind: Any, column: Any, place: Any) -> Any:
    column = cgutils.create_struct_proxy(kind)(context, builder, column)
    return builder.gep(column.data, [builder.mul(place, column.stride)])


@intrinsic
def _read(_context: Any, column: Any, _place: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_address(context, builder, signature.args[0], *arguments))

    return column.kind(column, types.int64), emit


@intrinsic
def _write(_context: Any, column: Any, _place: Any, _value: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _address(context, builder, signature.args[0], *arguments[:2]))
        return context.get_dummy_value()

    return types.void(column, types.int64, column.kind), emit


@overload(column_of, strict=False)
def _compiled_column_of(array: Any, first: Any, stride: Any, size: Any) -> Any:
    return lambda array, first, stride, size: _column_of(array, first, stride, size)  # type: ignore[call-arg]


@overload(operator.getitem, strict=False)
def _getitem(column: Any, place: Any) -> Any:
    return (lambda column, place: _read(column, place)) if isinstance(column, Column) else None  # type: ignore[call-arg]


@overload(operator.setitem, strict=False)
def _setitem(column: Any, place: Any, value: Any) -> Any:
    if isinstance(column, Column):
        return lambda column, place, value: _write(column, place, value)  # type: ignore[call-arg]
    return None
