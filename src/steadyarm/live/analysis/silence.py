"""Arms that nobody has heard of while others are heard of: what is known of them, and how much evidence that is.

By most policies an arm without any reward comes first, so one whose outcomes never arrive gets nearly every unit.
Units are compared at the same ages, since those of that arm are mostly younger than the others.
"""

from __future__ import annotations

import math
from array import array
from typing import Any

import numpy as np

from steadyarm.live.analysis.evidence import never_answered
from steadyarm.live.core.experiment import Summary
from steadyarm.numerics.arrays import Floats
from steadyarm.words import counted

AGES = {60.0: 0.3, 3_600.0: 0.3, 86_400.0: 0.2, 864_000.0: 0.1, 8_640_000.0: 0.1}
"""At which units are looked at, in seconds, and the part of the evidence that each age can give."""

MOST_UNITS = 250_000  # followed while an arm is silent: one would be found out by far fewer
TELLING = 10  # units without an outcome, from which on they are worth a sentence

_UNTOLD, _NEVER = math.nan, math.inf  # of the time that an outcome took
_FIRST = "Most policies give nearly every unit to an arm without an outcome"
_REMEDY = (
    f"{_FIRST}. See whether it works and reports; if not, retire it. In a successor an attribution window can count "
    "silence, and a cap (`at_most`) bounds it."
)
_REMEDY_IN_WINDOW = (
    f"{_FIRST}, until its first silence counts. See whether it works and reports; if not, retire it. In a successor a "
    "cap (`at_most`) bounds it. With an attribution window this is never an alarm, since silence is an outcome."
)


class Silence:
    """Follows all units, in order and at each age, until every arm was heard of."""

    def __init__(self, n_arms: int) -> None:
        self.followed = n_arms > 1
        self._unheard = set(range(n_arms))
        self._arms, self._since, self._late = array("i"), array("d"), array("d")
        self._heads = [0] * len(AGES)
        self._units = np.zeros((len(AGES), n_arms))
        self._answered = np.zeros((len(AGES), n_arms))

    def give(self, arm: int, at: float) -> None:
        """Take in the next unit."""
        self._arms.append(arm)
        self._since.append(at)
        self._late.append(_UNTOLD)
        if len(self._arms) > MOST_UNITS:
            self.end()

    def hear(self, number: int, arm: int, late: float | None) -> None:
        """Take in what came of a unit: an outcome so many seconds late, or that there will be none."""
        self._late[number] = _NEVER if late is None else late
        if late is not None:
            self._unheard.discard(arm)
            if not self._unheard:
                self.end()

    def end(self) -> None:
        """Follow no more."""
        self.followed = False
        for kept in (self._arms, self._since, self._late):
            del kept[:]

    def settle(self, clock: float) -> int:
        """Go on, at each age, to the first unit that is younger and was not heard of; returns the number of looks."""
        for place, age in enumerate(AGES):
            head = self._heads[place]
            while head < len(self._arms):
                late = self._late[head]
                if math.isnan(late) and clock - self._since[head] <= age:
                    break
                self._units[place, self._arms[head]] += 1
                self._answered[place, self._arms[head]] += late <= age
                head += 1
            self._heads[place] = head
        return sum(self._heads)

    def evidence(self) -> Floats:
        """Return log E of each arm that it is never heard of, together with all others that were not."""
        n_arms = self._units.shape[1]
        silent = sorted(arm for arm in self._unheard if self._units[:, arm].any())
        found: Floats = np.zeros(n_arms)
        if not silent or len(silent) == n_arms:
            return found
        whole, answered = self._units.sum(axis=1), self._answered.sum(axis=1)
        at_ages = never_answered(self._units[:, silent].sum(axis=1), whole, answered)
        sets = (n_arms - 1) * math.comb(n_arms - 1, len(silent) - 1)  # that an arm can be silent with
        log_e = float(np.logaddexp.reduce(at_ages + np.log([*AGES.values()]))) - math.log(sets)
        found[silent] = max(0.0, log_e)
        return found


def silence_of(summary: Summary) -> dict[str, Any]:
    """Return which arms are not heard of while others are, in numbers and, if there is one, in a sentence."""
    names, units, outcomes = summary.setup.arms, summary.counts, summary.observed
    retired, told = {each.arm for each in summary.retired}, sum(outcomes)
    silent = [
        number
        for number, name in enumerate(names)
        if told and units[number] >= TELLING and not outcomes[number] and name not in retired
    ]
    found: dict[str, Any] = {
        "arms": [
            {"arm": name, "units": units[number], "outcomes": outcomes[number]}
            for number, name in enumerate(names)
        ],
        "silent": [names[number] for number in silent],
    }
    if silent:
        unheard = sum(units[number] for number in silent)
        found["words"] = (
            f"{'Arm' if len(silent) == 1 else 'Arms'} {', '.join(repr(name) for name in found['silent'])}: "
            f"{counted(unheard, 'unit')} and no outcome at all, while {told:,} of the "
            f"{counted(sum(units) - unheard, 'other unit')} {'has' if told == 1 else 'have'} one. "
            f"{_REMEDY if summary.setup.attribution is None else _REMEDY_IN_WINDOW}"
        )
    return found
