"""Progress of long work: a bar on a terminal or in a notebook, nothing in a pipe, or any function of the caller's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from time import monotonic
from typing import Any

Report = Callable[[float], None]
"""Takes the finished share of the work, from 0 to 1."""

_SHOWN_AFTER = 1.0  # seconds: a cell that is quicker needs no bar
_BETWEEN = 0.2  # seconds from one picture of the bar to the next


@contextmanager
def progress_bar(progress: bool | Report | None, label: str) -> Iterator[Report]:
    """Yield a function that takes the finished share.

    `progress=None` shows a bar if standard error is a terminal or this is a notebook, True always, False never; a
    function is called with the share instead.
    """
    if callable(progress):
        yield progress
    elif progress is not False and _in_notebook():
        with _notebook_bar(label) as report:
            yield report
    elif progress or (progress is None and sys.stderr.isatty()):
        with _rich_bar(label, always=bool(progress)) as report:
            yield report
    else:
        yield lambda _share: None


def _in_notebook() -> bool:
    """Whether a notebook's kernel runs this; without one nothing is loaded to find out."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextmanager
def _notebook_bar(label: str) -> Iterator[Report]:
    """Draw one bar that is replaced as it grows, and by nothing at the end; no widgets are needed."""
    shown: Any = import_module("IPython.display")
    handle: Any = None
    due = monotonic() + _SHOWN_AFTER

    def report(share: float) -> None:
        nonlocal handle, due
        if monotonic() < due:
            return
        due = monotonic() + _BETWEEN
        bar = shown.HTML(_bar(label, share))
        if handle is None:
            handle = shown.display(bar, display_id=True)
        else:
            handle.update(bar)

    try:
        yield report
    finally:
        if handle is not None:
            handle.update(shown.HTML(""))


def _bar(label: str, share: float) -> str:
    """Return a bar as HTML.

    >>> _bar("MOSS, 10 rounds", 0.5)
    '<label>MOSS, 10 rounds <progress value="0.500" max="1"></progress> 50 %</label>'
    """
    return f'<label>{escape(label)} <progress value="{share:.3f}" max="1"></progress> {100 * share:.0f} %</label>'


def part(report: Report, begin: float, end: float) -> Report:
    """Return the report of a part of the work.

    >>> shares = []
    >>> part(shares.append, 0.5, 1.0)(0.5)
    >>> shares
    [0.75]
    """
    return lambda share: report(begin + (end - begin) * share)


@contextmanager
def _rich_bar(label: str, *, always: bool) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    console = Console(stderr=True, force_terminal=True if always else None)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda share: bar.update(task, completed=share)
