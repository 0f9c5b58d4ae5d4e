"""A progress bar is one bar: on a terminal, in a notebook, and nowhere else."""

import io
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from steadyarm.engines import progress
from steadyarm.engines.progress import progress_bar

CELL = """
import sys, time
from steadyarm.engines import progress
progress._SHOWN_AFTER, progress._BETWEEN = 0.0, 0.001
with progress.progress_bar({asked}, "A < B") as report:
    for part in range(300):
        report(part / 300)
        time.sleep(0.002)
    {last}
assert "ipywidgets" not in sys.modules and "rich" not in sys.modules
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def drawn(asked, monkeypatch, kind):
    monkeypatch.setattr(sys, "stderr", kind())
    with progress_bar(asked, "work") as report:
        report(0.5)
    return sys.stderr.getvalue()


def test_a_bar_is_drawn_on_a_terminal_and_where_it_is_asked_for(monkeypatch):
    assert "work" in drawn(None, monkeypatch, Terminal)
    assert "work" in drawn(True, monkeypatch, io.StringIO)
    assert drawn(None, monkeypatch, io.StringIO) == ""
    assert drawn(False, monkeypatch, Terminal) == ""


def test_a_quick_cell_shows_no_bar_and_a_long_one_few(monkeypatch):
    shown = []

    class Display:
        @staticmethod
        def display(bar, display_id):
            assert display_id
            shown.append(bar)
            return Display

        HTML = str
        update = staticmethod(shown.append)

    now = [0.0]
    monkeypatch.setattr(progress, "_in_notebook", lambda: True)
    monkeypatch.setattr(progress, "import_module", lambda _name: Display)
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    with progress_bar(None, "work") as report:
        report(0.9)
    assert shown == []
    with progress_bar(None, "work") as report:
        for part in range(1000):
            now[0] += 0.002
            report(part / 1000)
    assert len(shown) == 7  # in the second second, five a second, and nothing at the end
    assert shown[-1] == ""


@pytest.mark.slow
def test_a_notebook_keeps_one_output_that_is_replaced():
    cells = [("None", "pass"), ("True", "report(1.0); raise KeyboardInterrupt"), ("False", "pass")]
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(CELL.format(asked=asked, last=last)) for asked, last in cells]
    seen = []
    client = NotebookClient(notebook, timeout=60, allow_errors=True)
    process = client.process_message

    def watched(message, *others):
        seen.append((message["msg_type"], message["content"].get("data", {}).get("text/html", "")))
        return process(message, *others)

    client.process_message = watched
    client.execute()
    kinds = [[output.output_type for output in cell.outputs] for cell in notebook.cells]
    assert kinds == [["display_data"], ["display_data", "error"], []]
    assert [cell.outputs[0]["data"]["text/html"] for cell in notebook.cells[:2]] == ["", ""]
    bars = [text for kind, text in seen if kind == "update_display_data" and text]
    assert len(bars) > 20
    assert all(text.startswith("<label>A &lt; B <progress") for text in bars)
