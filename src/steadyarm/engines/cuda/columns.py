"""A run's numbers as a rule sees them on a GPU: one column of an array that has a row for each number."""

from __future__ import annotations

from typing import Any

from numba import cuda
from numba.cuda import cgutils
from numba.cuda.core import config
from numba.cuda.extending import intrinsic, make_attribute_wrapper, models, overload, register_model

from steadyarm.numerics.views import Tools, View, declare


class Column(View):
    """The type of one column of numbers of some kind."""


def column_of(array: Any, first: int, stride: int, size: int) -> Any:
    """Return the numbers of a flat array at `first`, first + stride, …, so many; in the simulator, as an array."""
    return array_of(array, first, stride, size)


@cuda.jit(
    device=True, **({} if config.ENABLE_CUDASIM else {"inline": "always"})
)  # it must not return an array else
def array_of(array: Any, first: int, stride: int, size: int) -> Any:
    """Return the same numbers as an array."""
    return array[first : first + stride * size : stride]


if not config.ENABLE_CUDASIM:  # which has no columns
    declare(
        Column, column_of, Tools(cgutils, intrinsic, make_attribute_wrapper, models, overload, register_model)
    )
