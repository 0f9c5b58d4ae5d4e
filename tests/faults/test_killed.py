"""Studies killed with SIGKILL at random moments: the same command goes on, and the numbers are the same."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from steadyarm.cli.app import main
from steadyarm.study.runs import blocks
from tests.faults.sizes import SIZES
from tests.processes import started

# The real command line in a process of its own, with blocks short enough for many kills in a few seconds.
SECONDS_PER_BLOCK = 6e-3
COMMAND = f"""
from steadyarm.study.runs import blocks
blocks.SECONDS_PER_BLOCK = {SECONDS_PER_BLOCK}
from steadyarm.cli.app import main
main()
"""
STUDIES = {
    "simulate": "simulate --horizon 1e4 --runs 4000 --constants sharp --threads 2",
    "compare": "compare --policies MOSS,UCB1 --horizon 1e4 --runs 400 --threads 2",
    "frontier": "frontier --arms 2 --horizon 1e3 --alphas 1,4 --rivals MOSS,UCB1 --runs 300",
    "coverage": "coverage --policies MOSS,UCB1 --arms 3 --horizon 1e4 --runs 400",
}
SIMULATE = STUDIES["simulate"].split()


def study(words, folder):
    """Start a study in a process of its own, to be killed."""
    command = [sys.executable, "-c", COMMAND, *words, "--seed", "5", "--json", "--study", str(folder)]
    return started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.fixture
def finish(monkeypatch, capsys):
    """Run a study to its end in this process, which is spared the start of another; return what it prints."""
    monkeypatch.setattr(blocks, "SECONDS_PER_BLOCK", SECONDS_PER_BLOCK)

    def run(words, folder=None):
        where = [] if folder is None else ["--study", str(folder)]
        monkeypatch.setattr(sys, "argv", ["steadyarm", *words, "--seed", "5", "--json", *where])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        assert left.value.code == 0, printed.err
        return printed.out

    return run


def parts_of(folder):
    """Every finished part with what would change if it were written again."""
    found = {}
    for path in folder.glob("parts/*/*.parquet"):
        state = path.stat()
        found[path.name] = (path.parent.name, state.st_mtime_ns, state.st_ino)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", SIZES.killed_studies
)  # all of them keep their runs in one way, in a laboratory
def test_a_study_that_is_killed_again_and_again_ends_with_the_same_numbers(tmp_path, finish, kind):
    words = STUDIES[kind].split()
    undisturbed = finish(words)
    folder = tmp_path / "study"
    moments = np.random.default_rng(11)
    kept = {}
    for _ in range(2):
        wanted = len(kept) + moments.integers(1, 8)  # so many new parts, and then any moment
        deadline = time.monotonic() + 60
        with study(words, folder) as process:
            while len(parts_of(folder)) < wanted and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(moments.uniform(0.0, 0.01))
            process.kill()
            process.communicate()
        assert process.returncode == -signal.SIGKILL
        now = parts_of(folder)
        assert len(now) >= wanted
        assert all(now[name] == state for name, state in kept.items())  # nothing finished was written again
        kept = now
    assert finish(words, folder) == undisturbed
    final = parts_of(folder)
    assert all(final[name] == state for name, state in kept.items())
    assert len(final) > len(kept)
    assert finish(words, folder) == undisturbed  # read, not played
    assert parts_of(folder) == final


@pytest.mark.slow
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_prints_what_is_finished_and_how_to_go_on(tmp_path):
    folder, before = tmp_path / "study", 0
    with study([*SIMULATE, "--runs", "20000"], folder) as process:
        # Parts come in any order, and what is printed are the runs from the first one on. One part more, and it counts.
        while not 0 < before < len(parts_of(folder)):
            assert process.poll() is None
            if before == 0 and any(name.startswith(f"counts-{0:010}") for name in parts_of(folder)):
                before = len(parts_of(folder))
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"what was finished is kept in {folder}, and the same command goes on from there" in err.decode()
    assert b'"regret"' in out
    assert not [name for name in os.listdir(folder) if name.startswith(".")]


SCHEDULER = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]


IMPATIENT = f"from steadyarm.study.runs import cluster; cluster._TIMEOUT_SECONDS = 2.0\n{COMMAND}"


@pytest.mark.slow
def test_a_scheduler_that_is_killed_is_told_in_one_line_with_what_to_do(tmp_path):
    file = tmp_path / "scheduler.json"
    words = [sys.executable, *SCHEDULER, "--scheduler-file", str(file)]
    with started(words, stderr=subprocess.DEVNULL) as scheduler:
        while not (file.exists() and file.read_text().strip().endswith("}")):  # it is written bit by bit
            assert scheduler.poll() is None
            time.sleep(0.02)
        address = json.loads(file.read_text())["address"]
        words = [sys.executable, "-c", IMPATIENT, *SIMULATE, "--dask", address, "--study", tmp_path / "study"]
        with started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert "no workers yet" in process.stderr.readline()
            time.sleep(0.5)  # until the runs are asked for
            scheduler.kill()
            out, err = process.communicate(timeout=100)
    assert process.returncode == 2
    assert re.fullmatch(r"steadyarm: .*scheduler .* the same command goes on from there\.\n", err)
    assert out == ""
