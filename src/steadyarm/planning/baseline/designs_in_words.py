"""The designs of a plan as people read them: amounts with their error, shares in percent, widths in points."""

from __future__ import annotations

import math
from collections.abc import Sequence

from steadyarm.planning.baseline.measured import Measured
from steadyarm.planning.baseline.situation import Situation
from steadyarm.theory.estimates import Estimate
from steadyarm.words import percent, size

HEADINGS = {
    "design": "design",
    "lost": "lost over\nyour range",
    "lost_at_smallest": "… at the\nsmallest",
    "lost_at_worst": "… at\nworst",
    "least_at_worst": "nobody\nloses\nless",
    "spread": "spread",
    "best_share": "best\nshare",
    "finds_best": "finds\nthe\nbest",
    "power": "power",
    "width": "interval\nwidth",
}
"""Of the columns, by what they hold; where a line may end."""

IN_A_LINE = {name: heading.replace("\n", " ") for name, heading in HEADINGS.items()}

_STARRED = (
    "* an anytime-valid interval, always or sometimes: wider than an ordinary one, which is not valid here."
)


def in_words(situation: Situation, measured: Sequence[Measured]) -> list[list[str]]:
    """Return the cells of the table, a list for each design."""
    return [
        [
            each.design.name,
            _with_error(each.lost),
            size(each.lost_at_smallest.value),
            size(each.lost_at_worst.value),
            size(each.least_at_worst),
            size(each.spread.value),
            percent(each.best_share.value),
            percent(each.finds_best.value),
            f"{percent(each.power.value)} ± {100 * _half(each.power):.0f}",
            _width(situation, each),
        ]
        for each in measured
    ]


def starred(measured: Sequence[Measured]) -> list[str]:
    """Return what a star in the table says, if there is one."""
    return [_STARRED] if any(each.interval != "ordinary" for each in measured) else []


def _width(situation: Situation, each: Measured) -> str:
    """Return how wide the interval is, with a star if it is not an ordinary one."""
    width = f"{100 * each.width.value:.2g} pp" if situation.is_rate else size(each.width.value)
    return width if each.interval == "ordinary" else f"{width}*"


def _with_error(estimate: Estimate) -> str:
    """Return an amount with its error, if that reaches the last digit that is shown."""
    half = _half(estimate)
    whole = abs(estimate.value) >= 100.0 or half >= 1.0
    last = 1.0 if whole or not estimate.value else 10.0 ** (math.floor(math.log10(abs(estimate.value))) - 2)
    text = size(estimate.value, half)
    return text if half < last / 2.0 else f"{text} ± {size(float(f'{half:.2g}'))}"


def _half(estimate: Estimate) -> float:
    return 0.5 * (estimate.high - estimate.low)
