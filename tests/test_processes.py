"""No test leaves a process behind, and Ctrl-C is heard though whoever started the tests ignores it."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import processes

ROOT = Path(__file__).parents[1]
SLEEP = [sys.executable, "-c", "print(flush=True); import time; time.sleep(600)"]
ORPHAN = f"import subprocess; print(subprocess.Popen({SLEEP!r}, stdout=subprocess.DEVNULL).pid, flush=True)"


def until_it_ends(process):
    until = time.monotonic() + 20
    while processes.runs(process):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_process_ends_with_its_block_though_the_test_fails():
    def fail():
        with processes.started(SLEEP, stdout=subprocess.PIPE) as process:
            started.append(process)
            assert process.stdout.readline() == b"\n"
            raise ZeroDivisionError

    started = []
    with pytest.raises(ZeroDivisionError):
        fail()
    assert started[0].returncode == -signal.SIGKILL


def test_a_process_ends_with_the_one_that_started_it_though_that_is_killed():
    code = f"from tests import processes; print(processes.start({SLEEP!r}).pid, flush=True); input()"
    words = [sys.executable, "-c", code]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with processes.started(words, cwd=ROOT, **pipes) as process:
        below = int(process.stdout.readline())
        assert process.stdout.readline() == "\n"
        assert processes.runs(below)
        process.kill()
        until_it_ends(below)


def test_a_process_that_a_test_leaves_behind_is_found_and_ended_orphans_too():
    def leave_one():
        with processes.none_left(0.0):
            done = subprocess.run([sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE, check=True)
            left.append(int(done.stdout))

    left = []
    with pytest.raises(AssertionError, match=r"left these processes running: .*sleep\(600\)"):
        leave_one()
    until_it_ends(left[0])
    with processes.none_left(0.0):
        subprocess.run(["true"], check=True)


IGNORED = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
import pytest
raise SystemExit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "tests.conftest", sys.argv[1]]))
"""
INNER = """
import signal
import subprocess
import time

import pytest

from tests import processes


def test_here(ctrl_c):
    ctrl_c(0.1)
    with pytest.raises(KeyboardInterrupt):
        time.sleep(60)


def test_in_a_process(ctrl_c):
    with processes.started(["sleep", "60"]) as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT


def test_otherwise_it_is_respected():
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
"""


def test_ctrl_c_is_heard_where_it_is_needed_though_the_tests_were_started_to_ignore_it(tmp_path):
    """As `nohup make test &` starts them."""
    (tmp_path / "test_inner.py").write_text(INNER)
    words = [sys.executable, "-c", IGNORED, str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert "3 passed" in done.stdout, done.stdout + done.stderr
