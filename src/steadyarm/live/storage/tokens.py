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
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.pool import NullPool

from steadyarm.errors import InvalidInput
from steadyarm.live.core.journal import now
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

    def shown(self) -> dict[str, Any]:
        """Return all that may be shown of it."""
        return {
            "id": self.id,
            "label": self.label,
            "scopes": sorted(self.scopes),
            "created_at": self.created_at,
            "revoked_at": self.revoked_at,
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

    def create(self, scopes: Sequence[str], label: str = "") -> str:
        """Make a token and return it; it cannot be read again later."""
        for scope in scopes:
            if scope not in SCOPES:
                raise InvalidInput(f"a scope must be one of {', '.join(SCOPES)}; got {scope!r}.")
        if not scopes:
            raise InvalidInput(f"a token needs a scope: {', '.join(SCOPES)}.")
        if not label.isprintable() or len(label) > LONGEST_LABEL:
            raise InvalidInput(
                f"a label must have {LONGEST_LABEL} printable characters at most; got {label!r}."
            )
        identity, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        token = f"steadyarm_{identity}_{secret}"
        with self._begin() as connection:
            connection.execute(
                _tokens.insert().values(
                    id=identity,
                    hash=hashed(token),
                    scopes=" ".join(sorted(set(scopes))),
                    label=label,
                    created_at=now(),
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
            _metadata.create_all(engine)
        except sql.exc.IntegrityError:  # two processes created the table at once, and one of them did
            _metadata.create_all(engine)
        return engine


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
    return Token(row.id, row.hash, frozenset(row.scopes.split()), row.label, row.created_at, row.revoked_at)
