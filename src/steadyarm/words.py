"""Numbers in sentences: one run but two runs, and a range only where its ends differ."""

import math
from typing import Protocol


class Measured(Protocol):
    """A value that says itself with its interval."""

    @property
    def value(self) -> float:
        """The value."""


def counted(number: float, thing: str, things: str = "") -> str:
    """Return a number with the thing that it counts.

    >>> counted(1, "run"), counted(2000, "run"), counted(3, "policy", "policies"), counted(0.5, "pull")
    ('1 run', '2,000 runs', '3 policies', '0.5 pulls')
    """
    text = f"{number:,}" if isinstance(number, int) else amount(number)
    return f"{text} {thing if number == 1 else things or f'{thing}s'}"


def span(low: str, high: str) -> str:
    """Return the two ends of a range, or the one value if both read the same.

    >>> span("89%", "92%"), span("89%", "89%")
    ('89% to 92%', '89%')
    """
    return low if low == high else f"{low} to {high}"


def amount(number: float, digits: int = 6, whole_below: float = 1e15) -> str:
    """Return an amount as people write it: whole from a thousand on, and a power of ten where it would be endless.

    >>> amount(1e7), amount(12.34567), amount(3e15), amount(12.34567, digits=4)
    ('10,000,000', '12.3457', '3e+15', '12.35')
    """
    return f"{number:,.0f}" if 1e3 <= abs(number) < whole_below else f"{number:,.{digits}g}"


def in_a_cell(number: float) -> str:
    """Return an amount that fits into the column of a table: four digits, all of them from a thousand to ten million.

    >>> in_a_cell(12.34567), in_a_cell(123_456.7), in_a_cell(12_345_678.0), in_a_cell(0.0)
    ('12.35', '123,457', '1.235e+07', '0')
    """
    return amount(number, digits=4, whole_below=1e7)


def large(number: int) -> str:
    """Return a large round number in words.

    >>> large(2 * 10**10), large(1_500_000), large(1000)
    ('20 billion', '1.5 million', '1,000')
    """
    for unit, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if number >= unit:
            return f"{number / unit:.4g} {name}"
    return f"{number:,}"


def size(number: float, error: float = 0.0) -> str:
    """Return an amount to three digits, whole from a hundred on, or where the error is.

    >>> size(2700.4), size(98.16), size(98.16, error=31.0), size(2e9)
    ('2,700', '98.2', '98', '2e+09')
    """
    if number < 100.0 and error < 1.0:
        return f"{number:.3g}"
    return f"{number:,.0f}" if number < 1e9 else f"{number:.4g}"


def percent(share: float) -> str:
    """Return a share in whole percent; halves go up, as they do on the page.

    >>> percent(0.985), percent(0.125), percent(1.0)
    ('99%', '13%', '100%')
    """
    return f"{math.floor(100.0 * share + 0.5)}%"


def measured(estimate: Measured) -> str:
    """Return an estimate in words; one run has no interval, and no spread at all.

    >>> from steadyarm.theory import Estimate
    >>> inf = float("inf")
    >>> measured(Estimate(5.0, -inf, inf, runs=1)), measured(Estimate(float("nan"), 0.0, inf, runs=1))
    ('5.000 [−∞, ∞]', 'unknown')
    """
    if estimate.value != estimate.value:
        return "unknown"
    return str(estimate).replace("-inf", "−∞").replace("inf", "∞")
