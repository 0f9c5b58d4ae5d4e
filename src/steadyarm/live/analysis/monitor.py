"""Follows the journals of running experiments, so that their health is known when somebody asks.

A journal is read a slice at a time, by one thread: whoever asks gets what is known by then, with the number of the
entry up to which it was read. A long journal that was never read before takes a while, and holds nobody up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from steadyarm.live.analysis.health import alarms_of, health_of, vitals_of
from steadyarm.live.analysis.prediction import prediction_of
from steadyarm.live.analysis.results import results_of
from steadyarm.live.analysis.vitals import StrataVitals, Vitals
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.journal import Broken, Chain
from steadyarm.live.storage import queries
from steadyarm.live.storage.store import Store

SLICE = 2000  # entries read in one go


@dataclass
class Followed:
    """An experiment, the chain up to where it was read, and what the last look at its health has found."""

    vitals: Vitals | StrataVitals
    chain: Chain
    health: dict[str, Any] = field(default_factory=dict)
    looked_at: int = -1  # the entry


class Monitor:
    """What is followed; used by one thread, but for `health`, which anybody may read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._followed: dict[str, Followed] = {}

    def behind(self, summary: Summary) -> bool:
        """Whether there are entries that were not read, or not judged, yet."""
        found = self._followed.get(summary.name)
        return found is None or found.looked_at < summary.seq

    def follow(self, summary: Summary, most: int = SLICE) -> Vitals | StrataVitals:
        """Read on in a journal, so many entries at most, and judge by all that was read."""
        try:
            found = self._read(summary, most)
        except Broken:
            # The store may have been restored while the service ran. Then another journal is right, from the start.
            self._followed.pop(summary.name, None)
            found = self._read(summary, most)
        if found.chain.seq >= summary.seq > found.looked_at or (not found.health and found.chain.seq):
            found.health = health_of(summary, found.vitals, prediction_of(summary))
            found.looked_at = found.chain.seq
        return found.vitals

    def _read(self, summary: Summary, most: int) -> Followed:
        found = self._followed.get(summary.name)
        if found is None:
            found = Followed(vitals_of(summary.setup), Chain(summary.name))
            self._followed[summary.name] = found
        limit = min(most, summary.seq - found.chain.seq)
        if limit <= 0:
            return found
        with self._store.read() as connection:
            head = queries.head(connection, summary.name)
            rows = [] if head is None else queries.rows(connection, head[0], found.chain.seq, limit)
        for row in rows:
            found.vitals.take(found.chain.check(row))
        return found

    def health(self, name: str) -> dict[str, Any]:
        """Return what the last look at an experiment has found; nothing before the first."""
        found = self._followed.get(name)
        return {} if found is None else found.health | {"alarms": alarms_of(found.vitals)}

    def oldest(self, name: str) -> dict[str, float]:
        """Return since when the oldest outstanding unit of each arm has been waiting, where there is one."""
        found = self._followed.get(name)
        return {} if found is None else found.vitals.oldest_by_name()

    def results(self, summary: Summary, level: float, control: str | None, method: str) -> dict[str, Any]:
        """Return the results of an experiment with its health, read up to now or as far as a slice goes."""
        now = datetime.now(UTC).timestamp()
        return results_of(summary, level, control, method, self.follow(summary), now)
