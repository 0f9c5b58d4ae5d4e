"""The few statements that read and append to the store, in the words of either database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy.engine import Connection

from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, Row, digest, read
from steadyarm.live.core.units import Unit, unit_after

LATEST = 2**53  # no number of an entry, and no other count, is larger
_EARLIEST = -(2**63)  # nor smaller, whatever somebody put into the table
_PROBE = 1 << 14  # characters
_TRIED = 100  # entries
CHUNK = 1000  # entries read at a time

_FOLLOWER = (
    "coalesce((SELECT next.body FROM journal AS next WHERE next.experiment = journal.experiment "
    "AND next.seq = journal.seq + 1), "
    "(SELECT experiments.hash FROM experiments WHERE experiments.id = journal.experiment))"
)
# Whether an entry is one of the chain's, from its first to its head, and what comes after it refers to it.
_FOLLOWED = {
    dialect: "(journal.seq BETWEEN 1 AND (SELECT experiments.seq FROM experiments "
    f"WHERE experiments.id = journal.experiment) AND {find}({_FOLLOWER}, journal.hash) > 0)"
    for dialect, find in (("sqlite", "instr"), ("postgresql", "strpos"))
}
_FOUND = "SELECT seq, kind, unit, body, hash, {} FROM "
UNITS = {
    # In this order and by this index; left to itself SQLite would read the experiment's whole journal.
    "sqlite": _FOUND.format(_FOLLOWED["sqlite"])
    + "json_each(?1) AS wanted CROSS JOIN journal INDEXED BY journal_by_unit "
    "ON experiment = ?2 AND unit = wanted.value",
    "postgresql": _FOUND.format(_FOLLOWED["postgresql"]) + "journal WHERE unit = ANY(?) AND experiment = ?",
}
_APPEND = {
    "sqlite": "INSERT INTO journal (experiment, seq, kind, unit, body, hash) VALUES (?, ?, ?, ?, ?, ?)",
    "postgresql": "INSERT INTO journal (experiment, seq, kind, unit, body, hash) "
    "SELECT * FROM unnest(%s::int[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[])",
}


def _run(connection: Connection, statement: str, *values: Any) -> Any:
    if connection.dialect.name == "postgresql":
        statement = statement.replace("?", "%s")
    return connection.exec_driver_sql(statement, values)


def steady_view(connection: Connection) -> None:
    """Let all that a connection reads from now on be of one moment; SQLite does so anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def names(
    connection: Connection, after: str = "", limit: int | None = None
) -> list[tuple[int, str, int, str]]:
    """Return (id, name, seq, hash) of the experiments after a name, by name, character by character.

    PostgreSQL has an order of its own for texts, often one that does not tell capitals from others.
    """
    name = 'name COLLATE "C"' if connection.dialect.name == "postgresql" else "name"
    found = _run(
        connection,
        f"SELECT id, name, seq, hash FROM experiments WHERE {name} > ? ORDER BY {name} LIMIT ?",
        after,
        LATEST if limit is None else limit,
    )
    return [tuple(row) for row in found]


def head(connection: Connection, name: str) -> tuple[int, int, str] | None:
    """Return (id, seq, hash) of an experiment's last entry."""
    row = _run(connection, "SELECT id, seq, hash FROM experiments WHERE name = ?", name).first()
    if row is None:
        return None
    if not (isinstance(row[1], int) and isinstance(row[2], str)):
        raise Broken(name, 1, "the experiment's head names no entry")
    return row[0], row[1], row[2]


def _row(seq: int, kind: str, unit: str | None, body: Any, hash_: Any) -> Row:
    """Return an entry; what is no text, which SQLite lets anybody store, becomes one that no hash fits."""
    if type(body) is type(hash_) is str:
        return Row(seq, kind, unit, body, hash_)
    return Row(seq, kind, unit, _text(body), _text(hash_))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def rows(connection: Connection, identity: int, after: int = 0, limit: int = CHUNK) -> list[Row]:
    """Return the entries after one, at most `limit` of them."""
    found = _run(
        connection,
        "SELECT seq, kind, unit, body, hash FROM journal WHERE experiment = ? AND seq > ? ORDER BY seq LIMIT ?",
        identity,
        after,
        limit,
    )
    return [_row(*row) for row in found]


def all_rows(connection: Connection, identity: int, after: int = _EARLIEST) -> Iterator[Row]:
    """Yield the entries after one, a chunk at a time; or all, before the first too, where there should be none."""
    while True:
        chunk = rows(connection, identity, after)
        yield from chunk
        if len(chunk) < CHUNK:
            return
        after = chunk[-1].seq


def units(connection: Connection, identity: int, name: str, wanted: Sequence[str]) -> dict[str, Unit]:
    """Return what is known of some units of an experiment; those without an allocation are left out.

    Each entry is checked before it is believed: its content, its place, and that the entry after it, or the head
    of the chain, refers to it.
    """
    kind = connection.dialect.name
    value = json.dumps(wanted) if kind == "sqlite" else list(wanted)
    entries = []
    for *columns, followed in _run(connection, UNITS[kind], value, identity).all():
        row = _row(*columns)
        entries.append(_followed(name, row, followed))
    entries.sort(key=itemgetter("seq"))
    found: dict[str, Unit] = {}
    for entry in entries:
        unit = unit_after(found.get(entry["unit"]), entry)
        if unit is not None:
            found[entry["unit"]] = unit
    return found


