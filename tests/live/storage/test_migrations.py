"""A store that an older version wrote opens, and goes on."""

import json
import sqlite3
from pathlib import Path

import pytest
from tests.live.conftest import Api, problem

from steadyarm.live.storage import store

OLD = sorted((Path(__file__).parent / "data").glob("store-*.sql"))


@pytest.mark.parametrize("script", OLD, ids=lambda path: path.stem)
def test_an_old_store_is_brought_up_to_date_and_goes_on(script, sqlite, tmp_path):
    connection = sqlite3.connect(tmp_path / "live.db")
    connection.executescript(script.read_text())
    before = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    entries = [json.loads(row[0]) for row in connection.execute("SELECT body FROM journal ORDER BY seq")]
    connection.close()
    assert before == script.stem.removeprefix("store-")
    api = Api(sqlite)
    try:
        found = api.events("old")
        assert [
            {name: value for name, value in entry.items() if name != "hash"} for entry in found
        ] == entries
        assert api("GET", "/v1/experiments/old/verify").json()["entries"] == len(entries)
        assert api.allocate("u0", "old").status_code == 200
        assert api.allocate("new", "old").status_code == 201
        assert api.state("old")["outstanding"] == 2
        # A journal keeps the format that it was begun with.
        assert api.state("old")["format"] == 1
        path = "/v1/experiments/old"
        problem(api("POST", f"{path}/pause", {"reason": "why"}), 422, "invalid")
        amendment = {"reward": 1, "reason": "why", "outcome_seq": 4}
        problem(api("POST", f"{path}/allocations/u0/amend", amendment), 422, "invalid")
        assert api.report("new", 1, "old").status_code == 201
        assert api("POST", f"{path}/pause").status_code == 200
        for entry in api.events("old", after=len(entries)):
            assert not entry.keys() & {"actor", "software", "reason"}
        assert api("GET", f"{path}/verify").json()["entries"] == len(entries) + 3
    finally:
        api.close()
    later = store.Store(sqlite)
    with later.connect_writer() as connection:
        assert later.migrate(connection) == ("0003", "0003")
    later.close()
