"""`verify`: whether the journals of a store, or of a file, are whole and their decisions those of the policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.live.core.anchors import Anchors
from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.journal import Broken, Row
from steadyarm.live.core.problems import Problem
from steadyarm.live.storage import queries
from steadyarm.live.storage.journal_files import is_sqlite, journals_of
from steadyarm.live.storage.store import Store, default_url


def verify(
    file: Path | None,
    database: str,
    names: Sequence[str],
    head: str | None = None,
    anchors: Anchors | None = None,
) -> list[dict[str, Any]]:
    """Verify an exported file, or experiments of a store; raises `Broken` at the first bad entry.

    With anchors every journal must go through all heads that were anchored, and a whole store must have every
    experiment that was.
    """
    if file is not None:
        if is_sqlite(file):
            raise InvalidInput(f"{file} is a SQLite database. Verify it with --database sqlite:///{file}.")
        with closing(journals_of(file)) as journals:
            chosen = ((name, rows) for name, rows in journals if not names or name in names)
            found = [_verified(name, rows, anchors) for name, rows in chosen]
        absent = set(names) - {each["experiment"] for each in found}
        if absent or not found:
            raise InvalidInput(f"{file} holds no journal{f' of {min(absent)!r}' if absent else ''}.")
    else:
        with closing(Store(database or default_url())) as store:
            with store.read() as connection:
                stored = [name for _, name, _, _ in queries.names(connection)]
            if anchors is not None and not names:
                anchors.check_names(stored)
            found = [verify_stored(store, name, anchors) for name in names or stored]
    if head is not None:
        if len(found) != 1:
            raise InvalidInput(f"--head needs one journal; there are {len(found)}. Choose with --experiment.")
        if found[0]["hash"] != head:
            last = found[0]["entries"]
            raise Broken(
                found[0]["experiment"], last + 1, "the journal does not end in the hash that was given"
            )
    return found


def _verified(
    name: str, rows: Iterable[Row], anchors: Anchors | None, seq: int | None = None, hash_: str | None = None
) -> dict[str, Any]:
    if anchors is None:
        return verify_rows(name, rows, seq, hash_)[0]
    found = verify_rows(name, anchors.check(name, rows), seq, hash_)[0]
    return found | {"anchored": anchors.covered(name, found["entries"])}


def verify_stored(store: Store, name: str, anchors: Anchors | None = None) -> dict[str, Any]:
    """Verify an experiment of a store on one steady view of it, so that a busy writer does not matter."""
    with store.read() as connection:
        queries.steady_view(connection)
        found = queries.head(connection, name)
        if found is None:
            raise Problem("unknown_experiment", f"there is no experiment {name!r}.")
        identity, seq, hash_ = found
        return _verified(name, queries.all_rows(connection, identity), anchors, seq, hash_)
