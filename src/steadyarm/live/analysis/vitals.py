"""The vital signs of an experiment: what is followed, entry by entry, to tell whether it is healthy.

Outcomes are looked at in the order of the allocations and not as they come: those that come quickly may be others than
those that come late. One that is not there after the patience is passed over. The clock is that of the entries, so the
same journal always gives the same.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from typing import Any

import numpy as np

from steadyarm.live.analysis.evidence import Ratio, Steadiness, two_rates
from steadyarm.live.analysis.silence import Silence
from steadyarm.live.analysis.weighted import ProbabilityLog
from steadyarm.live.core.journal import moment
from steadyarm.live.core.setup.setup import Setup
from steadyarm.live.core.units import OUTCOMES
from steadyarm.numerics.arrays import Floats
from steadyarm.policies import Mixed

MISSING_AFTER_SECONDS = 86_400.0  # without an outcome; a window of attribution is waited for to its end
MOST_WAITING = 250_000  # units without an outcome
MOST_QUEUED = 1_000_000  # units behind the first of these
_UNKNOWN = -1
_PER_DOUBLING = 4  # groups of lateness


class Looks:
    """When to look at the evidence again: after every ten at first, later after every hundredth part more."""

    def __init__(self) -> None:
        self._next = 10

    def due(self, number: int) -> bool:
        """Whether to look after so many."""
        if number < self._next:
            return False
        self._next = number + max(10, number // 100)
        return True


class Highest:
    """The largest evidence so far about each arm, and the entry after which it first was enough for an alarm."""

    def __init__(self, n_arms: int, enough: float) -> None:
        self.values = np.zeros(n_arms)
        self.enough = enough
        self.looks = Looks()
        self.seq: int | None = None

    def note(self, found: Floats | float, seq: int, arm: int | slice = slice(None)) -> None:
        """Take in what was found about all arms, or about one."""
        self.values[arm] = np.maximum(self.values[arm], found)
        if self.seq is None and self.values.max() >= self.enough:
            self.seq = seq

    @property
    def arm(self) -> int:
        """The arm that stands out most."""
        return int(self.values.argmax())


class Vitals:
    """Follows the entries of one experiment; `enough` is the log E of one arm in one check that is an alarm."""

    def __init__(self, setup: Setup, enough: float) -> None:
        n_arms, horizon, declared = len(setup.arms), setup.policy.horizon, setup.configuration
        self._number_of = {arm: number for number, arm in enumerate(setup.arms)}
        self.window = None if setup.attribution is None else setup.attribution.after
        self.seq, self.clock, self._ahead = 0, 0.0, 0.0
        low = {"bernoulli": 0.0, "bounded": declared.get("low")}.get(declared["rewards"])
        scale = {"bernoulli": 1.0, "gaussian": setup.policy.noise_scale}.get(declared["rewards"])
        scale = declared["high"] - declared["low"] if scale is None else scale
        self.steadiness = [Steadiness(horizon, low, scale) for _ in range(n_arms)]
        self.ratio, self.log = None, None
        if isinstance(setup.policy, Mixed):
            self.log = ProbabilityLog(n_arms)
            self.ratio = Ratio(n_arms, setup.policy.least_share / n_arms)
        self.silence = Silence(n_arms) if self.window is None else None  # with a window silence is an outcome
        self.highest = {name: Highest(n_arms, enough) for name in ("outcomes", "silence", "ratio", "drift")}
        self._looks = [Looks() for _ in range(n_arms)]
        self.units = 0
        self.settled, self.missing, self.late = (
            np.zeros(n_arms),
            np.zeros(n_arms),
            np.zeros(n_arms, dtype=int),
        )
        self.lateness: list[Counter[int]] = [Counter() for _ in range(n_arms)]
        self.waiting: dict[str, tuple[int, int, float]] = {}  # unit: its number, arm and time
        self.lost = ""
        self._arms, self._since = array("i"), array("d")
        self._answered, self._rewards = array("b"), array("d")
        self._head, self._passed = 0, 0  # the first that is not settled; units before the arrays begin

    def take(self, entry: dict[str, Any]) -> None:
        """Follow the next entry."""
        self.seq, kind = entry["seq"], entry["kind"]
        self.clock = at = self._time(moment(entry["at"]))
        if self.log is not None and kind in (*OUTCOMES, "amended"):
            self.log.take(entry)
        if kind == "allocated":
            self._allocated(entry, at)
        elif kind in ("rewarded", "lapsed", "voided"):
            self._outcome(kind, entry, at)
        elif kind == "defaulted":  # a unit that got another arm than it was allocated, if it was
            self._outcome("voided", entry, at)
        self._settle()
        if self.silence is not None and self.silence.followed:
            self._listen(self.silence, self.highest["silence"])

    def _listen(self, silence: Silence, highest: Highest) -> None:
        if highest.looks.due(silence.settle(self.clock)):
            highest.note(silence.evidence(), self.seq)
        if highest.seq is not None:
            silence.end()

    def _time(self, at: float) -> float:
        """Return the time of an entry; where an old journal's goes back, it goes on from the last one, as `Clock`."""
        if at >= self.clock:
            self._ahead = 0.0
        elif at + self._ahead < self.clock:
            self._ahead = self.clock - at
        return at + self._ahead

    def _allocated(self, entry: dict[str, Any], at: float) -> None:
        arm = self._number_of[entry["arm"]]
        if self.log is not None:
            self.log.give(arm, entry)
        if self.ratio is not None:
            self.ratio.take(arm, entry["probability"])
            if self.highest["ratio"].looks.due(self.ratio.number):
                self.highest["ratio"].note(self.ratio.evidence(), self.seq)
        if self.lost:
            return
        self.waiting[entry["unit"]] = (self._passed + len(self._arms), arm, at)
        self._arms.append(arm)
        self._since.append(at)
        self._answered.append(_UNKNOWN)
        self._rewards.append(0.0)
        if self.silence is not None and self.silence.followed:
            self.silence.give(arm, at)
        if len(self.waiting) > MOST_WAITING:
            self._lose(f"more than {MOST_WAITING:,} units waited for their outcome at once")
        elif len(self._arms) - self._head > MOST_QUEUED:
            self._lose(f"more than {MOST_QUEUED:,} units came after one whose outcome was waited for")

    def _lose(self, reason: str) -> None:
        self.lost = reason
        if self.silence is not None:
            self.silence.end()
        self.waiting.clear()
        for kept in (self._arms, self._since, self._answered, self._rewards):
            del kept[:]
        self._head = 0

    def _outcome(self, kind: str, entry: dict[str, Any], at: float) -> None:
        number, arm, since = self.waiting.pop(entry["unit"], (-1, 0, 0.0))
        if number < 0:
            return
        late = max(0.0, at - since)
        if self.silence is not None and self.silence.followed:
            self.silence.hear(number, arm, late if kind == "rewarded" else None)
        in_time = self.window is not None or late <= MISSING_AFTER_SECONDS
        if kind == "rewarded":
            self.lateness[arm][_group(late)] += 1
            self.late[arm] += not in_time
        place = number - self._passed
        if place >= self._head:
            self._answered[place] = kind != "voided" and in_time
            self._rewards[place] = 0.0 if kind == "voided" else entry["reward"]

    def _settle(self) -> None:
        """Go on to the first unit whose outcome is still waited for."""
        end, head = len(self._arms), self._head
        while head < end:
            answered = self._answered[head]
            if answered == _UNKNOWN:
                if self.window is not None or self.clock - self._since[head] <= MISSING_AFTER_SECONDS:
                    break
                answered = 0
            self._note(self._arms[head], answered, self._rewards[head])
            head += 1
        self._head = head
        if head > 10_000 and 2 * head > end:
            for kept in (self._arms, self._since, self._answered, self._rewards):
                del kept[:head]
            self._passed, self._head = self._passed + head, 0

    def _note(self, arm: int, answered: int, reward: float) -> None:
        self.settled[arm] += 1
        self.missing[arm] += not answered
        self.units += 1
        outcomes = self.highest["outcomes"]
        if outcomes.looks.due(self.units):
            missing = float(self.missing.sum())
            outcomes.note(two_rates(self.settled, self.missing, float(self.units), missing), self.seq)
        if answered:
            steadiness = self.steadiness[arm]
            steadiness.take(reward)
            if self._looks[arm].due(steadiness.number):
                self.highest["drift"].note(steadiness.evidence(), self.seq, arm)

    def oldest(self) -> dict[int, float]:
        """Return since when the first unit of each arm has been waiting; arms without one are left out."""
        found: dict[int, float] = {}
        for _, arm, since in self.waiting.values():
            if arm not in found:
                found[arm] = since
                if len(found) == len(self.settled):
                    break
        return found

    def oldest_by_name(self) -> dict[str, float]:
        """Return the same by the arms' names."""
        names = list(self._number_of)
        return {names[arm]: since for arm, since in self.oldest().items()}

    def median_lateness(self, arm: int) -> float | None:
        """Return the median time that outcomes of an arm took, in seconds, to 10 %; None if there are none."""
        groups = self.lateness[arm]
        half, seen = sum(groups.values()) / 2.0, 0
        for group in sorted(groups):
            seen += groups[group]
            if seen >= half:
                return _seconds(group)
        return None


