"""`verify`: whether the journals of a store, or of a file, are whole and their decisions those of the policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.live.core.anchors import Anchors
from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, Row
from steadyarm.live.core.problems import unknown_experiment
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
            verified = [_verified(name, rows, anchors) for name, rows in chosen]
        found = [said for said, _ in verified]
        _check_links_in(file, [experiment for _, experiment in verified])
        absent = set(names) - {each["experiment"] for each in found}
        if absent or not found:
            raise InvalidInput(
                f"{file} holds no journal{f' of {min(absent)!r}' if absent else ''}. "
                "Name a file that `steadyarm live export` wrote."
            )
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
) -> tuple[dict[str, Any], Experiment]:
    if anchors is None:
        return verify_rows(name, rows, seq, hash_)
    found, experiment = verify_rows(name, anchors.check(name, rows), seq, hash_)
    return found | {"anchored": anchors.covered(name, found["entries"])}, experiment


def verify_stored(store: Store, name: str, anchors: Anchors | None = None) -> dict[str, Any]:
    """Verify an experiment of a store on one steady view of it, so that a busy writer does not matter."""
    with store.read() as connection:
        queries.steady_view(connection)
        found = queries.head(connection, name)
        if found is None:
            raise unknown_experiment(name)
        identity, seq, hash_ = found
        said, experiment = _verified(name, queries.all_rows(connection, identity), anchors, seq, hash_)
        link = experiment.continues
        before = None if link is None else queries.head(connection, link["experiment"])
        if link is not None and before is not None:  # not so where a journal was imported alone
            rows = queries.rows(connection, before[0], after=link["seq"] - 1, limit=1)
            _check_link(experiment, rows[0] if rows else None)
        return said


def _check_links_in(file: Path, experiments: Sequence[Experiment]) -> None:
    """Check what continues a journal of the same file."""
    wanted = {each.continues["experiment"] for each in experiments if each.continues is not None}
    if not wanted:
        return
    with closing(journals_of(file)) as journals:
        for name, rows in journals:
            linked = [each for each in experiments if each.continues and each.continues["experiment"] == name]
            seqs = {each.continues["seq"] for each in linked if each.continues}
            kept = {row.seq: row for row in rows if row.seq in seqs}
            for each in linked:
                _check_link(each, kept.get(each.continues["seq"]) if each.continues else None)


def _check_link(experiment: Experiment, row: Row | None) -> None:
    link = experiment.continues or {}
    if row is None or (row.seq, row.hash) != (link["seq"], link["hash"]):
        reason = f"it continues {link['experiment']!r} after an entry {link['seq']} that is not there"
        raise Broken(experiment.name, 1, reason)
