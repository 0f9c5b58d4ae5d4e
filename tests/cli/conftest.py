"""The command line, run in this process."""

import sys

import pytest

from steadyarm.cli.app import main


@pytest.fixture
def steadyarm(capsys, monkeypatch):
    """Run a command; returns what it wrote, after a look at its exit code."""

    def run(*words, code=0, columns=120):
        monkeypatch.setattr(sys, "argv", ["steadyarm", *words])
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        assert left.value.code == code, captured.err
        return captured

    return run
