"""The one writer: takes all that waits, decides, appends, commits once, and only then answers.

If the commit fails, nobody is told of a success, and what was decided in memory is thrown away: experiments are
loaded from their journals again. So memory never knows more than the disk.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy.engine import Connection

from steadyarm.live.core.commands.commands import Answer, Command
from steadyarm.live.core.logs import log
from steadyarm.live.core.problems import Problem
from steadyarm.live.storage import failures, lease
from steadyarm.live.storage.memory import Memory
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.transaction import Transaction

MOST_UNITS = 5000  # of one transaction
MOST_WAITING = 20_000

Result = Answer | Problem
Job = tuple[Command, Any]
Deliver = Callable[[list[tuple[Any, Result]], dict[str, int]], None]
"""Takes the results with the marks their jobs came with, and the last entry of each experiment that grew."""


class Writer:
    """A thread with a queue; what it knows is in its `memory`."""

    def __init__(self, store: Store, deliver: Deliver, observe: Callable[[int, int, float], None]) -> None:
        self.memory = Memory()
        self.written_at = 0.0
        self._failed = False
        self._store = store
        self._deliver = deliver
        self._observe = observe
        self._connection: Connection | None = None
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="steadyarm-writer", daemon=True)
        self._stopping = False

    def open(self) -> tuple[str | None, str]:
        """Take the store and bring it up to date; returns its version before and now."""
        self._connection = self._store.connect_writer()
        lease.limit(self._connection)
        return self._store.migrate(self._connection)

    def start(self) -> None:
        """Begin to take commands."""
        self._thread.start()

    def submit(self, command: Command, mark: Any) -> None:
        """Queue a command; its result is delivered with the mark."""
        if self._stopping:
            raise Problem("stopping", "the service is stopping. Ask again in a moment, with the same unit.")
        if self._queue.qsize() > MOST_WAITING:
            raise Problem("overloaded", f"more than {MOST_WAITING:,} requests are waiting. Ask again later.")
        self._queue.put((command, mark))

    @property
    def waiting(self) -> int:
        """How many commands wait."""
        return self._queue.qsize()

    def stop(self) -> None:
        """Finish what waits, keep snapshots, close the store."""
        self._stopping = True
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _run(self) -> None:
        last = False
        while not last:
            jobs: list[Job] = []
            units = 0
            job = self._next()
            while job is not None:
                jobs.append(job)
                units += len(job[0].units)
                if units >= MOST_UNITS or self._queue.empty():
                    break
                job = self._queue.get()
            last = job is None
            if jobs:
                self._commit(jobs)
        self._leave()

    def _next(self) -> Job | None:
        """Wait for a command, and let the store hear of the server meanwhile."""
        while True:
            try:
                return self._queue.get(timeout=lease.HEARTBEAT_SECONDS)
            except queue.Empty:
                self._beat()

    def _beat(self) -> None:
        try:
            if self._connection is not None:
                lease.beat(self._connection)
        except Exception as error:
            self.memory.forget_decisions()
            self._fault(error)

    def _commit(self, jobs: list[Job]) -> None:
        started = time.perf_counter()
        grown: dict[str, int] = {}
        results: list[Result]
        try:
            connection = self._connected()
            with connection.begin():
                commands = [command for command, _ in jobs]
                transaction = Transaction(self.memory, connection, commands, self._failed)
                results = [_result(command, transaction) for command in commands]
                transaction.flush()
            if transaction.entries or transaction.probed:  # one that only reads shows nothing
                self.written_at, self._failed = time.monotonic(), False
            for name, experiment in transaction.touched.items():
                self.memory.published[name] = experiment.summary()
            if transaction.entries:
                grown = {name: each.chain.seq for name, each in transaction.touched.items()}
            self._observe(len(jobs), len(transaction.entries), time.perf_counter() - started)
        except Exception as error:
            self.memory.forget_decisions()
            if len(jobs) > 1 and not failures.of_the_store(error):
                for job in jobs:  # each alone, so that a defect is the answer to those only who met it
                    self._commit([job])
                return
            results = [self._fault(error)] * len(jobs)
        self._deliver([(mark, result) for (_, mark), result in zip(jobs, results, strict=True)], grown)

    def _fault(self, error: Exception) -> Problem:
        """Give the connection up if the store failed; returns the answer to everybody who waits."""
        problem = failures.report("commit_failed", error)
        if failures.of_the_store(error):
            self.written_at, self._failed = 0.0, True
            self._disconnect()
        return problem

    def _disconnect(self) -> None:
        if self._connection is not None:
            try:
                self._connection.invalidate()
                self._connection.close()
            except Exception as again:  # a connection that is beyond closing
                log("warning", "connection_lost", error=type(again).__name__)
            self._connection = None

    def _connected(self) -> Connection:
        self._store.check_place()
        if self._connection is None:
            # While the connection was gone another server may have written: memory begins anew.
            self.memory.begin_anew()
            try:
                self._connection = self._store.connect_writer()
                lease.limit(self._connection)
            except OSError as error:
                raise failures.StoreFailed(str(error)) from error
            log("info", "connected", database=str(self._store))
        return self._connection

    def _leave(self) -> None:
        """Keep a snapshot of what has changed, so that the next start is quick."""
        if self._connection is None:
            return
        try:
            with self._connection.begin():
                for experiment in self.memory.experiments.values():
                    self.memory.save(self._connection, experiment)
            self._connection.close()
        except Exception as error:  # the journal has everything; only the next start takes longer
            failures.report("no_last_snapshot", error)
        self._connection = None


def _result(command: Command, transaction: Transaction) -> Result:
    try:
        return command.apply(transaction)
    except Problem as problem:
        return (
            problem  # anything else may have left a half-made change in memory: the whole transaction fails
        )
