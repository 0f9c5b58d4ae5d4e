"""What a function of the user's means now: its code and all that it reads from outside.

Numba freezes globals and closures when it compiles. So a function has to be compiled again when a constant or a
helper that it reads has changed, even if the function itself is the same object, as in a notebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import CodeType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numba.core.dispatcher import Dispatcher

_PLAIN = (bool, int, float, complex, str, bytes, type(None), np.generic)
_ON_GPU = "_CUDATypingContext__dispatcher"  # where numba-cuda keeps the GPU's copy of a CPU function
_COMPILED_AS: WeakKeyDictionary[Dispatcher, Any] = WeakKeyDictionary()


def fingerprint(function: Any) -> Any:
    """Return something that is equal as long as the function, its constants and its helpers mean the same.

    Helpers that Numba compiled with other constants than they have now are compiled again.

    >>> scale = 2.0
    >>> double = lambda x: scale * x
    >>> before = fingerprint(double)
    >>> before == fingerprint(double)
    True
    >>> scale = 3.0
    >>> before == fingerprint(double)
    False
    """
    return _of_function(function, frozenset())


def with_helpers(function: Any) -> list[Any]:
    """Return a function and the compiled helpers of the user's that it calls, and that these call, as plain Python.

    >>> [each.__name__ for each in with_helpers(fingerprint)]
    ['fingerprint']
    """
    found = [function]
    for each in found:  # which grows meanwhile
        values = [value for _, value in _globals_of(each)]
        values += [cell.cell_contents for cell in each.__closure__ or ()]
        helpers = [value.py_func for value in values if isinstance(value, Dispatcher)]
        found += [helper for helper in helpers if helper not in found and not is_ours(helper)]
    return found


class _Same:
    """Equal to the very same object only; holds it, so that its place in memory is not used again."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    __hash__ = None  # type: ignore[assignment]


def _of_function(function: Any, callers: frozenset[Any]) -> Any:
    inside = partial(_of_value, callers=callers | {function})
    defaults = (function.__defaults__, tuple((function.__kwdefaults__ or {}).items()))
    cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
    read = tuple((name, inside(found)) for name, found in _globals_of(function))
    return _code(function.__code__), inside(defaults), inside(cells), read


def _of_value(value: Any, callers: frozenset[Any]) -> Any:
    if isinstance(value, Dispatcher) and not is_ours(value.py_func):
        return "itself" if value.py_func in callers else _of_helper(value, callers)
    if isinstance(value, _PLAIN):
        return type(value), repr(value)  # tells 0.0 from -0.0 and 1 from True; NaN is equal to itself
    if isinstance(value, tuple):
        return type(value), tuple(_of_value(each, callers) for each in value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return "array", value.dtype.str, value.shape, value.tobytes()
    return _Same(value)  # a module, a class, a function that Numba knows by itself


def _of_helper(helper: Dispatcher, callers: frozenset[Any]) -> Any:
    meaning = sorted(map(repr, helper.targetoptions.items())), _of_function(helper.py_func, callers)
    if _COMPILED_AS.get(helper) != meaning:
        if helper.signatures:
            helper.recompile()
        vars(helper).pop(_ON_GPU, None)
        _COMPILED_AS[helper] = meaning
    return meaning


def is_ours(thing: Any) -> bool:
    """Whether a function or class is part of steadyarm."""
    return (thing.__module__ or "").startswith("steadyarm.")


def _code(code: CodeType) -> Any:
    """Return what a piece of code does, without where it stands."""
    constants = tuple(
        _code(each) if isinstance(each, CodeType) else (type(each), repr(each)) for each in code.co_consts
    )
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars


def _globals_of(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function's code names, and what it may take out of those that are modules."""
    names = sorted(_names(function.__code__))
    for name in names:
        if name not in function.__globals__:
            continue
        value = function.__globals__[name]
        yield name, value
        if isinstance(value, ModuleType):
            for attribute in names:
                if hasattr(value, attribute):
                    yield f"{name}.{attribute}", getattr(value, attribute)


def _names(code: CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))
