"""Bearer tokens: random, hashed at rest, with scopes.

A token can be made while a server runs. So on SQLite tokens live in a small file of their own beside the
store: the journal's file keeps its one writer, and the server only reads this one. On PostgreSQL, where
writers do not get in each other's way, they are a table of the same database.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import NullPool

from steadyarm.errors import InvalidInput
from steadyarm.live.core.journal import canonical, later, now
from steadyarm.live.core.names import check_name
from steadyarm.live.storage.store import Store

SCOPES = ("admin", "allocate", "report", "read", "unblind")
"""admin includes all others."""

LONGEST_LABEL = 100

_metadata = sql.MetaData()
_tokens = sql.Table(
    "tokens",
    _metadata,
    sql.Column("id", sql.Text, primary_key=True),
    sql.Column("hash", sql.Text, nullable=False),
    sql.Column("scopes", sql.Text, nullable=False),
    sql.Column("label", sql.Text, nullable=False),
    sql.Column("created_at", sql.Text, nullable=False),
    sql.Column("revoked_at", sql.Text),
    sql.Column("experiment", sql.Text),
    sql.Column("expires_at", sql.Text),
)


@dataclass(frozen=True)
class Token:
    """A token as the store knows it: never the token itself."""

    id: str
    hash: str
    scopes: frozenset[str]
    label: str
    created_at: str
    revoked_at: str | None
    experiment: str | None = None
    """The only experiment that it is for; None if it is for all."""
    expires_at: str | None = None

    @cached_property
    def actor(self) -> str:
        """Who this is in a journal: a hash of id and label, which tells who knows both, and nobody else."""
        return sha256(canonical([self.id, self.label]).encode()).hexdigest()[:32]

    @property
    def is_over(self) -> bool:
        """Whether it has expired."""
        return self.expires_at is not None and self.expires_at <= now()

    @property
    def state(self) -> str:
        """Whether it is good, in words."""
        if self.revoked_at is not None:
            return f"revoked {self.revoked_at}"
        if self.expires_at is None:
            return "valid"
        return f"{'expired' if self.is_over else 'valid until'} {self.expires_at}"

    def shown(self) -> dict[str, Any]:
        """Return all that may be shown of it."""
        return {
            "id": self.id,
            "label": self.label,
            "scopes": sorted(self.scopes),
            "created_at": self.created_at,
            "revoked_at": self.revoked_at,
            "experiment": self.experiment,
            "expires_at": self.expires_at,
            "actor": self.actor,
        }

    def allows(self, scope: str) -> bool:
        """Whether the token may do what a scope covers."""
        return scope in self.scopes or "admin" in self.scopes


class Tokens:
    """The tokens of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._engine: Engine | None = None
        self._lock = threading.Lock()

    @property
    def path(self) -> Path | None:
        """The file of the tokens (SQLite only)."""
        return (
            None
            if self._store.path is None
            else self._store.path.with_name(self._store.path.name + ".tokens")
        )

    def create(
        self,
        scopes: Sequence[str],
        label: str = "",
        experiment: str | None = None,
        seconds: float | None = None,
    ) -> str:
        """Make a token, for one experiment or so many seconds only if so given; it cannot be read again later."""
        for scope in scopes:
            if scope not in SCOPES:
                raise InvalidInput(f"a scope must be one of {', '.join(SCOPES)}; got {scope!r}.")
        if not scopes:
            raise InvalidInput(f"a token needs a scope: {', '.join(SCOPES)}.")
        if not label.isprintable() or len(label) > LONGEST_LABEL:
            raise InvalidInput(
                f"a label must have {LONGEST_LABEL} printable characters at most; got {label!r}."
            )
        if experiment is not None:
            check_name(experiment)
        made_at = now()
        identity, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        token = f"steadyarm_{identity}_{secret}"
        with self._begin() as connection:
            connection.execute(
                _tokens.insert().values(
                    id=identity,
                    hash=hashed(token),
                    scopes=" ".join(sorted(set(scopes))),
                    label=label,
                    created_at=made_at,
                    experiment=experiment,
                    expires_at=None if seconds is None else later(made_at, seconds),
                )
            )
        return token

    def revoke(self, identity: str) -> None:
        """Make a token useless, by the id between its underscores; a running server follows in two seconds."""
        with self._begin() as connection:
            change = _tokens.update().where(_tokens.c.id == identity).values(revoked_at=now())
            if connection.execute(change).rowcount != 1:
                raise InvalidInput(
                    f"there is no token with id {identity!r}. `steadyarm live token --list` shows them."
                )

    def all(self) -> list[Token]:
        """Return all tokens, oldest first."""
        with self._begin() as connection:
            return [
                _token(row) for row in connection.execute(_tokens.select().order_by(_tokens.c.created_at))
            ]

    def close(self) -> None:
        """Close the connections."""
        if self._engine is not None:
            self._engine.dispose()

    def _begin(self) -> AbstractContextManager[Connection]:
        with self._lock:
            if self._engine is None:
                self._engine = self._open()
        return self._engine.begin()

    def _open(self) -> Engine:
        path = self.path
        if path is None:
            engine = sql.create_engine(
                self._store.url, pool_pre_ping=True, connect_args={"connect_timeout": 3}
            )
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            engine = sql.create_engine(f"sqlite+pysqlite:///{path}", poolclass=NullPool)
        try:
            _prepare(engine)
        except (
            sql.exc.IntegrityError,
            sql.exc.DBAPIError,
        ):  # two processes did it at once, and one of them has
            _prepare(engine)
        return engine


def _prepare(engine: Engine) -> None:
    """Create the table, or give one that an earlier version made the columns that it lacks."""
    _metadata.create_all(engine)
    there = {column["name"] for column in sql.inspect(engine).get_columns("tokens")}
    with engine.begin() as connection:
        for column in _tokens.columns:
            if column.name not in there:
                connection.exec_driver_sql(f"ALTER TABLE tokens ADD COLUMN {column.name} TEXT")


def identity_of(token: str) -> str:
    """Return the id in a token, which is no secret.

    >>> identity_of("steadyarm_0123456789ab_secret")
    '0123456789ab'
    """
    parts = token.split("_", 2)
    return parts[1] if len(parts) == 3 else ""


def hashed(token: str) -> str:
    """Return what is stored of a token."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def _token(row: sql.Row) -> Token:  # type: ignore[type-arg]
    values = row._asdict()
    return Token(**values | {"scopes": frozenset(values["scopes"].split())})
