"""A rule of the user's own, compiled into the engines' kernels for this process.

steadyarm's own rules are found by the type of their parameters, and their kernels are cached on disk. A user's rule may
change at any time, so its functions are put into copies of the kernels, anew whenever they mean something else.
What they do is checked: an index is a number, a choice is an arm, and arrays have ends (but for an index in the
step engine, which it would make three times as slow; a rule writes to its state in `choose` and `update`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types

from steadyarm.errors import PolicyError
from steadyarm.model.compiled import plain_function, uncached
from steadyarm.policies.core.fingerprints import fingerprint

_FEW_WORDS = 300  # of a message of Numba's; the rest is in the cause
_LOCK = RLock()
_BOUND: dict[type, tuple[Any, Bound]] = {}
_INTEGERS, _FLOATS = types.int64[::1], types.float64[::1]
_RETURNED = {
    "index": (types.Integer | types.Float | types.Boolean, "a number"),
    "choose": (types.Integer, "an arm, a whole number,"),
}


@dataclass(frozen=True)
class Rule:
    """The functions of a rule as they were given."""

    parameters: type
    index: Callable[..., float] | None
    choose: Callable[..., int] | None
    update: Callable[..., None] | None


@dataclass
class Bound:
    """A user's rule as compiled functions, and the kernels that contain them."""

    names: dict[str, Any]
    """The compiled functions by the names that kernels call them."""
    own: dict[str, Any]
    """Those that the user wrote."""
    kernels: dict[Any, Any] = field(default_factory=dict)

    def specialise(self, kernel: Any) -> Any:
        """Return a kernel with this rule in it."""
        if kernel not in self.kernels:
            self.kernels[kernel] = uncached(with_names(kernel, self.names))
        return self.kernels[kernel]


def with_names(function: Any, names: dict[str, Any]) -> Any:
    """Return a copy of a function that finds other things under some global names."""
    plain = plain_function(function)
    return FunctionType(plain.__code__, plain.__globals__ | names, plain.__name__, plain.__defaults__)


def bind(rule: Rule, parameters: Any, noise: Any) -> Bound:
    """Return a user's rule, compiled as it is now for such parameters and noise."""
    with _LOCK:
        written = (rule.index, rule.choose, rule.update)
        now = [fingerprint(function) for function in written if function is not None]
        before, bound = _BOUND.get(rule.parameters, (None, None))
        if bound is None or before != now:
            bound = _compile(rule, _bounds_checked)
            _BOUND[rule.parameters] = now, bound
        _compile_own(bound, parameters, noise)
        return bound


def bind_for_gpu(rule: Rule, parameters: Any, noise: Any) -> Bound:
    """Return the same for kernels of a GPU, where ends of arrays are not checked."""
    bind(rule, parameters, noise)  # says what is wrong
    return _compile(rule, uncached)


def _bounds_checked(function: Any) -> Any:
    return numba.njit(nogil=True, error_model="numpy", boundscheck=True)(function)


def _compile(rule: Rule, checked: Callable[..., Any]) -> Bound:
    """Return a rule compiled; nothing is done before a function is called first."""
    own = {"update": checked(rule.update)} if rule.update else {}
    if rule.index:
        own["index"] = uncached(rule.index)
        index = checked(rule.index)
        choose, fast = uncached(_largest(index)), uncached(_largest_listed(own["index"]))
    else:
        index, choose = None, checked(rule.choose)
        own["choose"], fast = choose, uncached(_without_room(choose))
    update = own.get("update") or uncached(_nothing_more)
    names = {"index_of": index, "choose_by": choose, "choose_fast": fast, "update_by": update}
    return Bound(names, own)


