"""What a team knows before its experiment, in the units that it counts: the baseline, differences, traffic, delay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats
from steadyarm.planning.baseline.past_data import is_data, past_data
from steadyarm.theory.reward_class import RewardClass, class_of_means, class_of_rates
from steadyarm.words import amount, counted

_REACH = 3.0  # plausible differences are up to so many times the smallest, unless they are given
_LARGEST = 1e50
_LARGER = 0.1  # a difference by such a part of the baseline is worth a word about what it does to the noise
_SD = "It is the standard deviation of an outcome; outcomes that are 0 or 1 have none, give their rate alone."


@dataclass(frozen=True)
class Situation:
    """An experiment in the team's own numbers; `describe` makes one from what people say.

    Attributes:
        n_arms: how many arms; arm 0 is what runs today.
        horizon: how many units take part.
        baseline: the rate, or the mean outcome, of arm 0.
        sd: the standard deviation of an outcome; None for 0/1 outcomes, where it follows from the rate.
        smallest_difference: the smallest difference from the baseline that matters.
        differences: the lowest and the highest plausible difference of another arm to the baseline.
        per_day: units a day, if that is known.
        delay_days: after how many days an outcome is known.
        daily: whether the policy learns once a day, and not after each outcome.
        remarks: what was read or filled in, in plain sentences.
    """

    n_arms: int
    horizon: int
    baseline: float
    sd: float | None
    smallest_difference: float
    differences: tuple[float, float]
    per_day: float | None = None
    delay_days: float = 0.0
    daily: bool = False
    remarks: tuple[str, ...] = ()

    @property
    def is_rate(self) -> bool:
        """Whether outcomes are 0 or 1."""
        return self.sd is None

    @property
    def thing(self) -> str:
        """What is lost: conversions, or units of reward."""
        return "conversions" if self.is_rate else "units of reward"

    @property
    def mean_range(self) -> tuple[float, float]:
        """Between which means all arms lie; the baseline is one of them."""
        low, high = (_tidy(self.baseline + difference) for difference in self.differences)
        inside = (max(0.0, low), min(1.0, high)) if self.is_rate else (low, high)
        return min(inside[0], self.baseline), max(inside[1], self.baseline)

    @property
    def reward_class(self) -> RewardClass:
        """The class: means in that range, and the noise of its noisiest rate, or the standard deviation given."""
        if self.sd is None:
            return class_of_rates(*self.mean_range)
        return class_of_means(*self.mean_range, self.sd)

    @property
    def expected_total(self) -> float:
        """What all units would bring at the baseline."""
        return self.baseline * self.horizon

    @property
    def days(self) -> float | None:
        """How many days the units take, without waiting for the last outcomes."""
        return None if self.per_day is None else self.horizon / self.per_day

    def days_in_words(self, days: float) -> str:
        """Return how long new units come, and how long the last outcomes take after them.

        >>> known = {"n_arms": 2, "baseline": 0.1, "smallest_difference": 0.02, "per_day": 400, "days": 60}
        >>> describe(**known).days_in_words(60), describe(**known, delay_days=10).days_in_words(60)
        ('60 days', '60 days, and 10 more until the last outcomes')
        """
        more = (
            f", and {counted(self.delay_days, 'more', 'more')} until the last outcomes"
            if self.delay_days
            else ""
        )
        return f"{counted(round(days, 1), 'day')}{more}"

    @property
    def delay(self) -> int:
        """After how many rounds an outcome is known; after all of them is as good as never."""
        if self.per_day is None:
            return 0
        return min(self.horizon, round(self.delay_days * self.per_day))

    @property
    def batch(self) -> int:
        """Every how many rounds the policy learns."""
        return (
            max(1, min(self.horizon, round(self.per_day))) if self.daily and self.per_day is not None else 1
        )

    @property
    def too_late(self) -> bool:
        """Whether the last unit has its arm before the first outcome is known, so that nothing can adapt."""
        return self.batch * math.ceil((1 + self.delay) / self.batch) >= self.horizon

    def instance(self, means: Sequence[float]) -> Instance:
        """Return arms with these means."""
        return self.reward_class.instance(means)

    @property
    def at_smallest(self) -> Instance:
        """The last arm better by the smallest difference that matters, all others as the baseline."""
        better = _tidy(self.baseline + self.smallest_difference)
        return self.instance([self.baseline] * (self.n_arms - 1) + [better])

    def plausible(self, draws: int, seed: int) -> list[Instance]:
        """Draw instances from the plausible range."""
        return [self.instance(means) for means in self.plausible_means(draws, seed).tolist()]

    def plausible_means(self, draws: int, seed: int) -> Floats:
        """Draw means: arm 0 is the baseline, the others' differences are independent and uniform in the range."""
        random = np.random.default_rng([seed, 0x9A0])
        low, high = self.differences
        drawn = self.baseline + random.uniform(low, high, (draws, self.n_arms - 1))
        return np.column_stack([np.full(draws, self.baseline), np.clip(drawn, *self.mean_range)])

    @property
    def words(self) -> str:
        """The situation in a sentence, and what is expected in all in another.

        >>> print(describe(n_arms=4, horizon=200_000, baseline=0.03, smallest_difference=0.003).words)
        4 arms, 200,000 units; baseline 3%, ... to +0.9 pp. At the baseline all units bring about 6,000 conversions.
        """
        low, high = self.differences
        level = self.level_words
        if self.is_rate:
            smallest = f"{100 * self.smallest_difference:.4g} pp"
            plausible = f"{100 * low:+.4g} to {100 * high:+.4g} pp"
        else:
            level += f" (standard deviation {_four(self.sd or 0.0)})"
            smallest, plausible = f"{self.smallest_difference:.4g}", f"{low:+.4g} to {high:+.4g}"
        time = "" if self.days is None else f" in {self.days_in_words(self.days)}"
        late = ", traffic moved once a day" if self.daily else ""
        return (
            f"{self.n_arms} arms, {self.horizon:,} units{time}{late}; baseline {level}, differences from {smallest} on "
            f"matter, plausible from {plausible}. At the baseline all units bring about "
            f"{amount(float(f'{self.expected_total:.3g}'))} {self.thing}."
        )

    @property
    def level_words(self) -> str:
        """The baseline: a rate in percent, or a mean."""
        return f"{100 * self.baseline:.4g}%" if self.is_rate else _four(self.baseline)

    @property
    def noise_words(self) -> str:
        """How noisy outcomes are taken to be, and why."""
        found = self.reward_class
        if self.sd is not None:
            return f"Outcomes are simulated as Gaussian with the standard deviation {_four(self.sd)}.{self._if_larger}"
        low, high = (100.0 * end for end in self.mean_range)
        return (
            f"Rates are taken to lie between {low:.4g}% and {high:.4g}%. Designs are set up for the noisiest of them, "
            f"where an outcome has a standard deviation of {found.noise_scale:.3g}."
        )

    @property
    def _if_larger(self) -> str:
        """What is missed where better outcomes are larger in proportion, and vary so much more."""
        larger = 0.0 if self.baseline <= 0.0 else self.smallest_difference / self.baseline
        if self.sd is None or larger < _LARGER:
            return ""
        raised = float(f"{self.sd * (1.0 + larger):.3g}")
        return (
            " Skewed ones, like revenue, do nearly the same if they vary as much. Where a better arm's are larger in "
            f"proportion, as when customers spend more, they vary by {amount(raised)} at the smallest difference: then "
            "designs find out less and spread more than the table says, and intervals miss the difference too often, "
            "unless you give that standard deviation."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as a plain dict, fit for JSON."""
        return vars(self) | {
            "differences": list(self.differences),
            "remarks": list(self.remarks),
            "mean_range": list(self.mean_range),
            "days": self.days,
            "is_rate": self.is_rate,
            "words": self.words,
            "noise_words": self.noise_words,
        }


def describe(
    *,
    n_arms: int,
    baseline: Any,
    smallest_difference: float,
    horizon: int | None = None,
    differences: Sequence[float] | None = None,
    per_day: float | None = None,
    days: float | None = None,
    delay_days: float = 0.0,
    daily: bool = False,
    column: str | None = None,
) -> Situation:
    """Return the situation that a team describes; see `plan` for what each means.

    >>> situation = describe(n_arms=3, baseline=(12.0, 40.0), smallest_difference=1.0, per_day=500, days=14)
    >>> situation.horizon, situation.differences
    (7000, (-3.0, 3.0))
    """
    remedy = (
        f"From a baseline {checks.MOST_ARMS:,} are planned at most, as many as a live experiment may have."
    )
    n_arms = checks.integer(n_arms, "n_arms", at_least=2, at_most=checks.MOST_ARMS, remedy=remedy)
    if per_day is not None:
        per_day = checks.real(
            per_day, "per_day", above=0.0, at_most=_LARGEST, remedy="It is how many units come in a day."
        )
    horizon = checks.horizon(_rounds(horizon, per_day, days), n_arms)
    delay_days = checks.real(delay_days, "delay_days", at_least=0.0, at_most=_LARGEST, remedy="0 is at once.")
    if (delay_days > 0.0 or checks.boolean(daily, "daily")) and per_day is None:
        raise InvalidInput("delay_days= and daily= need per_day=, the number of units a day.")
    mean, sd, remarks = _baseline(baseline, column)
    remedy = f"It is the smallest difference from the baseline that matters, in its unit{_written('0.3 pp', '0.003')}."
    smallest = checks.real(
        smallest_difference, "smallest_difference", above=0.0, at_most=_LARGEST, remedy=remedy
    )
    if sd is None and mean + smallest > 1.0:
        raise InvalidInput(
            f"smallest_difference must leave a rate of 100% at most; got {100.0 * mean:.4g}% + {100.0 * smallest:.4g} "
            f"pp{_written('0.3 pp', '0.003')}. Give a smaller difference."
        )
    low, high = _tidy(_REACH * -smallest), _tidy(_REACH * smallest)
    if differences is not None:
        low, high = _differences(differences)
    if sd is None:
        low, high = max(low, -mean), min(high, 1.0 - mean)
    if not low < high:
        raise InvalidInput(
            f"differences must leave some room; from {_points(low, sd)} to {_points(high, sd)} there is none. Give a "
            f"lower and a higher difference from the baseline{_example(sd)}."
        )
    if differences is None:
        cut = (
            ", as far as rates between 0% and 100% allow"
            if min(-low, high) < _tidy(_REACH * smallest)
            else ""
        )
        remarks += (
            f"Plausible differences are taken to be up to {_REACH:g} times the smallest that matters{cut}.",
        )
    if not low <= smallest <= high:
        raise InvalidInput(
            f"differences must include the smallest one that matters; got {_points(low, sd)} to {_points(high, sd)}, "
            f"and {_points(smallest, sd)}. Widen them."
        )
    return Situation(
        n_arms, horizon, mean, sd, smallest, (low, high), per_day, delay_days, bool(daily), remarks
    )


def _rounds(horizon: int | None, per_day: float | None, days: float | None) -> Any:
    if days is None:
        if horizon is None:
            raise InvalidInput("a plan needs the number of units: give horizon=, or per_day= and days=.")
        return horizon
    days = checks.real(days, "days", above=0.0, at_most=_LARGEST, remedy="It is how long new units come.")
    if per_day is None:
        raise InvalidInput("to turn days into units a plan needs per_day=, the number of units a day.")
    rounds = round(min(days * per_day, _LARGEST))
    if horizon is not None and abs(checks.integer(horizon, "horizon") - rounds) > per_day:
        raise InvalidInput(
            f"horizon and days must agree; {per_day:g} × {days:g} = {rounds:,} units, and horizon is "
            f"{horizon:,}. Give one of them."
        )
    return rounds if horizon is None else horizon


def _baseline(baseline: Any, column: str | None) -> tuple[float, float | None, tuple[str, ...]]:
    """Return the mean, the standard deviation (None for a rate) and remarks."""
    if is_data(baseline):
        found = past_data(baseline, column)
        return _rate(found.mean) if found.sd is None else found.mean, found.sd, (found.words,)
    if column is not None:
        raise InvalidInput(f"column={column!r} is for past data. Leave it out, or give past data.")
    if isinstance(baseline, tuple):
        if len(baseline) != 2:
            raise InvalidInput(
                f"baseline must be a rate, or (mean, sd); got {baseline!r}. Give two numbers, like (8.0, 50.0)."
            )
        mean = checks.real(baseline[0], "the mean of baseline", at_least=-_LARGEST, at_most=_LARGEST)
        sd = checks.real(baseline[1], "the sd of baseline", above=0.0, at_most=_LARGEST, remedy=_SD)
        return mean, sd, ()
    return _rate(baseline), None, ()


def _rate(value: Any) -> float:
    rate = checks.real(value, "baseline", remedy="Give a rate like 0.03, (mean, sd), or past data.")
    if not 0.0 < rate < 1.0:
        raise InvalidInput(
            f"baseline must be a rate above 0% and below 100%; got {100.0 * rate:g}% ({rate:g} is {100.0 * rate:g}%, "
            "0.03 is 3% in Python and JSON). Outcomes other than 0 and 1 need an sd beside the mean: how far they vary."
        )
    return rate


def _differences(given: Any) -> tuple[float, float]:
    found = checks.reals(given, "differences", remedy="Give two numbers, like (-0.005, 0.01).")
    if len(found) != 2 or not math.isfinite(sum(found)):
        raise InvalidInput(
            f"differences must be the lowest and the highest; got {given!r}. Give two numbers, like (-0.005, 0.01)."
        )
    return found[0], found[1]


def _written(people: str, program: str) -> str:
    """Return how a number is written in a program; the page, where people write it, leaves this out."""
    return f" ({people} is {program} in Python and JSON)"


def _example(sd: float | None) -> str:
    return _written("-1 to 1 pp", "(-0.01, 0.01)") if sd is None else ", like (-2.0, 3.0)"


def _points(difference: float, sd: float | None) -> str:
    """Return a difference of rates in percentage points, another one as it is."""
    return f"{100.0 * difference:.4g} pp" if sd is None else f"{difference:g}"


def _tidy(number: float) -> float:
    """Return a sum or a product of decimals as one: without what their binary digits left over.

    >>> 3.0 * 0.15, _tidy(3.0 * 0.15)
    (0.44999999999999996, 0.45)
    """
    return float(f"{number:.15g}")


def _four(number: float) -> str:
    """Return an amount to four digits, more of whole ones: what was read off past data has endless ones.

    >>> _four(3.561539), _four(31.0519), _four(12_345.6)
    ('3.562', '31.05', '12,346')
    """
    return amount(number if abs(number) >= 1e3 else float(f"{number:.4g}"))
