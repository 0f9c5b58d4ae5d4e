"""An experiment in memory: a view of its journal, with the play that decides.

Every change is made by appending an entry; replaying the entries gives the same object again. A pull whose
unit was voided still counts in the stabilizer, but no reward of it ever enters the envelope.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from steadyarm.live.core.clock import Clock
from steadyarm.live.core.courses.course import Course
from steadyarm.live.core.courses.holdout import Holdout
from steadyarm.live.core.journal import Chain, Row, canonical, digest, escaped
from steadyarm.live.core.retirement import Retirement, check_stated, retirable
from steadyarm.live.core.setup.setup import Setup
from steadyarm.live.core.units import Unit, defaulted
from steadyarm.policies import Play

VERSION = 2
"""Of the entries' form; it stands in the first entry of every journal, which keeps it to its end."""

VERSIONS = (1, 2)
"""That can be read, replayed and continued."""

SOFTWARE: str = import_module("steadyarm").__version__

STATES = {"created": "created", "started": "running", "paused": "paused", "closed": "closed"}
"""The state that an entry of each kind leads to."""

MOVES = {"start": "started", "pause": "paused", "close": "closed"}
FROM = {
    "started": ("created", "paused"),
    "paused": ("running",),
    "closed": ("created", "running", "paused"),
}
"""The states that an entry of each kind leads away from."""


@dataclass(frozen=True)
class Summary:
    """An experiment as of its last committed entry; never changed, so that readers need no lock.

    `observed` are the rewards that have come, `lapsed` those among them that silence counted as. Sums, squares and
    deviations are of the rewards as amended; `play` holds them as first told, and fewer `observed` if some wait to be
    told. Of an experiment with `strata` they are added up, and `play` is empty: each stratum has a summary of its own.
    """

    name: str
    version: int
    setup: Setup
    state: str
    state_seq: int
    seq: int
    hash: str
    created_at: str
    counts: tuple[int, ...]
    observed: tuple[int, ...]
    voided: tuple[int, ...]
    lapsed: tuple[int, ...]
    amended: tuple[int, ...]
    defaulted: tuple[int, ...]
    sums: tuple[float, ...]
    squares: tuple[float, ...]
    deviations: tuple[float, ...]
    play: dict[str, Any]
    retired: tuple[Retirement, ...] = ()
    holdout: Holdout | None = None
    continues: dict[str, Any] | None = None
    retirable: tuple[str, ...] = ()
    stratum: str = ""
    strata: tuple[Summary, ...] = ()

    @property
    def moves(self) -> list[str]:
        """The moves that lead to another state."""
        return [move for move, kind in MOVES.items() if self.state in FROM[kind]]

    @property
    def horizon(self) -> int:
        """Rounds of all plays."""
        return self.setup.policy.horizon * max(1, len(self.strata))

    @property
    def round(self) -> int:
        """Rounds assigned so far."""
        return sum(self.counts)


