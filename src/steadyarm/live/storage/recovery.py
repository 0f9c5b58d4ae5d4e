"""How an experiment comes back from its journal, and how the part of it that is not replayed is checked.

A load goes on from a snapshot. The chain behind the snapshot is checked all the same: a short one before the first
answer, the rest of a long one right after it, a slice at a time, while others are served.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from sqlalchemy.engine import Connection

from steadyarm.live.core.audit import Audit
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.first_entry import begin, check_origin
from steadyarm.live.core.journal import Broken, Chain, read
from steadyarm.live.core.replay import replay
from steadyarm.live.storage import queries

CHECKED_AT_ONCE = 10_000  # entries behind a snapshot whose chain is checked before the first answer


class Prefix:
    """The chain behind a snapshot, up to the entry after which that was made; checked in parts."""

    def __init__(self, identity: int, chain: Chain, seq: int, hash_: str) -> None:
        self._identity = identity
        self._chain = chain
        self._seq, self._hash = seq, hash_

    def check(self, connection: Connection, most: int) -> bool:
        """Check the next entries, so many at most; returns whether that was all."""
        chain, until = self._chain, min(self._seq, self._chain.seq + most)
        while chain.seq < until:
            limit = min(queries.CHUNK, until - chain.seq)
            found = queries.rows(connection, self._identity, chain.seq, limit)
            if not found:
                raise chain.broken(chain.seq + 1, "it is missing")
            for row in found:
                chain.check(row)
        if until == self._seq and chain.previous != self._hash:
            raise chain.broken(until, "it is not the entry that was there before")
        return until == self._seq


class Loaded(NamedTuple):
    """An experiment, the entry up to which its snapshot was good, and what is still to be checked behind that."""

    experiment: Experiment
    kept: int
    unchecked: Prefix | None


def load(connection: Connection, name: str) -> Loaded | None:
    """Rebuild an experiment from its journal, from the last snapshot on if that belongs to the chain.

    Without a snapshot all of the journal is replayed and audited, as by `verify`. With one the chain behind it is
    checked, `CHECKED_AT_ONCE` entries of it at once.
    """
    found = queries.head(connection, name)
    if found is None:
        return None
    identity, seq, hash_ = found
    first = queries.rows(connection, identity, limit=1)
    if not first:
        raise Broken(name, 1, "it is missing")
    experiment = begin(identity, name, first[0])
    behind = _restore(connection, experiment)
    if behind is None:
        return Loaded(_audited(connection, identity, name, seq, hash_), 1, None)
    experiment.state_seq = queries.state_seq(connection, identity)
    kept = experiment.chain.seq
    checked = behind.check(connection, CHECKED_AT_ONCE)
    for row in queries.all_rows(connection, identity, kept):
        replay(experiment, row)
    chain = experiment.chain
    if (chain.seq, chain.previous) != (seq, hash_):
        missing = chain.seq + 1 if chain.seq < seq else chain.seq
        raise Broken(name, missing, "the journal does not end in the entry that was written last")
    return Loaded(experiment, kept, None if checked else behind)


def _audited(connection: Connection, identity: int, name: str, seq: int, hash_: str) -> Experiment:
    audit = Audit(name)
    for row in queries.all_rows(connection, identity):
        audit.take(row)
    experiment = audit.end(seq, hash_)
    experiment.identity = identity
    return experiment


def _restore(connection: Connection, experiment: Experiment) -> Prefix | None:
    """Take the snapshot over if it is whole and belongs to an entry of this chain; returns what is behind it."""
    saved = queries.snapshot(connection, experiment.identity)
    if saved is None:
        return None
    seq, hash_, state = saved
    at = queries.rows(connection, experiment.identity, after=seq - 1, limit=1)
    if not at or (at[0].seq, at[0].hash) != (seq, hash_):
        return None
    last = read(experiment.name, at[0])
    behind = Prefix(experiment.identity, experiment.chain, seq, hash_)
    try:
        experiment.restore(json.loads(state), seq, hash_)
        check_origin(experiment.name, last, experiment.version)
        experiment.clock.note(last["at"])
    except (ValueError, KeyError, TypeError):
        return None
    return behind