def _followed(name: str, row: Row, followed: bool) -> dict[str, Any]:
    entry = read(name, row)
    if not followed:
        raise Broken(name, row.seq, "what comes after it does not follow on it")
    return entry


def given_to(
    connection: Connection, unit: str, only: str | None = None
) -> list[tuple[str, dict[str, Any] | Broken]]:
    """Return the entries that gave a unit its arm or held it out, each with its experiment; of one only, if asked.

    That is the first entry of the unit in each, which may be that of a default. One that is not whole is returned as
    what is wrong with it, since the other experiments have nothing to do with that.
    """
    in_turn = connection.dialect.name == "sqlite"  # left to itself it would read all journals
    joined = "CROSS JOIN journal INDEXED BY journal_by_unit" if in_turn else "JOIN journal"
    found = _run(
        connection,
        "SELECT name, journal.seq, kind, unit, body, journal.hash, "
        f"{_FOLLOWED[connection.dialect.name]} FROM experiments {joined} "
        "ON journal.experiment = experiments.id AND unit = ? AND kind IN ('allocated', 'held', 'defaulted') "
        "WHERE name = ? OR ? = 0",
        unit,
        only or "",
        int(only is not None),
    )
    given: dict[str, dict[str, Any] | Broken] = {}
    for name, *columns, followed in sorted(found, key=itemgetter(0, 1)):
        if name not in given:
            try:
                given[name] = _followed(name, _row(*columns), followed)
            except Broken as broken:
                given[name] = broken
    return list(given.items())


def state_seq(connection: Connection, identity: int) -> int:
    """Return the last entry that brought a state: those are about no unit, and found by the index."""
    found = _run(
        connection,
        "SELECT max(seq) FROM journal WHERE experiment = ? AND unit IS NULL AND kind <> 'retired'",
        identity,
    ).scalar()
    return int(found or 1)


def add_experiment(connection: Connection, name: str) -> int:
    """Return the number under which a new experiment's entries are stored."""
    added = _run(
        connection, "INSERT INTO experiments (name, seq, hash) VALUES (?, 0, '') RETURNING id", name
    ).scalar()
    assert isinstance(added, int)
    return added


def append(connection: Connection, entries: Sequence[tuple[int, Row]]) -> None:
    """Write entries and the heads of their chains."""
    values = [(identity, *row) for identity, row in entries]
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_APPEND["sqlite"], values)
    else:
        columns = tuple(list(column) for column in zip(*values, strict=True))
        connection.exec_driver_sql(_APPEND["postgresql"], columns)
    for identity, last in dict(entries).items():
        _run(
            connection, "UPDATE experiments SET seq = ?, hash = ? WHERE id = ?", last.seq, last.hash, identity
        )


def probe(connection: Connection, at: str, thoroughly: bool) -> None:
    """Write something that does not matter, to see whether one can: about as much as a group of entries.

    PostgreSQL may have room for that in place while the journal cannot grow. Where writing has failed, entries are
    tried too, and taken back.
    """
    _run(connection, "UPDATE probe SET at = ? WHERE id = 1", at.ljust(_PROBE))
    if thoroughly:
        with connection.begin_nested() as attempt:
            identity = add_experiment(connection, "")  # no experiment has this name
            tried = [Row(seq, "probe", str(seq), at.ljust(300), "") for seq in range(1, _TRIED + 1)]
            append(connection, [(identity, row) for row in tried])
            attempt.rollback()


def save_snapshot(connection: Connection, experiment: Experiment) -> None:
    """Keep the view of an experiment as of its last entry."""
    state = experiment.snapshot()
    _run(
        connection,
        "INSERT INTO snapshots (experiment, seq, hash, state, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT (experiment) "
        "DO UPDATE SET seq = excluded.seq, hash = excluded.hash, state = excluded.state, digest = excluded.digest",
        experiment.identity,
        experiment.chain.seq,
        experiment.chain.previous,
        state,
        digest(state),
    )


def snapshot(connection: Connection, identity: int) -> tuple[int, str, str] | None:
    """Return (seq, hash, state) of the snapshot of an experiment, if there is one and it is whole."""
    saved = _run(
        connection, "SELECT seq, hash, state, digest FROM snapshots WHERE experiment = ?", identity
    ).first()
    if saved is None or digest(_text(saved[2])) != saved[3]:
        return None
    return saved[0], saved[1], saved[2]


def drop_snapshot(connection: Connection, name: str) -> None:
    """Have the next load replay the whole journal."""
    _run(
        connection,
        "DELETE FROM snapshots WHERE experiment = (SELECT id FROM experiments WHERE name = ?)",
        name,
    )


def import_rows(connection: Connection, name: str, entries: Iterable[Row]) -> tuple[int, int]:
    """Write a verified journal under a name that is free; returns its number and how many entries it had."""
    identity = add_experiment(connection, name)
    count, waiting = 0, []
    for row in entries:
        waiting.append((identity, row))
        count += 1
        if len(waiting) == CHUNK:
            append(connection, waiting)
            waiting = []
    if waiting:
        append(connection, waiting)
    return identity, count
