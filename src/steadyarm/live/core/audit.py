"""The audit of a journal: its chain is whole, and the reference play makes the same decisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from steadyarm.live.core.experiment import Audit, Experiment
from steadyarm.live.core.journal import Row


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
