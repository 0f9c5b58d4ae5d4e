"""One commit for all who wait: what fails is not acknowledged, and memory never knows more than the disk."""

import asyncio
import json
import threading

import pytest
from sqlalchemy.exc import OperationalError, ProgrammingError
from tests.live.conftest import Api, problem

from steadyarm.live.core import audit, replay
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.unit_commands import Allocate, Report
from steadyarm.live.storage import journal_files, queries, recovery, transaction, writer


def watch_replays(monkeypatch):
    """The list of all entries that are replayed from now on."""
    replayed = []
    for module in (audit, recovery):
        monkeypatch.setattr(
            module, "replay", lambda *given: replayed.append(given[1]) or replay.replay(*given)
        )
    return replayed


def fail(*_, **__):
    raise OperationalError("INSERT", {}, Exception("database or disk is full"))


def test_a_failed_commit_is_a_503_for_everybody_and_leaves_no_trace(api, monkeypatch):
    api.create()
    before = api.allocate("u1").json()
    state = api.state()
    with monkeypatch.context() as broken:
        broken.setattr(queries, "append", fail)
        problem(api.allocate("u2"), 503, "unavailable")
        problem(api.report("u1", 1), 503, "unavailable")
        problem(api("POST", "/v1/experiments/e/pause"), 503, "unavailable")
        problem(api("PUT", "/v1/experiments/f", {"arms": ["a", "b"], "horizon": 10}), 503, "unavailable")
    assert api.state() == state
    assert api.allocate("u1").json() == before
    after = api.allocate("u2")  # it recovers by itself
    assert after.status_code == 201
    assert after.json()["round"] == 2
    assert after.json()["seq"] == state["seq"] + 1
    problem(api("GET", "/v1/experiments/f"), 404, "unknown_experiment")
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


@pytest.mark.parametrize(
    "place", ["steadyarm.live.core.experiment.Experiment.allocate", "steadyarm.live.storage.queries.append"]
)
def test_a_defect_in_the_writer_is_a_500_whose_trace_is_logged(api, monkeypatch, capsys, place):
    api.create()

    def wrong(*_):
        raise TypeError("a bug of ours")

    with monkeypatch.context() as broken:
        broken.setattr(place, wrong)
        said = problem(api.allocate("u1"), 500, "internal")
    assert "bug of ours" not in said["detail"]
    (logged,) = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (logged["event"], logged["error"]) == ("defect", "TypeError")
    assert 'raise TypeError("a bug of ours")' in logged["trace"]
    assert api.http.get("/readyz").status_code == 200  # the store is fine
    assert api.allocate("u1").status_code == 201
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


def test_a_statement_that_is_wrong_is_a_defect_and_a_database_that_fails_is_not(api, monkeypatch):
    api.create()
    for kind, status in ((ProgrammingError, 500), (OperationalError, 503)):

        def wrong(*_, kind=kind):
            raise kind("SELECT", {}, Exception("no such table"))

        with monkeypatch.context() as broken:
            broken.setattr(queries, "append", wrong)
            assert api.allocate("u1").status_code == status
        with monkeypatch.context() as broken:
            broken.setattr(queries, "units", wrong)
            assert api("GET", "/v1/experiments/e/allocations/u1").status_code == status


def test_a_defect_is_the_answer_to_those_only_who_met_it(api, monkeypatch):
    api.create()
    allocate = Experiment.allocate

    def wrong(self, unit, *said):
        if unit == "poison":
            raise TypeError("a bug of ours")
        return allocate(self, unit, *said)

    monkeypatch.setattr(Experiment, "allocate", wrong)
    results = in_one_transaction(
        api, [Allocate("e", (unit,), True) for unit in ("u1", "poison", "u2")], whole=False
    )
    assert [getattr(each, "code", None) or each.status for each in results] == [201, "internal", 201]
    assert [entry["seq"] for entry in api.events()] == [1, 2, 3, 4, 5]
    assert api("GET", "/v1/experiments/e/verify").json()["decisions"] == 3


def test_a_store_that_cannot_be_written_is_not_ready(api, monkeypatch):
    api.create()
    api.service.writer.written_at = 0.0
    with monkeypatch.context() as broken:
        broken.setattr(queries, "probe", fail)
        problem(api.http.get("/readyz"), 503, "unavailable")
        assert api.http.get("/healthz").status_code == 200
    assert api.http.get("/readyz").status_code == 200


def in_one_transaction(api, commands, whole=True):
    """Have the writer take all commands at once; returns their results."""
    held, free = threading.Event(), threading.Event()
    deliver = api.service.writer._deliver

    class Hold(Allocate):
        def apply(self, transaction):
            held.set()
            free.wait(10)
            return super().apply(transaction)

    async def run():
        first = asyncio.ensure_future(api.service.write(Hold("e", ("first",), True)))
        await asyncio.to_thread(held.wait, 10)
        others = [asyncio.ensure_future(api.service.write(command)) for command in commands]
        await asyncio.sleep(0)
        free.set()
        await first
        return await asyncio.gather(*others, return_exceptions=True)

    sizes = []

    def count(results, grown):
        sizes.append(len(results))
        deliver(results, grown)

    api.service.writer._deliver = count
    try:
        results = api.http.run(run())
    finally:
        api.service.writer._deliver = deliver
    assert not whole or sizes[-1] == len(commands)
    return results


