"""Processes that tests start: they hear Ctrl-C, and end with the test, however it ends."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path

# Killed when the process that started it is gone, even if that was killed itself. By a program and not by
# `preexec_fn`, which may deadlock where threads run.
BOUND = ["setpriv", "--pdeathsig", "KILL"]
_OF_PYTHON_ITSELF = ("multiprocessing.resource_tracker", "multiprocessing.forkserver")  # they end with it


def start(words, **options):
    """Start a process that does not outlive this one."""
    return subprocess.Popen([*BOUND, *words], **options)


@contextlib.contextmanager
def started(words, **options):
    """A process that runs for a block, at most."""
    with start(words, **options) as process:
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def ctrl_c_is_heard():
    """SIGINT interrupts, here and in processes to come; what `nohup make test &` starts ignores it otherwise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def descendants(of):
    """The numbers of the processes that run below one, with their commands."""
    found = {}
    with contextlib.suppress(OSError):  # it has ended meanwhile
        for child in _children(of):
            if runs(child):
                found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ").strip()
            found |= descendants(child)
    return found


def _children(of):
    tasks = Path(f"/proc/{of}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def runs(process):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


@contextlib.contextmanager
def none_left(seconds=10.0):
    """Fail after a block if a process that began in it still runs, and end it.

    Orphans of our children become our own, or nobody would see them.
    """
    adopt_orphans = 36  # PR_SET_CHILD_SUBREAPER
    assert ctypes.CDLL(None).prctl(adopt_orphans, 1, 0, 0, 0) == 0
    before = descendants(os.getpid())
    yield
    until = time.monotonic() + seconds
    while left := _others(before):
        if time.monotonic() > until:
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            raise AssertionError(f"tests left these processes running: {left}")
        time.sleep(0.02)


def wait(process, seconds):
    """Return how a process has ended; orphans that end meanwhile are gone too, and no longer found by `kill -0`."""
    until = time.monotonic() + seconds
    while process.poll() is None:
        if time.monotonic() > until:
            raise TimeoutError(f"{process.args} ran for more than {seconds} seconds")
        with contextlib.suppress(OSError):  # one of our threads, or somebody else, was quicker
            for child in _children(os.getpid()):
                if child != process.pid and not runs(child):
                    os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    return process.returncode


def _others(before):
    return {
        process: command
        for process, command in descendants(os.getpid()).items()
        if process not in before and not any(name in command for name in _OF_PYTHON_ITSELF)
    }
