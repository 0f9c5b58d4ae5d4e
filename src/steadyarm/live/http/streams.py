"""The journal as NDJSON, and as server-sent events that go on where a client left off.

Both are read a little at a time, when the client has taken what came before: one that does not read costs little.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from starlette.responses import StreamingResponse

from steadyarm.live.core.journal import Row, line
from steadyarm.live.core.problems import Problem
from steadyarm.live.storage import queries
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.tokens import Token

if TYPE_CHECKING:
    from steadyarm.live.http.service import Service

KEEP_ALIVE_SECONDS = 15.0  # between comments that keep proxies from closing a quiet stream
CHECK_AFTER_SECONDS = 0.5  # without an entry; then a stream checks whether it may go on
POLL_EVERY_SECONDS = 0.1  # of a journal that grows
CHUNK = 100  # entries sent at a time
MOST_STREAMS = 200


class Hub:
    """Wakes streams when their experiment has grown."""

    def __init__(self) -> None:
        self.closing = asyncio.Event()
        self.open = 0
        self._grown: dict[str, asyncio.Event] = {}

    def notify(self, name: str) -> None:
        """Wake all who wait for an experiment."""
        waiting = self._grown.pop(name, None)
        if waiting is not None:
            waiting.set()

    def close(self) -> None:
        """End all streams."""
        self.closing.set()
        for waiting in self._grown.values():
            waiting.set()
        self._grown.clear()

    def growth(self, name: str) -> asyncio.Event:
        """Return an event that is set at the next growth; ask for it before looking what is there."""
        return self._grown.setdefault(name, asyncio.Event())

    @contextmanager
    def place(self) -> Iterator[None]:
        """Have a place among the streams for a while, if there is one."""
        if self.open >= MOST_STREAMS:
            raise Problem("overloaded", f"{MOST_STREAMS} streams are open already. Close one first.")
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1


class EventStream(StreamingResponse):
    """Server-sent events. Their place is given back however they end, also if the client just goes."""

    media_type = "text/event-stream"

    def __init__(self, hub: Hub, events: AsyncGenerator[bytes, None]) -> None:
        super().__init__(events, headers={"x-accel-buffering": "no", "connection": "close"})
        self._hub = hub
        self._events = events

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send them."""
        with self._hub.place():
            async with aclosing(self._events):
                await super().__call__(scope, receive, send)


def _read(
    store: Store, identity: int, after: int, limit: int, form: Callable[[Row], str]
) -> tuple[bytes, list[int]]:
    """Return some entries after one as they are sent, and their numbers."""
    with store.read() as connection:
        rows = queries.rows(connection, identity, after, limit)
    return "".join(map(form, rows)).encode(), [row.seq for row in rows]


def _event(row: Row) -> str:
    return f"id: {row.seq}\nevent: {row.kind}\ndata: {line(row)}\n"


class Ended(Exception):
    """A long answer whose token is no longer good."""


async def ndjson(
    service: Service, identity: int, after: int, limit: int | None, token: Token
) -> AsyncIterator[bytes]:
    """Yield the entries after one, a line each, while the token is good."""
    left = queries.LATEST if limit is None else limit
    while left > 0:
        if not await service.authentication.is_valid(token):
            raise Ended
        wanted = min(left, CHUNK)
        lines, seqs = await service.lanes.journal.run(_read, service.store, identity, after, wanted, line)
        if seqs:
            yield lines
            after = seqs[-1]
            left -= len(seqs)
        if len(seqs) < wanted:
            return


async def server_sent_events(
    service: Service, name: str, identity: int, after: int, token: Token
) -> AsyncGenerator[bytes, None]:
    """Yield entries as events while the client stays and its token is good; an event's id is the entry's number."""
    hub = service.hub
    yield b"retry: 2000\n\n"
    sent_at = time.monotonic()
    while not hub.closing.is_set() and await service.authentication.is_valid(token):
        grown = hub.growth(name)
        # Those who follow one journal are woken together, and share what is read.
        events, seqs = await service.lanes.journal.run(
            _read, service.store, identity, after, CHUNK, _event, shared=True
        )
        if seqs:
            yield events
            after, sent_at = seqs[-1], time.monotonic()
            await asyncio.sleep(0.0 if len(seqs) == CHUNK else POLL_EVERY_SECONDS)
            continue
        while not await _set_within(grown, CHECK_AFTER_SECONDS) and await service.authentication.is_valid(
            token
        ):
            if time.monotonic() - sent_at > KEEP_ALIVE_SECONDS:
                yield b": still here\n\n"
                sent_at = time.monotonic()


async def _set_within(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event for a while; returns whether it is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()
