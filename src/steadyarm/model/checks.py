"""Checks of what comes from outside: each returns the value in its plain type, or states rule and value."""

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from steadyarm.errors import InvalidInput, InvalidType

MOST_ARMS = 1000  # of an experiment that is planned from a baseline, or live
LARGEST_HORIZON = 2**53  # beyond it a double can no longer count pulls one by one
_WORD = 2**32


def integer(
    value: Any, name: str, *, at_least: int | None = None, at_most: int | None = None, remedy: str = ""
) -> int:
    """Return a whole number; 1e6 counts as one, True and "5" do not.

    >>> integer(1e6, "horizon", at_least=3)
    1000000
    >>> integer(2.5, "horizon")
    Traceback (most recent call last):
    ...
    steadyarm.errors.InvalidInput: horizon must be a whole number; got 2.5.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer | float | np.floating):
        raise InvalidType(f"{name} must be a whole number; got {value!r}.{_and(remedy)}")
    if isinstance(value, float | np.floating):
        if not math.isfinite(value) or value != math.floor(value):
            raise InvalidInput(f"{name} must be a whole number; got {float(value)!r}.{_and(remedy)}")
        value = int(value)
    number = operator.index(value)
    if at_least is not None and number < at_least:
        raise InvalidInput(f"{name} must be at least {at_least}; got {number}.{_and(remedy)}")
    if at_most is not None and number > at_most:
        raise InvalidInput(f"{name} must be at most {at_most}; got {number}.{_and(remedy)}")
    return number


def real(
    value: Any,
    name: str,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    remedy: str = "",
) -> float:
    """Return a finite real number as a float.

    >>> real(-1.0, "alpha", above=0.0, remedy="Use alpha >= 1.")
    Traceback (most recent call last):
    ...
    steadyarm.errors.InvalidInput: alpha must be positive; got -1.0. Use alpha >= 1.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer | float | np.floating):
        raise InvalidType(f"{name} must be a number; got {value!r}.{_and(remedy)}")
    try:
        number = float(value)
    except OverflowError:
        raise InvalidInput(f"{name} must fit a double; got {value!r}.{_and(remedy)}") from None
    if not math.isfinite(number):
        raise InvalidInput(f"{name} must be finite; got {number!r}.{_and(remedy)}")
    if above is not None and not number > above:
        rule = "positive" if above == 0.0 else f"above {above!r}"
        raise InvalidInput(f"{name} must be {rule}; got {number!r}.{_and(remedy)}")
    if at_least is not None and number < at_least:
        raise InvalidInput(f"{name} must be at least {at_least!r}; got {number!r}.{_and(remedy)}")
    if at_most is not None and number > at_most:
        raise InvalidInput(f"{name} must be at most {at_most!r}; got {number!r}.{_and(remedy)}")
    return number


def reals(value: Any, name: str, *, remedy: str = "") -> tuple[float, ...]:
    """Return a flat sequence of finite reals as a tuple."""
    if isinstance(value, str | bytes | dict | set) or not isinstance(value, Sequence | np.ndarray):
        raise InvalidType(f"{name} must be a flat list of numbers; got {value!r}.{_and(remedy)}")
    if isinstance(value, np.ndarray) and value.ndim != 1:
        raise InvalidInput(f"{name} must be a flat list of numbers; got shape {value.shape}.{_and(remedy)}")
    return tuple(real(item, f"{name}[{place}]", remedy=remedy) for place, item in enumerate(value))


def one_of(value: Any, name: str, choices: Sequence[str]) -> str:
    """Return a word from a closed list."""
    if not isinstance(value, str) or value not in choices:
        kind = InvalidInput if isinstance(value, str) else InvalidType
        raise kind(f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}.")
    return value


def boolean(value: Any, name: str) -> bool:
    """Return True or False; a word like "no" is neither."""
    if not isinstance(value, bool | np.bool_):
        raise InvalidType(f"{name} must be True or False; got {value!r}.")
    return bool(value)


def instance_of(value: Any, kind: type, name: str) -> None:
    """Refuse a value that is not of a class of steadyarm."""
    if not isinstance(value, kind):
        raise InvalidType(f"{name} must be a steadyarm {kind.__name__}; got {value!r}.")


def n_arms(value: Any) -> int:
    """Return a number of arms, K ≥ 2."""
    return integer(
        value, "n_arms", at_least=2, at_most=_WORD - 1, remedy="Two arms at least, 2**32 - 1 at most."
    )


def horizon(value: Any, n_arms: int) -> int:
    """Return a number of rounds, K < T ≤ 2⁵³."""
    return integer(
        value,
        "horizon",
        at_least=n_arms + 1,
        at_most=LARGEST_HORIZON,
        remedy=f"With {n_arms} arms every arm is given once first, so more rounds than arms are needed, "
        f"and at most {LARGEST_HORIZON:,} can be counted.",
    )


def seed(value: Any) -> int:
    """Return a seed, 0 ≤ seed < 2⁶⁴."""
    return integer(value, "seed", at_least=0, at_most=2**64 - 1, remedy="Any number of 64 bits will do.")


def run(value: Any) -> int:
    """Return the number of a run, 0 ≤ run < 2³²."""
    return integer(value, "run", at_least=0, at_most=_WORD - 1, remedy="Runs are numbered from 0.")


def _and(remedy: str) -> str:
    return f" {remedy}" if remedy else ""
