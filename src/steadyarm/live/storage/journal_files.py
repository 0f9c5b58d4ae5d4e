"""Journals as files of NDJSON: written from a store, read one after the other, and imported into a store."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

from steadyarm.errors import InvalidInput
from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, Row, line, rows_of_lines
from steadyarm.live.core.names import check_name
from steadyarm.live.storage import queries
from steadyarm.live.storage.store import Store, default_url


def journals_of(path: Path) -> Generator[tuple[str, Iterator[Row]], None, None]:
    """Yield the journals of an exported file, each a name with its entries; they stand one after the other."""
    before, seq = "", 0

    def entries(name: str, pairs: Iterable[tuple[str, Row]]) -> Iterator[Row]:
        nonlocal before, seq
        for _, row in pairs:
            if name != before and seq and row.seq == seq + 1:  # it goes on where another journal ended
                raise Broken(before, row.seq, f"it says that it is of experiment {name!r}")
            before, seq = name, row.seq
            yield row

    # Bytes that are no text stay visible, so that their entry is named.
    with path.open(encoding="utf-8", errors="backslashreplace") as lines:
        for name, pairs in groupby(rows_of_lines(lines), key=lambda pair: pair[0]):
            rows = entries(name, pairs)
            yield name, rows
            for _ in rows:  # what the caller has left unread
                pass


def export(database: str, names: Sequence[str], out: Path | None) -> list[tuple[str, int, str]]:
    """Write journals as NDJSON; returns the entries and the last hash of each."""
    with closing(Store(database or default_url())) as store:
        return write_journals(store, names, out)


@contextmanager
def _whole(path: Path) -> Iterator[TextIO]:
    """Open a file to write; what could not be written to its end is removed, since half a journal verifies too."""

    def private(name: str, flags: int) -> int:
        return os.open(name, flags, 0o600)  # for its owner's eyes only, unless it was there before

    with whole_or_none(path), open(path, "w", encoding="utf-8", opener=private) as file:
        yield file


@contextmanager
def whole_or_none(path: Path) -> Iterator[None]:
    """Remove a file that could not be written to its end."""
    try:
        yield
    except BaseException:
        if path.is_file() and not path.is_symlink():  # and not /dev/stdout
            path.unlink()
        raise


def write_journals(store: Store, names: Sequence[str], out: Path | None) -> list[tuple[str, int, str]]:
    """Write journals of one moment of a store; returns the entries and the last hash of each."""
    with store.read() as connection:
        queries.steady_view(connection)
        stored = {name: (identity, seq, hash_) for identity, name, seq, hash_ in queries.names(connection)}
        for name in names:
            if name not in stored:
                raise InvalidInput(
                    f"there is no experiment {name!r} in {store}. `steadyarm live verify` names those that are."
                )
        chosen = {name: stored[name] for name in names or stored}
        # Only now: a file from before is not lost to a mistyped name.
        with nullcontext(sys.stdout) if out is None else _whole(out) as file:
            for identity, _, _ in chosen.values():
                file.writelines(map(line, queries.all_rows(connection, identity)))
    return [(name, seq, hash_) for name, (_, seq, hash_) in chosen.items()]


def is_sqlite(path: Path) -> bool:
    """Whether a file is a SQLite database, by how it begins."""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def import_file(path: Path, database: str) -> list[tuple[str, int]]:
    """Verify a whole exported file first, then write its journals in one transaction."""
    verified = {}
    with closing(journals_of(path)) as journals:
        for name, rows in journals:
            check_name(name)
            verified[name] = verify_rows(name, rows)[1]
    if not verified:
        raise InvalidInput(f"{path} holds no journal. `steadyarm live export` writes one.")
    with closing(Store(database or default_url())) as store, store.connect_writer() as connection:
        store.migrate(connection)
        with connection.begin(), closing(journals_of(path)) as journals:
            return [(name, _import(connection, verified[name], rows)) for name, rows in journals]


def _import(connection: Any, experiment: Experiment, rows: Iterable[Row]) -> int:
    if queries.head(connection, experiment.name) is not None:
        raise InvalidInput(
            f"the store has an experiment {experiment.name!r} already. A journal is never overwritten. "
            "Import into another store."
        )
    experiment.identity, count = queries.import_rows(connection, experiment.name, rows)
    queries.save_snapshot(connection, experiment)  # so that a server need not replay all of it
    return count
