"""The journal as NDJSON, and as server-sent events that go on where a client left off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from steadyarm.live import queries
from steadyarm.live.journal import Row, line
from steadyarm.live.problems import Problem

if TYPE_CHECKING:
    from steadyarm.live.service import Service

KEEP_ALIVE = 15.0  # seconds between comments that keep proxies from closing a quiet stream
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


async def read(service: Service, identity: int, after: int) -> list[Row]:
    """Read a chunk of a journal without holding up anybody."""

    def work() -> list[Row]:
        with service.store.read() as connection:
            return queries.rows(connection, identity, after)

    return await run_in_threadpool(work)


async def ndjson(service: Service, identity: int, after: int, limit: int | None) -> AsyncIterator[bytes]:
    """Yield the entries after one, a line each."""
    left = limit
    while left is None or left > 0:
        chunk = await read(service, identity, after)
        if left is not None:
            chunk = chunk[:left]
            left -= len(chunk)
        if chunk:
            yield "".join([line(row) for row in chunk]).encode()
            after = chunk[-1].seq
        if len(chunk) < queries.CHUNK:
            return


async def server_sent_events(service: Service, name: str, identity: int, after: int) -> AsyncIterator[bytes]:
    """Yield entries as events for as long as the client stays; an event's id is the entry's number."""
    hub = service.hub
    if hub.open >= MOST_STREAMS:
        raise Problem("overloaded", f"{MOST_STREAMS} streams are open already. Close one first.")
    hub.open += 1
    service.metrics.streams.set(hub.open)
    try:
        yield b"retry: 2000\n\n"
        while not hub.closing.is_set():
            grown = hub.growth(name)
            chunk = await read(service, identity, after)
            if chunk:
                events = [f"id: {row.seq}\nevent: {row.kind}\ndata: {line(row)}\n" for row in chunk]
                yield "".join(events).encode()
                after = chunk[-1].seq
                continue
            try:
                await asyncio.wait_for(grown.wait(), KEEP_ALIVE)
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        hub.open -= 1
        service.metrics.streams.set(hub.open)
