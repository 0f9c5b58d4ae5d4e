"""What can be asked of the service: each call described once, whoever sends it and however."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote

import httpx

from steadyarm.errors import InvalidInput
from steadyarm.live.attempts import PASSING, LiveError, check_deadline, pause

_VERIFY_TIMEOUT_SECONDS = 600.0  # for a replay of a whole journal


class Default(NamedTuple):
    """The arm that a unit is served if the service is away."""

    experiment: str
    unit: str
    arm: str
    stratum: str | None = None


class Call(NamedTuple):
    """A request; `patience` is how many seconds it may take, if not as long as others; `default` makes up for it."""

    method: str
    path: str
    content: Any = None
    patience: float | None = None
    default: Default | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


Script = Generator[Call, Any, Any]
"""Calls one after the other: takes the answer to each, and returns the answer to all of them."""


class Sender(Protocol):
    """Whoever sends calls, at once or as an awaitable."""

    def send(self, call: Call) -> Any:
        """Return the answer to a call."""

    def run(self, script: Script) -> Any:
        """Return what a script comes to."""


class ExperimentCalls:
    """The calls about one experiment."""

    def __init__(self, sender: Sender, name: str) -> None:
        self._sender = sender
        self.name = name
        self._path = f"/v1/experiments/{part(name)}"

    def _send(self, method: str, path: str = "", content: Any = None, patience: float | None = None) -> Any:
        return self._sender.send(Call(method, self._path + path, content, patience))

    def create(self, **configuration: Any) -> Any:
        """Create the experiment; see the configuration in docs/live.md. Returns its state."""
        return self._send("PUT", "", configuration)

    def start(self, reason: str | None = None) -> Any:
        """Take units from now on; an experiment that is paused stays so, and `resume` lets it go on."""
        return self._send("POST", "/start", _said(reason))

    def resume(self, reason: str | None = None) -> Any:
        """End the pause that there is now; a retry of it that comes late ends no later one."""

        def script() -> Script:
            state = yield Call("GET", self._path)
            named = {"state_seq": state["state_seq"]} | (_said(reason) or {})
            return (yield Call("POST", f"{self._path}/start", named))

        return self._sender.run(script())

    def pause(self, reason: str | None = None) -> Any:
        """Take no new units until it is resumed."""
        return self._send("POST", "/pause", _said(reason))

    def close(self, reason: str | None = None) -> Any:
        """Take no new units ever again."""
        return self._send("POST", "/close", _said(reason))

    def state(self) -> Any:
        """Return the state and the configuration."""
        return self._send("GET")

    def retire(self, arm: str, reason: str) -> Any:
        """Never give an arm again; there is no guarantee from here on."""
        return self._send("POST", f"/arms/{part(arm)}/retire", {"reason": reason})

    def allocate(
        self,
        unit: str,
        stratum: str | None = None,
        *,
        default: str | None = None,
        deadline: float | None = None,
    ) -> Any:
        """Return {unit, arm, round, seq}: which arm for this unit, the same for ever.

        If nobody answers within `deadline` seconds, a `default` arm is served, with round 0, and the service is told
        when it is back; see docs/clients.md.
        """
        where = None if stratum is None else {"stratum": stratum}
        served = None if default is None else Default(self.name, unit, default, stratum)
        if deadline is not None:
            check_deadline(deadline)
        for text in (default, stratum):
            part(text or "")  # what cannot be sent must not be served
        path = f"{self._path}/allocations/{part(unit)}"
        return self._sender.send(Call("PUT", path, where, deadline, served))

    def allocate_many(self, units: Sequence[str], stratum: str | None = None) -> Any:
        """Allocate units in order, all of them or none: {allocations: [...]}; docs/live.md says how many at once."""
        where = {} if stratum is None else {"stratum": stratum}
        return self._send("POST", "/allocations", {"units": list(units)} | where)

    def unit(self, unit: str) -> Any:
        """Return a unit's allocation and outcome."""
        return self._send("GET", f"/allocations/{part(unit)}")

    def report(self, unit: str, reward: float) -> Any:
        """Tell a unit's reward; the first value wins."""
        return self._send("PUT", f"/allocations/{part(unit)}/reward", {"reward": reward})

    def report_many(self, rewards: Mapping[str, float]) -> Any:
        """Tell the rewards of units, all of them or none: {rewards: [...]}; a refusal names each that cannot be."""
        told = [{"unit": unit, "reward": reward} for unit, reward in rewards.items()]
        return self._send("POST", "/rewards", {"rewards": told})

    def note_defaults(self, arms: Mapping[str, str], stratum: str | None = None) -> Any:
        """Tell which arms units were served outside the policy, all of them or none: {defaults: [...]}."""
        served = [Default(self.name, unit, arm, stratum) for unit, arm in arms.items()]
        return self._sender.send(default_call(self.name, served))

    def amend(self, unit: str, reward: float, reason: str, outcome_seq: int) -> Any:
        """Correct the reward that entry `outcome_seq` has told; `unit` names that entry."""
        said = {"reward": reward, "reason": reason, "outcome_seq": outcome_seq}
        return self._send("POST", f"/allocations/{part(unit)}/amend", said)

    def void(self, unit: str, reason: str) -> Any:
        """Write off a unit that will never report."""
        return self._send("POST", f"/allocations/{part(unit)}/void", {"reason": reason})

    def arms(self) -> Any:
        """Return the arms with their indices."""
        return self._send("GET", "/arms")

    def results(self, level: float = 0.95, control: str | None = None, method: str = "auto") -> Any:
        """Return counts, means and differences with intervals, bounds and the prediction."""
        against = "" if control is None else f"&control={part(control)}"
        return self._send("GET", f"/results?level={level!r}&method={part(method)}{against}")

    def history(self, points: int = 200) -> Any:
        """Return the counts along the rounds, the predicted band and the ages of outstanding rewards."""
        return self._send("GET", f"/history?points={points}")

    def verify(self) -> Any:
        """Check the chain and replay every decision; a broken one is a `LiveError` with code chain_broken."""
        return self._send("GET", "/verify", patience=_VERIFY_TIMEOUT_SECONDS)


