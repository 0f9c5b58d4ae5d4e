"""Damage is never served: whatever finds it, the experiment takes no more, now and after a restart."""

import json

import pytest
from tests.live.conftest import Api, problem
from tests.live.damage import put_rows, row_of, tamper

from steadyarm.live.core.journal import canonical, digest
from steadyarm.live.storage import queries

BODY = "UPDATE journal SET body = :body WHERE unit = :unit AND kind = 'allocated'"
ROW = "UPDATE journal SET body = :body, hash = :hash WHERE unit = :unit AND kind = 'allocated'"


def filled(api, units=10):
    api.create("e")
    api.create("other")
    for number in range(units):
        assert api.allocate(f"u{number}").status_code == 201
        assert api.report(f"u{number}", number % 2).status_code == 201


def with_another_arm(body):
    entry = json.loads(body)
    entry["arm"] = "b" if entry["arm"] == "a" else "a"
    return canonical(entry)


def change_arm(database, unit, hashed=False):
    """Give a unit another arm in the journal, with a hash that fits if wanted."""
    body = with_another_arm(row_of(database, unit)["body"])
    tamper(
        database, ROW if hashed else BODY, body=body, unit=unit, **({"hash": digest(body)} if hashed else {})
    )


def takes_no_more(api):
    for answer in (
        api.allocate("u3"),
        api.allocate("new"),
        api("POST", "/v1/experiments/e/allocations", {"units": ["u3", "new"]}),
        api.report("u3", 1),
        api.void("u3"),
        api("POST", "/v1/experiments/e/pause"),
        api("GET", "/v1/experiments/e/allocations/u3"),
        api("GET", "/v1/experiments/e"),
        api("GET", "/v1/experiments/e/results"),
        api("GET", "/v1/experiments/e/history"),
    ):
        assert "backup" in problem(answer, 503, "damaged")["detail"]
    assert api.allocate("new", "other").status_code in (200, 201)
    states = {
        each["experiment"]: each["state"] for each in api("GET", "/v1/experiments").json()["experiments"]
    }
    assert states == {"e": "damaged", "other": "running"}


@pytest.mark.parametrize("first", ["allocate", "new", "unit", "history", "verify"])
def test_an_arm_that_was_changed_before_the_snapshot_is_not_served_after_a_restart(open_api, database, first):
    api = open_api()
    filled(api)
    api.close()
    change_arm(database, "u3")
    api = open_api()
    if first == "allocate":
        problem(api.allocate("u3"), 503, "damaged")
    elif first == "new":
        problem(api.allocate("new"), 503, "damaged")
    elif first == "verify":
        problem(api("GET", "/v1/experiments/e/verify"), 409, "chain_broken")
    else:
        path = {"unit": "/allocations/u3", "history": "/history"}[first]
        problem(api("GET", f"/v1/experiments/e{path}"), 503, "damaged")
    takes_no_more(api)
    api.close()
    takes_no_more(open_api())


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM journal WHERE experiment = 1 AND seq = 5",
        "UPDATE journal SET unit = 'somebody' WHERE experiment = 1 AND seq = 5",
        "UPDATE journal SET hash = body WHERE experiment = 1 AND seq = 5",
        "UPDATE journal SET kind = 'voided' WHERE experiment = 1 AND seq = 6",
        "UPDATE journal SET seq = 1000 WHERE experiment = 1 AND seq = 5",
    ],
)
def test_whatever_was_done_before_the_snapshot_is_found_at_the_start(open_api, database, statement):
    api = open_api()
    filled(api)
    api.close()
    tamper(database, statement)
    api = open_api()
    problem(api.allocate("new"), 503, "damaged")
    takes_no_more(api)


@pytest.mark.parametrize("unit", ["u3", "u9"])
@pytest.mark.parametrize("hashed", [False, True])
def test_an_arm_that_is_changed_under_a_running_server_is_not_served(open_api, database, unit, hashed):
    api = open_api()
    api.create("e")
    api.create("other")
    for number in range(10):  # u9 is in the last entry of all
        api.allocate(f"u{number}")
    change_arm(database, unit, hashed)
    problem(api.allocate(unit), 503, "damaged")
    takes_no_more(api)
    api.close()
    takes_no_more(open_api())


@pytest.mark.parametrize("path", ["/allocations/u3", "/history", "/verify"])
def test_whoever_reads_damage_ends_the_experiment(open_api, database, path):
    api = open_api()
    filled(api)
    change_arm(database, "u3")
    assert api("GET", f"/v1/experiments/e{path}").json()["code"] in ("damaged", "chain_broken")
    takes_no_more(api)


