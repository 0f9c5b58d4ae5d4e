"""Checkpoints: after which rounds a simulation notes the counts on the way, and how much room that may take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from itertools import pairwise
from typing import Any

import numpy as np

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Integers
from steadyarm.policies.core.policy import Policy
from steadyarm.words import counted

At = int | Iterable[int] | None
"""What a caller may say: how many moments, which ones, or none."""

_MOST_BYTES = 1 << 31
_REMEDY = "Moments are rounds: 1 is the first, the horizon the last."


def checkpoints(at: At, policy: Policy, name: str = "at") -> Integers:
    """Return the moments that are asked for, in rounds, rising; a number of them is spaced for a logarithmic axis.

    Errors call them by the name under which the caller was given them.

    >>> import steadyarm as sa
    >>> checkpoints(5, sa.MOSS(n_arms=10, horizon=100_000))
    array([    10,    100,   1000,  10000, 100000])
    >>> checkpoints([1, 500], sa.MOSS(n_arms=2, horizon=1000))
    array([  1, 500])
    """
    at = asked_for(at, name)
    if at is None:
        return np.zeros(0, dtype=np.int64)
    if isinstance(at, int):
        return _spaced(at, policy)
    moments = [_moment(each, policy, name) for each in at]
    if not moments:
        raise InvalidInput(f"{name} must name at least one moment; got none. Leave it out, or say {name}=50.")
    for one, other in pairwise(moments):
        if other <= one:
            raise InvalidInput(
                f"{name} must rise; got {other} after {one}. Name the earlier moment first, and each of them once."
            )
    return np.array(moments, dtype=np.int64)


def asked_for(at: At, name: str = "at") -> int | tuple[Any, ...] | None:
    """Return how many moments, or which ones, in their plain types.

    >>> asked_for(np.array(5)), asked_for(range(10, 40, 10)), asked_for(None)
    (5, (10, 20, 30), None)
    """
    if at is None:
        return None
    if isinstance(at, int | float | np.number) or (isinstance(at, np.ndarray) and at.ndim == 0):
        number = at.item() if isinstance(at, np.ndarray) else at
        return checks.integer(number, name, at_least=1, remedy="That is how many; name rounds in a list.")
    if isinstance(at, str | bytes | Mapping | Set) or not isinstance(at, Iterable):
        raise InvalidType(
            f"{name} must be a number of moments, like 50, or a list of them, like [10, 100]; got {at!r}."
        )
    return tuple(at)


def with_horizon(moments: Integers, policy: Policy) -> Integers:
    """Return moments that end with the horizon, as engines take them."""
    if len(moments) and moments[-1] == policy.horizon:
        return moments
    return np.append(moments, policy.horizon)


def with_ends(moments: Integers, instance: Instance) -> Integers:
    """Return moments with the ends of all stretches among them that are over before the last moment."""
    ends = np.array(instance.ends, dtype=np.int64)
    return np.union1d(moments, ends[ends < moments[-1]])


def check_room(runs: int, asked: Integers, moments: Integers, n_arms: int) -> None:
    """Refuse counts at moments that would take too much memory; those not asked for are the ends of stretches."""
    number = max(len(asked), len(moments) - 1)
    size, ends = 8 * runs * number * n_arms, number - len(asked)
    if not number or size <= _MOST_BYTES:
        return
    where = [counted(len(asked), "moment")] if len(asked) else []
    where += [f"the ends of {counted(ends, 'stretch', 'stretches')} of the drift"] if ends else []
    fewer = ["moments"] if len(asked) else []
    fewer += ["stretches"] if ends else []
    raise InvalidInput(
        f"the counts of {counted(runs, 'run')} at {' and '.join(where)} would take {size:,} bytes "
        f"({counted(n_arms, 'arm')}, 8 bytes a count); at most {_MOST_BYTES:,} are taken. "
        f"Ask for fewer {', '.join(fewer)} or runs."
    )


def _moment(moment: Any, policy: Policy, name: str) -> int:
    return checks.integer(moment, f"a moment of {name}", at_least=1, at_most=policy.horizon, remedy=_REMEDY)


def _spaced(number: int, policy: Policy) -> Integers:
    """Return so many different moments from K to T, or all of them; early ones that round alike are moved apart."""
    first, last = policy.n_arms, policy.horizon
    number = min(number, last - first + 1)
    places = np.arange(number)
    moments = np.rint(np.geomspace(first, last, number)).astype(np.int64)
    moments = np.maximum.accumulate(moments - places) + places
    moments = np.minimum(moments, last - places[::-1])
    moments[-1] = last
    return moments
