"""One design for a team, and why.

Of the designs whose power for the smallest difference is near the best, the one that loses least over the plausible
range; equal shares, if it saves too little or no more than its own error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtri

from steadyarm.planning.baseline.designs import Design
from steadyarm.planning.baseline.measured import Measured
from steadyarm.planning.baseline.situation import Situation
from steadyarm.words import amount, counted, percent

NEAR = 0.05
"""How far a power may be below the best one; its own error, if that is more."""
ENOUGH = 0.8
"""A power that is usually asked for."""
RELIABLE = 0.5
"""A best power below it gets a sentence of its own."""
WORTH = 0.01
"""Of what is expected in all: a smaller saving is not worth adapting."""

_SMALLEST = "the smallest difference that matters"
_DEPENDS = "its traffic depends"


@dataclass(frozen=True)
class Recommendation:
    """A design, and the reason in a sentence."""

    design: Design
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Return it as a plain dict."""
        return {
            "design": self.design.name,
            "policy": self.design.policy.to_dict(),
            "sentence": self.sentence,
        }


def recommend(situation: Situation, measured: Sequence[Measured]) -> Recommendation:
    """Choose among measured designs, the first of which is equal shares."""
    equal = measured[0]
    best_power = max(each.power.value for each in measured)
    caution = "" if best_power >= RELIABLE else _caution(situation, best_power, equal.power.level)
    able = [each for each in measured if _near(each, best_power)]
    chosen = min(able, key=lambda each: -each.saved.value)
    saved, thing = chosen.saved, situation.thing
    worth = WORTH * abs(situation.expected_total)
    if saved.low <= 0.0 or saved.value < worth:
        why = "adapting saves nothing that can be told from chance here"
        if situation.too_late:
            why = "no outcome is known before the last unit has its arm, so nothing can adapt"
        elif saved.low > 0.0:
            why = (
                f"the best way to adapt, {chosen.design.name}, saves about {_about(saved.value)} {thing} here, out of "
                f"{_about(abs(situation.expected_total))}"
            )
        elif len(measured) == 1:
            why = "nothing that adapts could be simulated here"
        elif chosen is equal:
            why = "every design that adapts finds out less"
            if all(each.interval == "anytime-valid" for each in measured[1:]):
                why += f", since {_DEPENDS} so much on outcomes that only a wider, anytime-valid interval is valid"
        return Recommendation(equal.design, f"{_upper(equal.design.name)}: {why}.{caution}")
    shows = f", and shows {_SMALLEST} {_as_often(chosen, equal)}" if best_power >= RELIABLE else ""
    less, lost = _to_two_digits(saved.value, chosen.lost.value)
    return Recommendation(
        chosen.design,
        f"{_upper(chosen.design.name)}: it loses about {amount(less)} fewer {thing} than equal shares over your "
        f"plausible range ({amount(lost)} instead of {amount(lost + less)}){shows}.{caution}",
    )


def row_in_words(situation: Situation, each: Measured) -> str:
    """Return what a design comes to, as a sentence."""
    saved, thing = each.saved, situation.thing
    against = "as equal shares do"
    if saved.value:
        against = f"{_about(abs(saved.value))} {'fewer' if saved.value > 0.0 else 'more'} than equal shares"
    if saved.low <= 0.0 <= saved.high and saved.value:
        against += ", which may be chance"
    return (
        f"{_upper(each.design.name)} loses about {_about(each.lost.value)} {thing} over your plausible range, "
        f"{against}; it shows {_SMALLEST} {percent(each.power.value)} of the time{with_interval(each)}."
    )


def with_interval(each: Measured) -> str:
    """Return by which interval a design shows a difference, if it is not an ordinary one."""
    words = {
        "ordinary": "",
        "anytime-valid": f", by an anytime-valid interval, since {_DEPENDS} much on outcomes",
        "mixed": f", at times by an anytime-valid interval, since {_DEPENDS} much on outcomes",
    }
    return words[each.interval]


def _caution(situation: Situation, best_power: float, level: float) -> str:
    """Return what to know where no design finds out much, and what would."""
    units = float(f"{units_for(situation, ENOUGH, level):.2g}")
    days = "" if situation.per_day is None else f" ({counted(math.ceil(units / situation.per_day), 'day')})"
    return (
        f" With this traffic no design shows {_SMALLEST} reliably: {percent(best_power)} of the time at most. "
        "More traffic, fewer arms or a larger difference would help: to show it "
        f"{percent(ENOUGH)} of the time, equal shares take about {amount(units)} units{days}."
    )


def units_for(situation: Situation, power: float, level: float = 0.95) -> float:
    """Return how many units equal shares take to show the smallest difference so often, by the normal law.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> shop = describe(n_arms=2, horizon=10_000, baseline=0.1, smallest_difference=0.02)
    >>> round(units_for(shop, 0.8), -2)
    7700.0
    """
    others = situation.n_arms - 1  # all are compared with the baseline, by Bonferroni
    away = ndtri(1.0 - (1.0 - level) / (2.0 * others)) + ndtri(power)
    variances = situation.at_smallest.variances
    each = away**2 * float(variances[0] + variances[-1]) / situation.smallest_difference**2
    return float(situation.n_arms * each)


def _as_often(chosen: Measured, equal: Measured) -> str:
    """Return how often a design shows the smallest difference, beside equal shares."""
    own, its = percent(chosen.power.value), percent(equal.power.value)
    if own == its:
        return f"as often ({own} of the time)"
    compared = "more often" if chosen.power.low > equal.power.high else "about as often"
    return f"{compared} ({own} against {its} of the time)"


def _near(each: Measured, best: float) -> bool:
    own_error = each.power.high - each.power.value
    return each.power.value + max(NEAR, own_error) >= best


def _about(number: float) -> str:
    """Return a number to two digits, three from a thousand on.

    >>> _about(293.4), _about(6_012.0), _about(0.123)
    ('290', '6,010', '0.12')
    """
    return amount(float(f"{number:.{3 if abs(number) >= 1e3 else 2}g}"))


def _to_two_digits(leading: float, other: float) -> tuple[float, float]:
    """Round two numbers to the place of the second digit of the first, so that their sum is that of what is printed.

    >>> _to_two_digits(98.7, 365.2), _to_two_digits(4_968.0, 13_755.0)
    ((99.0, 365.0), (5000.0, 13800.0))
    """
    digits = 1 - math.floor(math.log10(leading))
    return round(leading, digits), round(other, digits)


def _upper(name: str) -> str:
    return name[:1].upper() + name[1:]
