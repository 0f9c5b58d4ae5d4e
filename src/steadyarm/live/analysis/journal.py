"""A journal in Python: `read_journal` verifies an exported file and answers as the service would."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.live.analysis.results import arms_of, results_of
from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.storage.journal_files import journals_of


@dataclass(frozen=True)
class Journal:
    """A verified journal, replayed to its end."""

    experiment: Experiment

    @property
    def name(self) -> str:
        """The experiment's name."""
        return self.experiment.name

    def results(self, level: float = 0.95, control: str | None = None) -> dict[str, Any]:
        """Return what `GET …/results` gives."""
        return results_of(self.experiment.summary(), level, control)

    def arms(self) -> dict[str, Any]:
        """Return what `GET …/arms` gives."""
        return arms_of(self.experiment.summary())


def read_journal(path: str | Path, experiment: str | None = None) -> Journal:
    """Verify an exported journal and return it; `experiment` chooses one of several in the file."""
    found = None
    with closing(journals_of(Path(path))) as journals:
        for name, rows in journals:
            if experiment is None and found is not None:
                raise InvalidInput(f"{path} holds several experiments. Say which one.")
            if experiment in (None, name):
                found = verify_rows(name, rows)[1]
    if found is None:
        raise InvalidInput(f"{path} holds no journal{f' of {experiment!r}' if experiment else ''}.")
    return Journal(found)
