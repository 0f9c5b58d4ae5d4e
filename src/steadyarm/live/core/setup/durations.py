"""Durations as people write them: seconds, or ISO 8601 like P14D and PT8H."""

from __future__ import annotations

import math
import re
from typing import Any

from steadyarm.errors import InvalidInput

SHORTEST, LONGEST = 1.0, 3650 * 86_400.0  # seconds

_ISO = re.compile(
    r"P(?:(?P<weeks>\d+)W|(?:(?P<days>\d+)D)?(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)S)?)?)"
)
_SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3600, "minutes": 60, "seconds": 1}


def duration(value: Any, what: str) -> float:
    """Return a duration in seconds. Years and months have no length of their own, and are refused.

    >>> duration("P14D", "after"), duration("PT8H30M", "after"), duration(90, "after")
    (1209600.0, 30600.0, 90.0)
    """
    seconds = math.nan
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value
    elif isinstance(value, str) and len(value) <= 30 and (found := _ISO.fullmatch(value)):
        parts = {unit: int(count) for unit, count in found.groupdict().items() if count is not None}
        seconds = sum(_SECONDS[unit] * count for unit, count in parts.items())
    if not SHORTEST <= seconds <= LONGEST:
        raise InvalidInput(
            f"{what} must be {SHORTEST:g} to {LONGEST:,.0f} seconds, or a duration like P14D, PT36H or P2W, without "
            f"years and months; got {value!r:.100}."
        )
    return float(seconds)
