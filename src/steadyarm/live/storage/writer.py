"""The one writer: takes all that waits, decides, appends, commits once, and only then answers.

If the commit fails, nobody is told of a success, and what was decided in memory is thrown away: experiments are
loaded from their journals again. So memory never knows more than the disk.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy.engine import Connection

from steadyarm.live.core.commands import Answer, Command
from steadyarm.live.core.configuration import Setup
from steadyarm.live.core.experiment import Experiment, Summary, Unit
from steadyarm.live.core.journal import Broken, Row, now
from steadyarm.live.core.logs import log
from steadyarm.live.core.problems import Problem, damaged
from steadyarm.live.storage import failures, queries, recovery
from steadyarm.live.storage.store import Store

MOST_UNITS = 5000  # of one group
MOST_WAITING = 20_000
SNAPSHOT_EVERY = 10_000  # entries of an experiment

Result = Answer | Problem
Job = tuple[Command, Any]
Deliver = Callable[[list[tuple[Any, Result]], dict[str, int]], None]
"""Takes the results with the marks their jobs came with, and the last entry of each experiment that grew."""


class Group:
    """One transaction: what its commands see of the store, and what they append."""

    def __init__(self, writer: Writer, connection: Connection, jobs: Sequence[Job]) -> None:
        self.at = now()
        self.entries: list[tuple[int, Row]] = []
        self.touched: dict[str, Experiment] = {}
        self.probed = False
        self._writer = writer
        self._connection = connection
        self._known: dict[str, dict[str, Unit]] = {}
        self._wanted: dict[str, list[str]] = defaultdict(list)
        for command, _ in jobs:
            if command.units:
                self._wanted[command.experiment].extend(command.units)

    def experiment(self, name: str) -> Experiment:
        """Return an experiment, from memory or from its journal."""
        found = self._writer.experiments.get(name)
        if found is None:
            found = self._writer.load(self._connection, name)
        self.touched[name] = found
        return found

    def take_over(self, loaded: recovery.Loaded) -> None:
        """Have an experiment in memory that a reader has loaded, unless it was written to since."""
        experiment, name = loaded.experiment, loaded.experiment.name
        head = (experiment.identity, experiment.chain.seq, experiment.chain.previous)
        if not self._writer.knows(name) and queries.head(self._connection, name) == head:
            self._writer.keep(loaded)

    def missing(self, name: str) -> bool:
        """Whether there is no experiment of this name."""
        return name not in self._writer.experiments and queries.head(self._connection, name) is None

    def add(self, name: str, setup: Setup) -> Experiment:
        """Create an experiment."""
        identity = queries.add_experiment(self._connection, name)
        experiment, row = Experiment.create(identity, name, setup, self.at)
        self.touched[name] = self._writer.experiments[name] = experiment
        self.write(experiment, row)
        return experiment

    def unit(self, experiment: Experiment, unit: str) -> Unit | None:
        """Return what is known about a unit; all units of the group are looked up at once."""
        known = self._known.get(experiment.name)
        if known is None:
            wanted = self._wanted[experiment.name]
            try:
                known = queries.units(self._connection, experiment.identity, experiment.name, wanted)
            except Broken as broken:
                self.condemn(broken)
                raise damaged(broken) from None
            self._known[experiment.name] = known
        return known.get(unit)

    def learn(self, experiment: Experiment, name: str, unit: Unit) -> None:
        """Let later commands of the group see what an earlier one did."""
        self._known[experiment.name][name] = unit

    def condemn(self, broken: Broken) -> None:
        """Take no more for an experiment, from now on and after a restart: the next load replays all of it."""
        self._writer.forget(broken)
        self.touched.pop(broken.experiment, None)
        queries.drop_snapshot(self._connection, broken.experiment)

    def write(self, experiment: Experiment, row: Row) -> None:
        """Append an entry at the end of the group."""
        self.entries.append((experiment.identity, row))

    def probe(self) -> None:
        """Write something that does not matter."""
        queries.probe(self._connection, self.at, thoroughly=self._writer.failed)
        self.probed = True

    def flush(self) -> None:
        """Send everything to the database, snapshots that are due included."""
        if not self.entries:
            return
        queries.append(self._connection, self.entries)
        for experiment in self.touched.values():
            if experiment.chain.seq - self._writer.snapshots.get(experiment.name, 0) >= SNAPSHOT_EVERY:
                self._writer.save(self._connection, experiment)


class Writer:
    """A thread with a queue. `published` holds what is committed; readers take it as it is."""

    def __init__(self, store: Store, deliver: Deliver, observe: Callable[[int, int, float], None]) -> None:
        self.experiments: dict[str, Experiment] = {}
        self.snapshots: dict[str, int] = {}
        self.published: dict[str, Summary] = {}
        self.unchecked: dict[str, recovery.Prefix] = {}
        self.written_at = 0.0
        self.failed = False
        self._store = store
        self._deliver = deliver
        self._observe = observe
        self._damaged: dict[str, Broken] = {}
        self._connection: Connection | None = None
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="steadyarm-writer", daemon=True)
        self._stopping = False

    def open(self) -> tuple[str | None, str]:
        """Take the store and bring it up to date; returns its version before and now."""
        self._connection = self._store.connect_writer()
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

    def knows(self, name: str) -> bool:
        """Whether an experiment was loaded before, or found damaged; as good as certain."""
        return name in self.published or name in self._damaged

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

    def load(self, connection: Connection, name: str) -> Experiment:
        """Bring an experiment into memory."""
        if name in self._damaged:
            raise damaged(self._damaged[name])
        try:
            found = recovery.load(connection, name)
        except Broken as broken:
            self.forget(broken)
            raise damaged(broken) from None
        if found is None:
            raise Problem("unknown_experiment", f"there is no experiment {name!r}.")
        self.keep(found)
        return found.experiment

    def keep(self, loaded: recovery.Loaded) -> None:
        """Have a loaded experiment in memory."""
        name = loaded.experiment.name
        self.experiments[name] = loaded.experiment
        # A server that is killed and started again and again would otherwise have more to replay each time.
        self.snapshots[name] = loaded.kept
        if loaded.unchecked is not None:
            self.unchecked[name] = loaded.unchecked

    def forget(self, broken: Broken) -> None:
        """Have nothing in memory of an experiment but that its journal is damaged."""
        name = broken.experiment
        self._damaged[name] = broken
        for kept in (self.experiments, self.published, self.unchecked, self.snapshots):
            kept.pop(name, None)
        log("error", "journal_damaged", experiment=name, seq=broken.seq, reason=broken.reason)

    def checked(self, name: str, prefix: recovery.Prefix) -> None:
        """Note that all of an experiment's chain was checked, unless it was loaded anew meanwhile."""
        if self.unchecked.get(name) is prefix:
            del self.unchecked[name]

    def save(self, connection: Connection, experiment: Experiment) -> None:
        """Keep a snapshot."""
        queries.save_snapshot(connection, experiment)
        self.snapshots[experiment.name] = experiment.chain.seq

    def _run(self) -> None:
        while True:
            job = self._queue.get()
            if job is None:
                self._leave()
                return
            jobs, size = [job], len(job[0].units)
            last = False
            while size < MOST_UNITS:
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    last = True
                    break
                jobs.append(job)
                size += len(job[0].units)
            self._commit(jobs)
            if last:
                self._leave()
                return

    def _commit(self, jobs: list[Job]) -> None:
        begun = time.perf_counter()
        group = None
        grown: dict[str, int] = {}
        results: list[Result]
        try:
            connection = self._connected()
            with connection.begin():
                group = Group(self, connection, jobs)
                results = [_result(command, group) for command, _ in jobs]
                group.flush()
            if group.entries or group.probed:  # a transaction that only reads shows nothing
                self.written_at, self.failed = time.monotonic(), False
            for name, experiment in group.touched.items():
                self.published[name] = experiment.summary()
            if group.entries:
                grown = {name: each.chain.seq for name, each in group.touched.items()}
            self._observe(len(jobs), len(group.entries), time.perf_counter() - begun)
        except Exception as error:
            self._forget()
            if len(jobs) > 1 and not failures.of_the_store(error):
                for job in jobs:  # each alone, so that a defect is the answer to those only who met it
                    self._commit([job])
                return
            results = [self._fault(error)] * len(jobs)
        self._deliver([(mark, result) for (_, mark), result in zip(jobs, results, strict=True)], grown)

    def _forget(self) -> None:
        """Forget what is not known to be on the disk."""
        self.experiments.clear()
        self.unchecked.clear()
        self._damaged.clear()

    def _fault(self, error: Exception) -> Problem:
        """Give the connection up if the store failed; returns the answer to everybody in the group."""
        problem = failures.report("commit_failed", error)
        if failures.of_the_store(error):
            self.written_at, self.failed = 0.0, True
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
            self.experiments.clear()
            self.published.clear()
            try:
                self._connection = self._store.connect_writer()
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
                for experiment in self.experiments.values():
                    if experiment.chain.seq > self.snapshots.get(experiment.name, 0):
                        self.save(self._connection, experiment)
            self._connection.close()
        except Exception as error:  # the journal has everything; only the next start takes longer
            failures.report("no_last_snapshot", error)
        self._connection = None


def _result(command: Command, group: Group) -> Result:
    try:
        return command.apply(group)
    except Problem as problem:
        return problem  # anything else may have left a half-made change in memory: the whole group fails
