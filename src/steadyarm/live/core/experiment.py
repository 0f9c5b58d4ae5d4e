"""An experiment in memory: a view of its journal, with the play that decides.

Every change is made by appending an entry; replaying the entries gives the same object again. A pull whose
unit was voided still counts in the stabilizer, but no reward of it ever enters the envelope.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.journal import Broken, Chain, Row, canonical, digest
from steadyarm.live.core.setup import Setup
from steadyarm.policies import play_from_dict

VERSION = 1
"""Of the entries' form; it stands in the first entry of every journal."""

STATES = {"created": "created", "started": "running", "paused": "paused", "closed": "closed"}
"""The state that an entry of each kind leads to."""

MOVES = {"start": "started", "pause": "paused", "close": "closed"}
_FROM = {
    "started": ("created", "paused"),
    "paused": ("running",),
    "closed": ("created", "running", "paused"),
}


class Unit(NamedTuple):
    """What the journal knows about a unit: its allocation and, once known, its outcome."""

    arm: str
    round: int
    seq: int
    at: str
    outcome: str | None = None
    reward: float | None = None
    reason: str | None = None
    outcome_seq: int | None = None
    outcome_at: str | None = None


@dataclass(frozen=True)
class Summary:
    """An experiment as of its last committed entry; never changed, so that readers need no lock."""

    name: str
    setup: Setup
    state: str
    state_seq: int
    seq: int
    hash: str
    created_at: str
    counts: tuple[int, ...]
    observed: tuple[int, ...]
    voided: tuple[int, ...]
    sums: tuple[float, ...]
    squares: tuple[float, ...]
    deviations: tuple[float, ...]
    play: dict[str, Any]

    @property
    def round(self) -> int:
        """Rounds assigned so far."""
        return sum(self.counts)


