"""Results on a terminal and as text: no number is lost, however narrow it is."""

import io

from rich.console import Console
from rich.table import Table

from steadyarm.console import TEXT_WIDTH, print_notes, print_table, text_of


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


def test_text_is_the_same_whatever_the_terminal_and_has_no_colours(monkeypatch):
    def shown(console):
        console.print("[bold]" + "as many words as it takes " * 10 + "[/bold]")

    once = text_of(shown)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert text_of(shown) == once
    assert "\x1b" not in once
    assert 80 < max(map(len, once.splitlines())) <= TEXT_WIDTH
    assert not any(line != line.rstrip() for line in once.splitlines())
