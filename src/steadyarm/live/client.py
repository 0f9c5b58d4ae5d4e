"""The Python client, with a plain and an asynchronous face.

A call whose answer was lost is simply made again: every call is idempotent, so that changes nothing. A network or a
store that fails is waited for, up to the deadline of the call; the service's refusals are errors at once.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Self
from urllib.parse import quote

import httpx

from steadyarm.errors import InvalidInput
from steadyarm.live.attempts import PASSING, Attempts, LiveError, pause, refusal

ATTEMPTS, TIMEOUT, DEADLINE = 12, 10.0, 30.0
_VERIFY = 600.0  # seconds for a replay of a whole journal
_QUIET = (
    60.0  # seconds without a word after which a stream is taken for lost; the service says something every 15
)


class _Calls:
    """The calls about one experiment; `_call` makes one, now or as an awaitable."""

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self.name = name
        self._path = f"/v1/experiments/{quote(name, safe='')}"

    def _call(self, method: str, path: str = "", content: Any = None, patience: float | None = None) -> Any:
        return self._client._call(method, self._path + path, content, patience)

    def _stream(self, after: int) -> Any:
        """Return the opening of the event stream after an entry, to be entered."""
        limits = httpx.Timeout(self._client._timeout, read=_QUIET)
        headers = {"last-event-id": str(after)}
        return self._client._http.stream("GET", f"{self._path}/stream", headers=headers, timeout=limits)

    def create(self, **configuration: Any) -> Any:
        """Create the experiment; see the configuration in docs/live.md. Returns its state."""
        return self._call("PUT", "", configuration)

    def start(self) -> Any:
        """Take units from now on; an experiment that is paused stays so, and `resume` lets it go on."""
        return self._call("POST", "/start")

    def _resume(self, state: dict[str, Any]) -> Any:
        return self._call("POST", "/start", {"state_seq": state["state_seq"]})

    def pause(self) -> Any:
        """Take no new units until it is resumed."""
        return self._call("POST", "/pause")

    def close(self) -> Any:
        """Take no new units ever again."""
        return self._call("POST", "/close")

    def state(self) -> Any:
        """Return the state and the configuration."""
        return self._call("GET")

    def allocate(self, unit: str) -> Any:
        """Return {unit, arm, round, seq}: which arm for this unit, the same for ever."""
        return self._call("PUT", f"/allocations/{quote(unit, safe='')}")

    def allocate_many(self, units: Sequence[str]) -> Any:
        """Allocate up to 1,000 units in order, all or none: {allocations: [...]}."""
        return self._call("POST", "/allocations", {"units": list(units)})

    def unit(self, unit: str) -> Any:
        """Return a unit's allocation and outcome."""
        return self._call("GET", f"/allocations/{quote(unit, safe='')}")

    def report(self, unit: str, reward: float) -> Any:
        """Tell a unit's reward; the first value wins."""
        return self._call("PUT", f"/allocations/{quote(unit, safe='')}/reward", {"reward": reward})

    def void(self, unit: str, reason: str) -> Any:
        """Write off a unit that never will report."""
        return self._call("POST", f"/allocations/{quote(unit, safe='')}/void", {"reason": reason})

    def arms(self) -> Any:
        """Return the arms with their indices."""
        return self._call("GET", "/arms")

    def results(self, level: float = 0.95) -> Any:
        """Return counts, means with intervals, bounds and the prediction."""
        return self._call("GET", f"/results?level={level!r}")

    def history(self, points: int = 200) -> Any:
        """Return the counts along the rounds, the predicted band and the ages of outstanding rewards."""
        return self._call("GET", f"/history?points={points}")

    def verify(self) -> Any:
        """Check the chain and replay every decision; a broken one is a `LiveError` with code chain_broken."""
        return self._call("GET", "/verify", patience=_VERIFY)


