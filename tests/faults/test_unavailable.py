"""A fault of the store is a 503, never a false success and never a 500, and the service recovers by itself."""

import os
import time

import pytest

from tests.faults.clients import Ledger, Load, assert_whole, create, journal, missing
from tests.faults.disks import DISKS, FULL_DISKS
from tests.faults.sizes import FULL
from tests.live.server import CONFIGURATION, Server

QUIET = ("--log-level", "error")
PATH = "/v1/experiments/e/allocations"


@pytest.fixture(params=DISKS | FULL_DISKS if FULL and os.geteuid() == 0 else DISKS)
def disk(request, tmp_path):
    made = (DISKS | FULL_DISKS)[request.param](tmp_path)
    yield made
    made.remove()


def fill(client, ledger):
    """Allocate until nothing more is taken; what was acknowledged is written into the ledger."""
    statuses = []
    for number in range(40):
        answer = client.post(PATH, json={"units": [f"full-{number}-{place}" for place in range(200)]})
        statuses.append(answer.status_code)
        if answer.status_code != 200:
            break
        ledger.arms |= {said["unit"]: said for said in answer.json()["allocations"]}
    for number in range(60):  # what is left of the last pages
        answer = client.put(f"{PATH}/full-{number}")
        statuses.append(answer.status_code)
        if answer.status_code == 201:
            ledger.arms[f"full-{number}"] = answer.json()
    assert set(statuses) <= {200, 201, 503}
    assert statuses[-20:] == [503] * 20
    assert answer.json()["code"] == "unavailable"
    assert answer.headers["retry-after"] == "1"


@pytest.mark.slow
def test_a_full_disk_is_a_503_and_what_was_acknowledged_stays(disk):
    ledger = Ledger()
    with Server(disk.url, *QUIET) as server, server.client() as client:
        create(server, horizon=10**6)
        ledger.arms = {f"u{number}": client.put(f"{PATH}/u{number}").json() for number in range(10)}
        with disk.full(server):
            fill(client, ledger)
            for answer in (
                client.post(PATH, json={"units": [f"b{number}" for number in range(1000)]}),
                client.put("/v1/experiments/f", json=CONFIGURATION | {"description": "long" * 200}),
                client.get("/readyz"),
            ):
                assert answer.status_code == 503, answer.text
            assert client.get("/healthz").status_code == 200
            assert client.put(f"{PATH}/u3").status_code in (200, 503)  # never another arm
            assert client.get(f"{PATH}/u3").status_code in (200, 503)
            assert client.get("/readyz").status_code == 503  # to read is not to write
            reward = client.put(f"{PATH}/u1/reward", json={"reward": 1})
            void = client.post(f"{PATH}/u2/void", json={"reason": "lost"})
            for answer, unit, told in ((reward, "u1", ledger.rewards), (void, "u2", ledger.voids)):
                assert answer.status_code in (201, 503)  # a table that cannot grow may have a gap to fill
                if answer.status_code == 201:
                    told[unit] = answer.json()
        until = time.monotonic() + 10
        while client.get("/readyz").status_code == 503:
            assert time.monotonic() < until
        assert client.put(f"{PATH}/after").status_code == 201
        assert client.get("/v1/experiments/f").status_code == 404  # what was refused did not happen
        entries = journal(server)
        assert missing([ledger], entries) == []
        assert_whole(entries)
        assert client.get("/v1/experiments/e/verify").status_code == 200
        with disk.full(server):
            seconds, _ = server.stop()  # nor does a full disk hold it up
        assert seconds < 5
        assert server.process.returncode == 0


@pytest.mark.slow
def test_a_restart_of_postgresql_under_load_is_503s_and_then_goes_on(durable_postgres):
    database = durable_postgres.new_database()
    with Server(database, *QUIET) as server, Load(server, clients=4) as load:
        load.wait_for(30)
        with server.client() as client:
            durable_postgres.stop("immediate")
            statuses = {
                client.get(path).status_code
                for path in (
                    "/readyz",
                    "/v1/experiments/e/events",
                    "/v1/experiments/e/verify",
                    "/v1/experiments",
                )
            }
            assert statuses <= {200, 503}
            assert client.get("/readyz").status_code == 503
            assert client.get("/healthz").status_code == 200
            fresh = server.client("steadyarm_0123456789ab_unknown")
            assert fresh.get("/v1/experiments").status_code == 503  # cannot know; must not say 401 or 200
            fresh.close()
            durable_postgres.start()
            load.wait_for(30)
            load.stop()
        entries = journal(server)
        assert missing(load.ledgers, entries) == []
        assert_whole(entries)
        assert load.refused > 0
        assert load.lost == 0
    durable_postgres.drop(database)
