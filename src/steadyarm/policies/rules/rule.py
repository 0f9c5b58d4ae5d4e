"""Rules, by which general policies choose: one or two small functions, compiled into the step engine's kernel.

A rule belongs to a NamedTuple of parameters. It is an `index` of an arm (the largest is played, ties by
priority) or a `choose` of its own, and optionally an `update` and a `keep` after each reward. The functions see

    parameters   the rule's NamedTuple
    noise        where its random numbers come from, and the round (from 1): see `noise.uniform_at`, `normal_at`
    counts       rewards seen of each arm
    totals       their sums
    state        a float array of the policy's `state_size`, zero at first, for whatever else it keeps;
                 `choose` and `update` may write to it
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction, signature
from types import FunctionType
from typing import Any

from steadyarm.errors import InvalidInput, InvalidType, PolicyError
from steadyarm.numerics.compiled import plain_function
from steadyarm.policies.core.fingerprints import is_ours
from steadyarm.policies.rules.binding import Rule, place_of

_RULES: dict[type, Rule] = {}
_TAKES = {
    "index": "parameters, noise, arm, counts, totals, state",
    "choose": "parameters, noise, rank, counts, totals, state",
    "update": "parameters, noise, arm, reward, counts, totals, state",
    "keep": "parameters, arm, counts, totals, state",
}


def rule(
    parameters: type,
    *,
    index: Callable[..., float] | None = None,
    choose: Callable[..., int] | None = None,
    update: Callable[..., None] | None = None,
    keep: Callable[..., None] | None = None,
) -> None:
    """Say how policies with such parameters choose; said again for the same parameters, the last word counts.

    Args:
        parameters: a NamedTuple class of numbers.
        index: `index(parameters, noise, arm, counts, totals, state)`, or instead
        choose: `choose(parameters, noise, rank, counts, totals, state)`, the arm.
        update: `update(parameters, noise, arm, reward, counts, totals, state)`, after counts and totals
            have taken in the reward.
        keep: `keep(parameters, arm, counts, totals, state)`, after that: writes what the index needs of the arm and
            what follows from the other numbers into the last `kept_size` places of the state, so that it is not
            computed anew in every round. It is not saved with a play, but kept again when one is restored.
    """
    if not (
        isinstance(parameters, type) and issubclass(parameters, tuple) and hasattr(parameters, "_fields")
    ):
        raise InvalidType(f"a rule belongs to a NamedTuple class of numbers; got {parameters!r}.")
    if (index is None) == (choose is None):
        raise InvalidInput("a rule must have an index or a choose, and not both.")
    if any(is_ours(known) and known.__name__ == parameters.__name__ for known in _RULES):
        raise InvalidInput(
            f"a rule's parameters must have a name of their own; {parameters.__name__!r} is taken by a policy of "
            "steadyarm's, and compiled kernels are told apart by it. Write a class of another name."
        )
    functions = {"index": index, "choose": choose, "update": update, "keep": keep}
    _RULES[parameters] = Rule(parameters, **{name: _checked(each, name) for name, each in functions.items()})


def rule_for(kind: type) -> Rule:
    """Return the rule for parameters of a class."""
    if kind not in _RULES:
        raise PolicyError(
            f"no rule is known for {kind.__name__}. Call rule({kind.__name__}, index=...) after the class, in the "
            "same module."
        )
    return _RULES[kind]


def rule_of(parameters: Any) -> Rule:
    """Return the rule for such parameters."""
    return rule_for(type(parameters))


def has_index(parameters: Any) -> bool:
    """Whether the rule for such parameters is an index, and not a choice of its own."""
    return rule_of(parameters).index is not None


def _checked(function: Any, name: str) -> Any:
    """Return a rule's function as plain Python, if it can be called as rules are."""
    if function is None:
        return None
    plain = plain_function(function)
    if not isinstance(plain, FunctionType):
        raise InvalidType(f"the {name} of a rule must be a function; got {plain!r}.")
    if iscoroutinefunction(plain) or isgeneratorfunction(plain) or isasyncgenfunction(plain):
        raise InvalidInput(
            f"the {name} of a rule must be a plain function; {place_of(plain)} is a coroutine or a generator, which "
            "gives nothing when it is called. Write it with def, and without await and yield."
        )
    try:
        signature(plain).bind(*_TAKES[name].split(", "))
    except TypeError:
        raise InvalidInput(
            f"the {name} of a rule must take ({_TAKES[name]}); {place_of(plain)} takes {signature(plain)}."
        ) from None
    return plain