def test_what_only_a_replay_shows_is_remembered_after_verify(open_api, database):
    """A forger has made the chain anew, and the head and the snapshot with it."""
    api = open_api()
    filled(api)
    api.close()
    previous, forged = None, []
    for row in api_rows(database):
        entry = json.loads(row.body)
        entry["previous"] = previous or entry["previous"]
        body = with_another_arm(canonical(entry)) if row.unit == "u3" else canonical(entry)
        previous = digest(body)
        forged.append(row._replace(body=body, hash=previous))
    for row in forged:
        change = "UPDATE journal SET body = :body, hash = :hash WHERE experiment = 1 AND seq = :seq"
        tamper(database, change, body=row.body, hash=row.hash, seq=row.seq)
    for table, key in (("experiments", "id"), ("snapshots", "experiment")):
        tamper(database, f"UPDATE {table} SET hash = :hash WHERE {key} = 1", hash=previous)
    api = open_api()
    assert api.allocate("new").status_code == 201  # nothing but a replay or a hash kept elsewhere shows it
    problem(api("GET", "/v1/experiments/e/verify"), 409, "chain_broken")
    takes_no_more(api)
    api.close()
    takes_no_more(open_api())


def api_rows(database):
    from contextlib import closing

    from steadyarm.live.storage.store import Store

    with closing(Store(database)) as store, store.read() as connection:
        return list(queries.all_rows(connection, 1))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET body = x'FFFE' WHERE experiment = 1 AND seq = 5",
        "UPDATE journal SET hash = x'FF00' WHERE experiment = 1 AND seq = 5",
        "UPDATE journal SET unit = x'FF00' WHERE experiment = 1 AND seq = 5",
        "UPDATE experiments SET seq = 'abc' WHERE id = 1",
        "UPDATE experiments SET hash = x'00' WHERE id = 1",
    ],
)
def test_what_is_no_text_or_no_number_is_damage_too(sqlite, statement):
    """SQLite stores anything anywhere."""
    api = Api(sqlite)
    filled(api)
    api.close()
    tamper(sqlite, statement)
    api = Api(sqlite)
    problem(api.allocate("new"), 503, "damaged")
    takes_no_more(api)
    problem(api("GET", "/v1/experiments/e/verify"), 409, "chain_broken")
    api.close()


def test_a_snapshot_that_is_no_text_is_done_without(sqlite):
    api = Api(sqlite)
    filled(api)
    api.close()
    tamper(sqlite, "UPDATE snapshots SET state = x'FF00' WHERE experiment = 1")
    api = Api(sqlite)
    assert api.allocate("new").status_code == 201
    api.close()


def test_a_snapshot_made_before_plays_kept_their_rewards_is_replayed_from_the_journal(sqlite):
    api = Api(sqlite)
    filled(api)
    before = api("GET", "/v1/experiments/e/results").json()
    api.close()
    old = "json_set(json_remove(state, '$.play.moments'), '$.sums', json('[0]'), '$.squares', json('[0]'))"
    tamper(sqlite, f"UPDATE snapshots SET state = {old} WHERE experiment = 1")
    api = Api(sqlite)
    assert api("GET", "/v1/experiments/e/results").json() == before
    assert api.allocate("new").status_code == 201
    api.close()


@pytest.mark.parametrize("first", [-2, -1, 1000])
def test_an_allocation_that_stands_outside_of_the_chain_is_not_served_and_found_by_verify(
    open_api, database, first
):
    """Nothing of the chain is touched: the forged entry, and one that refers to it, stand before it or behind it."""
    api = open_api()
    filled(api)
    entry = json.loads(row_of(database, "u3")["body"])
    ghost = canonical(entry | {"seq": first, "unit": "ghost"})
    follower = canonical({"previous": digest(ghost), "seq": first + 1})
    put_rows(database, [(first, "allocated", "ghost", ghost), (first + 1, "x", None, follower)])
    flags = api("POST", "/ofrep/v1/evaluate/flags", {"context": {"targetingKey": "ghost"}})
    assert flags.json()["flags"] == []
    problem(api("GET", "/v1/experiments/e/verify"), 409, "chain_broken")
    problem(api("GET", "/v1/experiments/e/allocations/ghost"), 503, "damaged")
    takes_no_more(api)


@pytest.mark.parametrize("unit", ["u3", "u9"])
def test_an_arm_that_is_changed_under_a_running_server_is_not_told_as_a_flag(open_api, database, unit):
    api = open_api()
    api.create("e")
    for number in range(10):  # u9 is in the last entry of all
        api.allocate(f"u{number}")
    asked = ("POST", "/ofrep/v1/evaluate/flags", {"context": {"targetingKey": unit}})
    assert len(api(*asked).json()["flags"]) == 1
    change_arm(database, unit, hashed=True)
    assert api(*asked).json()["flags"] == []
