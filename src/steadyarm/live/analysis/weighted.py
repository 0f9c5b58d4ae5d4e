"""Estimates weighted by logged probabilities, for an experiment whose policy mixes random rounds in.

What they need, arm, probability and reward of every round, is followed entry by entry. They are those of
`sa.weighted_intervals`, from the same columns that an exported journal gives.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from steadyarm.inference.probabilities import weighted_intervals
from steadyarm.live.core.experiment import Summary
from steadyarm.numerics.arrays import Floats
from steadyarm.theory.estimates import Estimate

MOST_SCORES = 2_000_000
"""Rounds times arms that are remembered, so that the estimates can be computed whenever somebody asks."""

_WORDS = (
    "{rewards:,} rewards, each weighted by one over the logged probability of its arm. That is unbiased under every "
    "policy and, if means drift, of their average over the rounds. The interval of the planned end is for one look; "
    "the other may be looked at whenever you like. Both hold to first order: for an arm that has had dozens of "
    "rewards by chance, and not before."
)
_RETIRED = " A retired arm has had no probability since, and so no weighted estimate."
_TOO_LONG = (
    "Not computed here, since rounds times arms are more than {most:,}. Export the journal, and give "
    "read_feedback(…).to_obp() to sa.weighted_intervals."
)
_TOO_FEW = "Weighted estimates need two rewards or more."


class ProbabilityLog:
    """The rounds of one play: arm and probability of each, and its reward as soon as it is known, as amended.

    A play of too many rounds is forgotten, and `full` says so.
    """

    def __init__(self, n_arms: int) -> None:
        self._most = MOST_SCORES // n_arms
        self.full = False
        self._arms, self._probabilities = array("i"), array("d")
        self._rewards, self._told_by = array("d"), array("q")
        self._waiting: dict[str, int] = {}

    def give(self, arm: int, entry: dict[str, Any]) -> None:
        """Take in an allocation."""
        if len(self._arms) == self._most:
            self.full = True
            self._waiting.clear()
            for kept in (self._arms, self._probabilities, self._rewards, self._told_by):
                del kept[:]
        if self.full:
            return
        self._waiting[entry["unit"]] = len(self._arms)
        self._arms.append(arm)
        self._probabilities.append(entry["probability"])
        self._rewards.append(np.nan)
        self._told_by.append(0)

    def take(self, entry: dict[str, Any]) -> None:
        """Take in what came of a unit, or that it was corrected."""
        if entry["kind"] == "amended":
            [places] = np.nonzero(np.frombuffer(self._told_by, dtype=np.int64) == entry["amends"])
            found = int(places[0]) if places.size else None
        else:
            found = self._waiting.pop(entry["unit"], None)
        if found is not None and entry["kind"] not in ("voided", "defaulted"):
            self._rewards[found] = entry["reward"]
            self._told_by[found] = entry["seq"]

    def columns(self) -> tuple[Any, Floats, Floats]:
        """Return arm, reward and probability of the rounds whose reward is known, in their order."""
        rewards = np.array(self._rewards)
        known = ~np.isnan(rewards)
        return np.array(self._arms)[known], rewards[known], np.array(self._probabilities)[known]


def weighted_of(summary: Summary, log: ProbabilityLog, level: float, control: str | None) -> dict[str, Any]:
    """Return the weighted means, and the differences from a control: the first arm unless one is named.

    Intervals of the means hold arm by arm, those of the differences together, by Bonferroni.
    """
    arms = summary.setup.arms
    against = arms.index(control) if control is not None else 0
    action, reward, probability = log.columns()
    said: dict[str, Any] = {"rewards": len(reward), "control": arms[against], "arms": [], "differences": []}
    if log.full:
        return said | {"words": _TOO_LONG.format(most=MOST_SCORES)}
    if len(reward) < 2:
        return said | {"words": _TOO_FEW}
    given = {"action": action, "reward": reward, "pscore": probability, "n_actions": len(arms)}
    gone = {each.arm for each in summary.retired}
    horizon = summary.setup.policy.horizon

    def both(at: float, control: int | None = None) -> list[tuple[Estimate, Estimate]]:
        found = (
            weighted_intervals(given, level=at, method=method, control=control, optimal_at=horizon)
            for method in ("wald", "anytime")
        )
        return list(zip(*found, strict=True))

    together = 1.0 - (1.0 - level) / (len(arms) - 1)
    words = _WORDS.format(rewards=len(reward)) + (_RETIRED if gone else "")
    return said | {
        "words": words,
        "arms": [
            {"arm": arm, **_row("mean", *pair, arm in gone)}
            for arm, pair in zip(arms, both(level), strict=True)
        ],
        "differences": [
            {"arm": arm, "other": arms[against], **_row("value", *pair, bool(gone & {arm, arms[against]}))}
            for arm, pair in zip(arms, both(together, against), strict=True)
            if arm != arms[against]
        ],
    }


def _row(name: str, once: Estimate, ever: Estimate, gone: bool) -> dict[str, Any]:
    """Return an estimate with both intervals; without numbers for an arm that was retired."""
    if gone:
        return {name: None} | {kind: {"low": None, "high": None} for kind in ("wald", "anytime")}
    ends = {kind: {"low": each.low, "high": each.high} for kind, each in (("wald", once), ("anytime", ever))}
    return {name: once.value, **ends}
