"""Arms that are never given again, and those that may be retired."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from steadyarm.errors import InvalidInput
from steadyarm.policies import Play


class Retirement(NamedTuple):
    """An arm that is never given again, from which entry on and why."""

    arm: str
    seq: int
    at: str
    reason: str


def check_stated(arm: str, stated: str | None) -> None:
    """Refuse to retire the arm that was stated for those who are held out."""
    if arm == stated:
        raise InvalidInput("those who are held out get it, and what they get was stated in advance.")


def retirable(arms: Sequence[str], plays: Sequence[Play], stated: str | None) -> tuple[str, ...]:
    """Return the arms that every play can go on without, but for the stated one.

    >>> import steadyarm as sa
    >>> retirable(["a", "b", "c"], [sa.MOSS(n_arms=3, horizon=10).start()], stated="b")
    ('a', 'c')
    """
    able = set.intersection(*(set(play.retirable) for play in plays))
    return tuple(arm for number, arm in enumerate(arms) if number in able and arm != stated)
