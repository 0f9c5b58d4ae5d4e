"""Starts `steadyarm live serve` as users do, in a process of its own, and talks to it."""

import contextlib
import json
import os
import signal
import socket
import sys
import tempfile
import time

import httpx
from typer.testing import CliRunner

from steadyarm.cli.app import app
from tests import processes
from tests.live.forks import FORKS

FULL = os.environ.get("STEADYARM_FAULTS", "") == "full"
PROGRAM = "from steadyarm.cli.app import main\nmain()"
CONFIGURATION = {
    "policy": "SLEUCB",
    "arms": ["a", "b", "c"],
    "horizon": 300,
    "mean_bound": 1.0,
    "noise_scale": 0.5,
    "alpha": 1.0,
    "rewards": "bernoulli",
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run_live(*words, check=True):
    """Run `steadyarm live …` to its end, in this process; returns its exit code and what it wrote."""
    done = CliRunner().invoke(app, ["live", *words], catch_exceptions=False)
    assert done.exit_code == 0 or not check, done.stderr
    return done


def refused_server(*words):
    """Start a server that must refuse to; returns what it said."""
    with tempfile.TemporaryFile("w+") as log:
        process = FORKS.start(PROGRAM, ["live", "serve", *words], log)
        try:
            assert process.wait(60) == 2
        finally:
            process.kill()
        log.seek(0)
        said = log.read()
    assert "Traceback" not in said
    return said


def new_token(database, *scopes):
    words = [word for scope in scopes or ("admin",) for word in ("--scope", scope)]
    return json.loads(run_live("token", "--database", database, "--json", *words).stdout)["token"]


class Server:
    """A running server; `kill` and `start` again as often as you like.

    `before` is Python that runs in the server's process first, to change a constant, say. It is forked off a process
    that has everything loaded; `new` has it start in an interpreter of its own, as users start it.
    """

    def __init__(self, database, *options, before="", port=None, new=False):
        self.database = database
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.token = new_token(database)
        program = f"{before}\n{PROGRAM}"
        words = ["live", "serve", "--database", database, "--port", str(self.port), *options]
        self.command = [sys.executable, "-c", program, *words]
        self.process = None
        self._new = new or FULL

    def start(self, wait=True, log=None):
        # Not a pipe, unless a test wants one: nobody reads it while the server runs.
        self._log = log or tempfile.TemporaryFile("w+")  # noqa: SIM115
        if self._new:
            self.process = processes.start(self.command, stderr=self._log)
        else:
            _, _, program, *words = self.command
            self.process = FORKS.start(program, words, self._log)
        if wait:
            try:
                self.wait_until_ready()
            except BaseException:
                self.process.kill()
                raise
        return self

    def wait_until_ready(self, seconds=120.0):  # the first server of a machine compiles
        until = time.monotonic() + seconds
        with httpx.Client(base_url=self.url) as client:
            while time.monotonic() < until:
                with contextlib.suppress(httpx.TransportError):
                    if client.get("/readyz").status_code == 200:
                        return
                if self.process.poll() is not None:
                    raise AssertionError(self.log())
                time.sleep(0.02)
        raise AssertionError("not ready in time")

    def client(self, token=None):
        return httpx.Client(
            base_url=self.url, headers={"authorization": f"Bearer {token or self.token}"}, timeout=20.0
        )

    def stop(self, how=signal.SIGTERM):
        """Send a signal and wait; returns the seconds it took and what was logged."""
        begun = time.monotonic()
        self.send(how)
        try:
            self.process.wait(30)
        finally:
            self.process.kill()
        seconds, log = time.monotonic() - begun, self.log()
        self._log.close()
        return seconds, log

    def send(self, how):
        self.process.send_signal(how)

    def log(self):
        self._log.seek(0)
        return self._log.read()

    def kill(self):
        self.stop(signal.SIGKILL)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