class Experiment:
    """The state of one experiment. Only the writer changes it."""

    def __init__(self, identity: int, name: str, setup: Setup, created_at: str) -> None:
        self.identity = identity
        self.name = name
        self.setup = setup
        self.created_at = created_at
        self.state = "created"
        self.state_seq = 1  # the entry that brought the state
        self.chain = Chain(name)
        self.play = setup.policy.start(seed=setup.seed, priority=list(setup.priority))
        n_arms = len(setup.arms)
        self.observed, self.voided = [0] * n_arms, [0] * n_arms
        self.number_of = {arm: number for number, arm in enumerate(setup.arms)}
        self._escaped = [canonical(arm) for arm in setup.arms]
        self._escaped_name = canonical(name)

    @classmethod
    def create(cls, identity: int, name: str, setup: Setup, at: str) -> tuple[Experiment, Row]:
        """Return a new experiment and its first entry."""
        experiment = cls(identity, name, setup, at)
        return experiment, experiment._append("created", at, None, setup.to_entry() | {"version": VERSION})

    @property
    def remaining(self) -> int:
        """Rounds that are not assigned yet."""
        return self.setup.policy.horizon - self.play.round

    def move(self, kind: str, at: str) -> Row | None:
        """Start, pause or close; None if it is in that state already."""
        if STATES[kind] == self.state:
            return None
        row = self._append(kind, at, None, {})
        self.state, self.state_seq = STATES[kind], row.seq
        return row

    def may(self, kind: str) -> bool:
        """Whether the state machine allows an entry of this kind now."""
        return STATES[kind] == self.state or self.state in _FROM[kind]

    def allocate(self, unit: str, at: str) -> tuple[Row, Unit]:
        """Assign the next round to a unit."""
        number = self.play.ask()
        chain, turn = self.chain, self.play.round
        seq = chain.seq + 1
        # By hand, because it is the busiest line of the service; a test holds it to `canonical`.
        likely = self.play.probability
        logged = "" if likely is None else f'"probability":{likely!r},'
        body = (
            f'{{"arm":{self._escaped[number]},"at":"{at}","experiment":{self._escaped_name},"kind":"allocated",'
            f'"previous":"{chain.previous}",{logged}"round":{turn},"seq":{seq},"unit":"{unit}"}}'
        )
        return self._chained(Row(seq, "allocated", unit, body, digest(body))), Unit(
            self.setup.arms[number], turn, seq, at
        )

    def reward(self, unit: str, known: Unit, reward: float, at: str) -> tuple[Row, Unit]:
        """Take in the reward of an outstanding unit."""
        number = self.number_of[known.arm]
        self._absorb(number, reward)
        chain = self.chain
        seq = chain.seq + 1
        body = (
            f'{{"arm":{self._escaped[number]},"at":"{at}","experiment":{self._escaped_name},"kind":"rewarded",'
            f'"previous":"{chain.previous}","reward":{reward!r},"seq":{seq},"unit":"{unit}"}}'
        )
        row = self._chained(Row(seq, "rewarded", unit, body, digest(body)))
        return row, known._replace(outcome="rewarded", reward=reward, outcome_seq=seq, outcome_at=at)

    def void(self, unit: str, known: Unit, reason: str, at: str) -> tuple[Row, Unit]:
        """Write an outstanding unit off."""
        self.voided[self.number_of[known.arm]] += 1
        row = self._append("voided", at, unit, {"arm": known.arm, "reason": reason})
        return row, known._replace(outcome="voided", reason=reason, outcome_seq=row.seq, outcome_at=at)

    def replay(self, row: Row) -> dict[str, Any]:
        """Take in the next entry of the journal, or say why it cannot be the next."""
        entry = self.chain.check(row)
        try:
            self._replay(entry)
        except Broken:
            raise
        except SteadyarmError as error:  # anything else is a defect of ours, and not of the journal
            raise self._broken(row.seq, f"it does not fit what came before it ({error})") from None
        return entry

    def _replay(self, entry: dict[str, Any]) -> None:
        kind, seq = entry["kind"], entry["seq"]
        if kind in _FROM:
            if self.state not in _FROM[kind]:
                raise self._broken(seq, f"an experiment that is {self.state} cannot be {kind}")
            self.state, self.state_seq = STATES[kind], seq
        elif kind == "allocated":
            if self.state != "running":
                raise self._broken(seq, f"a unit was allocated while the experiment was {self.state}")
            arm = self.setup.arms[self.play.ask()]
            given, turn = entry.get("arm"), entry.get("round")
            if (arm, self.play.round) != (given, turn):
                raise self._broken(
                    seq,
                    f"it gives arm {given!r} in round {turn}, but the policy plays arm {arm!r} "
                    f"in round {self.play.round}",
                )
            if entry.get("probability") != self.play.probability:
                raise self._broken(
                    seq,
                    f"it gives an arm with probability {entry.get('probability')}, but the policy with "
                    f"{self.play.probability}",
                )
        elif kind == "rewarded":
            self._absorb(self._number(entry), self.setup.check_reward(entry.get("reward")))
        elif kind == "voided":
            self.voided[self._number(entry)] += 1
        else:
            raise self._broken(seq, f"no entry of kind {kind!r} can stand here")

    def _number(self, entry: dict[str, Any]) -> int:
        arm = entry.get("arm")
        if not isinstance(arm, str) or arm not in self.number_of:
            raise self._broken(entry["seq"], f"there is no arm {arm!r}")
        return self.number_of[arm]

    def summary(self) -> Summary:
        """Return what readers may see."""
        play = self.play.to_dict()
        return Summary(
            self.name,
            self.setup,
            self.state,
            self.state_seq,
            self.chain.seq,
            self.chain.previous,
            self.created_at,
            tuple(play["counts"]),
            tuple(self.observed),
            tuple(self.voided),
            tuple(play["moments"]["sums"]),
            tuple(play["moments"]["squares"]),
            tuple(play["moments"]["deviations"]),
            play,
        )

    def snapshot(self) -> str:
        """Return the whole view as text, from which `restore` goes on without a replay."""
        return canonical(
            {
                "state": self.state,
                "observed": self.observed,
                "voided": self.voided,
                "play": self.play.to_dict(),
            }
        )

    def restore(self, state: dict[str, Any], seq: int, hash_: str) -> None:
        """Take over a snapshot that was made after entry `seq`; one without the rewards' moments is a KeyError."""
        play = play_from_dict(state["play"])
        if play.moments is None:
            raise KeyError("moments")
        self.play = play
        self.state = state["state"]
        self.observed, self.voided = list(state["observed"]), list(state["voided"])
        self.chain = Chain(self.name, seq, hash_)

    def _absorb(self, number: int, reward: float) -> None:
        self.play.tell(number, reward)
        self.observed[number] += 1

    def _append(self, kind: str, at: str, unit: str | None, fields: dict[str, Any]) -> Row:
        seq = self.chain.seq + 1
        entry = {"at": at, "experiment": self.name, "kind": kind, "previous": self.chain.previous, "seq": seq}
        if unit is not None:
            entry["unit"] = unit
        body = canonical(entry | fields)
        return self._chained(Row(seq, kind, unit, body, digest(body)))

    def _chained(self, row: Row) -> Row:
        self.chain.seq, self.chain.previous = row.seq, row.hash
        return row

    def _broken(self, seq: int, reason: str) -> Broken:
        return Broken(self.name, seq, reason)


def begin(identity: int, name: str, first: Row) -> Experiment:
    """Return the experiment that a journal's first entry creates."""
    chain = Chain(name)
    entry = chain.check(first)
    if entry["kind"] != "created" or entry.get("version") != VERSION:
        raise chain.broken(1, f"a journal begins with an entry 'created' of version {VERSION}")
    try:
        experiment = Experiment(identity, name, Setup.from_entry(entry), entry["at"])
    except (SteadyarmError, KeyError, TypeError, ValueError) as error:
        raise chain.broken(1, f"its configuration cannot be played ({error})") from None
    experiment.chain = chain
    return experiment
