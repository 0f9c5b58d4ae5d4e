"""The Python client, with a plain and an asynchronous face.

A call whose answer was lost is simply made again: every call is idempotent, so that changes nothing. A network or a
store that fails is waited for, up to the deadline of the call; the service's refusals are errors at once.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Sequence
from contextlib import aclosing, closing, suppress
from functools import partial
from typing import Any, Self

import httpx

from steadyarm.live.attempts import Addresses, Attempts, LiveError, NoAnswer, check_deadline, refusal, within
from steadyarm.live.calls import Call, ExperimentCalls, Following, Script, list_experiments, no_text
from steadyarm.live.unrecorded import SHARE_FOR_UNRECORDED, Unrecorded, is_away

ATTEMPTS, TIMEOUT, DEADLINE = 12, 10.0, 30.0
_LEAST_SECONDS = 0.3  # that a call has, whatever went before it
_STREAM_TIMEOUT_SECONDS = 60.0  # without a word; the service says something every 15 seconds


class LiveExperiment(ExperimentCalls):
    """One experiment, as `Client.experiment` gives it."""

    _sender: Client

    def events(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the entries of the journal after one."""
        for line in self._sender.lines(f"{self._path}/events?after={after}"):
            yield json.loads(line)

    def follow(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """Yield entries as they come, for ever; a lost connection is taken up again where it broke."""
        following = Following(after)
        while True:
            lost = None
            try:
                with closing(
                    self._sender.lines(f"{self._path}/stream", following.headers, _STREAM_TIMEOUT_SECONDS)
                ) as lines:
                    for line in lines:
                        if entry := following.entry(line):
                            yield entry
            except (LiveError, httpx.TransportError) as error:
                lost = error
            time.sleep(following.pause(lost))


class AsyncLiveExperiment(ExperimentCalls):
    """One experiment, as `AsyncClient.experiment` gives it; every call is awaited."""

    _sender: AsyncClient

    async def events(self, after: int = 0) -> AsyncIterator[dict[str, Any]]:
        """Yield the entries of the journal after one."""
        async with aclosing(self._sender.lines(f"{self._path}/events?after={after}")) as lines:
            async for line in lines:
                yield json.loads(line)

    async def follow(self, after: int = 0) -> AsyncIterator[dict[str, Any]]:
        """Yield entries as they come, for ever; a lost connection is taken up again where it broke."""
        following = Following(after)
        while True:
            lost = None
            try:
                stream = self._sender.lines(
                    f"{self._path}/stream", following.headers, _STREAM_TIMEOUT_SECONDS
                )
                async with aclosing(stream) as lines:
                    async for line in lines:
                        if entry := following.entry(line):
                            yield entry
            except (LiveError, httpx.TransportError) as error:
                lost = error
            await asyncio.sleep(following.pause(lost))


class _Settings:
    def __init__(
        self, url: str | Sequence[str], token: str, attempts: int, timeout: float, deadline: float
    ) -> None:
        self.unrecorded = Unrecorded()
        self._addresses = Addresses(url)
        self._attempts = attempts
        self._timeout = timeout
        self._deadline = check_deadline(deadline)
        self._options: dict[str, Any] = {
            "headers": {"authorization": f"Bearer {token}"} if token else {},
            "timeout": timeout,
        }

    def _attempts_of(self, call: Call) -> Attempts:
        """Return the attempts of a call; one may have a patience of its own, and the long ones have."""
        timeout, deadline = call.patience or self._timeout, call.patience or self._deadline
        if deadline < self._deadline:
            timeout = min(timeout, self._timeout)
        return Attempts(str(call), self._addresses, self._attempts, timeout, deadline)

    def _sending(self, call: Call) -> Script:
        """Tell which units were served a default while the service was away; then make the call, or serve its own."""
        if self.unrecorded:
            begun, patience = time.monotonic(), call.patience or self._deadline
            try:
                yield from self.unrecorded.script(SHARE_FOR_UNRECORDED * patience)
            except (
                NoAnswer,
                LiveError,
            ) as error:  # still away, or away again; another error is for the call to meet
                if call.default is not None and is_away(error):
                    return self.unrecorded.serve(call.default)
            if call.default is not None and call.default in self.unrecorded:  # there was no time to tell all
                return self.unrecorded.serve(call.default)
            call = call._replace(patience=max(_LEAST_SECONDS, patience - (time.monotonic() - begun)))
        try:
            return (yield call)
        except (NoAnswer, LiveError) as error:
            if call.default is None or not is_away(error):
                raise
            return self.unrecorded.serve(call.default)

    def _parting(self) -> Script:
        """Tell which units were served a default, if the service listens."""
        with suppress(NoAnswer, LiveError):
            yield from self.unrecorded.script(self._deadline)

    def _limits(self, quiet: float | None) -> httpx.Timeout:
        """Return how long a stream may take to open, and to be silent."""
        return httpx.Timeout(self._timeout, read=quiet or self._timeout)


class Client(_Settings):
    """Talks to a service.

    Args:
        url: where it listens, like http://127.0.0.1:8470; or several, those of a server and its standbys.
        token: what `steadyarm live token` printed.
        attempts: how often a call is made before a failing network or store becomes an error.
        timeout: seconds for one attempt.
        deadline: seconds for a call with all its attempts, 30 unless told otherwise. Then it is a `NoAnswer`, or the
            `LiveError` of a service that said what it lacks. (`verify` may take ten minutes.)

    Attributes:
        unrecorded: units that were served a default while the service was away, still to be told; see
            `docs/clients.md`.

    ``Client(url, token).experiment("colours").allocate("visitor-17")["arm"]`` names an arm.
    """

    def __init__(
        self,
        url: str | Sequence[str],
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
        found: list[dict[str, Any]] = self.run(list_experiments())
        return found

    def plan(self, **question: Any) -> Any:
        """Return what `POST /v1/plan` gives."""
        return self.send(Call("POST", "/v1/plan", question))

    def send(self, call: Call) -> Any:
        """Make a call, and before it tell which units were served a default while the service was away."""
        return self.run(self._sending(call))

    def _ask(self, call: Call) -> Any:
        """Make a call, again and again until it is answered or its deadline is over."""
        attempts = self._attempts_of(call)
        while True:
            address, limit = attempts.begin()
            try:
                request = self._http.build_request(
                    call.method, address + call.path, json=call.content, timeout=attempts.limits(limit)
                )
                response = within(limit, partial(self._exchange, attempts, request))
            except httpx.TransportError as error:
                wait: float | None = attempts.lost(error)
            except UnicodeEncodeError as error:
                raise no_text(error) from None
            else:
                wait = attempts.after(response)
            if wait is None:
                return _content(response)
            time.sleep(wait)

    def _exchange(self, attempts: Attempts, request: httpx.Request) -> httpx.Response:
        answer = self._http.send(request, stream=True)
        with closing(answer):
            return attempts.read(answer)

    def run(self, script: Script) -> Any:
        """Make one call after the other."""
        try:
            call = next(script)
            while True:
                try:
                    answer = self._ask(call)
                except (NoAnswer, LiveError) as error:
                    call = script.throw(error)
                else:
                    call = script.send(answer)
        except StopIteration as end:
            return end.value

    def lines(
        self, path: str, headers: dict[str, str] | None = None, quiet: float | None = None
    ) -> Generator[str, None, None]:
        """Yield the lines of a stream as they come."""
        address = self._addresses.now
        try:
            stream = self._http.stream("GET", address + path, headers=headers, timeout=self._limits(quiet))
            with stream as response:
                if response.status_code != 200:
                    response.read()
                    raise refusal(response)
                yield from response.iter_lines()
        except (httpx.TransportError, LiveError):
            self._addresses.next(address)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connections; before that, tell which units were served a default, if the service listens."""
        try:
            self.run(self._parting())
            self.unrecorded.warn()
        finally:
            self._http.close()


class AsyncClient(_Settings):
    """Talks to a service from asynchronous code; like `Client`, with every call awaited."""

    def __init__(
        self,
        url: str | Sequence[str],
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
        found: list[dict[str, Any]] = await self.run(list_experiments())
        return found

    async def plan(self, **question: Any) -> Any:
        """Return what `POST /v1/plan` gives."""
        return await self.send(Call("POST", "/v1/plan", question))

    async def send(self, call: Call) -> Any:
        """Make a call, and before it tell which units were served a default while the service was away."""
        return await self.run(self._sending(call))

    async def _ask(self, call: Call) -> Any:
        """Make a call, again and again until it is answered or its deadline is over."""
        attempts = self._attempts_of(call)
        while True:
            address, limit = attempts.begin()
            try:
                async with asyncio.timeout(limit):
                    response = await self._http.request(
                        call.method, address + call.path, json=call.content, timeout=attempts.limits(limit)
                    )
            except (httpx.TransportError, TimeoutError) as error:
                wait: float | None = attempts.lost(error)
            except UnicodeEncodeError as error:
                raise no_text(error) from None
            else:
                wait = attempts.after(response)
            if wait is None:
                return _content(response)
            await asyncio.sleep(wait)

    async def run(self, script: Script) -> Any:
        """Make one call after the other."""
        try:
            call = next(script)
            while True:
                try:
                    answer = await self._ask(call)
                except (NoAnswer, LiveError) as error:
                    call = script.throw(error)
                else:
                    call = script.send(answer)
        except StopIteration as end:
            return end.value

    async def lines(
        self, path: str, headers: dict[str, str] | None = None, quiet: float | None = None
    ) -> AsyncGenerator[str, None]:
        """Yield the lines of a stream as they come."""
        address = self._addresses.now
        try:
            stream = self._http.stream("GET", address + path, headers=headers, timeout=self._limits(quiet))
            async with stream as response:
                if response.status_code != 200:
                    await response.aread()
                    raise refusal(response)
                async for line in response.aiter_lines():
                    yield line
        except (httpx.TransportError, LiveError):
            self._addresses.next(address)
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End the connections; before that, tell which units were served a default, if the service listens."""
        try:
            await self.run(self._parting())
            self.unrecorded.warn()
        finally:
            await self._http.aclose()


def _content(response: httpx.Response) -> Any:
    if response.is_success:
        return response.json()
    raise refusal(response)
