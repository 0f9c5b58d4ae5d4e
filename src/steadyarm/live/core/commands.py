"""What clients can ask of the writer: each command checks first, then changes, so a refusal changes nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from steadyarm.live.core.experiment import MOVES, STATES, Experiment, Unit
from steadyarm.live.core.journal import Broken, Row
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup import Setup
from steadyarm.policies import Mixed, RulePolicy
from steadyarm.words import counted

MOST_INDICES = 50_000  # that a general policy computes for one batch: others wait meanwhile


class Answer(NamedTuple):
    """An HTTP status and what goes into the body."""

    status: int
    body: dict[str, Any]


class Transaction(Protocol):
    """What commands see of the store, and what they append to it, all of it or nothing."""

    at: str

    def experiment(self, name: str) -> Experiment:
        """Return an experiment, or raise a Problem."""

    def missing(self, name: str) -> bool:
        """Whether there is no experiment of this name."""

    def add(self, name: str, setup: Setup) -> Experiment:
        """Create an experiment."""

    def unit(self, experiment: Experiment, unit: str) -> Unit | None:
        """Return what is known about a unit."""

    def learn(self, experiment: Experiment, name: str, unit: Unit) -> None:
        """Let later commands of the transaction see what an earlier one did."""

    def write(self, experiment: Experiment, row: Row) -> None:
        """Append an entry at the end of the transaction."""

    def take_over(self, loaded: Any) -> None:
        """Have an experiment in memory that a reader has loaded, unless it was written to since."""

    def condemn(self, broken: Broken) -> None:
        """Take no more for an experiment, from now on and after a restart."""

    def probe(self) -> None:
        """Write something that does not matter."""


class Command(ABC):
    """A request to the writer about one experiment and some of its units."""

    experiment: str
    units: tuple[str, ...]

    @abstractmethod
    def apply(self, transaction: Transaction) -> Answer:
        """Do it, or raise a Problem before anything is changed."""


@dataclass(slots=True)
class Create(Command):
    """Create an experiment; the same configuration again is no change."""

    experiment: str
    setup: Setup
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Draw nothing here: ω was drawn with the setup and is logged with the first entry."""
        if transaction.missing(self.experiment):
            transaction.add(self.experiment, self.setup)
            return Answer(201, {})
        existing = transaction.experiment(self.experiment)
        if not existing.setup.is_requested_by(self.setup.requested):
            raise Problem(
                "config_conflict",
                f"experiment {self.experiment!r} exists with another configuration, and a configuration never "
                "changes. Choose another name.",
            )
        return Answer(200, {})


@dataclass(slots=True)
class Move(Command):
    """Start, pause or close."""

    experiment: str
    move: str
    state_seq: int | None = None
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Go to the state, or stay in it; a request that comes late must not undo what was done since."""
        experiment = transaction.experiment(self.experiment)
        kind = MOVES[self.move]
        if not experiment.may(kind):
            raise self._refused(experiment, f"an experiment that is {experiment.state} cannot be {kind}.")
        if STATES[kind] != experiment.state:
            now = f"the experiment is {experiment.state} since entry {experiment.state_seq}"
            named = f'{{"state_seq": {experiment.state_seq}}}'
            if self.state_seq is None and experiment.state == "paused" and kind == "started":
                rule = f"to go on name the pause that is to end: send {named}. A late `start` ends none."
                raise self._refused(experiment, f"{now}; {rule}")
            if self.state_seq not in (None, experiment.state_seq):
                rule = f"and no longer in the state of entry {self.state_seq}. Send {named} if you still want this."
                raise self._refused(experiment, f"{now}, {rule}")
        row = experiment.move(kind, transaction.at)
        if row is not None:
            transaction.write(experiment, row)
        return Answer(200, {})

    def _refused(self, experiment: Experiment, why: str) -> Problem:
        return Problem("bad_state", why, state=experiment.state, state_seq=experiment.state_seq)


@dataclass(slots=True)
class LoadExperiment(Command):
    """Change nothing: have the experiment in memory, as committed. A reader may have loaded it before."""

    experiment: str
    loaded: Any = None  # what `storage.recovery` returned
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Take it over, or load it."""
        if self.loaded is not None:
            transaction.take_over(self.loaded)
        transaction.experiment(self.experiment)
        return Answer(200, {})


