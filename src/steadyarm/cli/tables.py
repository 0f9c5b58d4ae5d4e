"""Tables that lose no number: on a terminal that is too narrow a line runs over instead of being cut. And notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_WIDEST = 10_000


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
