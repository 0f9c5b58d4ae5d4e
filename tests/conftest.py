"""Settings of all tests: the same examples in every run, no deadline, engines compiled beforehand, no process left."""

import contextlib
import os
import signal
import threading

import pytest
from hypothesis import settings

from steadyarm.numerics import compiled
from tests.kernels import compile_kernels
from tests.processes import ctrl_c_is_heard, none_left

settings.register_profile("steadyarm", deadline=None, derandomize=True)
settings.load_profile("steadyarm")


@pytest.fixture(scope="session", autouse=True)
def _no_process_is_left():
    """No test leaves a process behind; this is set up first, and so looks when all else is torn down."""
    with none_left():
        yield


@pytest.fixture(scope="session", autouse=True)
def _what_forks_servers_ends(_no_process_is_left):
    from tests.live.forks import FORKS

    yield
    FORKS.end()


@pytest.fixture(scope="session", autouse=True)
def _compilations_are_over_and_unsaid(_no_process_is_left):
    """On a fresh machine first calls take long and say so, which is not what other tests are about."""
    compiled._CompilationNotice.said.update({True, False})
    compile_kernels()


@pytest.fixture
def ctrl_c():
    """Press Ctrl-C some seconds from now: `ctrl_c(0.3)`. Processes that the test starts hear it too."""
    timers = []

    def press(after):
        timers.append(threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)))
        timers[-1].start()

    with ctrl_c_is_heard():
        yield press
        for timer in timers:
            timer.cancel()


@pytest.fixture
def new_server():
    """Start servers, as `Server` does, which end with the test."""
    from tests.live.server import Server

    with contextlib.ExitStack() as stack:
        yield lambda *words, **options: stack.enter_context(Server(*words, **options))