def test_commands_of_one_transaction_see_each_other(api):
    api.create()
    units = [Allocate("e", ("race",), True) for _ in range(5)]
    results = in_one_transaction(api, [*units, Report("e", ("race",), 1), Report("e", ("race",), 0)])
    assert [each.status for each in results[:6]] == [201, 200, 200, 200, 200, 201]
    assert len({each.body["arm"] for each in results[:5]}) == 1
    assert isinstance(results[6], Problem)
    assert results[6].code == "reward_conflict"
    assert api("GET", "/v1/experiments/e/verify").json()["decisions"] == 2


def test_a_whole_transaction_fails_together(api, monkeypatch):
    api.create()
    commands = [Allocate("e", (f"u{number}",), True) for number in range(4)]
    append = queries.append

    def second_time(connection, entries):
        if len(entries) == 4:
            append(connection, entries[:2])
            fail()
        append(connection, entries)

    monkeypatch.setattr(queries, "append", second_time)
    results = in_one_transaction(api, commands)
    assert [each.code for each in results] == ["unavailable"] * 4
    assert api.state()["round"] == 1
    assert [entry["seq"] for entry in api.events()] == [1, 2, 3]


def test_a_restart_goes_on_from_a_snapshot_and_from_none(open_api, monkeypatch):
    monkeypatch.setattr(transaction, "SNAPSHOT_EVERY", 7)
    api = open_api()
    api.create()
    for number in range(20):
        api.allocate(f"u{number}")
        if number % 2:
            api.report(f"u{number}", 1)
    expected = api.state()
    arms = api("GET", "/v1/experiments/e/arms").json()
    api.close()
    replayed = watch_replays(monkeypatch)
    for spoil in (
        None,
        "DELETE FROM snapshots",
        "UPDATE snapshots SET state = state || ' '",
        "UPDATE snapshots SET seq = 3",
    ):
        api = open_api()
        if spoil:
            with api.service.writer._connection.engine.begin() as connection:
                connection.exec_driver_sql(spoil)
        replayed.clear()
        assert api.state() == expected
        assert api("GET", "/v1/experiments/e/arms").json() == arms
        assert (len(replayed) == 0) == (spoil is None)  # a snapshot that does not fit is thrown away
        api.service.writer.memory.snapshots["e"] = 0  # have it kept anew
        api.close()


def test_a_server_that_is_killed_again_and_again_has_no_more_to_replay_each_time(open_api, monkeypatch):
    monkeypatch.setattr(transaction, "SNAPSHOT_EVERY", 7)
    monkeypatch.setattr(
        writer.Writer, "_leave", lambda self: self._connection.close()
    )  # killed: nothing is kept
    replayed, longest = watch_replays(monkeypatch), 0
    for start in range(6):
        api = open_api()
        if start == 0:
            api.create()
        for number in range(5):
            assert api.allocate(f"u{start}-{number}").status_code == 201
        api.close()
        longest = max(longest, len(replayed))
        replayed.clear()
    assert longest < 7 + 5


def test_an_imported_experiment_is_not_replayed_again(open_api, database, sqlite, tmp_path, monkeypatch):
    first = Api(f"{sqlite}-first")
    first.create()
    for number in range(20):
        first.allocate(f"u{number}")
        first.report(f"u{number}", number % 2)
    file = tmp_path / "e.ndjson"
    file.write_text(first("GET", "/v1/experiments/e/events").text)
    arms = first("GET", "/v1/experiments/e/arms").json()
    first.close()
    journal_files.import_file(file, database)
    replayed = watch_replays(monkeypatch)
    api = open_api()
    assert api("GET", "/v1/experiments/e/arms").json() == arms
    assert api.allocate("after").json()["round"] == 21
    assert replayed == []


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


def test_too_many_waiting_requests_are_turned_away(api, monkeypatch):
    api.create()
    monkeypatch.setattr(writer, "MOST_WAITING", -1)
    problem(api.allocate("u"), 503, "overloaded")


def test_a_second_server_is_refused(open_api, database):
    from steadyarm.live.storage.locks import StoreLocked

    api = open_api()
    api.create()
    with pytest.raises(StoreLocked, match="Stop that server first"):
        Api(database)
    assert api.allocate("u").status_code == 201
    api.close()
    assert open_api().allocate("u").status_code == 200


def test_a_postgresql_writer_that_lost_its_session_takes_the_lock_again(postgres):
    import psycopg

    url = postgres.new_database()
    api = Api(url)
    try:
        api.create()
        first = api.allocate("u1").json()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'steadyarm writer' "
                "AND datname = current_database()"
            )
        problem(api.allocate("u2"), 503, "unavailable")
        assert api.allocate("u1").json() == first
        assert api.allocate("u2").json()["round"] == 2
        with psycopg.connect(url) as connection:
            held = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        assert held == (1,)
    finally:
        api.close()


def test_a_server_that_was_replaced_while_its_session_was_gone_does_not_write(postgres, monkeypatch):
    import psycopg

    monkeypatch.setattr("steadyarm.live.storage.store._LOCK_PATIENCE", 0.2)
    url = postgres.new_database()
    old = Api(url)
    old.create()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'steadyarm writer' "
            "AND datname = current_database()"
        )
    new = Api(url)
    try:
        given = new.allocate("u1").json()
        problem(old.allocate("u2"), 503, "unavailable")
        problem(old.allocate("u3"), 503, "unavailable")
        new.close()
        assert old.allocate("u1").json() == given  # it has the store again, and what the other wrote
        assert old.allocate("u2").json()["round"] == 2
    finally:
        new.close()
        old.close()
