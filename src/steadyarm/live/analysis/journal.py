"""A journal in Python: exported files are verified, and answer as the service would or become a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from steadyarm.errors import InvalidInput
from steadyarm.live.analysis.health import vitals_of
from steadyarm.live.analysis.results import arms_of, results_of
from steadyarm.live.analysis.vitals import StrataVitals, Vitals
from steadyarm.live.core.audit import Audit
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Row
from steadyarm.live.core.logged_feedback import LoggedFeedback, logged_feedback
from steadyarm.live.storage.journal_files import journals_of

T = TypeVar("T")


@dataclass(frozen=True)
class Journal:
    """A verified journal, replayed to its end."""

    experiment: Experiment
    vitals: Vitals | StrataVitals

    @property
    def name(self) -> str:
        """The experiment's name."""
        return self.experiment.name

    def results(
        self, level: float = 0.95, control: str | None = None, method: str = "auto"
    ) -> dict[str, Any]:
        """Return what `GET …/results` gives."""
        return results_of(self.experiment.summary(), level, control, method, self.vitals)

    def arms(self) -> dict[str, Any]:
        """Return what `GET …/arms` gives."""
        return arms_of(self.experiment.summary())


def read_journal(path: str | Path, experiment: str | None = None) -> Journal:
    """Verify an exported journal and return it; `experiment` chooses one of several in the file."""
    return _of_one(path, experiment, _verified)


def _verified(name: str, rows: Iterator[Row]) -> Journal:
    audit, vitals = Audit(name), None
    for row in rows:
        entry = audit.take(row)
        if vitals is not None:
            vitals.take(entry)
        elif audit.experiment is not None:
            vitals = vitals_of(audit.experiment.setup)
    experiment = audit.end()
    assert vitals is not None
    return Journal(experiment, vitals)


def read_feedback(path: str | Path, experiment: str | None = None) -> LoggedFeedback:
    """Verify an exported journal and return its rewarded units as a table; `experiment` chooses one of several."""
    return _of_one(path, experiment, logged_feedback)


def _of_one(path: str | Path, experiment: str | None, make: Callable[[str, Iterator[Row]], T]) -> T:
    found: list[T] = []
    with closing(journals_of(Path(path))) as journals:
        for name, rows in journals:
            if experiment is None and found:
                raise InvalidInput(f"{path} holds several experiments. Say which one.")
            if experiment in (None, name):
                found.append(make(name, rows))
    if not found:
        raise InvalidInput(f"{path} holds no journal{f' of {experiment!r}' if experiment else ''}.")
    return found[-1]