class StrataVitals:
    """Follows the strata of an experiment apart: between strata, units without an outcome and means may differ."""

    def __init__(self, of: dict[str, Vitals]) -> None:
        self.of = of
        self.seq, self.clock = 0, 0.0

    def take(self, entry: dict[str, Any]) -> None:
        """Follow the next entry, in the stratum that it belongs to."""
        self.seq, self.clock = entry["seq"], max(self.clock, moment(entry["at"]))
        followed = self.of.get(entry.get("stratum", ""))
        if followed is not None:
            followed.take(entry)

    def oldest_by_name(self) -> dict[str, float]:
        """Return since when the first unit of each arm has been waiting, in any stratum."""
        found: dict[str, float] = {}
        for followed in self.of.values():
            for arm, since in followed.oldest_by_name().items():
                found[arm] = min(since, found.get(arm, since))
        return found


def _group(seconds: float) -> int:
    """Return the group of a lateness: four for every doubling from a millisecond on.

    >>> _group(0.0), _group(1.0), _group(60.0), round(_seconds(_group(60.0)), 1)
    (0, 40, 64, 60.1)
    """
    return max(0, 1 + math.floor(_PER_DOUBLING * math.log2(seconds * 1e3))) if seconds > 1e-3 else 0


def _seconds(group: int) -> float:
    return 1e-3 * 2.0 ** ((group - 0.5) / _PER_DOUBLING) if group else 0.0
