"""The kinds of arrays that compiled functions work on, how one is copied, and how a kernel borrows some.

Numba counts the users of an array whenever a field of a record is looked at, by an instruction that others wait for.
A kernel whose caller holds its records borrows them once, and then passes them on as it likes.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic

from steadyarm.numerics.compiled import compiled

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Singles = npt.NDArray[np.float32]  # single precision
HalfWords = npt.NDArray[np.uint32]  # 32 bits
Unsigned = npt.NDArray[np.uint64]
Record = TypeVar("Record")


@compiled
def copy(source: Floats | Integers, target: Floats | Integers) -> None:
    """Copy an array into one at least as long.

    By a loop: for `target[:] = source` Numba compiles the words of an error too, which takes it two seconds.

    >>> copy(np.array([1, 2]), room := np.zeros(3, np.int64))
    >>> room
    array([1, 2, 0])
    """
    for place in range(source.size):
        target[place] = source[place]


@intrinsic
def _uncounted(_context: Any, record: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_owner(context, builder, signature.return_type, arguments[0])

    return record(record), emit


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return a value with no one to tell who uses its arrays; Numba does not count those of nobody."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = array.meminfo.type(None)
        array.parent = array.parent.type(None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        kinds: Any = kind
        fields = [
            _without_owner(context, builder, each, builder.extract_value(value, place))
            for place, each in enumerate(kinds)
        ]
        return context.make_tuple(builder, kind, fields)
    return value


borrowed: Callable[[Record], Record] = cast(Any, _uncounted)
"""Return a record of arrays, or one array, as it is; whoever uses it is no longer counted. Compiled code only.

Whoever calls the kernel must hold the record until the kernel is done. An array that the kernel itself made would be
gone after its last use by name, though borrowed.
"""
