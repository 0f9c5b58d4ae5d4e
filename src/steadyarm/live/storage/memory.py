"""The experiments that the writer has in memory: loaded once, forgotten whenever the disk may know otherwise."""

from __future__ import annotations

from sqlalchemy.engine import Connection

from steadyarm.live.core.experiment import Experiment, Summary
from steadyarm.live.core.journal import Broken
from steadyarm.live.core.logs import log
from steadyarm.live.core.problems import damaged, unknown_experiment
from steadyarm.live.storage import queries, recovery


class Memory:
    """What the writer knows of its experiments.

    Attributes:
        experiments: as decided, by name; changed by the writer's thread only.
        published: as committed; readers take these as they are.
        snapshots: the entry up to which each has a snapshot.
        unchecked: what loads have left unchecked behind snapshots.
    """

    def __init__(self) -> None:
        self.experiments: dict[str, Experiment] = {}
        self.published: dict[str, Summary] = {}
        self.snapshots: dict[str, int] = {}
        self.unchecked: dict[str, recovery.Prefix] = {}
        self._damaged: dict[str, Broken] = {}

    def knows(self, name: str) -> bool:
        """Whether an experiment was loaded before, or found damaged; as good as certain."""
        return name in self.published or name in self._damaged

    def is_damaged(self, name: str) -> bool:
        """Whether an experiment was found damaged; any thread may ask."""
        return name in self._damaged

    def load(self, connection: Connection, name: str) -> Experiment:
        """Bring an experiment into memory."""
        if name in self._damaged:
            raise damaged(self._damaged[name])
        try:
            found = recovery.load(connection, name)
        except Broken as broken:
            self.condemn(broken)
            raise damaged(broken) from None
        if found is None:
            raise unknown_experiment(name)
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

    def condemn(self, broken: Broken) -> None:
        """Know nothing of an experiment but that its journal is damaged."""
        name = broken.experiment
        self._damaged[name] = broken
        for kept in (self.experiments, self.published, self.unchecked, self.snapshots):
            kept.pop(name, None)
        log("error", "journal_damaged", experiment=name, seq=broken.seq, reason=broken.reason)

    def checked(self, name: str, prefix: recovery.Prefix) -> None:
        """Note that all of an experiment's chain was checked, unless it was loaded anew meanwhile."""
        if self.unchecked.get(name) is prefix:
            del self.unchecked[name]

    def save(self, connection: Connection, experiment: Experiment, every: int = 1) -> None:
        """Keep a snapshot, if there are so many entries since the last one."""
        if experiment.chain.seq - self.snapshots.get(experiment.name, 0) >= every:
            queries.save_snapshot(connection, experiment)
            self.snapshots[experiment.name] = experiment.chain.seq

    def forget_decisions(self) -> None:
        """Forget what is not known to be on the disk."""
        self.experiments.clear()
        self.unchecked.clear()
        self._damaged.clear()

    def begin_anew(self) -> None:
        """Forget what another server may have changed."""
        self.experiments.clear()
        self.published.clear()