def part(name: str) -> str:
    """Return a name as a part of an address; . and .. would be places in it, and are for the service to refuse.

    >>> part("orders/17 №2")
    'orders%2F17%20%E2%84%962'
    """
    try:
        return quote(name, safe="") if name not in (".", "..") else name.replace(".", "%2E")
    except UnicodeEncodeError as error:
        raise no_text(error) from None


def no_text(error: UnicodeEncodeError) -> InvalidInput:
    """Return the refusal of a text that cannot be sent."""
    half = error.object[error.start]
    return InvalidInput(
        f"names and reasons must be text; got {half!r}, half a character. Decode the bytes that it came from as UTF-8."
    )


def default_call(experiment: str, served: Iterable[Default]) -> Call:
    """Return the call that tells which arms units of an experiment were served outside the policy."""
    told = [
        {"unit": each.unit, "arm": each.arm} | ({} if each.stratum is None else {"stratum": each.stratum})
        for each in served
    ]
    return Call("POST", f"/v1/experiments/{part(experiment)}/defaults", {"defaults": told})


def _said(reason: str | None) -> dict[str, str] | None:
    return None if reason is None else {"reason": reason}


def list_experiments() -> Script:
    """Page through the states of all experiments, by name."""
    found: list[dict[str, Any]] = []
    while True:
        last = part(found[-1]["experiment"]) if found else ""
        page = (yield Call("GET", f"/v1/experiments?after={last}"))["experiments"]
        if not page:
            return found
        found += page


class Following:
    """Where the reader of an event stream is, and how long it waits when the stream ends."""

    def __init__(self, after: int) -> None:
        self.after = after
        self._attempt = 0

    @property
    def headers(self) -> dict[str, str]:
        """Say where the stream is to begin."""
        return {"last-event-id": str(self.after)}

    def entry(self, line: str) -> dict[str, Any] | None:
        """Return the entry in a line of the stream; other lines keep the connection open."""
        mark = "data: "
        if not line.startswith(mark):
            return None
        entry: dict[str, Any] = json.loads(line.removeprefix(mark))
        self.after, self._attempt = entry["seq"], 0
        return entry

    def pause(self, error: LiveError | httpx.TransportError | None) -> float:
        """Return the seconds until the stream is opened again; raises a refusal that does not pass."""
        if isinstance(error, LiveError) and error.status not in PASSING:
            raise error
        self._attempt += 1
        return pause(self._attempt)