@dataclass(slots=True)
class Condemn(Command):
    """Take no more for an experiment whose journal was found damaged."""

    experiment: str
    broken: Broken
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Forget what memory knows of it."""
        transaction.condemn(self.broken)
        return Answer(200, {})


@dataclass(slots=True)
class CheckWritable(Command):
    """Write something that does not matter."""

    experiment: str = ""
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Show that a commit works."""
        transaction.probe()
        return Answer(200, {})


@dataclass(slots=True)
class Allocate(Command):
    """Give units their arms: all of them, in order, or none."""

    experiment: str
    units: tuple[str, ...]
    single: bool

    def apply(self, transaction: Transaction) -> Answer:
        """Answer known units as before; assign rounds to the new ones."""
        experiment = transaction.experiment(self.experiment)
        new = {unit for unit in self.units if transaction.unit(experiment, unit) is None}
        if new:
            self._check(experiment, len(new))
        answers = []
        for name in self.units:
            unit = transaction.unit(experiment, name)
            if unit is None:
                row, unit = experiment.allocate(name, transaction.at)
                transaction.write(experiment, row)
                transaction.learn(experiment, name, unit)
            answers.append({"unit": name, "arm": unit.arm, "round": unit.round, "seq": unit.seq})
        if self.single:
            return Answer(201 if new else 200, answers[0])
        return Answer(200, {"allocations": answers})

    def _check(self, experiment: Experiment, new: int) -> None:
        if experiment.state != "running":
            raise Problem(
                "not_running",
                f"experiment {self.experiment!r} is {experiment.state}; new units need it running.",
                state=experiment.state,
            )
        if new > experiment.remaining:
            raise Problem(
                "horizon_reached",
                f"experiment {self.experiment!r} has {experiment.remaining:,} of "
                f"{counted(experiment.setup.policy.horizon, 'round')} left, too few for {counted(new, 'new unit')}.",
                remaining=experiment.remaining,
            )
        policy = experiment.setup.policy
        inner = policy.policy if isinstance(policy, Mixed) else policy
        if isinstance(inner, RulePolicy) and new > 1 and new * policy.n_arms > MOST_INDICES:
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

    def apply(self, transaction: Transaction) -> Answer:
        """Take the reward in, once."""
        experiment = transaction.experiment(self.experiment)
        name = self.units[0]
        unit = _known(transaction, experiment, name)
        reward = experiment.setup.check_reward(self.reward)
        status = 200
        if unit.outcome is None:
            experiment.setup.check_possible(reward)
            row, unit = experiment.reward(name, unit, reward, transaction.at)
            transaction.write(experiment, row)
            transaction.learn(experiment, name, unit)
            status = 201
        elif unit.outcome == "voided":
            raise Problem("reward_conflict", f"unit {name!r} was voided; it takes no reward.")
        elif unit.reward != reward:  # which one it has is for those to know who may read
            raise Problem(
                "reward_conflict",
                f"unit {name!r} has another reward already; the first value wins, and {reward!r} differs.",
            )
        return Answer(status, {"unit": name, "arm": unit.arm, "reward": unit.reward, "seq": unit.outcome_seq})


@dataclass(slots=True)
class Void(Command):
    """Write a unit off that never will report."""

    experiment: str
    units: tuple[str, ...]
    reason: str

    def apply(self, transaction: Transaction) -> Answer:
        """Void the unit, once; the first reason stays."""
        experiment = transaction.experiment(self.experiment)
        name = self.units[0]
        unit = _known(transaction, experiment, name)
        status = 200
        if unit.outcome == "rewarded":
            raise Problem("reward_conflict", f"unit {name!r} has a reward already; it cannot be voided.")
        if unit.outcome is None:
            row, unit = experiment.void(name, unit, self.reason, transaction.at)
            transaction.write(experiment, row)
            transaction.learn(experiment, name, unit)
            status = 201
        return Answer(status, {"unit": name, "arm": unit.arm, "reason": unit.reason, "seq": unit.outcome_seq})


def _known(transaction: Transaction, experiment: Experiment, name: str) -> Unit:
    unit = transaction.unit(experiment, name)
    if unit is None:
        raise Problem("unknown_unit", f"unit {name!r} has no allocation in experiment {experiment.name!r}.")
    return unit
