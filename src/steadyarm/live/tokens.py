"""Bearer tokens: random, hashed at rest, with scopes.

A token can be made while a server runs. So on SQLite tokens live in a small file of their own beside the
store: the journal's file keeps its one writer, and the server only reads this one. On PostgreSQL, where
writers do not get in each other's way, they are a table of the same database.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from steadyarm.errors import InvalidInput
from steadyarm.live.faults import StoreFailed
from steadyarm.live.journal import now
from steadyarm.live.store import Store

SCOPES = ("admin", "allocate", "report", "read", "unblind")
"""admin includes all others."""

LONGEST_LABEL = 100
REREAD_AFTER = 2.0  # seconds for which a known token is not looked up again; so long a revoked one may live

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
        self._known: dict[str, tuple[Token, float]] = {}
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
                    hash=_hashed(token),
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

    def remembered(self, token: str) -> Token | None:
        """Return a token that was looked up a moment ago, without touching the store."""
        known = self._known.get(_identity(token))
        if (
            known is None
            or time.monotonic() > known[1]
            or not hmac.compare_digest(known[0].hash, _hashed(token))
        ):
            return None
        return known[0]

    def find(self, token: str) -> Token | None:
        """Look a token up in the store; None if it is wrong or revoked. A store that fails raises StoreFailed."""
        identity = _identity(token)
        try:
            with self._begin() as connection:
                row = connection.execute(_tokens.select().where(_tokens.c.id == identity)).first()
        except SQLAlchemyError as error:
            known = self._known.get(identity)  # what was good before the store failed is good while it does
            if known is not None and hmac.compare_digest(known[0].hash, _hashed(token)):
                return known[0]
            raise StoreFailed(f"tokens cannot be read: {type(error).__name__}") from error
        found = None if row is None else _token(row)
        # An unknown id is compared too, so that the time of the answer does not tell known ids from others.
        right = hmac.compare_digest(found.hash if found else _hashed(""), _hashed(token))
        if found is None or not right or found.revoked_at is not None:
            if right:
                self._known.pop(identity, None)
            return None
        self._known[identity] = (found, time.monotonic() + REREAD_AFTER)
        return found

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


def _identity(token: str) -> str:
    parts = token.split("_", 2)
    return parts[1] if len(parts) == 3 else ""


def _hashed(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def _token(row: sql.Row) -> Token:  # type: ignore[type-arg]
    return Token(row.id, row.hash, frozenset(row.scopes.split()), row.label, row.created_at, row.revoked_at)
