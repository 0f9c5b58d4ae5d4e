"""What the journal knows about a unit: its allocation and, once known, its outcome, as first told and as amended."""

from __future__ import annotations

from typing import Any, NamedTuple

OUTCOMES = ("rewarded", "voided", "lapsed", "defaulted")
"""The kinds of entry that settle an outstanding unit, once and for all but for amendments."""


MOST_IN_A_BATCH = 1000  # units of one call


class Unit(NamedTuple):
    """A unit as of its last entry.

    Attributes:
        reward: what results count, amendments included.
        reason: why it was voided, or amended.
        outcome_seq: the entry of the outcome: the last amendment, if there is one.
        first_reward: what the policy was told.
        first_seq: the entry that told it.
        amends: the entry that the last amendment corrects.
        served: the default arm that it had while the service was away; one that the policy never saw has round 0.
        stratum: in which it was given, if there are strata.
        holdout: whether it is held out; then `arm` is the stated one, or empty, and `round` 0.
    """

    arm: str
    round: int
    seq: int
    at: str
    outcome: str | None = None
    reward: float | None = None
    reason: str | None = None
    outcome_seq: int | None = None
    outcome_at: str | None = None
    first_reward: float | None = None
    first_seq: int | None = None
    amends: int | None = None
    served: str | None = None
    stratum: str = ""
    holdout: bool = False

    def settled(
        self, kind: str, seq: int, at: str, reward: float | None = None, reason: str | None = None
    ) -> Unit:
        """Return the unit with its first outcome."""
        given = Unit(self.arm, self.round, self.seq, self.at, kind, reward, reason, seq, at, reward, seq)
        if self.stratum or self.holdout:
            return given._replace(stratum=self.stratum, holdout=self.holdout)
        return given

    def amended(self, seq: int, at: str, reward: float, reason: str) -> Unit:
        """Return the unit with another outcome than it had."""
        return self._replace(
            outcome="amended",
            reward=reward,
            reason=reason,
            outcome_seq=seq,
            outcome_at=at,
            amends=self.outcome_seq,
        )


def defaulted(unit: Unit | None, arm: str, seq: int, at: str, stratum: str = "") -> Unit:
    """Return a unit that was served a default, instead of what the policy had given it, if that gave it anything."""
    known = Unit(arm, 0, seq, at, stratum=stratum) if unit is None else unit
    return known._replace(outcome="defaulted", outcome_seq=seq, outcome_at=at, served=arm)


def unit_after(unit: Unit | None, entry: dict[str, Any]) -> Unit | None:
    """Return what is known about a unit after one more of its entries.

    >>> entry = {"kind": "allocated", "arm": "a", "round": 1, "seq": 3, "at": "2026-11-15T09:30:00.125Z"}
    >>> unit_after(None, entry).arm
    'a'
    """
    kind, seq, at = entry["kind"], entry["seq"], entry["at"]
    if kind == "allocated":
        return Unit(entry["arm"], entry["round"], seq, at, stratum=entry.get("stratum", ""))
    if kind == "held":
        return Unit(entry.get("arm", ""), 0, seq, at, stratum=entry.get("stratum", ""), holdout=True)
    if kind == "defaulted":
        return defaulted(unit, entry["arm"], seq, at, entry.get("stratum", ""))
    if unit is not None and kind in OUTCOMES:
        return unit.settled(kind, seq, at, entry.get("reward"), entry.get("reason"))
    if unit is not None and kind == "amended":
        return unit.amended(seq, at, entry["reward"], entry["reason"])
    return unit
