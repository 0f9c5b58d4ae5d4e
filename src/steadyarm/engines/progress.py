"""Progress of long work: a bar on a terminal, nothing in a pipe, or any function of the caller's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[float], None]
"""Takes the finished share of the work, from 0 to 1."""


@contextmanager
def progress_bar(progress: bool | Report | None, label: str) -> Iterator[Report]:
    """Yield a function that takes the finished share.

    `progress=None` shows a bar if standard error is a terminal, True always, False never; a function is
    called with the share instead.
    """
    if callable(progress):
        yield progress
    elif progress or (progress is None and sys.stderr.isatty()):
        with _rich_bar(label, always=bool(progress)) as report:
            yield report
    else:
        yield lambda _share: None


@contextmanager
def _rich_bar(label: str, *, always: bool) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    console = Console(stderr=True, force_terminal=True if always else None)
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda share: bar.update(task, completed=share)
