"""Units that were served a default arm while the service was away: noted, and no part of the policy's play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from steadyarm.live.core.commands.commands import Answer, Command, Transaction, check_has
from steadyarm.live.core.commands.unit_commands import check_all, course_of
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.names import shown
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.units import Unit
from steadyarm.words import counted


@dataclass(slots=True)
class NoteDefaults(Command):
    """Note which arm units were served outside the policy: all of them, in order, or none."""

    experiment: str
    units: tuple[str, ...]
    arms: tuple[str, ...]
    strata: tuple[str, ...]
    actor: str | None = None

    def apply(self, transaction: Transaction) -> Answer:
        """Append what is not known yet; a unit that has been given that very arm needs no note."""
        experiment = transaction.experiment(self.experiment)
        check_has(experiment, False, "defaults", "Record them elsewhere.")
        told: dict[str, tuple[str, str]] = {}

        def check(name: str, arm: str, stratum: str) -> None:
            _check(experiment, name, transaction.unit(experiment, name), arm, stratum)
            if told.setdefault(name, (arm, stratum)) != (arm, stratum):
                rule = f"unit {name!r} appears twice, with different arms or strata. Leave one of them out."
                raise Problem("reward_conflict", rule)

        check_all("default", check, self.units, self.arms, self.strata)
        self._check_room(experiment, sum(transaction.unit(experiment, name) is None for name in told))
        noted = [self._noted(transaction, experiment, name, *told[name]) for name in self.units]
        return Answer(200, {"defaults": noted})

    def _check_room(self, experiment: Experiment, new: int) -> None:
        """Let no client grow a journal without end: as many units may have a default as there are rounds."""
        courses = experiment.courses.values()
        horizon = experiment.setup.policy.horizon * len(courses)
        known = sum(sum(course.defaulted) for course in courses)
        if known + new > horizon:
            raise Problem(
                "horizon_reached",
                f"an experiment of {counted(horizon, 'round')} accepts at most as many defaults; it has {known:,}, and "
                f"these are {new:,} more. Record the rest elsewhere.",
                remaining=horizon - known,
            )

    def _noted(
        self, transaction: Transaction, experiment: Experiment, name: str, arm: str, stratum: str
    ) -> dict[str, Any]:
        unit = transaction.unit(experiment, name)
        if unit is not None and unit.served is None and unit.arm == arm:
            kind = "held" if unit.holdout else "allocated"
            return {"unit": name, "arm": arm, "seq": unit.seq, "kind": kind}
        if unit is None or unit.served is None:
            row, unit = experiment.note_default(name, unit, arm, transaction.at, self.actor, stratum)
            transaction.write(experiment, row)
            transaction.learn(experiment, name, unit)
        return {"unit": name, "arm": arm, "seq": unit.outcome_seq, "kind": "defaulted"}


def _check(experiment: Experiment, name: str, unit: Unit | None, arm: str, stratum: str) -> None:
    if arm not in experiment.number_of:
        raise Problem(
            "invalid",
            f"a default must be one of the experiment's arms; got {shown(arm)}. Its configuration names them.",
        )
    if unit is None:
        course_of(experiment, stratum)
    elif arm == (unit.served or unit.arm):
        return
    elif unit.served is not None:
        rule = f"unit {name!r} was served another default already; the first one stays. Leave it out."
        raise Problem("reward_conflict", rule)
    elif unit.outcome is not None:
        rule = f"unit {name!r} has an outcome already, of what it was given; it cannot be taken back. Leave it out."
        raise Problem("reward_conflict", rule)
