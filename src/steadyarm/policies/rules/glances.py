"""Glances: what an arm's index is to within a known error, for a fraction of its cost.

Where an index takes a fresh normal, a rough one gives it nearly. All arms are glanced at first, and their indices are
worked out only if two arms are too close to tell apart. So the choices are those of the indices, always.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from steadyarm.numerics.compiled import inlined

_GLANCES: dict[type, Callable[..., tuple[float, float]]] = {}


def glance(parameters: type, function: Callable[..., tuple[float, float]]) -> None:
    """Give the index of a rule of steadyarm's a glance, which returns a value and its error.

    It takes what the index takes, but for the noise: in its place stands a rough `normal_at` of the arm. The error
    covers that of rounding too, so the index is certainly no farther from the value.
    """
    _GLANCES[parameters] = function


def has_glance(parameters: type) -> bool:
    """Whether rules of such parameters have one."""
    return parameters in _GLANCES


def glance_of(
    parameters: Any, normal: Any, arm: Any, counts: Any, totals: Any, state: Any
) -> tuple[float, float]:
    """Return about what an arm's index is, and how wrong that may be; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


@overload(glance_of, strict=False, jit_options={"forceinline": True})
def _glance_of(parameters: Any, normal: Any, arm: Any, counts: Any, totals: Any, state: Any) -> Any:
    return _GLANCES[parameters.instance_class]


class Best(NamedTuple):
    """The arm that is best as far as glances tell; in single precision, which a GPU compares in half the time."""

    lowest: np.float32  # what its index is at least,
    highest: np.float32  # and at most
    others: np.float32  # what the others' are at most
    arm: int


NOBODY = Best(np.float32(-np.inf), np.float32(-np.inf), np.float32(-np.inf), 0)
_WIDER, _ROUNDING = np.float32(1.0 + 2.0**-20), np.float32(2.0**-22)  # more than single precision rounds


@inlined
def better_of(best: Best, value: float, error: float, arm: int) -> Best:
    """Return the best after one more arm."""
    middle = np.float32(value)
    reach = np.float32(error) * _WIDER + abs(middle) * _ROUNDING
    low, high = middle - reach, middle + reach
    ahead = low > best.lowest
    beaten = best.highest if ahead else high
    return Best(
        low if ahead else best.lowest,
        high if ahead else best.highest,
        beaten if beaten > best.others else best.others,
        arm if ahead else best.arm,
    )
