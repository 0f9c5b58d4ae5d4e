"""A second server cannot write the same store, by whatever name it is called."""

import os

import pytest

from steadyarm.errors import InvalidInput
from steadyarm.live.storage.locks import StoreLocked
from steadyarm.live.storage.store import Store
from tests.faults.clients import create
from tests.live.conftest import Api, problem
from tests.live.server import Server, refused_server


def refused(url):
    store = Store(url)
    try:
        with pytest.raises(StoreLocked, match="Stop that server first"):
            store.connect_writer()
    finally:
        store.close()


def test_a_sqlite_store_has_one_server_by_all_its_names(tmp_path, monkeypatch):
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").symlink_to(tmp_path / "real")
    (tmp_path / "link.db").symlink_to(tmp_path / "real" / "live.db")
    (tmp_path / "link-of-link.db").symlink_to(tmp_path / "link.db")
    monkeypatch.chdir(tmp_path)
    names = [
        f"{tmp_path}/real/live.db",
        "real/live.db",
        "./folder/../real/live.db",
        "folder/live.db",
        "link.db",
        "link-of-link.db",
    ]
    for first in names:
        held = Store(f"sqlite:///{first}")
        held.connect_writer().close()
        for second in names:
            refused(f"sqlite:///{second}")
        held.close()
    os.link(tmp_path / "real" / "live.db", tmp_path / "hard.db")
    for name in ("hard.db", "real/live.db"):  # SQLite itself does not know that they are one
        store = Store(f"sqlite:///{name}")
        with pytest.raises(InvalidInput, match="2 names"):
            store.connect_writer()
        store.close()
    assert sorted(path.name for path in tmp_path.glob("**/*.lock")) == ["hard.db.lock", "live.db.lock"]


@pytest.mark.slow
def test_a_store_whose_lock_file_was_removed_has_one_server_still(sqlite, tmp_path):
    with Server(sqlite) as server, server.client() as client:
        create(server)
        given = client.put("/v1/experiments/e/allocations/u").json()
        (tmp_path / "live.db.lock").unlink()
        assert "Stop that server first" in refused_server("--database", sqlite, "--port", "0")
        assert client.put("/v1/experiments/e/allocations/u").json() == given
        assert client.put("/v1/experiments/e/allocations/v").status_code == 201


@pytest.mark.parametrize("replaced", [False, True])
def test_a_server_whose_file_was_moved_away_acknowledges_nothing_more(sqlite, tmp_path, replaced):
    api = Api(sqlite)
    api.create()
    assert api.allocate("u").status_code == 201
    (tmp_path / "live.db").rename(tmp_path / "old.db")
    if replaced:
        (tmp_path / "live.db").write_bytes(b"")
    try:
        for unit in ("v", "w"):
            assert "moved or replaced" in problem(api.allocate(unit), 503, "unavailable")["detail"]
        problem(api.http.get("/readyz"), 503, "unavailable")
        assert (tmp_path / "live.db").exists() == replaced  # nor does it begin a new one
        if replaced:
            (tmp_path / "live.db").unlink()
        (tmp_path / "old.db").rename(tmp_path / "live.db")  # it was a mistake
        assert api.allocate("u").status_code == 200
        assert api.allocate("v").json()["round"] == 2
    finally:
        api.close()


def test_a_postgresql_database_has_one_server_by_all_its_names(durable_postgres, monkeypatch):
    monkeypatch.setattr("steadyarm.live.storage.store._LOCK_TIMEOUT_SECONDS", 0.2)
    url = durable_postgres.new_database()
    held = Store(url)
    connection = held.connect_writer()
    for other in (
        url,
        url.replace("127.0.0.1", "localhost"),
        url.replace("postgresql:", "postgresql+psycopg:"),
    ):
        refused(other)
    elsewhere = durable_postgres.new_database()  # another database of the same server is another store
    free = Store(elsewhere)
    free.connect_writer().close()
    free.close()
    connection.close()
    held.close()
    for made in (url, elsewhere):
        durable_postgres.drop(made)


@pytest.mark.slow
def test_a_second_server_is_refused_and_a_killed_one_is_followed_by_a_new_one(database, monkeypatch):
    monkeypatch.setattr("steadyarm.live.storage.store._LOCK_TIMEOUT_SECONDS", 0.2)
    with Server(database) as first:
        create(first)
        with first.client() as client:
            given = client.put("/v1/experiments/e/allocations/u").json()
            refused(database)
            assert client.put("/v1/experiments/e/allocations/u").json() == given
        monkeypatch.undo()
        first.kill()
        api = Api(database)  # its lock went with it
        try:
            assert api.allocate("u").json() == given
            assert api.allocate("v").json()["round"] == 2
        finally:
            api.close()
