"""The store: SQLite in one file, or PostgreSQL by a URL; one connection writes, readers never block it.

SQLite runs in WAL mode with synchronous=FULL, so that a commit is on the disk before it returns. Some SQLite
libraries can damage a WAL when two connections write, so nothing but the writer's connection ever writes here; a lock
on a file beside the database, and on Linux on the database itself, keeps other processes off. On PostgreSQL the
writer's own session holds an advisory lock: a session that has lost the lock has lost its connection too, and cannot
write.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.storage.locks import SELF_LOCKING, FileLock, StoreLocked, StoreMoved

SYNCHRONOUS = "FULL"
CACHE_KIB = 65536  # of SQLite's pages
_ADVISORY_LOCK = 0x57EAD1A7
_LOCK_TIMEOUT_SECONDS = 2.0  # the session of a killed server lives on for a moment
_KEEPALIVE = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 8000,
}
_HEAD = "0003"


class StoreTooNew(SteadyarmError):
    """The store was written by a later version."""


def default_url() -> str:
    """Return the URL of the file in the user's data folder."""
    from platformdirs import user_data_path

    return f"sqlite:///{user_data_path('steadyarm') / 'live.db'}"


class Store:
    """Where journals live.

    Attributes:
        kind: "sqlite" or "postgresql".
        path: the file, with links followed (SQLite only).
    """

    def __init__(self, url: str) -> None:
        self.url = _checked(url)
        self.kind = self.url.get_backend_name()
        self.path: Path | None = None
        if self.kind == "sqlite":
            # Links followed, as SQLite does: the lock must be the same by whatever name the file is called.
            self.path = Path(self.url.database or "").resolve()
            if self.path.is_dir():
                raise InvalidInput(
                    f"a SQLite store must be a file; {self.path} is a folder. Name a file in it."
                )
            self.url = self.url.set(database=str(self.path))
        self._locks: list[FileLock] = []
        self._file: os.stat_result | None = None
        self._readers: Engine | None = None
        self._writers: Engine | None = None

    def __str__(self) -> str:
        # As it was given, but for passwords; one may stand among the options too.
        return self.url.set(drivername=self.kind, query={}).render_as_string(hide_password=True)

    def lock_name(self) -> None:
        """Take the name of a SQLite store for this process alone, whether the file is there or not."""
        if self.path is not None and not self._locks:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._locks = [FileLock(self.path.with_name(self.path.name + ".lock"))]

    def lock(self) -> None:
        """Take the file of a SQLite store for this process alone; PostgreSQL's lock comes with the writer."""
        if self.path is None or self._file is not None:
            return
        self.lock_name()
        self.path.touch(mode=0o600)  # for its owner's eyes only; SQLite gives its logs the same rights
        found = self.path.stat()
        if found.st_nlink > 1:
            raise InvalidInput(
                f"{self.path} has {found.st_nlink} names (hard links), and SQLite would keep a log for each of them. "
                "Remove the others; copy a store with `steadyarm live backup`."
            )
        if SELF_LOCKING:  # a lock file can be removed by a well-meaning hand
            self._locks.append(FileLock(self.path))
        self._file = found

    def check_place(self) -> None:
        """Refuse to go on if the file was moved or replaced: what is written to it would be lost."""
        if self.path is not None and self._file is not None:
            try:
                there = os.path.samestat(self.path.stat(), self._file)
            except FileNotFoundError:
                there = False
            if not there:
                raise StoreMoved(
                    f"{self.path} was moved or replaced while the server ran. Stop the server first."
                )

    def connect_writer(self) -> Connection:
        """Return a connection that alone may write."""
        if self.kind == "sqlite":
            self.lock()
        if self._writers is None:
            self._writers = _engine(self.url, "writer", _prepare_writer[self.kind])
        connection = self._writers.connect()
        if self.kind == "postgresql":
            try:
                _take_advisory_lock(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    def migrate(self, connection: Connection) -> tuple[str | None, str]:
        """Bring the tables up to date; returns the version before and the one now."""
        import alembic.command
        from alembic.config import Config
        from alembic.runtime.migration import MigrationContext

        before = MigrationContext.configure(connection).get_current_revision()
        connection.rollback()
        if before is not None and before > _HEAD:
            raise StoreTooNew(
                f"{self} has version {before}, and this steadyarm knows {_HEAD}. Use the newer steadyarm."
            )
        if before != _HEAD:
            config = Config()
            folder = str(Path(__file__).parent / "migrations").replace("%", "%%")
            config.set_main_option("script_location", folder)
            config.set_main_option("path_separator", "os")
            config.attributes["connection"] = connection
            alembic.command.upgrade(config, _HEAD)
            connection.commit()
        return before, _HEAD

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a connection with a steady view of what is committed."""
        if self._readers is None:
            if self.path is not None and not self.path.exists():
                raise InvalidInput(
                    f"there is no store at {self.path}. Start one with `steadyarm live serve`."
                )
            url = self.url
            if self.path is not None and unchanging(self.path):
                url = url.set(database=self.path.as_uri(), query={"immutable": "1", "uri": "true"})
            self._readers = _engine(url, "reader", _prepare_reader[self.kind])
        with self._readers.connect() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections, the writer's last, and give the lock back."""
        for engine in (self._readers, self._writers):
            if engine is not None:
                engine.dispose()
        self._readers = self._writers = None
        while self._locks:
            self._locks.pop().release()
        self._file = None


def unchanging(path: Path) -> bool:
    """Whether a SQLite file is where nothing can be written, so that it is read as it stands, without its log.

    SQLite reads a log only where it can keep an index of it, the file that ends in -shm.
    """
    if os.access(path.parent, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        return False
    log, index = (path.with_name(path.name + end) for end in ("-wal", "-shm"))
    if log.exists() and log.stat().st_size and not index.exists():
        raise InvalidInput(
            f"{log} holds entries, and SQLite cannot read them in a folder where it may not write. Copy "
            f"{path.name} and {log.name} to another folder, and use them there."
        )
    return not log.exists() or not index.exists()


def _checked(url: str) -> URL:
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, ValueError):  # what was given is not shown: there may be a password in it
        raise InvalidInput(
            "a database must be a URL like sqlite:///file.db or postgresql://user@host:5432/name, and what was given "
            "cannot be read as one."
        ) from None
    if backend == "sqlite":
        if not parsed.database or parsed.database == ":memory:" or parsed.database.startswith("file:"):
            raise InvalidInput(
                "a SQLite store must be a file, like sqlite:///file.db, so that nothing is lost."
            )
        return parsed.set(drivername="sqlite+pysqlite", query={})
    if backend in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    raise InvalidInput(f"a database must be sqlite:///… or postgresql://…; got {backend}://….")


def _engine(url: URL, role: str, prepare: Callable[[Any], None]) -> Engine:
    options: dict[str, Any] = (
        {"poolclass": NullPool} if role == "writer" else {"pool_size": 4, "max_overflow": 8}
    )
    if url.get_backend_name() == "sqlite":
        options["connect_args"] = {"timeout": 5.0, "check_same_thread": False}
    else:
        options["connect_args"] = _KEEPALIVE | {"application_name": f"steadyarm {role}"}
        options["pool_pre_ping"] = role == "reader"
    engine = sql.create_engine(url, **options)
    sql.event.listen(engine, "connect", lambda driver, _record: prepare(driver))
    if url.get_backend_name() == "sqlite":
        begin = "BEGIN IMMEDIATE" if role == "writer" else "BEGIN"
        sql.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


# SQLite stores any bytes as text. Those that are none stay visible, so that the entry is found to be damaged.
_as_text = partial(str, encoding="utf-8", errors="backslashreplace")


def _prepare_sqlite_writer(driver: Any) -> None:
    driver.isolation_level = None  # the listener above begins transactions, not by the driver
    driver.text_factory = _as_text
    for setting in (
        "journal_mode=WAL",
        f"synchronous={SYNCHRONOUS}",
        "foreign_keys=ON",
        f"cache_size=-{CACHE_KIB}",
        "temp_store=MEMORY",
    ):
        driver.execute(f"PRAGMA {setting}")


def _prepare_sqlite_reader(driver: Any) -> None:
    driver.isolation_level = None
    driver.text_factory = _as_text
    driver.execute("PRAGMA query_only=ON")


def _prepare_postgresql_writer(driver: Any) -> None:
    driver.execute("SET synchronous_commit = on")
    driver.commit()


def _prepare_postgresql_reader(driver: Any) -> None:
    driver.read_only = True


_prepare_writer = {"sqlite": _prepare_sqlite_writer, "postgresql": _prepare_postgresql_writer}
_prepare_reader = {"sqlite": _prepare_sqlite_reader, "postgresql": _prepare_postgresql_reader}


def _take_advisory_lock(connection: Connection) -> None:
    until = time.monotonic() + _LOCK_TIMEOUT_SECONDS
    while True:
        taken = connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_ADVISORY_LOCK})").scalar()
        connection.commit()
        if taken:
            return
        if time.monotonic() > until:
            raise StoreLocked("another server writes this PostgreSQL database. Stop that server first.")
        time.sleep(0.1)
