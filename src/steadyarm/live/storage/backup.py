"""Copies of a store and back: made while its server writes, restored where nothing of an old store is in the way."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from steadyarm.disk import sync_folder
from steadyarm.errors import InvalidInput
from steadyarm.live.storage.journal_files import is_sqlite, whole_or_none, write_journals
from steadyarm.live.storage.store import Store, default_url, unchanging
from steadyarm.live.storage.tokens import Tokens
from steadyarm.live.storage.verification import verify

_BESIDE = ("", "-wal", "-shm", "-journal")  # what SQLite may find beside a database, and then believes


def backup(database: str, out: Path) -> list[Path]:
    """Copy a store as of one moment while its server writes; returns the files.

    SQLite: a database of the same form, by SQLite's own online backup, with the tokens beside it.
    PostgreSQL: all journals as NDJSON, which `import` loads again; tokens are not in it.
    """
    with closing(Store(database or default_url())) as store:
        tokens = Tokens(store).path
        copies = [(store.path, out)]
        if tokens is not None and tokens.exists():
            copies.append((tokens, out.with_name(out.name + ".tokens")))
        for _, target in copies:
            if target.exists():
                raise InvalidInput(f"{target} exists. A backup never overwrites; choose another name.")
        if store.path is None:
            write_journals(store, [], out)
            return [out]
        for source, target in copies:
            assert source is not None
            with whole_or_none(target):
                _copy(source, target)
        return [target for _, target in copies]


def restore(copy: Path, database: str) -> list[Path]:
    """Verify a backup of SQLite and make it the store; returns the files.

    Nothing is overwritten, and nothing of an old store may be left: SQLite would apply an old log to the new file.
    Tokens that are there stay.
    """
    with closing(Store(database or default_url())) as store:
        if store.path is None:
            raise InvalidInput(
                "a backup is restored into SQLite only. Load exported journals into an empty PostgreSQL database with "
                "`steadyarm live import`."
            )
        _check_copy(copy)
        store.lock_name()
        for end in _BESIDE:
            old = store.path.with_name(store.path.name + end)
            if old.exists():
                raise InvalidInput(
                    f"{old} exists, and a restore never overwrites. Stop the server, and move {store.path.name} to "
                    "another folder together with what stands beside it in -wal and -shm."
                )
        verify(None, f"sqlite:///{copy.resolve()}", [])
        copies = [(copy, store.path)]
        kept, tokens = copy.with_name(copy.name + ".tokens"), Tokens(store).path
        if tokens is not None and kept.exists() and not tokens.exists():
            copies.insert(0, (kept, tokens))
        for source, target in copies:
            part = target.with_name(target.name + ".part")
            with whole_or_none(part):
                _copy(source, part)
                part.replace(target)  # half a store never has its name
        sync_folder(store.path.parent)
        return [target for _, target in copies]


def _check_copy(copy: Path) -> None:
    if not copy.is_file():
        raise InvalidInput(f"there is no backup at {copy}. `steadyarm live backup` writes one.")
    if not is_sqlite(copy):
        raise InvalidInput(
            f"{copy} is no SQLite database. If it holds exported journals, load them with `steadyarm live import`."
        )


def _copy(source: Path, target: Path) -> None:
    if not source.exists():
        raise InvalidInput(f"there is no store at {source}. See --database.")
    how = "immutable=1" if unchanging(source) else "mode=ro"
    target.touch(mode=0o600)
    reading = sqlite3.connect(f"{source.absolute().as_uri()}?{how}", uri=True)
    with closing(reading), closing(sqlite3.connect(target)) as writing:
        reading.backup(writing)  # in one step: a single view, and a writer in WAL mode does not wait for it
