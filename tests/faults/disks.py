"""Disks that become full, under either database: each gives the URL of a store, and `full` while a block runs."""

import os
import resource
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests.live.postgres import Postgres
from tests.processes import runs

MIB = 1 << 20


class LimitedSqlite:
    """No file of the server may grow beyond 4 KiB: its writes fail as on a full disk. That needs no privileges."""

    def __init__(self, folder):
        self.url = f"sqlite:///{folder}/live.db"

    @contextmanager
    def full(self, server):
        _limit(server.process.pid, 4096)
        yield
        _limit(server.process.pid, resource.RLIM_INFINITY)

    def remove(self):
        pass


class LimitedPostgres:
    """The same for all processes of PostgreSQL. A file of its log has 1 MiB, so that only tables cannot grow."""

    size = MIB

    def __init__(self, _folder):
        self.postgres = Postgres(durable=True, segment=1)
        self.postgres.start()
        self.url = self.postgres.new_database()

    @contextmanager
    def full(self, _server):
        self.postgres.limit_files(self.size)
        try:
            yield
        finally:
            with suppress(FileNotFoundError):  # it has ended
                self.postgres.limit_files("unlimited")
            _bring_back(self.postgres)

    def remove(self):
        self.postgres.remove()


class LimitedPostgresLog(LimitedPostgres):
    """Not even the log can be written: PostgreSQL itself ends, and cannot come back before there is room."""

    size = 4096


class SmallFileSystem:
    """A file system of its own, filled to the last byte; to mount it needs root."""

    def __init__(self, mebibytes):
        self.folder = Path(tempfile.mkdtemp(prefix="steadyarm-disk-"))
        words = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=777", "tmpfs", self.folder]
        subprocess.run(words, check=True)

    @contextmanager
    def full(self):
        filler = self.folder / "filler"
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4096)):
                pass
        assert os.statvfs(self.folder).f_bavail == 0
        try:
            yield
        finally:
            filler.unlink()

    def remove(self):
        subprocess.run(["umount", self.folder], check=True)
        self.folder.rmdir()


class FullSqlite:
    def __init__(self, _folder):
        self.disk = SmallFileSystem(3)
        self.url = f"sqlite:///{self.disk.folder}/live.db"

    def full(self, _server):
        return self.disk.full()

    def remove(self):
        self.disk.remove()


class FullPostgres:
    """Everything of PostgreSQL on a full file system, its log included."""

    def __init__(self, _folder):
        self.disk = SmallFileSystem(80)
        self.postgres = Postgres(durable=True, segment=1, folder=self.disk.folder / "postgres")
        self.postgres.start()
        self.url = self.postgres.new_database()

    @contextmanager
    def full(self, _server):
        try:
            with self.disk.full():
                yield
        finally:
            _bring_back(self.postgres)

    def remove(self):
        self.postgres.remove()
        self.disk.remove()


DISKS = {
    "limited files of SQLite": LimitedSqlite,
    "limited tables of PostgreSQL": LimitedPostgres,
    "limited log of PostgreSQL": LimitedPostgresLog,
}
FULL_DISKS = {"full disk of SQLite": FullSqlite, "full disk of PostgreSQL": FullPostgres}


def _limit(process, size):
    with suppress(ProcessLookupError):  # it has ended meanwhile
        resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _bring_back(postgres):
    """Start PostgreSQL again if it has ended, as whoever made room would."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with suppress(psycopg.OperationalError):
            psycopg.connect(postgres.url("postgres")).close()
            return
        try:
            running = runs(postgres.processes()[0])
        except FileNotFoundError:
            running = False
        if not running:
            postgres.start()
        time.sleep(0.05)
    raise AssertionError((postgres.folder / "log").read_text())
