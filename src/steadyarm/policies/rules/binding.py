"""A rule of the user's own, compiled into the engines' kernels for this process.

steadyarm's own rules are found by the type of their parameters, and their kernels are cached on disk. A user's rule may
change at any time, so its functions are put into copies of the kernels, anew whenever they mean something else.
What they do is checked: an index is a number, a choice is an arm, and arrays have ends (but for an index in the
step engine, which it would make three times as slow; a rule writes to its state in `choose` and `update`). A rule that
does not compile can still be played as the plain Python that it is, by those who ask for that.
"""

from __future__ import annotations

import math
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

from steadyarm.errors import NotCompiled, PolicyError
from steadyarm.numerics.compiled import plain_function, uncached
from steadyarm.policies.core.fingerprints import fingerprint
from steadyarm.policies.rules.compiler_messages import in_plain_words, plain_message
from steadyarm.policies.rules.rule_source import draw_of_its_own, line_in

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
    keep: Callable[..., None] | None


@dataclass
class Bound:
    """A user's rule as compiled functions, and the kernels that contain them."""

    names: dict[str, Any]
    """The compiled functions by the names that kernels call them."""
    own: dict[str, Any]
    """Those that the user wrote."""
    ready: Callable[..., Any]
    """What makes a kernel of a function: compiles it, or leaves it plain Python."""
    kernels: dict[Any, Any] = field(default_factory=dict)
    refused: dict[Any, NotCompiled] = field(default_factory=dict)
    """By the types of the parameters, why they could not be compiled."""

    def specialise(self, kernel: Any) -> Any:
        """Return a kernel with this rule in it."""
        if kernel not in self.kernels:
            self.kernels[kernel] = self.ready(with_names(kernel, self.names))
        return self.kernels[kernel]


def with_names(function: Any, names: dict[str, Any]) -> Any:
    """Return a copy of a function that finds other things under some global names."""
    plain = plain_function(function)
    return FunctionType(plain.__code__, plain.__globals__ | names, plain.__name__, plain.__defaults__)


def bind(rule: Rule, parameters: Any, noise: Any, *, or_plain: bool = False) -> Bound:
    """Return a user's rule, compiled as it is now for such parameters and noise, or if need be in plain Python."""
    with _LOCK:
        written = [each for each in (rule.index, rule.choose, rule.update, rule.keep) if each is not None]
        now = [fingerprint(function) for function in written]
        before, bound = _BOUND.get(rule.parameters, (None, None))
        if bound is None or before != now:
            for function in written:
                _check_chance(function)
            bound = _bound(rule, _bounds_checked)
            _BOUND[rule.parameters] = now, bound
        try:
            _compile_own(bound, parameters, noise)
        except NotCompiled:
            if not or_plain:
                raise
            return bind_plain(rule)
        return bound


def bind_plain(rule: Rule) -> Bound:
    """Return a user's rule as the plain Python that it is, whether or not it can be compiled."""
    return _bound(rule, _uncompiled, _uncompiled)


def bind_for_gpu(rule: Rule, parameters: Any, noise: Any) -> Bound:
    """Return the same for kernels of a GPU, where ends of arrays are not checked."""
    bind(rule, parameters, noise)  # says what is wrong
    return _bound(rule, uncached)


def _check_chance(function: Any) -> None:
    line = draw_of_its_own(function)
    if line is not None:
        raise PolicyError(
            f"a rule must draw its random numbers from `noise`, so that a run can be repeated; {place_of(function)} "
            f"draws from a generator of its own: {line}. Use uniform_at(noise, arm) or normal_at(noise, arm) of "
            "steadyarm.policies."
        )


def _bounds_checked(function: Any) -> Any:
    return numba.njit(nogil=True, error_model="numpy", boundscheck=True)(function)


def _uncompiled(function: Any) -> Any:
    """Return a function as it is, in which 1/0 is infinite as it is in compiled code."""
    return np.errstate(all="ignore")(function)


def _bound(rule: Rule, checked: Callable[..., Any], ready: Callable[..., Any] = uncached) -> Bound:
    """Return a rule in the engines' shape; nothing is compiled before a function is called first."""
    told = {"update": rule.update, "keep": rule.keep}
    own = {name: checked(function) for name, function in told.items() if function}
    if rule.index:
        own["index"] = ready(rule.index)
        index = checked(rule.index)
        choose, next_arm = ready(_largest(index)), ready(_largest_listed(own["index"]))
    else:
        index, choose = None, checked(rule.choose)
        own["choose"], next_arm = choose, ready(_without_room(choose))
    update, keep = own.get("update") or ready(nothing_more), own.get("keep") or ready(nothing_kept)
    names = {
        "index_of": index,
        "choose_by": choose,
        "choose_side_by_side": next_arm,
        "lane_of": ready(_whole),
        "update_by": update,
        "keep_by": keep,
    }
    return Bound(names, own, ready)


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


def _largest_listed(index: Any) -> Callable[..., None]:
    """Return the same choice for the kernel of lanes, of which there is one, with room for a list of the indices."""

    def choose(parameters: Any, noise: Any, runs: Any, room: Any) -> None:
        rank, counts, totals, state, values = runs.rank, runs.counts, runs.totals, runs.state, room.values
        for arm in range(counts.size):
            values[arm, 0] = index(parameters, noise, arm, counts, totals, state)
        leader = 0
        for arm in range(counts.size):
            if math.isnan(values[arm, 0]):
                leader = -1 - arm
                break
            if values[arm, 0] > values[leader, 0] or (
                values[arm, 0] == values[leader, 0] and rank[arm] < rank[leader]
            ):
                leader = arm
        runs.leader[0] = leader

    return choose


def _without_room(choose: Any) -> Callable[..., None]:
    def choose_next(parameters: Any, noise: Any, runs: Any, _room: Any) -> None:
        runs.leader[0] = choose(parameters, noise, runs.rank, runs.counts, runs.totals, runs.state)

    return choose_next


def _whole(array: Any, _number: Any, _lanes: Any, _size: Any) -> Any:
    """Stand in for `lane_of`: the only lane of an array is the array."""
    return array


def nothing_more(
    parameters: Any, noise: Any, arm: Any, reward: Any, counts: Any, totals: Any, state: Any
) -> None:
    """Stand in for the `update` of a rule that has none."""


def nothing_kept(parameters: Any, arm: Any, counts: Any, totals: Any, state: Any) -> None:
    """Stand in for the `keep` of a rule that has none."""


def _compile_own(bound: Bound, parameters: Any, noise: Any) -> None:
    """Compile the user's functions one by one, so that what is wrong has a name and a place."""
    first, arrays = (_type_of(parameters), _type_of(noise)), (_INTEGERS, _FLOATS, _FLOATS)
    if first in bound.refused:
        raise NotCompiled(str(bound.refused[first])) from bound.refused[first].__cause__
    signatures: dict[str, tuple[Any, ...]] = {
        "index": (*first, types.int64, *arrays),
        "choose": (*first, _INTEGERS, *arrays),
        "update": (*first, types.int64, types.float64, *arrays),
        "keep": (first[0], types.int64, *arrays),
    }
    for name, dispatcher in bound.own.items():
        try:
            dispatcher.compile(signatures[name])
        except Exception as error:  # of many kinds, Numba's own and plain ones
            message = plain_message(error)
            bound.refused[first] = NotCompiled(
                f"{place_of(dispatcher)}, the {name} of a rule, cannot be compiled because of "
                f"{line_in(message, dispatcher.py_func)}: {in_plain_words(message)} The compiler's own message is the "
                "cause of this error."
            )
            raise bound.refused[first] from error
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
