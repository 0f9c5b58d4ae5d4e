"""The store: one server writes it, and none of a later version is opened."""

import sqlite3

import pytest
from tests.live.conftest import Api

from steadyarm.live.storage import store


def test_a_second_server_is_refused(open_api, database):
    from steadyarm.live.storage.locks import StoreLocked

    api = open_api()
    api.create()
    with pytest.raises(StoreLocked, match="Stop that server first"):
        Api(database)
    assert api.allocate("u").status_code == 201
    api.close()
    assert open_api().allocate("u").status_code == 200


def test_a_store_from_the_future_is_refused(sqlite, tmp_path):
    Api(sqlite).close()
    with sqlite3.connect(tmp_path / "live.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(store.StoreTooNew, match="Use the newer steadyarm"):
        Api(sqlite)
