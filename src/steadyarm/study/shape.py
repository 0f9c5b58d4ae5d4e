"""The shape of a study: a configuration that checks itself, a run in a laboratory, and a result that saves itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from steadyarm.defaults import LEVEL
from steadyarm.engines.progress import Report, progress_bar
from steadyarm.model import checks
from steadyarm.notebook import Sheet, Shown
from steadyarm.printed import latex, printed
from steadyarm.study.plotting.style import save_figure
from steadyarm.study.runs.laboratory import Laboratory, open_study
from steadyarm.study.runs.tables import save_json, save_table
from steadyarm.theory.estimates import check_level
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

Result = TypeVar("Result", bound="StudyResult[Any]")
Asked = TypeVar("Asked", bound="Study[Any]")


@dataclass(frozen=True, kw_only=True)
class Study(ABC, Generic[Result]):
    """What is asked, before it is run; a subclass checks its own fields when it is made."""

    kind: ClassVar[str]
    fewest_runs: ClassVar[tuple[int, str]] = (2, "A standard deviation needs two runs.")

    seed: int = 0
    level: float = LEVEL

    def __post_init__(self) -> None:
        self._settle(seed=checks.seed(self.seed), level=check_level(self.level))

    @property
    @abstractmethod
    def title(self) -> str:
        """A few words for the progress bar."""

    @abstractmethod
    def parameters_asked(self) -> dict[str, Any]:
        """Return what decides the result beside the seed, the level and the number of runs, as a plain dict."""

    @abstractmethod
    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> Result:
        """Play so many runs in a laboratory and return what came out."""

    def configuration(self) -> dict[str, Any]:
        """Return all that decides the result but the number of runs, as a plain dict."""
        return {"kind": self.kind} | self.parameters_asked() | {"seed": self.seed, "level": self.level}

    def run(
        self,
        *,
        runs: int,
        laboratory: Laboratory | None = None,
        progress: bool | Report | None = None,
    ) -> Result:
        """Open the study's folder, if the laboratory has one, and measure."""
        least, remedy = self.fewest_runs
        runs = checks.integer(runs, "runs", at_least=least, remedy=remedy)
        laboratory = open_study(laboratory, self.configuration(), runs)
        with progress_bar(progress, f"{self.title}, {counted(runs, 'run')}") as report:
            return self.measure(runs, laboratory, report)

    def _settle(self, **values: Any) -> None:
        """Set fields to what their checks made of them."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False)
class StudyResult(Shown, Generic[Asked]):
    """What came out of a study.

    Attributes:
        study: what was asked.
        runs: how many runs were asked for.
    """

    file: ClassVar[str]
    """The name of its JSON."""
    main_columns: ClassVar[tuple[str, ...]] = ()
    """Columns of the main table that a notebook and `to_latex` show; all of them if none is named."""

    study: Asked
    runs: int

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about these numbers, in plain sentences."""

    @abstractmethod
    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the tables by the names of their files; the picture has the name of the first."""

    @abstractmethod
    def findings(self) -> dict[str, Any]:
        """Return what came out as a plain dict, fit for JSON."""

    @abstractmethod
    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw the picture, in a figure of this size in inches, or into axes of another one if it has one panel."""

    def configuration(self) -> dict[str, Any]:
        """Return what was asked as a plain dict; the number of runs is apart."""
        return self.study.configuration()

    def to_dict(self) -> dict[str, Any]:
        """Return what was asked and what came out as a plain dict, fit for JSON."""
        return self.configuration() | {"runs": self.runs} | self.findings() | {"notes": list(self.notes)}

    def main_table(self) -> pd.DataFrame:
        """Return what a notebook and `to_latex` show: the first table, with all its columns."""
        return next(iter(self.tables().values()))

    def to_latex(
        self,
        table: str | None = None,
        columns: Sequence[str] | None = None,
        *,
        interval: str = "ends",
        caption: str | None = None,
        label: str | None = None,
    ) -> str:
        """Return a table for LaTeX, which needs the package booktabs.

        Args:
            table: one of `tables()`; the main columns of the first unless given.
            columns: which ones; the ends of an interval stand with its value.
            interval: "ends" for 41.3 [39.9, 43.0], or "half" for 41.3 ± 1.7, with the larger of both sides.
            caption: of a floating table.
            label: to refer to it.
        """
        if table is not None:
            named = self.tables()
            frame = named[checks.one_of(table, "table", tuple(named))]
        else:
            frame, columns = self.main_table(), columns or self.main_columns or None
        return latex(frame, columns, interval=interval, caption=caption, label=label)

    def _sheet(self) -> Sheet:
        heading = f"{self.study.title}, {counted(self.runs, 'run')}"
        table = printed(self.main_table(), self.main_columns or None)
        return Sheet(heading[:1].upper() + heading[1:], [table], self.notes, self.plot)

    def save(self, folder: str | Path) -> list[Path]:
        """Write the tables, all of it as JSON, and the picture into a folder; return the files."""
        folder, tables = Path(folder), self.tables()
        written = [path for name, table in tables.items() for path in save_table(table, folder, name)]
        written.append(save_json(self.to_dict(), folder, self.file))
        return [*written, *save_figure(self.plot(), folder, next(iter(tables)))]
