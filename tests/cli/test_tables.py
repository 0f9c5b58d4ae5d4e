"""Tables on a terminal: no number is lost, however narrow it is."""

import io

from rich.console import Console
from rich.table import Table

from steadyarm.cli.tables import print_notes, print_table


def test_a_narrow_terminal_cuts_no_number_of_a_trillion_rounds(steadyarm):
    words = "--arms 2 --horizon 1e12"
    simulated = steadyarm("simulate", *words.split(), "--runs", "20", columns=80).out
    assert " ".join(simulated.splitlines()[2].split()) == "arm mean reward pulls share standard deviation"
    planned = steadyarm("plan", *words.split(), "--max-sd-share", "0.0001", columns=80).out
    assert "…" not in simulated + planned


def test_a_column_that_may_not_be_wrapped_is_as_wide_as_its_cells_and_others_give_way():
    out = io.StringIO()
    console = Console(file=out, width=40)
    table = Table("name", "number", "words")
    table.columns[1].no_wrap = True
    table.add_row("a", "1,000,000,000,000 [999, 1,001]", "some words that have to be broken into lines")
    print_table(console, table)
    assert "1,000,000,000,000 [999, 1,001]" in out.getvalue()
    assert "…" not in out.getvalue()
    assert "broken" in out.getvalue()


def test_notes_are_lines_and_no_markup():
    out = io.StringIO()
    print_notes(Console(file=out, width=200), ["means lie in [-1, 1]", "[bold]as it stands[/bold]"])
    assert out.getvalue().splitlines() == ["note: means lie in [-1, 1]", "note: [bold]as it stands[/bold]"]
