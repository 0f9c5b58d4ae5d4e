"""One transaction of the writer: what its commands see of the store, and what they append."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy.engine import Connection

from steadyarm.live.core.commands.commands import Command
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, Row, now
from steadyarm.live.core.problems import damaged
from steadyarm.live.core.setup.setup import Setup
from steadyarm.live.core.units import Unit
from steadyarm.live.storage import queries, recovery
from steadyarm.live.storage.memory import Memory

SNAPSHOT_EVERY = 10_000  # entries of an experiment


class Transaction:
    """What `core.commands` asks of a transaction, on a connection; `after_failure`: the one before it failed."""

    def __init__(
        self, memory: Memory, connection: Connection, commands: Sequence[Command], after_failure: bool = False
    ) -> None:
        self.at = now()
        self.entries: list[tuple[int, Row]] = []
        self.touched: dict[str, Experiment] = {}
        self.probed = False
        self._memory = memory
        self._connection = connection
        self._after_failure = after_failure
        self._known: dict[str, dict[str, Unit]] = {}
        self._wanted: dict[str, list[str]] = defaultdict(list)
        for command in commands:
            if command.units:
                self._wanted[command.experiment].extend(command.units)

    def experiment(self, name: str) -> Experiment:
        """Return an experiment, from memory or from its journal."""
        found = self._memory.experiments.get(name)
        if found is None:
            found = self._memory.load(self._connection, name)
        self.touched[name] = found
        return found

    def take_over(self, loaded: recovery.Loaded) -> None:
        """Have an experiment in memory that a reader has loaded, unless it was written to since."""
        experiment, name = loaded.experiment, loaded.experiment.name
        head = (experiment.identity, experiment.chain.seq, experiment.chain.previous)
        if not self._memory.knows(name) and queries.head(self._connection, name) == head:
            self._memory.keep(loaded)

    def missing(self, name: str) -> bool:
        """Whether there is no experiment of this name."""
        return name not in self._memory.experiments and queries.head(self._connection, name) is None

    def add(
        self, name: str, setup: Setup, actor: str | None, continues: dict[str, Any] | None = None
    ) -> Experiment:
        """Create an experiment, maybe one that continues from an entry of another."""
        identity = queries.add_experiment(self._connection, name)
        experiment, row = Experiment.create(identity, name, setup, self.at, actor, continues=continues)
        self.touched[name] = self._memory.experiments[name] = experiment
        self.write(experiment, row)
        return experiment

    def unit(self, experiment: Experiment, unit: str) -> Unit | None:
        """Return what is known about a unit; all units of the transaction are looked up at once."""
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
        """Let later commands of the transaction see what an earlier one did."""
        self._known[experiment.name][name] = unit

    def condemn(self, broken: Broken) -> None:
        """Take no more for an experiment, from now on and after a restart: the next load replays all of it."""
        self._memory.condemn(broken)
        self.touched.pop(broken.experiment, None)
        queries.drop_snapshot(self._connection, broken.experiment)

    def write(self, experiment: Experiment, row: Row) -> None:
        """Append an entry at the end of the transaction."""
        self.entries.append((experiment.identity, row))

    def probe(self) -> None:
        """Write something that does not matter."""
        queries.probe(self._connection, self.at, thoroughly=self._after_failure)
        self.probed = True

    def flush(self) -> None:
        """Send everything to the database, snapshots that are due included."""
        if not self.entries:
            return
        queries.append(self._connection, self.entries)
        for experiment in self.touched.values():
            every = max(SNAPSHOT_EVERY, experiment.untold // 4)  # a snapshot holds all that is untold
            self._memory.save(self._connection, experiment, every)