class Experiment:
    """The state of one experiment. Only the writer changes it."""

    def __init__(
        self, identity: int, name: str, setup: Setup, created_at: str, version: int = VERSION
    ) -> None:
        self.identity = identity
        self.name = name
        self.setup = setup
        self.created_at = created_at
        self.version = version
        self.state = "created"
        self.state_seq = 1  # the entry that brought the state
        self.chain = Chain(name)
        self.clock = Clock(created_at)
        self.courses = {each.name: Course(setup, each) for each in setup.plays}
        self.retired: dict[str, Retirement] = {}
        self._retirable: tuple[str, ...] | None = None  # worked out when somebody asks
        self.continues: dict[str, Any] | None = None  # the entry of another journal that this one follows on
        self.number_of = {arm: number for number, arm in enumerate(setup.arms)}
        self._escaped = [canonical(arm) for arm in setup.arms]
        self._escaped_name = canonical(name)
        self.waits = not setup.feedback.at_once  # whether rewards wait to be told
        made_by = f'"software":{canonical(SOFTWARE)},' if version > 1 else ""
        self._ends = {
            name: made_by + (f'"stratum":{canonical(name)},' if name else "") for name in self.courses
        }

    @classmethod
    def create(
        cls,
        identity: int,
        name: str,
        setup: Setup,
        at: str,
        actor: str | None = None,
        version: int = VERSION,
        continues: dict[str, Any] | None = None,
    ) -> tuple[Experiment, Row]:
        """Return a new experiment and its first entry; `continues` names the last entry of the one before it."""
        experiment = cls(identity, name, setup, at, version)
        first = setup.to_entry() | {"version": version}
        if continues is not None:
            experiment.continues = first["continues"] = continues
        return experiment, experiment._append("created", at, actor, None, first)

    @property
    def play(self) -> Play:
        """The play of an experiment without strata."""
        return self.courses[""].play

    @property
    def untold(self) -> int:
        """Rewards that wait until a play is told them."""
        return sum(len(course.updates) for course in self.courses.values() if course.updates is not None)

    def move(self, kind: str, at: str, actor: str | None = None, reason: str | None = None) -> Row | None:
        """Start, pause or close; None if it is in that state already."""
        if STATES[kind] == self.state:
            return None
        row = self._append(
            kind, self.clock.strike(at), actor, None, {} if reason is None else {"reason": reason}
        )
        self.state, self.state_seq = STATES[kind], row.seq
        return row

    def may(self, kind: str) -> bool:
        """Whether the state machine allows an entry of this kind now."""
        return STATES[kind] == self.state or self.state in FROM[kind]

    def retire(self, arm: str, reason: str, at: str, actor: str | None = None) -> Row:
        """Never give an arm again; an error, and no change, if the policy or the holdout cannot go on without it."""
        check_stated(arm, self.stated_arm)
        at = self.clock.reading(at)
        self.withdraw(arm, self.chain.seq + 1, at, reason)
        self.clock.note(at)
        return self._append("retired", at, actor, None, {"arm": arm, "reason": reason})

    def withdraw(self, arm: str, seq: int, at: str, reason: str) -> None:
        """Go on without an arm, as entry `seq` says."""
        for course in self.courses.values():
            course.play.retire(self.number_of[arm])
        self.retired[arm], self._retirable = Retirement(arm, seq, at, reason), None

    @property
    def retirable(self) -> tuple[str, ...]:
        """The arms that may be retired now."""
        if self._retirable is None:
            plays = [course.play for course in self.courses.values()]
            self._retirable = retirable(self.setup.arms, plays, self.stated_arm)
        # Journals of format 1 hold no retired arms.
        return self._retirable if self.version > 1 and self.state != "closed" else ()

    def allocate(self, unit: str, at: str, actor: str | None = None, stratum: str = "") -> tuple[Row, Unit]:
        """Assign the next round to a unit, or hold it out."""
        course, at = self.courses[stratum], self.clock.strike(at)
        if course.share is not None and course.holds(unit):
            return self._hold(course, unit, at, actor, stratum)
        play, number = course.play, course.ask()
        chain, turn = self.chain, play.round
        seq = chain.seq + 1
        # By hand, because it is the busiest line of the service; a test holds it to `canonical`.
        likely = play.probability
        logged = "" if likely is None else f'"probability":{likely!r},'
        body = (
            f'{{{self._by(actor)}"arm":{self._escaped[number]},"at":"{at}","experiment":{self._escaped_name},'
            f'"kind":"allocated","previous":"{chain.previous}",{logged}"round":{turn},"seq":{seq},'
            f'{self._ends[stratum]}"unit":{escaped(unit)}}}'
        )
        row, given = (
            Row(seq, "allocated", unit, body, digest(body)),
            Unit(self.setup.arms[number], turn, seq, at),
        )
        return self._chained(row), given._replace(stratum=stratum) if stratum else given

    def _hold(self, course: Course, unit: str, at: str, actor: str | None, stratum: str) -> tuple[Row, Unit]:
        course.holdout.units += 1
        stated = self.stated_arm
        where = ({"arm": stated} if stated else {}) | ({"stratum": stratum} if stratum else {})
        row = self._append("held", at, actor, unit, where)
        return row, Unit(stated or "", 0, row.seq, at, stratum=stratum, holdout=True)

    @property
    def stated_arm(self) -> str | None:
        """What those get who are held out, if that was stated."""
        return None if self.setup.holdout is None else self.setup.holdout.arm

    def reward(
        self, unit: str, known: Unit, reward: float, at: str, actor: str | None = None
    ) -> tuple[Row, Unit]:
        """Take in the reward of an outstanding unit."""
        course = self.courses[known.stratum]
        if known.holdout:
            return self._outcome("rewarded", unit, known, at, actor, reward=reward)
        number, turn, at = self.number_of[known.arm], known.round, self.clock.strike(at)
        course.reward(number, reward, turn)
        chain, of = self.chain, f'"round":{turn},' if self.waits else ""
        seq = chain.seq + 1
        body = (
            f'{{{self._by(actor)}"arm":{self._escaped[number]},"at":"{at}","experiment":{self._escaped_name},'
            f'"kind":"rewarded","previous":"{chain.previous}","reward":{reward!r},{of}"seq":{seq},'
            f'{self._ends[known.stratum]}"unit":{escaped(unit)}}}'
        )
        row = self._chained(Row(seq, "rewarded", unit, body, digest(body)))
        return row, known.settled("rewarded", seq, at, reward)

    def void(
        self, unit: str, known: Unit, reason: str, at: str, actor: str | None = None
    ) -> tuple[Row, Unit]:
        """Write an outstanding unit off."""
        return self._outcome("voided", unit, known, at, actor, reason=reason)

    def lapse(self, unit: str, known: Unit, at: str) -> tuple[Row, Unit]:
        """Count the silence of an outstanding unit as the reward that was stated for it."""
        window = self.setup.attribution
        assert window is not None
        return self._outcome("lapsed", unit, known, at, None, reward=window.reward)

    def _outcome(
        self, kind: str, unit: str, known: Unit, at: str, actor: str | None, **said: Any
    ) -> tuple[Row, Unit]:
        """Settle a unit, and append the entry that says so."""
        where, at = _where(known), self.clock.strike(at)
        if kind == "lapsed" and self.waits and not known.holdout:
            where["round"] = known.round
        self.settle(kind, where | said)
        row = self._append(kind, at, actor, unit, where | said)
        return row, known.settled(kind, row.seq, at, **said)

    def settle(self, kind: str, entry: dict[str, Any]) -> None:
        """Take in an outcome that an entry tells."""
        course = self.courses[entry.get("stratum", "")]
        number = None if "holdout" in entry else self.number_of[entry["arm"]]
        if kind == "voided":
            course.void(number)
        elif kind == "lapsed":
            course.lapse(number, entry["reward"], entry.get("round", 0))
        elif kind == "amended":
            course.amend(number, entry["was"], entry["reward"])
        else:
            course.reward(number, entry["reward"], entry.get("round", 0))

    def amend(
        self, unit: str, known: Unit, reward: float, reason: str, at: str, actor: str | None = None
    ) -> tuple[Row, Unit]:
        """Correct the outcome of a unit; the play goes on with what it was told."""
        said = {"amends": known.outcome_seq, "was": known.reward, "reward": reward, "reason": reason}
        self.settle("amended", _where(known) | said)
        at = self.clock.strike(at)
        row = self._append("amended", at, actor, unit, said | _where(known))
        return row, known.amended(row.seq, at, reward, reason)

    def note_default(
        self, unit: str, known: Unit | None, arm: str, at: str, actor: str | None = None, stratum: str = ""
    ) -> tuple[Row, Unit]:
        """Note that a unit was served an arm outside the policy; what it had been given before is void."""
        said: dict[str, Any] = {"arm": arm}
        if known is not None:
            stratum = known.stratum
            said |= {"holdout": True} if known.holdout else {"instead_of": known.arm}
        if stratum:
            said["stratum"] = stratum
        self.take_default(said)
        at = self.clock.strike(at)
        row = self._append("defaulted", at, actor, unit, said)
        return row, defaulted(known, arm, row.seq, at, stratum)

    def take_default(self, entry: dict[str, Any]) -> None:
        """Take in a default that an entry tells."""
        course = self.courses[entry.get("stratum", "")]
        course.defaulted[self.number_of[entry["arm"]]] += 1
        if "holdout" in entry:
            course.void(None)
        elif "instead_of" in entry:
            course.void(self.number_of[entry["instead_of"]])

    def summary(self) -> Summary:
        """Return what readers may see."""
        parts = tuple(self._view(name, course) for name, course in self.courses.items())
        return _pooled(parts) if self.setup.strata else parts[0]

    def _view(self, stratum: str, course: Course) -> Summary:
        play = course.play.to_dict()
        moments = play["moments"] = course.moments(play)
        if any(course.amendments.counts):
            moments = course.amendments.corrected(moments)
        return Summary(
            self.name,
            self.version,
            self.setup,
            self.state,
            self.state_seq,
            self.chain.seq,
            self.chain.previous,
            self.created_at,
            tuple(play["counts"]),
            tuple(course.observed),
            tuple(course.voided),
            tuple(course.lapsed),
            tuple(course.amendments.counts),
            tuple(course.defaulted),
            tuple(moments["sums"]),
            tuple(moments["squares"]),
            tuple(moments["deviations"]),
            play,
            tuple(self.retired.values()),
            None if course.share is None else replace(course.holdout),
            self.continues,
            self.retirable,
            stratum,
        )

    def snapshot(self) -> str:
        """Return the whole view as text, from which `restore` goes on without a replay."""
        states = {name: course.to_dict() for name, course in self.courses.items()}
        said = {"state": self.state, "retired": [list(each) for each in self.retired.values()]}
        return canonical(said | ({"strata": states} if self.setup.strata else states[""]))

    def restore(self, state: dict[str, Any], seq: int, hash_: str) -> None:
        """Take over a snapshot of entry `seq`; one of an earlier version is a KeyError or a TypeError."""
        for name, course in self.courses.items():
            course.load(state["strata"][name] if self.setup.strata else state)
        self.state, self._retirable = state["state"], None
        self.retired = {each[0]: Retirement(*each) for each in state.get("retired", ())}
        self.chain = Chain(self.name, seq, hash_)

    def _by(self, actor: str | None) -> str:
        return "" if actor is None or self.version == 1 else f'"actor":"{actor}",'

    def _append(self, kind: str, at: str, actor: str | None, unit: str | None, fields: dict[str, Any]) -> Row:
        seq = self.chain.seq + 1
        entry = {"at": at, "experiment": self.name, "kind": kind, "previous": self.chain.previous, "seq": seq}
        if unit is not None:
            entry["unit"] = unit
        if self.version > 1:
            entry |= {"software": SOFTWARE} | ({} if actor is None else {"actor": actor})
        body = canonical(entry | fields)
        return self._chained(Row(seq, kind, unit, body, digest(body)))

    def _chained(self, row: Row) -> Row:
        self.chain.seq, self.chain.previous = row.seq, row.hash
        return row


def _where(known: Unit) -> dict[str, Any]:
    """Return what the entry of an outcome says of whose it is."""
    whose: dict[str, Any] = {"holdout": True} if known.holdout else {"arm": known.arm}
    return whose | ({"stratum": known.stratum} if known.stratum else {})


def _pooled(parts: tuple[Summary, ...]) -> Summary:
    """Return the summary of all strata, added up."""

    def added(name: str) -> tuple[Any, ...]:
        return tuple(map(sum, zip(*(getattr(part, name) for part in parts), strict=True)))

    counts = ("counts", "observed", "voided", "lapsed", "amended", "defaulted")
    moments = ("sums", "squares", "deviations")
    held = [part.holdout for part in parts if part.holdout is not None]
    whole: dict[str, Any] = {name: added(name) for name in counts + moments} | {
        "play": {},
        "stratum": "",
        "strata": parts,
    }
    return replace(parts[0], **whole, holdout=sum(held[1:], held[0]) if held else None)
