"""Somebody with the database's password, who changes a store behind the service's back."""

from contextlib import closing

import sqlalchemy as sql

from steadyarm.live.core.journal import digest
from steadyarm.live.storage.store import Store

TRIGGERS = {
    "sqlite": ("journal_refuses_update", "journal_refuses_delete"),
    "postgresql": ("journal_refuses_changes ON journal",),
}


def tamper(url, statement, **values):
    """Drop the triggers and run a statement that must change one row."""
    with closing(Store(url)) as store:
        engine = sql.create_engine(store.url)
    with engine.begin() as connection:
        for trigger in TRIGGERS[connection.dialect.name]:
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {trigger}")
        assert connection.execute(sql.text(statement), values).rowcount == 1
    engine.dispose()


def row_of(url, unit, kind="allocated"):
    """The row of a unit's entry, as a dictionary."""
    with closing(Store(url)) as store:
        engine = sql.create_engine(store.url)
    with engine.begin() as connection:
        statement = "SELECT * FROM journal WHERE unit = :unit AND kind = :kind"
        found = dict(connection.execute(sql.text(statement), {"unit": unit, "kind": kind}).mappings().one())
    engine.dispose()
    return found


def put_rows(url, rows):
    """Put rows (seq, kind, unit, body) into the first experiment's journal, each with the hash of its body."""
    with closing(Store(url)) as store:
        engine = sql.create_engine(store.url)
    with engine.begin() as connection:
        for seq, kind, unit, body in rows:
            connection.execute(
                sql.text("INSERT INTO journal VALUES (1, :seq, :kind, :unit, :body, :hash)"),
                {"seq": seq, "kind": kind, "unit": unit, "body": body, "hash": digest(body)},
            )
    engine.dispose()
