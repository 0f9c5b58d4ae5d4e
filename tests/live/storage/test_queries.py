"""What is asked of the database."""

import pytest

from steadyarm.live.storage import queries


@pytest.mark.parametrize("entries", [50, 5000])
def test_units_are_looked_up_by_the_index_and_not_by_reading_the_journal(api, entries):
    api.create(horizon=10**6)
    for first in range(0, entries, 1000):
        units = [f"u{first + number}" for number in range(min(1000, entries))]
        assert api("POST", "/v1/experiments/e/allocations", {"units": units}).status_code == 200
    with api.service.store.read() as connection:
        kind = connection.dialect.name
        if kind == "sqlite":
            explain = "EXPLAIN QUERY PLAN"
            value = '["u3"]'
        else:
            with api.service.writer._connection.engine.begin() as writing:
                writing.exec_driver_sql("ANALYZE journal")
            explain = "EXPLAIN"
            value = ["u3"]
        statement = f"{explain} {queries.UNITS[kind]}"
        found = queries._run(connection, statement, value, 1)
        plan = " ".join(str(column) for row in found for column in row)
    if kind == "sqlite":
        assert "journal_by_unit (experiment=? AND unit=?)" in plan
    else:
        assert "journal_by_unit" in plan or entries == 50  # one page is read either way


def test_the_database_itself_refuses_to_change_the_journal(api):
    from sqlalchemy.exc import DBAPIError

    api.create()
    for statement in ("UPDATE journal SET kind = 'closed'", "DELETE FROM journal"):
        with (
            pytest.raises(DBAPIError, match="append-only"),
            api.service.writer._connection.engine.connect() as connection,
        ):
            connection.exec_driver_sql(statement)
