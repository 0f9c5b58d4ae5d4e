"""The audit of a journal: its chain is whole, and the reference play makes the same decisions."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.first_entry import begin
from steadyarm.live.core.journal import Broken, Row, moment
from steadyarm.live.core.replay import place_before, place_of, replay
from steadyarm.live.core.units import OUTCOMES


class _Followed:
    """What an audit has to know of every unit, in a few bytes each: its arm and round, when it came, its outcome."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.arms, self.rounds, self.since = array("l"), array("q"), array("d")
        self.outcome_seqs, self.rewards = array("q"), array("d")  # 0 is outstanding, -1 voided

    def add(self, unit: str, arm: int, since: float, turn: int = 0) -> None:
        """Take in a new unit."""
        self.places[unit] = len(self.arms)
        self.arms.append(arm)
        self.rounds.append(turn)
        self.since.append(since)
        self.outcome_seqs.append(0)
        self.rewards.append(0.0)


class Audit:
    """Replays a whole journal by the reference play, and also follows every unit."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.experiment: Experiment | None = None
        self._units = _Followed()

    def take(self, row: Row) -> dict[str, Any]:
        """Check the next entry."""
        if self.experiment is None:
            self.experiment = begin(0, self.name, row)
            return {}
        entry = replay(self.experiment, row)
        kind, unit = entry["kind"], entry.get("unit", "")
        if kind in ("allocated", "held"):
            if unit in self._units.places:
                raise Broken(self.name, row.seq, f"unit {unit!r} was allocated before")
            place = place_of(self.experiment, entry)
            self._units.add(unit, place, moment(entry["at"]), entry["round"] if kind == "allocated" else 0)
        elif kind == "defaulted":
            self._default(self.experiment, unit, entry)
        elif kind in OUTCOMES or kind == "amended":
            self._settle(self.experiment, unit, entry)
        return entry

    def _settle(self, experiment: Experiment, unit: str, entry: dict[str, Any]) -> None:
        kind, seq, units = entry["kind"], entry["seq"], self._units
        place = units.places.get(unit)
        before = -1 if place is None else units.outcome_seqs[place]
        state = "settled" if kind == "amended" else "outstanding"
        fits = before > 0 if kind == "amended" else before == 0
        if place is None or not fits or units.arms[place] != place_of(experiment, entry):
            where = "in the holdout" if entry.get("holdout") else f"on arm {entry['arm']!r}"
            raise Broken(self.name, seq, f"unit {unit!r} is not {state} {where}")
        if experiment.waits and entry.get("round", units.rounds[place]) != units.rounds[place]:
            said = f"unit {unit!r} was given in round {units.rounds[place]}, and not in {entry['round']}"
            raise Broken(self.name, seq, said)
        window = experiment.setup.attribution
        if kind == "lapsed" and window is not None:
            waited = moment(entry["at"]) - units.since[place]
            if waited < window.after:
                rule = (
                    f"an outcome is waited for {window.after:g} seconds, and unit {unit!r} had {waited:.3f}"
                )
                raise Broken(self.name, seq, rule)
        if kind == "amended":
            if (entry.get("amends"), entry["was"]) != (before, units.rewards[place]):
                raise Broken(self.name, seq, f"it does not amend the last outcome of unit {unit!r}")
            if not isinstance(entry.get("reason"), str):
                raise Broken(self.name, seq, "an amendment must state its reason")
        units.outcome_seqs[place], units.rewards[place] = (
            (-1, 0.0) if kind == "voided" else (seq, entry["reward"])
        )

    def _default(self, experiment: Experiment, unit: str, entry: dict[str, Any]) -> None:
        """A default is of a unit that is new, or was outstanding on another arm, and there is nothing after it."""
        units, before = self._units, place_before(experiment, entry)
        place = units.places.get(unit)
        if place is None:
            fits = before is None
            units.add(unit, 0, moment(entry["at"]))  # where matters no more: it takes no outcome
        else:
            had = experiment.stated_arm if "holdout" in entry else entry.get("instead_of")
            fits = units.outcome_seqs[place] == 0 and units.arms[place] == before and had != entry["arm"]
        if not fits:
            raise Broken(self.name, entry["seq"], f"unit {unit!r} cannot have been served a default here")
        units.outcome_seqs[units.places[unit]] = -1

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
        "decisions": sum(course.play.round for course in experiment.courses.values()),
        "amended": sum(
            sum(course.amendments.counts) + course.holdout.amended for course in experiment.courses.values()
        ),
        "defaulted": sum(sum(course.defaulted) for course in experiment.courses.values()),
    }, experiment
