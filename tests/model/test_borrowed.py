"""A borrowed record has the same arrays, and compiled code does not count who uses them."""

from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from steadyarm.model.borrowed import borrowed


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
