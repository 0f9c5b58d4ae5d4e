"""Anchors in a table: those that were sent, as receipts beside a store, or those that a second database keeps."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.pool import NullPool

from steadyarm.live.core.anchors import Anchor
from steadyarm.live.storage.store import Store

_metadata = sql.MetaData()
_anchors = sql.Table(
    "steadyarm_anchors",
    _metadata,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=True),
    sql.Column("target", sql.Text, nullable=False),
    sql.Column("experiment", sql.Text, nullable=False),
    sql.Column("seq", sql.BigInteger, nullable=False),
    sql.Column("hash", sql.Text, nullable=False),
    sql.Column("at", sql.Text, nullable=False),
    sql.Column("key", sql.Text, nullable=False),
    sql.Column("anchor", sql.Text, nullable=False),
    sql.Column("answer", sql.Text, nullable=False),
)


class AnchorTable:
    """The anchors of one database; it is made when something is first written."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._there = False

    @classmethod
    def receipts(cls, store: Store) -> AnchorTable:
        """Return the receipts of a store: a file beside a SQLite store, which has one writer, or a table of it."""
        if store.path is None:
            return cls(store.url)
        return cls(store.url.set(database=str(store.path.with_name(store.path.name + ".anchors"))))

    def add(self, anchor: Anchor, text: str, target: str = "", answer: str = "") -> None:
        """Append an anchor."""
        with self._begin(write=True) as connection:
            values = {**anchor._asdict(), "anchor": text, "target": target, "answer": answer}
            connection.execute(_anchors.insert().values(values))

    def newest(self, target: str) -> dict[str, tuple[int, str, str]]:
        """Return entry, hash and time of what was last sent to a target, by experiment."""
        last = (
            sql.select(sql.func.max(_anchors.c.number))
            .where(_anchors.c.target == target)
            .group_by(_anchors.c.experiment)
        )
        found = sql.select(*(_anchors.c[name] for name in ("experiment", "seq", "hash", "at"))).where(
            _anchors.c.number.in_(last)
        )
        with self._begin(write=True) as connection:
            return {row[0]: (row[1], row[2], row[3]) for row in connection.execute(found)}

    def texts(self) -> list[str]:
        """Return all anchors as they were signed."""
        with self._begin() as connection:
            return [row[0] for row in connection.execute(sql.select(_anchors.c.anchor).order_by("number"))]

    def close(self) -> None:
        """Close the connections."""
        if self._engine is not None:
            self._engine.dispose()

    @contextmanager
    def _begin(self, write: bool = False) -> Iterator[Connection]:
        with self._lock:
            if self._engine is None:
                self._engine = self._open()
            if write and not self._there:
                if self._url.get_backend_name() == "sqlite":
                    path = Path(self._url.database or "")
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.touch(mode=0o600)
                _metadata.create_all(self._engine)
                self._there = True
        with self._engine.begin() as connection:
            yield connection

    def _open(self) -> Engine:
        if self._url.get_backend_name() == "sqlite":
            return sql.create_engine(self._url, poolclass=NullPool)
        options = {"connect_timeout": 3, "application_name": "steadyarm anchors"}
        return sql.create_engine(self._url, poolclass=NullPool, connect_args=options)
