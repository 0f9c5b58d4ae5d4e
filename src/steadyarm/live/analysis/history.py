"""How an allocation came about: the arms' counts along the rounds, and the ages of outstanding rewards.

A history follows the journal and is thinned as it grows, so that it stays small however long the journal is.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from steadyarm.live.analysis.prediction import band_of
from steadyarm.live.analysis.results import finite
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.journal import Broken, Chain, Row, moment
from steadyarm.live.core.units import OUTCOMES
from steadyarm.live.storage import queries
from steadyarm.live.storage.store import Store

MOST_POINTS = 500
MOST_NUMBERS = 100_000  # arms times points
MOST_FOLLOWED = 250_000  # outstanding units whose age is known
AGES = (60.0, 600.0, 3600.0, 86_400.0, 604_800.0)  # seconds; the last group is older than all of them
_MOST_KEPT = 16  # experiments


class History:
    """Counts after every stride-th round; the stride doubles whenever there are too many of them.

    >>> history = History(["a", "b"])
    >>> history.count(0), history.count(1), history.count(1)
    (1, 2, 3)
    >>> history.points(10)
    ([0, 1, 2, 3], [(0, 0), (1, 0), (1, 1), (1, 2)])
    """

    def __init__(self, arms: Sequence[str], experiment: str = "") -> None:
        self.lock = threading.Lock()
        self.chain = Chain(experiment)
        self._number_of = {arm: number for number, arm in enumerate(arms)}
        self._counts = [0] * len(arms)
        self._round, self._stride = 0, 1
        self._most = max(32, min(2 * MOST_POINTS, MOST_NUMBERS // len(arms)))
        self._samples = [tuple(self._counts)]
        self._since: dict[str, float] | None = {}

    def take(self, row: Row) -> None:
        """Follow the next entry of the journal, if it is whole."""
        entry = self.chain.check(row)
        if row.kind == "allocated":
            self.count(self._number_of[entry["arm"]])
            if self._since is not None:
                self._since[entry["unit"]] = moment(entry["at"])
                if len(self._since) > MOST_FOLLOWED:
                    self._since = None
        elif row.kind in OUTCOMES and self._since is not None:
            self._since.pop(str(row.unit), None)

    def count(self, number: int) -> int:
        """Count a pull of an arm; returns the round."""
        self._counts[number] += 1
        self._round += 1
        if self._round % self._stride == 0:
            self._samples.append(tuple(self._counts))
            if len(self._samples) > self._most:
                self._samples = self._samples[::2]
                self._stride *= 2
        return self._round

    def points(self, most: int) -> tuple[list[int], list[tuple[int, ...]]]:
        """Return rounds and counts after them, the last round always among them."""
        rounds = list(range(0, self._round + 1, self._stride))
        counts = list(self._samples)
        if rounds[-1] != self._round:
            rounds.append(self._round)
            counts.append(tuple(self._counts))
        every = max(1, -(-(len(rounds) - 1) // (most - 1)))
        last = -1 if (len(rounds) - 1) % every else len(rounds)  # what comes after the even steps
        return rounds[::every] + rounds[last:], counts[::every] + counts[last:]

    def ages(self, now: float) -> dict[str, Any]:
        """Return how many units have waited how long for their reward."""
        if self._since is None:
            reason = f"more than {MOST_FOLLOWED:,} rewards were outstanding at once"
            return {"available": False, "reason": reason}
        groups = [0] * (len(AGES) + 1)
        for since in self._since.values():
            groups[bisect_left(AGES, now - since)] += 1
        return {
            "available": True,
            "groups": [
                {"seconds_at_most": limit, "units": units}
                for limit, units in zip([*AGES, None], groups, strict=True)
            ],
            "oldest_seconds": max(0.0, now - min(self._since.values())) if self._since else None,
        }


class Histories:
    """The histories that were asked for lately; each goes on from where it was."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[str, History] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, identity: int, summary: Summary, points: int) -> Any:
        """Return an experiment's history up to a summary, or a little further."""
        try:
            return self._answer(identity, summary, points)
        except Broken:
            # The store may have been restored while the service ran. Then another history is right, from the start.
            with self._lock:
                self._kept.pop(summary.name, None)
            return self._answer(identity, summary, points)

    def _answer(self, identity: int, summary: Summary, points: int) -> Any:
        with self._lock:
            history = self._kept.setdefault(summary.name, History(summary.setup.arms, summary.name))
            self._kept.move_to_end(summary.name)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        with history.lock:
            while history.chain.seq < summary.seq:
                with self._store.read() as connection:
                    chunk = queries.rows(connection, identity, history.chain.seq)
                if not chunk:
                    break
                for row in chunk:
                    history.take(row)
            rounds, counts = history.points(points)
            ages = history.ages(datetime.now(UTC).timestamp())
            seq = history.chain.seq
        by_arm = zip(*counts, strict=True)
        return finite(
            {
                "experiment": summary.name,
                "seq": seq,
                "horizon": summary.horizon,
                "rounds": rounds,
                "arms": [
                    {"arm": arm, "counts": list(along)}
                    for arm, along in zip(summary.setup.arms, by_arm, strict=True)
                ],
                "band": band_of(summary),
                "outstanding": ages,
            }
        )
