"""Kill −9 under load: nothing that was acknowledged is lost, and a unit has one arm for ever."""

import json
import random
import threading
import time
from collections import Counter

import pytest

from tests.faults.clients import (
    PATIENCE,
    Caller,
    Load,
    assert_nothing_lost,
    assert_whole,
    create,
    journal,
    missing,
)
from tests.faults.sizes import SIZES
from tests.live.server import Server, run_live

QUIET = ("--log-level", "warning")
EVERY_KIND = {
    *("created", "started", "allocated", "held", "rewarded", "voided", "lapsed", "amended", "defaulted"),
    *("retired", "closed"),
}


def assert_anchored(server, file, key):
    """Every journal goes through its anchors, and on from the one that it continues."""
    public = json.loads(
        run_live("keys", "--database", server.database, "--anchor-key", str(key), "--json").stdout
    )
    words = ("--anchors", str(file), "--public-key", public["public_key"], "--json")
    for each in json.loads(run_live("verify", "--database", server.database, *words).stdout)["experiments"]:
        assert each["anchored"]["seq"] > 1, each


def wait_until_silence_counts(server, name):
    """Wait until some unit that nobody told of has its outcome: on a quick machine that takes longer than the kills."""
    until = time.monotonic() + PATIENCE
    while all(entry["kind"] != "lapsed" for entry in journal(server, name)):
        assert time.monotonic() < until
        time.sleep(0.1)


def wait_until_health_is_known(server, name):
    """Wait until the health of an experiment is as of its last entry."""
    path, until = f"/v1/experiments/{name}", time.monotonic() + PATIENCE
    with server.client() as client:
        while True:
            seq, health = client.get(path).json()["seq"], client.get(f"{path}/results").json()["health"]
            if health["seq"] >= seq:
                return
            assert time.monotonic() < until, (seq, health["seq"])
            time.sleep(0.1)


@pytest.mark.slow
def test_no_acknowledged_write_is_lost_when_the_service_is_killed(database, new_server, tmp_path):
    moments = random.Random(3)
    file, key = tmp_path / "anchors.ndjson", tmp_path / "key"
    anchoring = ("--anchor", str(file), "--anchor-key", str(key), "--anchor-entries", "50")
    server = new_server(database, *QUIET, *anchoring)
    with Load(server) as load:
        for kill in range(SIZES.kills):
            load.wait_for(moments.randrange(20, 200))
            for change in ((load.retire,), (load.succeed,), ())[kill % 3]:
                change()
            server.kill()
            server.start()
        load.wait_for(20)
        wait_until_silence_counts(server, load.names[-1])
        load.stop()
        entries = assert_nothing_lost(load, server)
        assert load.lost >= SIZES.kills  # the kills did cut answers off
        kinds = Counter(entry["kind"] for entry in entries)
        print(f"{len(load.names)} experiments, {kinds}, {load.lost} answers cut off")
        assert kinds.keys() >= EVERY_KIND
        assert_anchored(server, file, key)
        wait_until_health_is_known(server, load.names[-1])
    told = load.ledgers[0]
    unit = next(iter(told.rewards))
    told.arms[unit] = told.arms[unit] | {"seq": 0}  # the comparison itself would find a loss, and a change
    told.rewards["never"] = {"unit": "never"}
    assert [kind for kind, _, _ in missing(load.ledgers, entries)] == ["allocated", "rewarded"]


@pytest.mark.slow
def test_no_acknowledged_write_is_lost_when_postgresql_is_killed(durable_postgres):
    database = durable_postgres.new_database()
    moments = random.Random(4)
    with Server(database, *QUIET) as server, Load(server) as load:
        for crash in range(SIZES.crashes):
            load.wait_for(moments.randrange(20, 200))
            (load.succeed if crash % 2 else load.retire)()
            durable_postgres.kill()
            durable_postgres.start()
        load.wait_for(20)  # it went on by itself
        load.stop()
        assert_nothing_lost(load, server)
        assert load.refused >= SIZES.crashes
        assert load.lost == 0  # the service itself answered all the time
    durable_postgres.drop(database)


@pytest.mark.slow
def test_one_unit_has_one_arm_though_32_clients_race_for_it_across_kills(database, new_server):
    server = new_server(database, *QUIET)
    create(server, horizon=10**6)
    answers, going, errors = [{} for _ in range(32)], threading.Event(), []
    asked = [0] * 32

    def race(number):
        caller = Caller(server)
        try:
            while not going.is_set():
                turn = asked[number]
                status, said = caller("PUT", f"/v1/experiments/e/allocations/unit-{turn}")
                assert status in (200, 201), said
                answers[number][turn] = said["arm"], said["round"], said["seq"], status
                asked[number] += 1
                while min(asked) < turn and not going.is_set():  # all stay within two units of each other
                    time.sleep(0.01)  # the server needs the processor more
        except BaseException as error:
            errors.append(error)
        finally:
            caller.close()

    threads = [threading.Thread(target=race, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    try:
        for kill in range(SIZES.races):
            while min(asked) < 5 * (kill + 1):
                assert not errors, errors
                time.sleep(0.01)
            server.kill()
            server.start()
        while min(asked) < 5 * (SIZES.races + 1):
            assert not errors, errors
            time.sleep(0.01)
    finally:
        going.set()
        for thread in threads:
            thread.join()
    assert not errors, errors
    for turn in range(min(asked)):
        told = {each[turn][:3] for each in answers}
        assert len(told) == 1, (turn, told)
        assert sum(each[turn][3] == 201 for each in answers) <= 1
    entries = journal(server)
    assert_whole(entries)
    assert len(entries) == 2 + max(max(each) for each in answers) + 1
