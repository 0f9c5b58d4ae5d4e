"""Servers that start in no time: forked off a process that has everything loaded already.

To load the service takes seconds, and a test that kills it loads it again and again. A forked server is the same
program from `main` on; tests of the start itself, and `make test-faults`, start a new interpreter. Run as a program,
this file is the process that forks: the test process adopts what it forks, as a reaper of orphans, and so can wait for
it.
"""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time

ADOPT_ORPHANS, DIE_WITH_PARENT = 36, 1  # of prctl: PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG


class Forked:
    """A forked process, with the few methods of `Popen` that tests use."""

    def __init__(self, pid, args):
        self.pid = pid
        self.args = args
        self.returncode = None

    def poll(self):
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else has waited for it; `Popen` guesses the same
                pid, status = self.pid, 0
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout):
        until = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(self.args, timeout)
            time.sleep(0.005)
        return self.returncode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)


class Forks:
    """The process that forks, started when it is first needed."""

    def __init__(self):
        self._process = None
        self._socket = None

    def start(self, program, words, stderr):
        """Run a program with words as its arguments, in a fork."""
        if self._process is None:
            from tests import processes

            assert ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1, 0, 0, 0) == 0
            self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                command = [sys.executable, __file__, str(theirs.fileno())]
                self._process = processes.start(command, pass_fds=[theirs.fileno()])
        asked = json.dumps({"program": program, "words": words}).encode()
        socket.send_fds(self._socket, [asked], [stderr.fileno()])
        return Forked(int(self._socket.recv(64)), words)

    def end(self):
        """End it; what it forked goes on."""
        if self._process is not None:
            self._socket.close()
            self._process.kill()
            self._process.wait(30)
            self._process = None


FORKS = Forks()


def load():
    """Load what a server needs, and run once what is compiled on first use."""
    import alembic.command
    import psycopg
    import uvicorn.lifespan.on
    import uvloop

    import steadyarm.cli.live
    from steadyarm.live.core.setup.configuration import requested, resolve
    from steadyarm.live.http import server
    from steadyarm.live.http.routes import app

    resolve(requested({"arms": ["a", "b"], "horizon": 10}))
    return alembic, psycopg, uvicorn, uvloop, steadyarm, app, server


def fork(connection, program, words, stderr):
    """Fork a server whose parent is gone at once, so that it is adopted; returns its number, to the parent only."""
    reading, writing = os.pipe()
    between = os.fork()
    if not between:
        between = os.getpid()
        server = os.fork()
        if server:
            os.write(writing, str(server).encode())
            os._exit(0)
        while os.getppid() == between:
            time.sleep(0.001)
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        connection.close()
        os.dup2(stderr, 2)
        for file in (reading, writing, stderr):
            os.close(file)
        sys.argv = ["-c", *words]
        exec(program, {"__name__": "__main__"})
        sys.exit()
    os.waitpid(between, 0)
    found = os.read(reading, 64)
    for file in (reading, writing, stderr):
        os.close(file)
    return found


def main():
    load()
    connection = socket.socket(fileno=int(sys.argv[1]))
    while True:
        asked, files, _, _ = socket.recv_fds(connection, 1 << 16, 1)
        if not asked:
            return
        connection.send(fork(connection, **json.loads(asked), stderr=files[0]))


if __name__ == "__main__":
    main()
