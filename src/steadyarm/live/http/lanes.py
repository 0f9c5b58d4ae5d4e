"""Where reads and other long work are done: each kind in a lane of its own, so that nothing else waits for it.

A lane does a few things at a time, lets some wait, and refuses the rest. What takes seconds is done by a process: a
thread of this one would take its time from the writer's.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from steadyarm.live.core.problems import Problem

T = TypeVar("T")

REFUSED_AFTER = 0.5  # seconds: who asks again at once takes little from others


class Lane:
    """Does a few things at a time, in the order in which they were asked for."""

    def __init__(self, what: str, executor: Executor, at_once: int = 1, most_waiting: int = 20) -> None:
        self._what = what
        self._executor = executor
        self._free = asyncio.Semaphore(at_once)
        self._most_waiting = most_waiting
        self._waiting: dict[Hashable, asyncio.Future[Any]] = {}

    async def run(self, work: Callable[..., T], *arguments: Any, shared: bool = False) -> T:
        """Do something when its turn comes; if `shared`, once for all who ask for the same before it starts."""
        key = (work, *arguments) if shared else object()
        task = self._waiting.get(key)
        if task is None:
            if len(self._waiting) >= self._most_waiting:
                await asyncio.sleep(REFUSED_AFTER)
                raise Problem(
                    "overloaded",
                    f"{self._most_waiting} requests for {self._what} are waiting already. Ask again in a moment.",
                )
            task = self._waiting[key] = asyncio.ensure_future(self._turn(key, work, arguments))
        result: T = await asyncio.shield(task)
        return result

    async def _turn(self, key: Hashable, work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        try:
            await self._free.acquire()
        finally:
            del self._waiting[key]  # who asks from now on would be told of a moment before that
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, work, *arguments)
        finally:
            self._free.release()


class Process(Executor):
    """A process that does one thing after the other: started when first needed, and again if it has died."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lifeline: tuple[Connection, Connection]
        self._lock = threading.Lock()

    def submit(self, work: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Have it do something."""
        with self._lock:
            try:
                return self._started().submit(work, *arguments, **named)
            except BrokenProcessPool:
                self._end()
                return self._started().submit(work, *arguments, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 (at once)
        """End the process, whatever it is doing."""
        with self._lock:
            self._end()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._lifeline = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(1, context, _begin, (self._lifeline[0],))
        return self._pool

    def _end(self) -> None:
        if self._pool is not None:
            for end in self._lifeline:
                end.close()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _begin(lifeline: Connection) -> None:
    """Begin a process: it ends with the service, even if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches all; the server decides

    def watch() -> None:
        with suppress(EOFError, OSError):
            lifeline.recv_bytes()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


class Lanes:
    """All lanes of a service. The two processes may be shared by several services."""

    def __init__(self, processes: tuple[Process, Process] | None = None) -> None:
        self._executors: list[Executor] = []
        if processes is None:
            processes = (Process(), Process())
            self._executors += processes
        self.look_ups = Lane("a look-up", self._threads("look-up", 4), at_once=4, most_waiting=1000)
        self.journal = Lane("entries", self._threads("journal"), most_waiting=1000)
        self.loads = Lane("a journal", self._threads("load"), most_waiting=1000)
        self.analyses = Lane("an analysis", self._threads("analysis"), most_waiting=200)
        self.audits = Lane("a verification", processes[0])
        self.plans = Lane("a plan", processes[1])

    def close(self) -> None:
        """End them."""
        for executor in self._executors:
            executor.shutdown(cancel_futures=True)

    def _threads(self, name: str, most: int = 1) -> Executor:
        self._executors.append(ThreadPoolExecutor(most, f"steadyarm-{name}"))
        return self._executors[-1]
