"""How long a server that does not move keeps its store: the limits of its session on PostgreSQL."""

import time

import pytest
import sqlalchemy as sql

from steadyarm.live.storage import lease


def setting(connection, name):
    return connection.exec_driver_sql("SELECT current_setting(%s, true)", (name,)).scalar()


def test_a_session_that_is_limited_ends_when_nothing_is_heard_of_it(postgres, monkeypatch):
    url = postgres.new_database()
    engine = sql.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    try:
        with engine.connect() as connection:
            before = setting(connection, "idle_in_transaction_session_timeout")
            lease.limit(connection)
            assert setting(connection, "idle_in_transaction_session_timeout") == "10s" != before
            assert setting(connection, "idle_session_timeout") == "10s"
            lease.beat(connection)
            assert not connection.in_transaction()
            monkeypatch.setitem(lease._LIMITS, "idle_session_timeout", "1")  # milliseconds
            lease.limit(connection)
            time.sleep(0.5)
            with pytest.raises(sql.exc.OperationalError):
                lease.beat(connection)
    finally:
        engine.dispose()
        postgres.drop(url)


def test_sqlite_has_no_session_to_limit():
    engine = sql.create_engine("sqlite://")
    with engine.connect() as connection:
        lease.limit(connection)
        lease.beat(connection)
        assert not connection.in_transaction()
    engine.dispose()
