"""A PostgreSQL server for the tests: in a temporary folder, on a free port of this machine, not as root."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg

from tests.live.server import free_port


class Postgres:
    """Started by `start`, stopped by `stop`; `new_database` gives the URL of an empty database.

    It does not wait for the disk unless `durable`: most tests here never pull the plug.
    """

    def __init__(self, durable=False):
        self.durable = durable
        self.folder = Path(tempfile.mkdtemp(prefix="steadyarm-postgres-"))
        self.port = free_port()
        self._made = 0
        # PostgreSQL refuses to run as root; any other user will do.
        self._user = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid} if os.getuid() == 0 else {}
        if self._user:
            shutil.chown(self.folder, user="nobody")
        self._run(
            "initdb", "-D", str(self.data), "-U", "steadyarm", "--auth=trust", "--no-sync", "-E", "UTF8"
        )

    @property
    def data(self):
        return self.folder / "data"

    def _run(self, *words):
        done = subprocess.run(
            words,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # not a pipe: the server that pg_ctl leaves behind would keep it open
            stderr=subprocess.DEVNULL,
            timeout=60,
            **self._user,
        )
        assert done.returncode == 0, (
            words,
            (self.folder / "log").exists() and (self.folder / "log").read_text(),
        )

    def start(self):
        options = (
            f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories={self.folder}"
        )
        if not self.durable:
            options += " -c fsync=off -c full_page_writes=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.data), "-l", log, "-w", "-o", options, "start")

    def stop(self, mode="fast"):
        self._run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

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
        self.stop("immediate")
        shutil.rmtree(self.folder)
