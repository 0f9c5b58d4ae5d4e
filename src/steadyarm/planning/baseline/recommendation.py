"""One design for a team, and why.

Of the designs that show the smallest difference nearly as often as equal shares, the one that loses least over the
plausible range; where equal shares next to never show it, of all designs. Equal shares, if that saves too little or no
more than its own error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtr, ndtri

from steadyarm.defaults import LEVEL
from steadyarm.planning.baseline.designs import Design
from steadyarm.planning.baseline.measured import Measured
from steadyarm.planning.baseline.situation import Situation
from steadyarm.words import amount, percent

NEAR = 0.05
"""How far a power may be below that of equal shares, however many runs there are."""
ENOUGH = 0.8
"""A power that is usually asked for."""
RELIABLE = 0.5
"""A best power below it is told first, with what would help."""
LITTLE = 0.2
"""A chance of equal shares below which a power is not worth choosing by."""
WORTH = 0.01
"""Of what is expected in all: a smaller saving is not worth adapting."""

_SMALLEST = "the smallest difference that matters"
_DEPENDS = "its traffic depends"
_ROUNDING = 1e-9  # of shares of runs


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
    equal, level = measured[0], measured[0].power.level
    most = max(each.power.value for each in measured)
    hopeless = power_of_equal_shares(situation, level) < LITTLE
    able = measured if hopeless else [each for each in measured if _finds_as_much(each, equal)]
    chosen = max(able, key=lambda each: each.saved.value)
    caution, aside = "", ""
    if hopeless or most < RELIABLE:
        caution = _caution(situation, most, level)
        aside = "" if hopeless else _by_loss_alone(situation, measured, chosen)
    if not _worth_it(situation, chosen):
        why = _why_not(situation, measured, able, chosen)
        return Recommendation(equal.design, f"{caution}{_upper(equal.design.name)}: {why}.{aside}")
    less, lost = _to_two_digits(chosen.saved.value, chosen.lost.value)
    shows = f"shows {_SMALLEST} {_as_often(chosen, equal)}"
    if hopeless:
        shows = "is chosen by that alone, since no design would find out much"
    return Recommendation(
        chosen.design,
        f"{caution}{_upper(chosen.design.name)}: it loses about {amount(less)} fewer {situation.thing} than equal "
        f"shares over your plausible range ({amount(lost)} instead of {amount(lost + less)}), and {shows}.{aside}",
    )


def _finds_as_much(each: Measured, equal: Measured) -> bool:
    return each.power.value >= equal.power.value - NEAR - _ROUNDING


def _worth_it(situation: Situation, each: Measured) -> bool:
    """Whether a design saves more than its own error, and enough of what is expected in all."""
    return each.saved.low > 0.0 and each.saved.value >= WORTH * abs(situation.expected_total)


def _why_not(
    situation: Situation, measured: Sequence[Measured], able: Sequence[Measured], chosen: Measured
) -> str:
    """Return why equal shares are taken, and not the `chosen` one of those that find out enough."""
    if situation.too_late:
        return "no outcome is known before the last unit has its arm, so nothing can adapt"
    if chosen.saved.low > 0.0:
        return (
            f"the best way to adapt, {chosen.design.name}, saves about {_about(chosen.saved.value)} {situation.thing} "
            f"here, out of {_about(abs(situation.expected_total))}"
        )
    if len(measured) == 1:
        return "nothing that adapts could be simulated here"
    if len(able) > 1:
        return "adapting saves nothing that can be told from chance here"
    if all(each.interval == "anytime-valid" for each in measured[1:]):
        return (
            f"every design that adapts finds out less, since {_DEPENDS} so much on outcomes that only a wider, "
            "anytime-valid interval is valid"
        )
    return "every design that adapts finds out less"


def _by_loss_alone(situation: Situation, measured: Sequence[Measured], chosen: Measured) -> str:
    """Return which other design loses least, with how seldom it shows the difference, if that is worth a word."""
    least = max(measured, key=lambda each: each.saved.value)
    if least is chosen or not _worth_it(situation, least):
        return ""
    return (
        f" If only what is lost counts, {least.design.name} loses about {_about(least.saved.value)} fewer than equal "
        f"shares, and shows the difference {percent(least.power.value)} of the time."
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


def _caution(situation: Situation, most: float, level: float) -> str:
    """Return what to know first where no design finds out much, and what would."""
    units = float(f"{units_for(situation, ENOUGH, level):.2g}")
    days = ""
    if situation.per_day is not None:
        days = f" ({situation.days_in_words(math.ceil(units / situation.per_day))})"
    return (
        f"With this traffic no design shows {_SMALLEST} reliably: {percent(most)} of the time at most. "
        "More traffic, fewer arms or a larger difference would help: to show it "
        f"{percent(ENOUGH)} of the time, equal shares take about {amount(units)} units{days}. "
    )


def units_for(situation: Situation, power: float, level: float = LEVEL) -> float:
    """Return how many units equal shares take to show the smallest difference so often, by the normal law.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> shop = describe(n_arms=2, horizon=10_000, baseline=0.1, smallest_difference=0.02)
    >>> round(units_for(shop, 0.8), -2)
    7700.0
    """
    variances = situation.at_smallest.variances
    away = _critical(situation, level) + ndtri(power)
    each = away**2 * float(variances[0] + variances[-1]) / situation.smallest_difference**2
    return float(situation.n_arms * each)


def power_of_equal_shares(situation: Situation, level: float = LEVEL) -> float:
    """Return how often equal shares show the smallest difference, by the normal law; no runs are needed.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> round(power_of_equal_shares(describe(n_arms=2, horizon=7680, baseline=0.1, smallest_difference=0.02)), 2)
    0.8
    """
    variances = situation.at_smallest.variances
    error = math.sqrt(float(variances[0] + variances[-1]) * situation.n_arms / situation.horizon)
    return float(ndtr(situation.smallest_difference / error - _critical(situation, level)))


def _critical(situation: Situation, level: float) -> float:
    """Return how many errors a difference has to be away; all arms are compared with the baseline, by Bonferroni."""
    return float(ndtri(1.0 - (1.0 - level) / (2.0 * (situation.n_arms - 1))))


def _as_often(chosen: Measured, equal: Measured) -> str:
    """Return how often a design shows the smallest difference, beside equal shares."""
    own, its = percent(chosen.power.value), percent(equal.power.value)
    if own == its:
        return f"as often ({own} of the time)"
    if chosen.power.value <= equal.power.value + NEAR + _ROUNDING:
        return f"about as often ({own} against {its} of the time)"
    chance = "" if chosen.power.low > equal.power.high else ", which may be chance"
    return f"more often ({own} against {its} of the time{chance})"


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
