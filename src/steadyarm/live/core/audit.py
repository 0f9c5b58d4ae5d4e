"""The audit of a journal: its chain is whole, and the reference play makes the same decisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from steadyarm.live.core.experiment import Experiment, begin
from steadyarm.live.core.journal import Broken, Row


class Audit:
    """Replays a whole journal by the reference play, and also follows every unit."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.experiment: Experiment | None = None
        self._units: dict[
            str, str | None
        ] = {}  # the arm of an outstanding unit; None once its outcome is known

    def take(self, row: Row) -> dict[str, Any]:
        """Check the next entry."""
        if self.experiment is None:
            self.experiment = begin(0, self.name, row)
            return {}
        entry = self.experiment.replay(row)
        unit: str = entry.get("unit", "")
        if entry["kind"] == "allocated":
            if unit in self._units:
                raise Broken(self.name, row.seq, f"unit {unit!r} was allocated before")
            self._units[unit] = entry["arm"]
        elif entry["kind"] in ("rewarded", "voided"):
            if self._units.get(unit) != entry["arm"]:
                raise Broken(self.name, row.seq, f"unit {unit!r} is not outstanding on arm {entry['arm']!r}")
            self._units[unit] = None
        return entry

    def end(self, seq: int | None = None, hash_: str | None = None) -> Experiment:
        """Return the experiment, after a look whether the journal ends where it is said to."""
        if self.experiment is None:
            raise Broken(self.name, 1, "it is missing")
        chain = self.experiment.chain
        if seq is not None and chain.seq < seq:
            raise Broken(self.name, chain.seq + 1, "it is missing at the end")
        if (seq is not None and chain.seq > seq) or (hash_ is not None and chain.previous != hash_):
            raise Broken(self.name, chain.seq, "the journal does not end in the entry that was written last")
        return self.experiment


def verify_rows(
    name: str, rows: Iterable[Row], seq: int | None = None, hash_: str | None = None
) -> tuple[dict[str, Any], Experiment]:
    """Replay a journal; raises `Broken` at its first bad entry."""
    audit = Audit(name)
    for row in rows:
        audit.take(row)
    experiment = audit.end(seq, hash_)
    return {
        "experiment": name,
        "entries": experiment.chain.seq,
        "hash": experiment.chain.previous,
        "decisions": experiment.play.round,
    }, experiment
