"""The holdout: units that get no arm of the experiment, or a stated one, by a hash of their names.

Nothing is drawn and nothing remembered: whether a unit is held out follows from its name, the seed and the share. So
experiments with the same seed and share hold the same units out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from steadyarm.live.core.courses.exact import Parts, added
from steadyarm.policies.quotas import WHOLE, millionths


def held_out(unit: str, seed: int, share: float) -> bool:
    """Whether the first 64 bits of SHA-256 of "holdout:SEED:UNIT", as a fraction of 2⁶⁴, are below the share.

    >>> sum(held_out(f"visitor-{number}", 7, 0.1) for number in range(1000))
    85
    """
    first = int.from_bytes(sha256(f"holdout:{seed}:{unit}".encode()).digest()[:8])
    return first * WHOLE < millionths([share])[0] << 64


@dataclass
class Holdout:
    """The units that are held out of one play: how many there are, and what came of them.

    `observed` of them have a reward, `lapsed` by silence; `total` adds up the rewards as amended, in exact parts.
    """

    units: int = 0
    observed: int = 0
    voided: int = 0
    lapsed: int = 0
    amended: int = 0
    total: Parts = ()

    @classmethod
    def of(cls, state: dict[str, Any]) -> Holdout:
        """Return what a snapshot holds; one with the total in a single number is a TypeError."""
        return cls(**state | {"total": tuple(state["total"])})

    def add(self, *rewards: float) -> None:
        """Add to the total."""
        for reward in rewards:
            self.total = added(self.total, reward)

    @property
    def mean(self) -> float | None:
        """Of the rewards, as amended."""
        return math.fsum(self.total) / self.observed if self.observed else None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for a snapshot."""
        return dict(vars(self))

    def __add__(self, other: Holdout) -> Holdout:
        return Holdout(
            *(one + two for one, two in zip(vars(self).values(), vars(other).values(), strict=True))
        )
