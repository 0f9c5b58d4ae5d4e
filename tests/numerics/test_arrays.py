"""Copying an array, compiled and in plain Python; borrowing a record of arrays."""

from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import types
from numba.extending import intrinsic

from steadyarm.numerics.arrays import borrowed, copy
from steadyarm.numerics.compiled import plain_function


@pytest.mark.parametrize("work", [copy, plain_function(copy)], ids=["compiled", "plain"])
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_a_copy_fills_the_beginning_and_leaves_the_rest(work, kind):
    target = np.full(5, 9, kind)
    work(np.array([3, 1, 2], kind), target)
    assert target.tolist() == [3, 1, 2, 9, 9]
    work(np.empty(0, kind), target)
    assert target.tolist() == [3, 1, 2, 9, 9]


class Inner(NamedTuple):
    whole: np.ndarray


class Outer(NamedTuple):
    real: np.ndarray
    inner: Inner
    number: int


@intrinsic
def is_counted(_context, array):
    def emit(context, builder, _signature, arguments):
        owner = context.make_array(array)(context, builder, arguments[0]).meminfo
        return builder.icmp_unsigned("!=", owner, owner.type(None))

    return types.boolean(array), emit


@numba.njit
def read_and_write(record):
    lent = borrowed(record)
    lent.real[1] = lent.real[0] + lent.inner.whole[2] * lent.number
    counted = is_counted(record.real), is_counted(record.inner.whole)
    return counted, (is_counted(lent.real), is_counted(lent.inner.whole), is_counted(borrowed(record.real)))


def test_what_is_borrowed_is_read_and_written_as_it_is_and_not_counted():
    record = Outer(np.array([5.0, 0.0]), Inner(np.array([0, 0, 7])), 3)
    counted, lent = read_and_write(record)
    assert record.real.tolist() == [5.0, 26.0]
    assert counted == (True, True)
    assert lent == (False, False, False)
