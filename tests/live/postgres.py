"""A PostgreSQL server for the tests: in a temporary folder, on a free port of this machine, not as root."""

import contextlib
import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from tests import processes
from tests.live.server import free_port


def program(name):
    """The path of one of PostgreSQL's programs; Debian keeps them off the PATH."""
    folders = os.pathsep.join([os.environ.get("PATH", ""), *sorted(glob.glob("/usr/lib/postgresql/*/bin"))])
    found = shutil.which(name, path=folders)
    assert found, f"PostgreSQL's {name} is missing: tools/system_packages.sh says what to install"
    return found


class Postgres:
    """Started by `start`, stopped by `stop`; `new_database` gives the URL of an empty database.

    It does not wait for the disk unless `durable`: most tests here never pull the plug. A file of its log has
    `segment` MiB.
    """

    def __init__(self, durable=False, folder=None, segment=16):
        self.durable = durable
        self.before = []  # words of a program that runs it
        self._runner = None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="steadyarm-postgres-"))
        self.folder.mkdir(exist_ok=True)
        self.port = free_port()
        self._made = 0
        # PostgreSQL refuses to run as root; any other user will do.
        self._user = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid} if os.getuid() == 0 else {}
        if self._user:
            shutil.chown(self.folder, user="nobody")
        words = ("-U", "steadyarm", "--auth=trust", "--no-sync", "-E", "UTF8", f"--wal-segsize={segment}")
        self._run("initdb", "-D", str(self.data), *words)

    @property
    def data(self):
        return self.folder / "data"

    def _run(self, name, *words):
        words = [program(name), *words]
        done = subprocess.run(
            words,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            **self._user,
        )
        assert done.returncode == 0, (
            words,
            (self.folder / "log").exists() and (self.folder / "log").read_text(),
        )

    def start(self):
        """Start it as a child, bound to this process; one that `pg_ctl` starts would be nobody's."""
        if self._runner is not None:
            self._runner.wait(30)  # it may have ended by itself
        options = ["listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories="]
        if not self.durable:
            options += ["fsync=off", "full_page_writes=off"]
        settings = [word for option in options for word in ("-c", option)]
        with (self.folder / "log").open("a") as log:
            self._runner = processes.start(
                [*self.before, program("postgres"), "-D", str(self.data), *settings],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **self._user,
            )
        until = time.monotonic() + 30
        while True:
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(self.url("postgres")).close()
                return
            if time.monotonic() > until or self._runner.poll() is not None:
                self._runner.kill()
                raise AssertionError((self.folder / "log").read_text())
            time.sleep(0.05)

    def stop(self, mode="fast"):
        self._run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")
        self._runner.wait(30)

    def kill(self):
        """End every process of it at once, as a crash of the machine would."""
        numbers = self.processes()
        for process in numbers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(map(processes.runs, numbers)):
            time.sleep(0.005)
        self._runner.wait(30)
        (self.data / "postmaster.pid").unlink()

    def limit_files(self, size):
        """Let no file of it grow beyond a size, bytes or "unlimited"; sessions to come inherit that."""
        for process in self.processes():
            words = ["prlimit", f"--pid={process}", f"--fsize={size}:"]
            subprocess.run(
                words, stderr=subprocess.DEVNULL, **self._user
            )  # one that has just ended has no limit

    def processes(self):
        """The numbers of its processes, that of the first and parent of all others first."""
        parent = int((self.data / "postmaster.pid").read_text().split()[0])
        return [parent, *map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())]

    def url(self, name):
        return f"postgresql://steadyarm@127.0.0.1:{self.port}/{name}"

    def new_database(self):
        self._made += 1
        name = f"test{self._made}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def drop(self, url):
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def remove(self):
        try:
            if self._runner.poll() is None:
                self.stop("immediate")
        finally:
            self._runner.kill()
        shutil.rmtree(self.folder)
