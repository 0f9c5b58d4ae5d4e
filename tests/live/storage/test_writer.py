"""One commit for all who wait: what fails is not acknowledged, and memory never knows more than the disk."""

import asyncio
import threading

from sqlalchemy.exc import OperationalError
from tests.live.conftest import Api, problem

from steadyarm.live.core.commands.unit_commands import Allocate
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.storage import queries, writer


def fail(*_, **__):
    raise OperationalError("INSERT", {}, Exception("database or disk is full"))


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


def test_too_many_waiting_requests_are_turned_away(api, monkeypatch):
    api.create()
    monkeypatch.setattr(writer, "MOST_WAITING", -1)
    problem(api.allocate("u"), 503, "overloaded")


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

    monkeypatch.setattr("steadyarm.live.storage.store._LOCK_TIMEOUT_SECONDS", 0.2)
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
