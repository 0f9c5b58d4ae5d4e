"""The figures of one `bench`, the machine they are from, and their tables."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import re
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from steadyarm.study.bench.goals import GOALS, Goal
from steadyarm.words import counted

HEADINGS = ("what", "measured", "range", "wall clock", "goal", "reached", "remark")


@dataclass(frozen=True)
class Figure:
    """One measured number.

    Attributes:
        key: its name, like "step/SLEUCB/10"; the goal of the same key judges it.
        value: the median over the alternations, by CPU time for one thread and by the wall clock otherwise.
        low: the smallest of the alternations; `high` is the largest.
        wall: the median by the wall clock, where time is measured; far from `value` if the machine was busy.
        equal_counts: on a GPU: whether its counts were those of the CPU.
    """

    key: str
    what: str
    unit: str
    value: float
    low: float
    high: float
    wall: float | None
    detail: str = ""
    equal_counts: bool | None = None

    @property
    def group(self) -> str:
        """The first word of the key."""
        return self.key.split("/")[0]


@dataclass(frozen=True)
class Machine:
    """Where figures are from."""

    cpu: str
    cores: int
    system: str
    python: str
    numpy: str
    numba: str
    steadyarm: str
    date: str
    load: float | None = None
    card: str = ""

    @classmethod
    def this(cls, card: str = "") -> Machine:
        """Describe this machine, now."""
        return cls(
            cpu=_cpu_name(),
            cores=os.cpu_count() or 1,
            system=f"{platform.system()} {platform.machine()}",
            python=platform.python_version(),
            numpy=version("numpy"),
            numba=version("numba"),
            steadyarm=import_module("steadyarm").__version__,
            date=datetime.now(UTC).date().isoformat(),
            load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
            card=card,
        )

    def __str__(self) -> str:
        """One sentence for the head of a table."""
        card = f"{self.card}, " if self.card else ""
        busy = "" if self.load is None else f", load {self.load:g} at the start"
        return (
            f"{card}{self.cpu}, {counted(self.cores, 'core')}, {self.system}{busy}; Python {self.python}, "
            f"NumPy {self.numpy}, Numba {self.numba}, steadyarm {self.steadyarm}; {self.date}."
        )


@dataclass(frozen=True)
class Bench:
    """The figures of one call of `bench`."""

    figures: tuple[Figure, ...]
    machine: Machine
    threads: int
    quick: bool
    draws_per_second: float | None
    seconds: float

    def __getitem__(self, key: str) -> Figure:
        """Return the figure of a key, like bench["step/SLEUCB/10"]."""
        return {figure.key: figure for figure in self.figures}[key]

    @property
    def sound(self) -> bool:
        """Whether the counts of the GPU were those of the CPU, where both were played."""
        return all(figure.equal_counts is not False for figure in self.figures)

    @property
    def missed(self) -> tuple[str, ...]:
        """The keys of the figures that do not reach their goal."""
        return tuple(figure.key for figure in self.figures if self.reached(figure) is False)

    @property
    def name(self) -> str:
        """The name of its files: the card's, or "cpu", with the threads if they are several."""
        device = re.sub(r"[^a-z0-9]+", "-", self.machine.card.lower()).strip("-") or "cpu"
        return device if self.threads == 1 else f"{device}-{self.threads}-threads"

    def goal(self, figure: Figure) -> Goal | None:
        """Return the goal of a figure; goals are for one thread."""
        return GOALS.get(figure.key) if self.threads == 1 else None

    def reached(self, figure: Figure) -> bool | None:
        """Whether a figure reaches its goal; None if it has none here."""
        goal = self.goal(figure)
        return None if goal is None else goal.reached(figure.value, self.machine.card)

    def rows(self) -> list[tuple[str, ...]]:
        """Return the table as words, in the order of HEADINGS."""
        words = {True: "yes", False: "no", None: ""}
        return [
            (
                figure.what,
                f"{number(figure.value)} {figure.unit}",
                "" if figure.low == figure.high else f"{number(figure.low)} – {number(figure.high)}",
                "" if figure.wall is None else number(figure.wall),
                _goal(self.goal(figure)),
                words[self.reached(figure)],
                figure.detail,
            )
            for figure in self.figures
        ]

    def groups(self) -> dict[str, list[int]]:
        """Return the rows of each group, in order."""
        found: dict[str, list[int]] = {}
        for place, figure in enumerate(self.figures):
            found.setdefault(figure.group, []).append(place)
        return found

    @property
    def yardstick(self) -> str:
        """A sentence about NumPy's draws, or nothing where they were not needed."""
        if self.draws_per_second is None:
            return ""
        threads = "one thread" if self.threads == 1 else f"{self.threads} threads"
        return f"NumPy draws {self.draws_per_second / 1e6:,.0f} M rewards a second in {threads}."

    def to_markdown(self) -> str:
        """Return the figures as Markdown, one table a group."""
        rows = self.rows()
        parts = [f"Measured on {self.machine}" + (f" {self.yardstick}" if self.yardstick else "")]
        if self.quick:
            parts.append("A quick measurement: the ranges are wide.")
        for group, places in self.groups().items():
            table = [f"| {group} | {' | '.join(HEADINGS[1:])} |", f"|---|{'---|' * len(HEADINGS[1:])}"]
            table += [f"| {' | '.join(rows[place])} |" for place in places]
            parts.append("\n".join(table))
        return "\n\n".join(parts) + "\n"

    def to_csv(self) -> str:
        """Return the figures as CSV, one line a figure."""
        text = io.StringIO()
        table = csv.DictWriter(text, list(self._rows_of_numbers()[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(self._rows_of_numbers())
        return text.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict, fit for JSON."""
        return {
            "machine": asdict(self.machine),
            "threads": self.threads,
            "quick": self.quick,
            "draws_per_second": self.draws_per_second,
            "seconds": round(self.seconds, 1),
            "sound": self.sound,
            "missed": list(self.missed),
            "figures": self._rows_of_numbers(),
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write JSON, CSV and Markdown into a folder and return their paths."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        texts = {
            ".json": json.dumps(self.to_dict(), indent=2) + "\n",
            ".csv": self.to_csv(),
            ".md": self.to_markdown(),
        }
        paths = []
        for ending, text in texts.items():
            paths.append(folder / f"{self.name}{ending}")
            paths[-1].write_text(text, encoding="utf-8")
        return paths

    def _rows_of_numbers(self) -> list[dict[str, Any]]:
        rows = []
        for figure in self.figures:
            goal = self.goal(figure)
            row = {name: _rounded(value) for name, value in asdict(figure).items()}
            row["goal"] = None if goal is None else goal.value
            row["relation"] = None if goal is None else goal.relation
            row["reached"] = self.reached(figure)
            rows.append(row)
        return rows


def number(value: float) -> str:
    """Write a figure with three digits.

    >>> number(0.61234), number(104.2), number(56432.0), number(0.0)
    ('0.612', '104', '56,400', '0')
    """
    if abs(value) < 1000.0:
        return f"{value:.3g}"
    return f"{float(f'{value:.3g}'):,.0f}"


def _rounded(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _goal(goal: Goal | None) -> str:
    if goal is None:
        return ""
    sign = "≥" if goal.relation == "at least" else "≤"
    return f"{sign} {number(goal.value)}" + (f" ({goal.card})" if goal.card else "")


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
