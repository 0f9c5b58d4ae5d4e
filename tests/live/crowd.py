"""Many connections at once, each with as little work of its own as HTTP allows."""

import asyncio
import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

ALLOCATE = "/v1/experiments/e/allocations"


def in_a_thread(work):
    """Run a coroutine where no other test has left an event loop running: a browser's tests do."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class Caller:
    """One connection, kept open."""

    def __init__(self, server, token=None):
        self._port = server.port
        self._token = server.token if token is None else token
        self._streams = None

    async def __call__(self, method, path, body=b""):
        """Ask; returns the status and the body."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        head = f"{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {self._token}\r\n"
        writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        fields = dict(line.split(b": ", 1) for line in answer.lower().split(b"\r\n")[1:] if line)
        if fields.get(b"transfer-encoding") == b"chunked":
            return int(answer[9:12]), await self._chunks(reader)
        return int(answer[9:12]), await reader.readexactly(int(fields.get(b"content-length", 0)))

    @staticmethod
    async def _chunks(reader):
        parts = []
        while size := int((await reader.readline()).strip(), 16):
            parts.append((await reader.readexactly(size + 2))[:-2])
        await reader.readline()
        return b"".join(parts)

    async def close(self):
        if self._streams is not None:
            self._streams[1].close()
            with contextlib.suppress(ConnectionError):
                await self._streams[1].wait_closed()


class Allocating:
    """Connections that allocate one unit after the other; remembers when each answer came and how long it took."""

    def __init__(self, server, connections=8, name=""):
        self._callers = [Caller(server) for _ in range(connections)]
        self._name = name
        self.times = []
        self.statuses = set()

    async def run(self, seconds):
        """Allocate for a while; returns how many a second."""
        self.times, begun = [], time.perf_counter()
        await asyncio.gather(*(self._one(number, begun + seconds) for number in range(len(self._callers))))
        return len(self.times) / (time.perf_counter() - begun)

    async def _one(self, number, until):
        count = 0
        while (begun := time.perf_counter()) < until:
            count += 1
            status, _ = await self._callers[number](
                "PUT", f"{ALLOCATE}/{self._name}{number}-{begun:.6f}-{count}"
            )
            self.statuses.add(status)
            self.times.append(time.perf_counter() - begun)

    async def close(self):
        for caller in self._callers:
            await caller.close()


async def forever(caller, method, path, body=b"", counts=None):
    """Ask the same again and again until cancelled; counts the answers by status."""
    try:
        while True:
            status, _ = await caller(method, path, body)
            if counts is not None:
                counts[status] += 1
    finally:
        await caller.close()


async def stop(tasks):
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
