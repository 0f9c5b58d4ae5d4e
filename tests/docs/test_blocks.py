"""Every block of code in the documentation runs, page by page, in an empty folder.

`>>>` blocks are doctests and run with the fast tests. Here shell blocks and plain Python blocks run, in the order in
which they stand. They share one folder, one environment and one Python namespace a page; a `text` block right below one
is what it prints. A block is left out by a comment before it, with a reason: `<!-- not run: needs a cluster -->`.

The README's commands, servers, and whatever needs a shell are processes. A block of nothing but `steadyarm` commands is
run by the program inside this process, which spares each of them a second of imports.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from steadyarm.cli.app import app
from tests import processes
from tests.live.postgres import Postgres
from tests.live.server import free_port

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(
    r"(?:^<!-- not run: (?P<reason>.+?) -->\n+)?^```(?P<kind>sh|python|text)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
POSTGRES_URL = "postgresql://steadyarm@db.example.org/steadyarm"
PORTS = ("8470", "8786")
MOST_NOT_RUN = 25


def blocks(page):
    """The blocks of a page as [kind, code, what it prints or None], without those that are not to be run."""
    found, end = [], None
    for match in BLOCK.finditer(page):
        kind, code = match["kind"], match["code"]
        if kind == "text":
            if found and end is not None and not page[end : match.start()].strip():
                found[-1][2] = code
            end = None
        elif match["reason"] or code.startswith(">>>"):
            end = None
        else:
            found.append([kind, code, None])
            end = match.end()
    return found


def plain_commands(code):
    """The words of each command if all are `steadyarm` and none needs a shell or a process of its own, else None."""
    code = code.replace("\\\n", " ")
    if not all(re.match(r"(steadyarm (?!live)[^|&;<>$'\"]*)?$", line) for line in code.splitlines()):
        return None
    commands = [shlex.split(line, comments=True)[1:] for line in code.splitlines()]
    return [words for words in commands if words]


class Reader:
    """Somebody who types a page's blocks, one after the other."""

    def __init__(self, folder, replacements, always_a_shell=True):
        self.folder = folder
        self.always_a_shell = always_a_shell
        self.replacements = replacements
        self.namespace = {"__name__": "__main__"}
        self.environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "100",
        }
        self.started = []

    def run(self, kind, code):
        for old, new in self.replacements.items():
            code = code.replace(old, new)
        if kind == "python":
            return self.python(code)
        commands = plain_commands(code)
        return self.shell(code) if self.always_a_shell or not commands else self.program(commands)

    def program(self, commands):
        """Run `steadyarm` commands as the program does, one after the other."""
        said = ""
        for words in commands:
            done = CliRunner().invoke(app, words, prog_name="steadyarm", env={"COLUMNS": "100"})
            assert done.exit_code == 0, (words, done.output, done.exception)
            said += done.stdout
        return said

    def shell(self, code):
        """Run a block in bash; what it exports is there for the next one, what it starts goes on running."""
        script = f"set -euo pipefail\n{code}\nexport -p > .exported"
        said, complained = self.folder / ".said", self.folder / ".complained"
        with (
            said.open("w") as output,
            complained.open("w") as errors,
        ):  # files: a server would keep pipes open
            process = subprocess.Popen(
                ["bash", "-c", script],
                cwd=self.folder,
                env=self.environment,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
            self.started.append(process.pid)
            assert processes.wait(process, 180) == 0, (code, said.read_text(), complained.read_text())
        exported = (self.folder / ".exported").read_text()
        self.environment |= dict(re.findall(r'^declare -x (\w+)="(.*)"$', exported, re.MULTILINE))
        return said.read_text()

    def python(self, code):
        os.environ.update(self.environment)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(code, "<page>", "exec"), self.namespace)
        return said.getvalue()

    def leave(self):
        for group in self.started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)


@pytest.fixture
def reader(request, tmp_path, monkeypatch):
    page = request.getfixturevalue("page")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    replacements = {port: str(free_port()) for port in PORTS}
    postgres = None
    if POSTGRES_URL in page.read_text():
        postgres = Postgres()
        postgres.start()
        replacements[POSTGRES_URL] = postgres.new_database()
    someone = Reader(tmp_path, replacements, always_a_shell=page.name == "README.md")
    yield someone
    someone.leave()
    if postgres is not None:
        postgres.remove()


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p.read_text())], ids=lambda page: page.stem)
def test_the_blocks_of_a_page_run_and_print_what_stands_below_them(page, reader):
    checker = doctest.OutputChecker()
    how = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for kind, code, printed in blocks(page.read_text()):
        said = reader.run(kind, code)
        if printed is not None:
            assert checker.check_output(printed, said, how), f"{code}\nprinted\n{said}\nnot\n{printed}"


def test_few_blocks_are_not_run_and_each_says_why():
    reasons = [
        match["reason"] for page in PAGES for match in BLOCK.finditer(page.read_text()) if match["reason"]
    ]
    assert len(reasons) <= MOST_NOT_RUN
    assert all(len(reason) > 8 for reason in reasons)


def test_no_block_hides_in_an_indentation():
    for page in PAGES:
        hidden = re.findall(r"^ +```(?:sh|python)\n(?! *>>>)", page.read_text(), re.MULTILINE)
        assert not hidden, page


def test_blocks_are_found_with_what_they_print():
    left_out = "<!-- not run: no such thing here -->\n```sh\nc\n```\n"
    page = "```sh\na\n```\n\n```text\nb\n```\n\n" + left_out + "```python\nd\n```\n"
    assert blocks(page) == [["sh", "a\n", "b\n"], ["python", "d\n", None]]


def test_a_block_of_steadyarm_commands_alone_needs_no_shell():
    assert plain_commands("steadyarm plan --arms 2 \\\n  --json  # why\n\nsteadyarm policies\n") == [
        ["plan", "--arms", "2", "--json"],
        ["policies"],
    ]
    for code in ("steadyarm live verify", "steadyarm plan | cat", "steadyarm plan\nls", "steadyarm plan > a"):
        assert plain_commands(code) is None


def test_a_command_that_is_refused_is_noticed_without_a_shell_too(tmp_path):
    someone = Reader(tmp_path, {}, always_a_shell=False)
    assert "MOSS" in someone.run("sh", "steadyarm policies\n")
    with pytest.raises(AssertionError, match="alpha"):
        someone.run("sh", "steadyarm simulate --alpha -1\n")


def test_a_block_that_fails_or_prints_something_else_is_noticed(tmp_path):
    someone = Reader(tmp_path, {"8470": "1234"})
    assert someone.run("sh", "export A=8470; echo $A") == "1234\n"
    assert someone.run("sh", "echo $A | cat") == "1234\n"
    with pytest.raises(AssertionError, match="false"):
        someone.run("sh", "false | cat")
    with pytest.raises(ZeroDivisionError):
        someone.run("python", "1 / 0")
    someone.leave()
