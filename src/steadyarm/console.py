"""Results on a terminal, or as the text of `str`: tables that lose no number, and notes.

On a terminal that is too narrow a line of a table runs over instead of being cut.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

TEXT_WIDTH = 100
"""Of a result as text; tables take more if they need it."""
_WIDEST = 10_000


def text_of(print_on: Callable[[Console], None]) -> str:
    """Return what is printed on a console, as plain text that is the same on every terminal and in a notebook.

    >>> text_of(lambda console: console.print("[bold]loud[/bold]"))
    'loud'
    """
    from rich.console import Console

    out = io.StringIO()
    plain = {"color_system": None, "force_terminal": False, "force_jupyter": False, "legacy_windows": False}
    print_on(Console(file=out, width=TEXT_WIDTH, highlight=False, **plain))  # type: ignore[arg-type]
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def print_table(console: Console, table: Table) -> None:
    """Print a table as wide as the terminal, or as wide as the columns need that may not be wrapped."""
    from rich.measure import Measurement

    options = console.options.update(max_width=_WIDEST)
    for column in table.columns:
        if column.no_wrap:
            cells = (column.header, *column.cells)
            column.min_width = max(Measurement.get(console, options, cell).maximum for cell in cells)
    needed = Measurement.get(console, options, table).minimum
    if needed > console.width:
        table.width = needed
    console.print(table, crop=False)


def print_notes(console: Console, notes: Sequence[str]) -> None:
    """Print what a reader has to know, one line each."""
    for note in notes:
        console.print(f"note: {note}", markup=False)
