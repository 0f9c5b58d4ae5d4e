"""The log of an experiment as a table: a row for each unit whose reward is known, in the order of the rounds.

The columns have the names that Open Bandit Pipeline (obp) gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from steadyarm.live.core.audit import Audit
from steadyarm.live.core.journal import Row
from steadyarm.live.core.units import Unit, unit_after


class Logged(NamedTuple):
    """A unit whose reward is known."""

    unit: str
    round: int
    action: int
    """The arm's number."""
    reward: float
    """As amended."""
    pscore: float | None
    """The probability with which this arm was given; None under a policy that is not mixed."""
    first_reward: float
    """As the policy was told."""
    stratum: str = ""
    """In which it was given; rounds are counted within it."""


class LoggedFeedback(NamedTuple):
    """All rewarded units of a verified journal."""

    arms: list[str]
    rows: list[Logged]
    mixed: bool
    """Whether probabilities were logged."""

    def to_obp(self) -> dict[str, Any]:
        """Return what obp calls bandit feedback; without `pscore` if no probabilities were logged.

        There is one position and no context, so `context` is a column of ones and an arm's context its own unit
        vector.
        """
        columns: dict[str, Any] = {
            "n_rounds": len(self.rows),
            "n_actions": len(self.arms),
            "action": np.array([row.action for row in self.rows], dtype=np.int64),
            "position": np.zeros(len(self.rows), dtype=np.int64),
            "reward": np.array([row.reward for row in self.rows], dtype=float),
            "context": np.ones((len(self.rows), 1)),
            "action_context": np.eye(len(self.arms)),
        }
        if self.mixed:
            columns["pscore"] = np.array([row.pscore for row in self.rows], dtype=float)
        return columns

    def to_csv(self) -> Iterator[list[str]]:
        """Yield the lines of a table, its heading first; the rewards as first told too, if some were amended."""
        amended = any(row.reward != row.first_reward for row in self.rows)
        apart = any(row.stratum for row in self.rows)
        more = ["pscore"] * self.mixed + ["first_reward"] * amended + ["stratum"] * apart
        yield ["unit", "round", "arm", "action", "position", "reward", *more]
        for row in self.rows:
            cells = [row.unit, row.round, self.arms[row.action], row.action, 0, repr(row.reward)]
            cells += (
                [repr(row.pscore)] * self.mixed + [repr(row.first_reward)] * amended + [row.stratum] * apart
            )
            yield [str(cell) for cell in cells]


def logged_feedback(name: str, rows: Iterable[Row]) -> LoggedFeedback:
    """Verify a journal and return its rewarded units."""
    audit = Audit(name)
    probabilities: dict[str, float | None] = {}
    units: dict[str, Unit] = {}
    for row in rows:
        entry = audit.take(row)
        unit = unit_after(units.get(entry["unit"]), entry) if "unit" in entry else None
        if unit is not None:
            units[entry["unit"]] = unit
        if row.kind == "allocated":
            probabilities[entry["unit"]] = entry.get("probability")
    experiment = audit.end()
    found = [
        Logged(
            name,
            unit.round,
            experiment.number_of[unit.arm],
            float(unit.reward),
            probabilities[name],
            float(unit.first_reward),
            unit.stratum,
        )
        for name, unit in sorted(units.items(), key=lambda item: item[1].seq)
        if unit.reward is not None and unit.first_reward is not None and not unit.holdout
    ]
    setup = experiment.setup
    return LoggedFeedback(setup.arms, found, setup.policy.name == "Mixed")