def _largest(index: Any) -> Callable[..., int]:
    """Return a choice by the largest index, ties by rank; −1 − arm stands for an index that is NaN."""

    def choose(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> int:
        best, leader = -math.inf, -1
        for arm in range(counts.size):
            value = np.float64(index(parameters, noise, arm, counts, totals, state))
            if math.isnan(value):
                return -1 - arm
            if leader < 0 or value > best or (value == best and rank[arm] < rank[leader]):
                best, leader = value, arm
        return leader

    return choose


def _largest_listed(index: Any) -> Callable[..., int]:
    """Return the same choice, with room for a list of the indices."""

    def choose(
        parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any, values: Any
    ) -> int:
        for arm in range(counts.size):
            values[arm] = index(parameters, noise, arm, counts, totals, state)
        leader = 0
        for arm in range(counts.size):
            if math.isnan(values[arm]):
                return -1 - arm
            if values[arm] > values[leader] or (values[arm] == values[leader] and rank[arm] < rank[leader]):
                leader = arm
        return leader

    return choose


def _without_room(choose: Any) -> Callable[..., int]:
    return lambda parameters, noise, rank, counts, totals, state, _values: choose(
        parameters, noise, rank, counts, totals, state
    )


def _nothing_more(
    parameters: Any, noise: Any, arm: Any, reward: Any, counts: Any, totals: Any, state: Any
) -> None:
    pass


def _compile_own(bound: Bound, parameters: Any, noise: Any) -> None:
    """Compile the user's functions one by one, so that what is wrong has a name and a place."""
    first, arrays = (_type_of(parameters), _type_of(noise)), (_INTEGERS, _FLOATS, _FLOATS)
    signatures: dict[str, tuple[Any, ...]] = {
        "index": (*first, types.int64, *arrays),
        "choose": (*first, _INTEGERS, *arrays),
        "update": (*first, types.int64, types.float64, *arrays),
    }
    for name, dispatcher in bound.own.items():
        try:
            dispatcher.compile(signatures[name])
        except Exception as error:  # of many kinds, Numba's own and plain ones
            raise PolicyError(
                f"{place_of(dispatcher)}, the {name} of a rule, cannot be compiled: {_few_words(error)} It may use "
                "numbers, arrays, loops, math, and helpers decorated with numba.njit; see docs/own-policy.md. The "
                "whole message of the compiler is the cause of this error."
            ) from error
        returned = dispatcher.overloads[signatures[name]].signature.return_type
        wanted, words = _RETURNED.get(name, (types.Type, ""))
        if not isinstance(returned, wanted):
            raise PolicyError(
                f"{place_of(dispatcher)}, the {name} of a rule, must return {words} on every path; "
                f"to the compiler it returns {returned}. Add the return that is missing, or convert the value."
            )


def _type_of(parameters: Any) -> Any:
    try:
        return numba.typeof(parameters)  # type: ignore[no-untyped-call]
    except ValueError as error:
        raise PolicyError(
            f"{type(parameters).__name__} must be a NamedTuple of numbers; got {parameters!r}. Remove what is not a "
            "number."
        ) from error


def place_of(function: Any) -> str:
    """Return a function's name and where it stands.

    >>> place_of(place_of)
    "'place_of' (binding.py, line ...)"
    """
    code = plain_function(function).__code__
    return f"{code.co_name!r} ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def _few_words(error: Exception) -> str:
    """Return the heart of one of Numba's messages, and the line that it is about."""
    text = re.sub(r"\x1b\[\d*m", "", str(error)).removeprefix(
        "Failed in nopython mode pipeline (step: nopython frontend)"
    )
    heart = " ".join(re.split(r"\n *(?:File|During|There are) ", text, maxsplit=1)[0].split())
    words = (heart or type(error).__name__)[:_FEW_WORDS].rstrip(".")
    line = getattr(getattr(error, "loc", None), "line", None)
    return f"{words} (line {line})." if line else f"{words}."


OVERWRITTEN = -(2**62)
"""In the place of an arm: a rule has written to the counts or the totals."""


def not_an_arm(policy: Any, rule: Rule, run: int, number: int, arm: int) -> PolicyError:
    """Return the error for a choice that is no arm; of a rule with an index, −1 − arm is an arm whose index is NaN."""
    where = f"in round {number:,} of run {run:,}, {policy.title!r}"
    if arm == OVERWRITTEN:
        return PolicyError(
            f"{where} has a rule that writes to counts or totals. They are kept for it, to be read only. Let the rule "
            "keep numbers of its own in state, with a state_size."
        )
    if rule.index is not None and arm < 0:
        return PolicyError(
            f"{where} has an index of arm {-1 - arm} that is NaN, not a number, and nothing compares with it. Let "
            f"{place_of(rule.index)} return a number for every arm, math.inf for one that must be played next."
        )
    by = place_of(rule.choose or rule.index)
    return PolicyError(
        f"{where} chose arm {arm}; arms are numbered from 0 to {policy.n_arms - 1}. Let {by} return one of them."
    )


@contextmanager
def index_errors_explained(policy: Any) -> Iterator[None]:
    """Say of which policy's arrays an end was passed."""
    try:
        yield
    except IndexError as error:
        raise PolicyError(
            f"a rule of {policy.title!r} reads or writes beyond the end of an array: {error}. counts and totals have "
            f"{policy.n_arms} numbers, one for each arm; state has state_size = {policy.state_size}. Set state_size, "
            "or correct the rule."
        ) from error
