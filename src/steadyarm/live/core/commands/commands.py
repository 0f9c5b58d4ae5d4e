"""What can be asked of the writer: each command checks first, then changes, so a refusal changes nothing.

Here are the commands about an experiment; those about its units are in `unit_commands`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.experiment import MOVES, STATES, Experiment
from steadyarm.live.core.journal import Broken, Row
from steadyarm.live.core.names import shown
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.setup import Setup
from steadyarm.live.core.units import Unit


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

    def add(self, name: str, setup: Setup, actor: str | None, continues: dict[str, Any] | None) -> Experiment:
        """Create an experiment, maybe one that continues from an entry of another."""

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
    """A request to the writer about one experiment and some of its units.

    Those that write carry an `actor`: who asked, as the journal names them.
    """

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
    actor: str | None = None
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Draw nothing here: ω was drawn with the setup and is logged with the first entry."""
        if transaction.missing(self.experiment):
            transaction.add(self.experiment, self.setup, self.actor, self._continued(transaction))
            return Answer(201, {})
        existing = transaction.experiment(self.experiment)
        if not existing.setup.is_requested_by(self.setup.requested):
            raise Problem(
                "config_conflict",
                f"experiment {self.experiment!r} exists with another configuration, and a configuration never "
                "changes. Choose another name.",
            )
        return Answer(200, {})

    def _continued(self, transaction: Transaction) -> dict[str, Any] | None:
        """Close the experiment that this one continues, if that is still open; returns its last entry."""
        before = self.setup.configuration.get("continues")
        if before is None:
            return None
        if before == self.experiment:
            raise Problem("invalid", f"an experiment cannot continue itself; got {before!r}. Name another.")
        predecessor = transaction.experiment(before)
        reason = None if predecessor.version == 1 else f"continued by {self.experiment}"
        row = predecessor.move("closed", transaction.at, self.actor, reason)
        if row is not None:
            transaction.write(predecessor, row)
        return {"experiment": before, "seq": predecessor.chain.seq, "hash": predecessor.chain.previous}


@dataclass(slots=True)
class Retire(Command):
    """Never give an arm again."""

    experiment: str
    arm: str
    reason: str
    actor: str | None = None
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Retire the arm, once; the first reason stays."""
        experiment = transaction.experiment(self.experiment)
        check_has(experiment, False, "retired arms", "Close it, and create another experiment.")
        if self.arm not in experiment.number_of:
            raise Problem(
                "unknown_arm",
                f"experiment {self.experiment!r} has no arm {shown(self.arm)}. Its configuration names them.",
            )
        status = 200
        if self.arm not in experiment.retired:
            if experiment.state == "closed":
                rule = f"experiment {self.experiment!r} is closed, and gives no arm any more. There is nothing to do."
                raise Problem("bad_state", rule, state=experiment.state, state_seq=experiment.state_seq)
            try:
                row = experiment.retire(self.arm, self.reason, transaction.at, self.actor)
            except SteadyarmError as error:
                remedy = "Or create an experiment that continues this one, with the arms that stay."
                rule = f"arm {self.arm!r} cannot be retired: {error} {remedy}"
                raise Problem("bad_state", rule, state=experiment.state) from None
            transaction.write(experiment, row)
            status = 201
        return Answer(status, experiment.retired[self.arm]._asdict())


@dataclass(slots=True)
class Move(Command):
    """Start, pause or close; `state_seq`, or one of `matching`, names the entry of the state that this ends."""

    experiment: str
    move: str
    state_seq: int | None = None
    matching: tuple[int, ...] | None = None
    reason: str | None = None
    actor: str | None = None
    units = ()

    def apply(self, transaction: Transaction) -> Answer:
        """Go to the state, or stay in it; a request that comes late must not undo what was done since."""
        experiment = transaction.experiment(self.experiment)
        kind = MOVES[self.move]
        if STATES[kind] != experiment.state and self.matching is not None:
            self._check_match(experiment)
        if not experiment.may(kind):
            raise self._refused(experiment, f"an experiment that is {experiment.state} cannot be {kind}.")
        if STATES[kind] != experiment.state:
            self._check_named(experiment, kind)
        check_has(experiment, self.reason is None, "reasons of state changes", "Leave the reason out.")
        row = experiment.move(kind, transaction.at, self.actor, self.reason)
        if row is not None:
            transaction.write(experiment, row)
        return Answer(200, {})

    def _check_match(self, experiment: Experiment) -> None:
        if experiment.state_seq not in (self.matching or ()):
            tag = f'"{experiment.state_seq}"'
            raise self._refused(
                experiment,
                f"If-Match must name the state of the experiment, whose ETag is {tag}: it is {experiment.state} since "
                f"entry {experiment.state_seq}. Look at it again, and send If-Match: {tag} if you still want this.",
                "precondition_failed",
            )

    def _check_named(self, experiment: Experiment, kind: str) -> None:
        now = f"the experiment is {experiment.state} since entry {experiment.state_seq}"
        named = f'{{"state_seq": {experiment.state_seq}}}'
        unnamed = self.state_seq is None and self.matching is None
        if unnamed and experiment.state == "paused" and kind == "started":
            rule = f"to start it again name the pause that this ends: send {named}. So a late retry ends no newer one."
            raise self._refused(experiment, f"{now}; {rule}")
        if self.state_seq not in (None, experiment.state_seq):
            rule = (
                f"and no longer in the state of entry {self.state_seq}. Send {named} if you still want this."
            )
            raise self._refused(experiment, f"{now}, {rule}")

    def _refused(self, experiment: Experiment, why: str, code: str = "bad_state") -> Problem:
        return Problem(code, why, state=experiment.state, state_seq=experiment.state_seq)


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


def check_has(experiment: Experiment, fine: bool, what: str, remedy: str) -> None:
    """Refuse what the journals of the first format have no place for."""
    if not fine and experiment.version == 1:
        raise Problem(
            "invalid",
            f"journals of format 1 hold no {what}, and experiment {experiment.name!r} was begun with it. {remedy}",
        )
