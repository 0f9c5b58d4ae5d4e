"""Writes docs/command-line.md: what `--help` says, for every command.

Run it with `.venv/bin/python tools/command_line_page.py` after a change of the command line; a test compares.
"""

from pathlib import Path

import typer
from typer.testing import CliRunner

from steadyarm.cli.app import app

PAGE = Path(__file__).parent.parent / "docs" / "command-line.md"

HEAD = """# The command line

This page is written by `tools/command_line_page.py` from the program itself: it is what `--help` says.

Options mean the same in every command, and `--horizon 1e12` is a number. `--out FOLDER` writes pictures and tables,
`--json` prints data instead of a table, `--study FOLDER` [keeps finished runs](saving.md), `--dask ADDRESS`
[spreads the work](cluster.md). Long work shows a progress bar on a terminal and none in a pipe.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | done, and a check failed: a claim of the paper, a journal, a goal of `bench` |
| 2 | the input was refused; one line on standard error says the rule, the value and the remedy |
| 130 | stopped with Ctrl-C; finished runs of a study are kept |

"""


def main():
    PAGE.write_text(page(), encoding="utf-8")


def page():
    """Return docs/command-line.md."""
    return HEAD + "\n".join(entry(words) for words in commands())


def commands():
    """Yield the words of every command, groups before their members."""
    for name, command in typer.main.get_command(app).commands.items():
        yield [name]
        for member in getattr(command, "commands", {}):
            yield [name, member]


def entry(words):
    said = CliRunner().invoke(app, [*words, "--help"], prog_name="steadyarm", env={"COLUMNS": "100"})
    assert said.exit_code == 0, said.output
    return f"{'#' * (1 + len(words))} steadyarm {' '.join(words)}\n\n```text\n{said.stdout.strip()}\n```\n"


if __name__ == "__main__":
    main()
