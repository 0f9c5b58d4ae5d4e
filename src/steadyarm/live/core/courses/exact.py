"""Exact sums: parts that do not overlap and add up to what was added, to the last bit (Shewchuk 1997).

A plain sum forgets what is small beside what is large, also when the large is taken back later.
"""

from __future__ import annotations

Parts = tuple[float, ...]
"""Their sum, rounded once, is `math.fsum` of them."""


def added(parts: Parts, value: float) -> Parts:
    """Return the parts of a sum to which a value was added.

    >>> added(added(added((), 1.0), 1e18), -1e18)
    (1.0,)
    """
    kept = []
    for part in parts:
        if abs(value) < abs(part):
            value, part = part, value
        total = value + part
        rest = part - (total - value)
        if rest:
            kept.append(rest)
        value = total
    return (*kept, value) if value else tuple(kept)
