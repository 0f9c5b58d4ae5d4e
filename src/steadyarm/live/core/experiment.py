"""An experiment in memory: a view of its journal, with the play that decides.

Every change is made by appending an entry; replaying the entries gives the same object again. A pull whose
unit was voided still counts in the stabilizer, but no reward of it ever enters the envelope.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.amendments import Amendments
from steadyarm.live.core.journal import Broken, Chain, Row, canonical, digest, escaped
from steadyarm.live.core.setup import Setup
from steadyarm.live.core.units import Unit, defaulted
from steadyarm.policies import play_from_dict

VERSION = 2
"""Of the entries' form; it stands in the first entry of every journal, which keeps it to its end."""

VERSIONS = (1, 2)
"""That can be read, replayed and continued."""

SOFTWARE: str = import_module("steadyarm").__version__

STATES = {"created": "created", "started": "running", "paused": "paused", "closed": "closed"}
"""The state that an entry of each kind leads to."""

MOVES = {"start": "started", "pause": "paused", "close": "closed"}
_FROM = {
    "started": ("created", "paused"),
    "paused": ("running",),
    "closed": ("created", "running", "paused"),
}


@dataclass(frozen=True)
class Summary:
    """An experiment as of its last committed entry; never changed, so that readers need no lock.

    `observed` are the rewards that the play was told, `lapsed` those among them that silence counted as. Sums, squares
    and deviations are of the rewards as amended; `play` holds them as told.
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
        self.play = setup.policy.start(seed=setup.seed, priority=list(setup.priority))
        n_arms = len(setup.arms)
        self.observed, self.voided, self.lapsed = [0] * n_arms, [0] * n_arms, [0] * n_arms
        self.defaulted = [0] * n_arms  # units served outside the policy
        self.amendments = Amendments.none(n_arms)
        self.number_of = {arm: number for number, arm in enumerate(setup.arms)}
        self._escaped = [canonical(arm) for arm in setup.arms]
        self._escaped_name = canonical(name)
        self._software = f'"software":{canonical(SOFTWARE)},' if version > 1 else ""

    @classmethod
    def create(
        cls, identity: int, name: str, setup: Setup, at: str, actor: str | None = None, version: int = VERSION
    ) -> tuple[Experiment, Row]:
        """Return a new experiment and its first entry."""
        experiment = cls(identity, name, setup, at, version)
        first = setup.to_entry() | {"version": version}
        return experiment, experiment._append("created", at, actor, None, first)

    @property
    def remaining(self) -> int:
        """Rounds that are not assigned yet."""
        return self.setup.policy.horizon - self.play.round

    def move(self, kind: str, at: str, actor: str | None = None, reason: str | None = None) -> Row | None:
        """Start, pause or close; None if it is in that state already."""
        if STATES[kind] == self.state:
            return None
        row = self._append(kind, at, actor, None, {} if reason is None else {"reason": reason})
        self.state, self.state_seq = STATES[kind], row.seq
        return row

    def may(self, kind: str) -> bool:
        """Whether the state machine allows an entry of this kind now."""
        return STATES[kind] == self.state or self.state in _FROM[kind]

    def allocate(self, unit: str, at: str, actor: str | None = None) -> tuple[Row, Unit]:
        """Assign the next round to a unit."""
        number = self.play.ask()
        chain, turn = self.chain, self.play.round
        seq = chain.seq + 1
        # By hand, because it is the busiest line of the service; a test holds it to `canonical`.
        likely = self.play.probability
        logged = "" if likely is None else f'"probability":{likely!r},'
        body = (
            f'{{{self._by(actor)}"arm":{self._escaped[number]},"at":"{at}","experiment":{self._escaped_name},'
            f'"kind":"allocated","previous":"{chain.previous}",{logged}"round":{turn},"seq":{seq},{self._software}'
            f'"unit":{escaped(unit)}}}'
        )
        return self._chained(Row(seq, "allocated", unit, body, digest(body))), Unit(
            self.setup.arms[number], turn, seq, at
        )

    def reward(
        self, unit: str, known: Unit, reward: float, at: str, actor: str | None = None
    ) -> tuple[Row, Unit]:
        """Take in the reward of an outstanding unit."""
        number = self.number_of[known.arm]
        self._absorb(number, reward)
        chain = self.chain
        seq = chain.seq + 1
        body = (
            f'{{{self._by(actor)}"arm":{self._escaped[number]},"at":"{at}","experiment":{self._escaped_name},'
            f'"kind":"rewarded","previous":"{chain.previous}","reward":{reward!r},"seq":{seq},{self._software}'
            f'"unit":{escaped(unit)}}}'
        )
        row = self._chained(Row(seq, "rewarded", unit, body, digest(body)))
        return row, known.settled("rewarded", seq, at, reward)

    def void(
        self, unit: str, known: Unit, reason: str, at: str, actor: str | None = None
    ) -> tuple[Row, Unit]:
        """Write an outstanding unit off."""
        self.voided[self.number_of[known.arm]] += 1
        row = self._append("voided", at, actor, unit, {"arm": known.arm, "reason": reason})
        return row, known.settled("voided", row.seq, at, reason=reason)

    def lapse(self, unit: str, known: Unit, at: str) -> tuple[Row, Unit]:
        """Count the silence of an outstanding unit as the reward that was stated for it."""
        window = self.setup.attribution
        assert window is not None
        number = self.number_of[known.arm]
        self._absorb(number, window.reward)
        self.lapsed[number] += 1
        row = self._append("lapsed", at, None, unit, {"arm": known.arm, "reward": window.reward})
        return row, known.settled("lapsed", row.seq, at, window.reward)

    def amend(
        self, unit: str, known: Unit, reward: float, reason: str, at: str, actor: str | None = None
    ) -> tuple[Row, Unit]:
        """Correct the outcome of a unit; the play goes on with what it was told."""
        assert known.reward is not None
        self.amendments.add(self.number_of[known.arm], known.reward, reward)
        said = {"amends": known.outcome_seq, "was": known.reward, "reward": reward, "reason": reason}
        row = self._append("amended", at, actor, unit, said | {"arm": known.arm})
        return row, known.amended(row.seq, at, reward, reason)

    def note_default(
        self, unit: str, known: Unit | None, arm: str, at: str, actor: str | None = None
    ) -> tuple[Row, Unit]:
        """Note that a unit was served an arm outside the policy; what the policy had given it is void."""
        self.defaulted[self.number_of[arm]] += 1
        instead = {}
        if known is not None:
            self.voided[self.number_of[known.arm]] += 1
            instead = {"instead_of": known.arm}
        row = self._append("defaulted", at, actor, unit, {"arm": arm} | instead)
        return row, defaulted(known, arm, row.seq, at)

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
        if self.version > 1 and not (
            isinstance(entry.get("software"), str) and isinstance(entry.get("actor", ""), str)
        ):
            raise self._broken(
                seq, "it does not say by whom and by which version of the software it was made"
            )
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
        elif kind == "defaulted" and self.version > 1:
            self.defaulted[self._number(entry)] += 1
            if "instead_of" in entry:
                self.voided[self._number(entry, "instead_of")] += 1
        elif kind == "lapsed" and self.version > 1 and self.setup.attribution is not None:
            number, reward = self._number(entry), self.setup.attribution.reward
            if entry.get("reward") != reward:
                raise self._broken(seq, f"silence counts as {reward!r}, not as {entry.get('reward')!r}")
            self._absorb(number, reward)
            self.lapsed[number] += 1
        elif kind == "amended" and self.version > 1:
            old, new = (self.setup.check_reward(entry.get(name)) for name in ("was", "reward"))
            self.amendments.add(self._number(entry), old, new)
        else:
            raise self._broken(seq, f"no entry of kind {kind!r} can stand here")

    def _number(self, entry: dict[str, Any], member: str = "arm") -> int:
        arm = entry.get(member)
        if not isinstance(arm, str) or arm not in self.number_of:
            raise self._broken(entry["seq"], f"there is no arm {arm!r}")
        return self.number_of[arm]

    def summary(self) -> Summary:
        """Return what readers may see."""
        play = self.play.to_dict()
        moments = play["moments"]
        if any(self.amendments.counts):
            moments = self.amendments.corrected(moments)
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
            tuple(self.observed),
            tuple(self.voided),
            tuple(self.lapsed),
            tuple(self.amendments.counts),
            tuple(self.defaulted),
            tuple(moments["sums"]),
            tuple(moments["squares"]),
            tuple(moments["deviations"]),
            play,
        )

    def snapshot(self) -> str:
        """Return the whole view as text, from which `restore` goes on without a replay."""
        return canonical(
            {
                "state": self.state,
                "observed": self.observed,
                "voided": self.voided,
                "lapsed": self.lapsed,
                "defaulted": self.defaulted,
                "amendments": self.amendments.to_dict(),
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
        if "amendments" in state:  # version 1 has none
            self.lapsed, self.amendments = list(state["lapsed"]), Amendments(**state["amendments"])
        self.defaulted = list(state.get("defaulted", self.defaulted))
        self.chain = Chain(self.name, seq, hash_)

    def _absorb(self, number: int, reward: float) -> None:
        self.play.tell(number, reward)
        self.observed[number] += 1

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

    def _broken(self, seq: int, reason: str) -> Broken:
        return Broken(self.name, seq, reason)


def begin(identity: int, name: str, first: Row) -> Experiment:
    """Return the experiment that a journal's first entry creates."""
    chain = Chain(name)
    entry = chain.check(first)
    version = entry.get("version")
    if entry["kind"] != "created" or version not in VERSIONS:
        raise chain.broken(1, f"a journal begins with an entry 'created' of version 1 or {VERSION}")
    try:
        experiment = Experiment(identity, name, Setup.from_entry(entry), entry["at"], version)
    except (SteadyarmError, KeyError, TypeError, ValueError) as error:
        raise chain.broken(1, f"its configuration cannot be played ({error})") from None
    experiment.chain = chain
    return experiment
