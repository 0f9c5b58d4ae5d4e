"""`verify`: the chain is whole and the reference play makes the same decisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from steadyarm.live import queries
from steadyarm.live.experiment import Audit, Experiment
from steadyarm.live.journal import Row
from steadyarm.live.problems import Problem
from steadyarm.live.store import Store


def verify_rows(
    name: str, rows: Iterable[Row], seq: int | None = None, hash_: str | None = None
) -> tuple[dict[str, Any], Experiment]:
    """Replay a journal; raises `Broken` at its first bad entry."""
    audit = Audit(name)
    for row in rows:
        audit.take(row)
    experiment = audit.end(seq, hash_)
    return {
        "experiment": name,
        "entries": experiment.chain.seq,
        "hash": experiment.chain.previous,
        "decisions": experiment.play.round,
    }, experiment


def verify_stored(store: Store, name: str) -> dict[str, Any]:
    """Verify an experiment of a store on one steady view of it, so that a busy writer does not matter."""
    with store.read() as connection:
        queries.steady_view(connection)
        found = queries.head(connection, name)
        if found is None:
            raise Problem("unknown_experiment", f"there is no experiment {name!r}.")
        identity, seq, hash_ = found
        return verify_rows(name, queries.all_rows(connection, identity), seq, hash_)[0]
