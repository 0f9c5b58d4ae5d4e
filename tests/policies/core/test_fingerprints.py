"""A fingerprint changes with what a function means, and with nothing else."""

import math
import types

import numba
import numpy as np
import pytest

from steadyarm.policies.core.fingerprints import fingerprint, with_helpers


def made(source, **scope):
    """The function `f` of a piece of source, as a cell of a notebook makes it."""
    space = {"math": math, "np": np, "numba": numba, "__name__": "__main__"} | scope
    exec(source, space)
    return space["f"], space


SAME = "def f(x):\n    return x + {constant} * math.log(x)"


def test_the_same_source_means_the_same_wherever_it_stands():
    one, _ = made(SAME.format(constant=2.0))
    other, _ = made("\n\n# moved\n" + SAME.format(constant=2.0))
    changed, _ = made(SAME.format(constant=-0.0))
    assert fingerprint(one) == fingerprint(other)
    assert fingerprint(changed) != fingerprint(made(SAME.format(constant=0.0))[0])
    assert fingerprint(one) != fingerprint(changed)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1.0, 2.0),
        (1, True),
        (0.0, -0.0),
        ((1, 2), (1, 3)),
        (np.zeros(3), np.array([0.0, 0.0, 1.0])),
        (numba.njit(lambda x: x), numba.njit(lambda x: 2 * x)),
        (math.sin, math.cos),
    ],
    ids=["float", "bool", "sign", "tuple", "array", "compiled", "built-in"],
)
def test_a_global_or_a_closure_that_changes_is_noticed(before, after):
    f, space = made("def f(x):\n    return (lambda y: (y, C))(x)", C=before)
    mark = fingerprint(f)
    assert fingerprint(f) == mark
    space["C"] = after
    assert fingerprint(f) != mark
    space["C"] = before
    assert fingerprint(f) == mark

    def closed(value):
        return lambda x: (x, value)

    assert fingerprint(closed(before)) == fingerprint(closed(before)) != fingerprint(closed(after))


def test_helpers_are_found_through_globals_and_closures_and_helpers_of_helpers():
    _, space = made("@numba.njit\ndef inner(x):\n    return x\n\n@numba.njit\ndef f(x):\n    return inner(x)")
    outer = space["f"]
    closed = (lambda helper: lambda x: helper(x))(outer)
    assert with_helpers(closed) == [closed, outer.py_func, space["inner"].py_func]


def test_what_is_taken_out_of_a_module_is_noticed_and_what_is_not_read_is_not():
    module = types.ModuleType("helpers")
    module.scale, module.unread = 1.0, 1.0
    f, space = made("def f(x):\n    return helpers.scale * x", helpers=module, unread=1)
    mark = fingerprint(f)
    module.unread, space["unread"] = 2.0, 2
    assert fingerprint(f) == mark
    module.scale = 2.0
    assert fingerprint(f) != mark


def test_helpers_follow_their_constants_and_may_call_each_other():
    source = """
@numba.njit
def inner(x):
    return SCALE * x
@numba.njit
def outer(x):
    return inner(x) if x < 10.0 else outer(x - 1.0)
def f(x):
    return outer(x)
"""
    f, space = made(source, SCALE=2.0)
    mark = fingerprint(f)
    assert numba.njit(f)(3.0) == 6.0
    space["SCALE"] = 5.0
    assert fingerprint(f) != mark
    assert numba.njit(f)(3.0) == 15.0  # compiled again with what it reads now
    compiled = space["inner"].overloads
    fingerprint(f)
    assert space["inner"].overloads is compiled  # and not without need
