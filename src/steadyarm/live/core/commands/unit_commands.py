"""What can be asked about units: to allocate, reward, void and amend them, and to count silence as an outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from steadyarm.live.core.commands.commands import Answer, Command, Transaction, check_has
from steadyarm.live.core.courses.course import Course
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.names import shown
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.units import Unit
from steadyarm.policies import Mixed, Policy, Quotas, RulePolicy
from steadyarm.words import counted

MOST_INDICES = 50_000  # that a general policy computes for one batch: others wait meanwhile

_TO_RUN = {
    "created": "Start it.",
    "paused": "Start it again, naming its state_seq.",
    "closed": "Create another one, which may continue it.",
}


@dataclass(slots=True)
class Allocate(Command):
    """Give units their arms: all of them, in order, or none."""

    experiment: str
    units: tuple[str, ...]
    single: bool
    actor: str | None = None
    stratum: str = ""

    def apply(self, transaction: Transaction) -> Answer:
        """Answer known units as before; assign rounds to the new ones."""
        experiment = transaction.experiment(self.experiment)
        new = {unit for unit in self.units if transaction.unit(experiment, unit) is None}
        if new:
            self._check(experiment, new)
        answers = []
        for name in self.units:
            unit = transaction.unit(experiment, name)
            if unit is None:
                row, unit = experiment.allocate(name, transaction.at, self.actor, self.stratum)
                transaction.write(experiment, row)
                transaction.learn(experiment, name, unit)
            said = {"unit": name, "arm": unit.arm, "round": unit.round, "seq": unit.seq}
            answers.append(said | _apart(unit) if unit.stratum or unit.holdout else said)
        if self.single:
            return Answer(201 if new else 200, answers[0])
        return Answer(200, {"allocations": answers})

    def _check(self, experiment: Experiment, units: set[str]) -> None:
        if experiment.state != "running":
            raise Problem(
                "not_running",
                f"experiment {self.experiment!r} is {experiment.state}; new units need it running. "
                f"{_TO_RUN[experiment.state]}",
                state=experiment.state,
            )
        course = course_of(experiment, self.stratum)
        new = len(units) if course.share is None else sum(not course.holds(unit) for unit in units)
        if new > course.remaining:
            where = f"stratum {self.stratum!r} of experiment" if self.stratum else "experiment"
            raise Problem(
                "horizon_reached",
                f"{where} {self.experiment!r} has {course.remaining:,} of "
                f"{counted(experiment.setup.policy.horizon, 'round')} left, too few for {counted(new, 'new unit')}. "
                "Ask for fewer, or create an experiment that continues this one.",
                remaining=course.remaining,
            )
        policy = experiment.setup.policy
        if new > 1 and new * policy.n_arms > MOST_INDICES and _looks_at_every_arm(policy):
            raise Problem(
                "invalid",
                f"with {policy.title} on {policy.n_arms:,} arms a batch may have "
                f"{counted(max(1, MOST_INDICES // policy.n_arms), 'new unit')} at most, since every arm is looked at "
                f"for each; got {new:,}. Send smaller batches.",
            )


@dataclass(slots=True)
class Report(Command):
    """Tell the reward of a unit; the first value wins."""

    experiment: str
    units: tuple[str, ...]
    reward: Any
    actor: str | None = None

    def apply(self, transaction: Transaction) -> Answer:
        """Take the reward in, once."""
        experiment = transaction.experiment(self.experiment)
        unit, reward = _checked(transaction, experiment, self.units[0], self.reward)
        status = 201 if unit.outcome is None else 200
        return Answer(status, _rewarded(transaction, experiment, self.units[0], unit, reward, self.actor))


@dataclass(slots=True)
class ReportMany(Command):
    """Tell the rewards of units: all of them, in order, or none."""

    experiment: str
    units: tuple[str, ...]
    rewards: tuple[Any, ...]
    actor: str | None = None

    def apply(self, transaction: Transaction) -> Answer:
        """Look at all of them first, and name each that is refused by its place."""
        experiment = transaction.experiment(self.experiment)
        first: dict[str, tuple[Unit, float]] = {}

        def check(name: str, value: Any) -> None:
            unit, reward = _checked(transaction, experiment, name, value)
            if first.setdefault(name, (unit, reward))[1] != reward:
                rule = f"unit {name!r} appears twice, with different rewards; the first value wins."
                raise Problem("reward_conflict", rule)

        check_all("reward", check, self.units, self.rewards)
        told = {
            name: _rewarded(transaction, experiment, name, unit, reward, self.actor)
            for name, (unit, reward) in first.items()
        }
        return Answer(200, {"rewards": [told[name] for name in self.units]})


@dataclass(slots=True)
class Void(Command):
    """Write off a unit that will never report."""

    experiment: str
    units: tuple[str, ...]
    reason: str
    actor: str | None = None

    def apply(self, transaction: Transaction) -> Answer:
        """Void the unit, once; the first reason stays."""
        experiment = transaction.experiment(self.experiment)
        name = self.units[0]
        unit = _known(transaction, experiment, name)
        status = 200
        if unit.outcome not in (None, "voided"):
            had = "was served a default" if unit.served else "has a reward already"
            remedy = "It counts for nothing as it is." if unit.served else "Amend the reward if it is wrong."
            raise Problem("reward_conflict", f"unit {name!r} {had}; it cannot be voided. {remedy}")
        if unit.outcome is None:
            row, unit = experiment.void(name, unit, self.reason, transaction.at, self.actor)
            transaction.write(experiment, row)
            transaction.learn(experiment, name, unit)
            status = 201
        return Answer(
            status, {"unit": name, "arm": unit.arm or None, "reason": unit.reason, "seq": unit.outcome_seq}
        )


@dataclass(slots=True)
class Amend(Command):
    """Correct the outcome of a unit, which entry `outcome_seq` has told."""

    experiment: str
    units: tuple[str, ...]
    reward: Any
    reason: str
    outcome_seq: int
    actor: str | None = None

    def apply(self, transaction: Transaction) -> Answer:
        """Append the correction, once; one that comes late corrects no later outcome."""
        experiment = transaction.experiment(self.experiment)
        check_has(experiment, False, "amendments", "Keep the correction beside it.")
        name = self.units[0]
        unit = _known(transaction, experiment, name)
        reward = experiment.setup.check_reward(self.reward)
        experiment.setup.check_possible(reward)
        if unit.reward is None:
            state = f"{unit.outcome}, and stays so" if unit.outcome else "outstanding: report its reward"
            raise Problem("outcome_changed", f"only a reward can be amended; unit {name!r} is {state}.")
        status = 200
        if (unit.amends, unit.reward) != (self.outcome_seq, reward):
            if unit.outcome_seq != self.outcome_seq:
                raise Problem(
                    "outcome_changed",
                    f"an amendment must name the unit's last outcome; that is entry {unit.outcome_seq}, and not "
                    f"{self.outcome_seq}. Look at the unit again.",
                )
            if unit.reward == reward:
                raise Problem(
                    "invalid",
                    f"unit {name!r} has the reward {reward!r}: there is nothing to amend. Send another one.",
                )
            row, unit = experiment.amend(name, unit, reward, self.reason, transaction.at, self.actor)
            transaction.write(experiment, row)
            transaction.learn(experiment, name, unit)
            status = 201
        said = {
            "unit": name,
            "arm": unit.arm or None,
            "reward": unit.reward,
            "first_reward": unit.first_reward,
        }
        return Answer(status, said | {"reason": unit.reason, "seq": unit.outcome_seq})


@dataclass(slots=True)
class Lapse(Command):
    """Count the silence of units as the stated reward, where they were waited for long enough."""

    experiment: str
    units: tuple[str, ...]

    def apply(self, transaction: Transaction) -> Answer:
        """Decide by the time of the journal, which the entries will have."""
        experiment = transaction.experiment(self.experiment)
        window, at = experiment.setup.attribution, experiment.clock.reading(transaction.at)
        for name in self.units if window else ():
            unit = transaction.unit(experiment, name)
            if window and unit and unit.outcome is None and window.is_over(unit.at, at):
                row, unit = experiment.lapse(name, unit, transaction.at)
                transaction.write(experiment, row)
                transaction.learn(experiment, name, unit)
        return Answer(200, {})


def check_all(what: str, check: Callable[..., None], units: tuple[str, ...], *values: Iterable[Any]) -> None:
    """Look at each of a batch; if some cannot be, refuse all of it and name those by their place.

    The refusal has the code of the first of them.
    """
    refused: list[dict[str, Any]] = []
    for place, each in enumerate(zip(units, *values, strict=True)):
        try:
            check(*each)
        except Problem as problem:
            said = {"place": place, "unit": each[0], "code": problem.code, "detail": problem.detail}
            refused.append(said)
    if refused:
        first = refused[0]
        raise Problem(
            first["code"],
            f"nothing was written, since {counted(len(refused), what)} of {len(units):,} cannot be accepted; the "
            f"first is {what}s.{first['place']}: {first['detail']} `errors` has them all; leave them out, or put them "
            "right, and send the others again.",
            errors=refused,
        )


def _looks_at_every_arm(policy: Policy) -> bool:
    inner = policy.policy if isinstance(policy, Mixed) else policy
    return isinstance(inner, RulePolicy | Quotas)


def _apart(unit: Unit) -> dict[str, Any]:
    """Return what else to answer about a unit that is held out or in a stratum."""
    held = {"arm": unit.arm or None, "round": None, "holdout": True} if unit.holdout else {}
    return held | ({"stratum": unit.stratum} if unit.stratum else {})


def course_of(experiment: Experiment, given: str) -> Course:
    """Return the course of a stratum that was given for a new unit, or say which there are."""
    if given in experiment.courses:
        return experiment.courses[given]
    if "" in experiment.courses:
        rule = f"experiment {experiment.name!r} has no strata; got {shown(given)}. Leave the stratum out."
    else:
        known = ", ".join(map(repr, experiment.courses))
        rule = f"a unit's stratum must be one of {known}; got {shown(given) if given else 'none'}."
    raise Problem("invalid", rule)


def not_allocated(unit: str, experiment: str) -> str:
    """Return what is wrong with a unit that nobody has asked for."""
    return (
        f"unit {unit!r} has no allocation in experiment {experiment!r}. Check its name, or allocate it first."
    )


def _known(transaction: Transaction, experiment: Experiment, name: str) -> Unit:
    unit = transaction.unit(experiment, name)
    if unit is None:
        raise Problem("unknown_unit", not_allocated(name, experiment.name))
    return unit


def _checked(transaction: Transaction, experiment: Experiment, name: str, value: Any) -> tuple[Unit, float]:
    """Return a unit and its reward, if it can have that one or has it already."""
    unit = _known(transaction, experiment, name)
    reward = experiment.setup.check_reward(value)
    if unit.outcome is None:
        experiment.setup.check_possible(reward)
    elif unit.outcome == "voided":
        raise Problem("reward_conflict", f"unit {name!r} was voided; it takes no reward. Leave it out.")
    elif unit.outcome == "defaulted":
        rule = f"unit {name!r} was served a default, outside the policy; it takes no reward. Leave it out."
        raise Problem("reward_conflict", rule)
    elif unit.first_reward != reward and unit.outcome == "lapsed":
        rule = f"unit {name!r} was silent until its time was over, and silence has counted. Amend it."
        raise Problem("reward_conflict", rule)
    elif unit.first_reward != reward:  # which one it has is for those to know who may read
        rule = f"unit {name!r} has another reward already; the first value wins, and {reward!r} differs."
        raise Problem("reward_conflict", f"{rule} Amend it if it is wrong.")
    return unit, reward


def _rewarded(
    transaction: Transaction, experiment: Experiment, name: str, unit: Unit, reward: float, actor: str | None
) -> dict[str, Any]:
    """Take in a reward that was checked, unless the unit has it already; returns what to answer."""
    if unit.outcome is None:
        row, unit = experiment.reward(name, unit, reward, transaction.at, actor)
        transaction.write(experiment, row)
        transaction.learn(experiment, name, unit)
    return {"unit": name, "arm": unit.arm or None, "reward": unit.first_reward, "seq": unit.first_seq}
