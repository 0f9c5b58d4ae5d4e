"""Numbers at equal steps in an array, seen as the array of one run: what a rule reads and writes in compiled code.

A view is a bare address, a step and a size. An array would count its users, which keeps a loop from being vectorised,
and look at each place whether it is counted from the end, which is more work than most indices are. A view of the
processor and one of a GPU are declared to Numba by different tools, and are the same otherwise.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from numba import types


class Tools(NamedTuple):
    """How a type and its operations are declared to Numba for one target, the processor or a GPU."""

    cgutils: Any
    intrinsic: Any
    make_attribute_wrapper: Any
    models: Any
    overload: Any
    register_model: Any


class View(types.Type):
    """The type of numbers of some kind at equal steps; each target has a subclass."""

    def __init__(self, kind: types.Type) -> None:
        self.kind = kind
        super().__init__(name=f"{type(self).__name__}({kind})")


def declare(view: type[View], view_of: Callable[..., Any], tools: Tools) -> None:
    """Let compiled code make a view by `view_of(array, first, step, size)`, read and write its places, ask its size."""
    _declare_layout(view, tools)
    _declare_maker(view, view_of, tools)
    _declare_places(view, tools)


def _declare_layout(view: type[View], tools: Tools) -> None:
    @tools.register_model(view)
    class _Layout(tools.models.StructModel):  # type: ignore[misc, name-defined]
        def __init__(self, manager: Any, seen: View) -> None:
            members = [("data", types.CPointer(seen.kind)), ("step", types.int64), ("size", types.int64)]
            super().__init__(manager, seen, members)

    tools.make_attribute_wrapper(view, "size", "size")


def _declare_maker(view: type[View], view_of: Callable[..., Any], tools: Tools) -> None:
    @tools.intrinsic
    def made(_context: Any, array: Any, _first: Any, _step: Any, _size: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, first, step, size = arguments
            seen = tools.cgutils.create_struct_proxy(signature.return_type)(context, builder)
            data = context.make_array(signature.args[0])(context, builder, array).data
            seen.data, seen.step, seen.size = builder.gep(data, [first]), step, size
            return seen._getvalue()

        return view(array.dtype)(array, types.int64, types.int64, types.int64), emit

    @tools.overload(view_of, strict=False)
    def _make(_array: Any, _first: Any, _step: Any, _size: Any) -> Any:
        return lambda array, first, step, size: made(array, first, step, size)


def _declare_places(view: type[View], tools: Tools) -> None:
    def address(context: Any, builder: Any, kind: Any, seen: Any, place: Any) -> Any:
        seen = tools.cgutils.create_struct_proxy(kind)(context, builder, seen)
        return builder.gep(seen.data, [builder.mul(place, seen.step)])

    @tools.intrinsic
    def read(_context: Any, seen: Any, _place: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(address(context, builder, signature.args[0], *arguments))

        return seen.kind(seen, types.int64), emit

    @tools.intrinsic
    def write(_context: Any, seen: Any, _place: Any, _value: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.store(arguments[2], address(context, builder, signature.args[0], *arguments[:2]))
            return context.get_dummy_value()

        return types.void(seen, types.int64, seen.kind), emit

    @tools.overload(operator.getitem, strict=False)
    def _getitem(seen: Any, _place: Any) -> Any:
        return (lambda seen, place: read(seen, place)) if isinstance(seen, view) else None

    @tools.overload(operator.setitem, strict=False)
    def _setitem(seen: Any, _place: Any, _value: Any) -> Any:
        return (lambda seen, place, value: write(seen, place, value)) if isinstance(seen, view) else None