class LiveExperiment(_Calls):
    """One experiment, as `Client.experiment` gives it."""

    def resume(self) -> Any:
        """End the pause that there is now; a retry of it that comes late ends no later one."""
        return self._resume(self.state())

    def events(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the entries of the journal after one."""
        path = f"{self._path}/events?after={after}"
        with self._client._http.stream("GET", path) as response:
            if response.status_code != 200:
                response.read()
                raise refusal(response)
            for line in response.iter_lines():
                yield json.loads(line)

    def follow(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield entries as they come, for ever; a lost connection is taken up again where it broke."""
        attempt = 0
        while True:
            try:
                with self._stream(after) as response:
                    if response.status_code != 200:
                        response.read()
                        raise refusal(response)
                    for line in response.iter_lines():
                        if entry := _entry_of(line):
                            after, attempt = entry["seq"], 0
                            yield entry
            except LiveError as refused:
                if refused.status not in PASSING:
                    raise
            except httpx.TransportError:
                pass
            attempt += 1
            time.sleep(pause(attempt))


class AsyncLiveExperiment(_Calls):
    """One experiment, as `AsyncClient.experiment` gives it; every call is awaited."""

    async def resume(self) -> Any:
        """End the pause that there is now; a retry of it that comes late ends no later one."""
        return await self._resume(await self.state())

    async def events(self, after: int = 0) -> AsyncIterator[dict[str, Any]]:
        """Yield the entries of the journal after one."""
        async with self._client._http.stream("GET", f"{self._path}/events?after={after}") as response:
            if response.status_code != 200:
                await response.aread()
                raise refusal(response)
            async for line in response.aiter_lines():
                yield json.loads(line)

    async def follow(self, after: int = 0) -> AsyncIterator[dict[str, Any]]:
        """Yield entries as they come, for ever; a lost connection is taken up again where it broke."""
        attempt = 0
        while True:
            try:
                async with self._stream(after) as response:
                    if response.status_code != 200:
                        await response.aread()
                        raise refusal(response)
                    async for line in response.aiter_lines():
                        if entry := _entry_of(line):
                            after, attempt = entry["seq"], 0
                            yield entry
            except LiveError as refused:
                if refused.status not in PASSING:
                    raise
            except httpx.TransportError:
                pass
            attempt += 1
            await asyncio.sleep(pause(attempt))


class _Settings:
    def __init__(self, url: str, token: str, attempts: int, timeout: float, deadline: float) -> None:
        if not deadline > 0.0:
            raise InvalidInput(f"deadline must be positive; got {deadline!r}. It is in seconds.")
        self._attempts = attempts
        self._timeout = timeout
        self._deadline = deadline
        self._options: dict[str, Any] = {
            "base_url": url.rstrip("/"),
            "headers": {"authorization": f"Bearer {token}"} if token else {},
            "timeout": timeout,
        }

    def _attempts_of(self, call: str, patience: float | None) -> Attempts:
        """Return the attempts of a call; one that is known to take long has a patience of its own."""
        return Attempts(call, self._attempts, patience or self._timeout, patience or self._deadline)


class Client(_Settings):
    """Talks to a service.

    Args:
        url: where it listens, like http://127.0.0.1:8470.
        token: what `steadyarm live token` printed.
        attempts: how often a call is made before a failing network or store becomes an error.
        timeout: seconds for one attempt.
        deadline: seconds for a call with all its attempts, 30 unless told otherwise. Then it is a `NoAnswer`, or the
            `LiveError` of a service that said what it lacks. (`verify` may take ten minutes.)

    ``Client(url, token).experiment("colours").allocate("visitor-17")["arm"]`` names an arm.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        attempts: int = ATTEMPTS,
        timeout: float = TIMEOUT,
        deadline: float = DEADLINE,
    ) -> None:
        super().__init__(url, token, attempts, timeout, deadline)
        self._http = httpx.Client(**self._options)

    def experiment(self, name: str) -> LiveExperiment:
        """Return the calls about one experiment, whether it exists already or not."""
        return LiveExperiment(self, name)

    def experiments(self) -> list[dict[str, Any]]:
        """Return the state of every experiment, by name."""
        found: list[dict[str, Any]] = []
        while page := self._call("GET", _after(found))["experiments"]:
            found += page
        return found

    def plan(self, **question: Any) -> Any:
        """Return what `POST /v1/plan` gives."""
        return self._call("POST", "/v1/plan", question)

    def _call(self, method: str, path: str, content: Any = None, patience: float | None = None) -> Any:
        attempts = self._attempts_of(f"{method} {path}", patience)
        while True:
            try:
                response = self._http.request(method, path, json=content, timeout=attempts.begin())
            except httpx.TransportError as error:
                wait: float | None = attempts.lost(error)
            else:
                wait = attempts.after(response)
            if wait is None:
                return _content(response)
            time.sleep(wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()


class AsyncClient(_Settings):
    """Talks to a service from asynchronous code; like `Client`, with every call awaited."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        attempts: int = ATTEMPTS,
        timeout: float = TIMEOUT,
        deadline: float = DEADLINE,
    ) -> None:
        super().__init__(url, token, attempts, timeout, deadline)
        self._http = httpx.AsyncClient(**self._options)

    def experiment(self, name: str) -> AsyncLiveExperiment:
        """Return the calls about one experiment, whether it exists already or not."""
        return AsyncLiveExperiment(self, name)

    async def experiments(self) -> list[dict[str, Any]]:
        """Return the state of every experiment, by name."""
        found: list[dict[str, Any]] = []
        while page := (await self._call("GET", _after(found)))["experiments"]:
            found += page
        return found

    async def plan(self, **question: Any) -> Any:
        """Return what `POST /v1/plan` gives."""
        return await self._call("POST", "/v1/plan", question)

    async def _call(self, method: str, path: str, content: Any = None, patience: float | None = None) -> Any:
        attempts = self._attempts_of(f"{method} {path}", patience)
        while True:
            limit = attempts.begin()
            try:
                async with asyncio.timeout(limit):
                    response = await self._http.request(method, path, json=content, timeout=limit)
            except (httpx.TransportError, TimeoutError) as error:
                wait: float | None = attempts.lost(error)
            else:
                wait = attempts.after(response)
            if wait is None:
                return _content(response)
            await asyncio.sleep(wait)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()


def _after(found: list[dict[str, Any]]) -> str:
    """Return the path of the page of experiments after those that were found."""
    return f"/v1/experiments?after={quote(found[-1]['experiment'], safe='') if found else ''}"


def _content(response: httpx.Response) -> Any:
    if response.is_success:
        return response.json()
    raise refusal(response)


def _entry_of(line: str) -> dict[str, Any] | None:
    """Return the entry in a line of an event stream; other lines keep the connection open."""
    mark = "data: "
    return json.loads(line.removeprefix(mark)) if line.startswith(mark) else None
