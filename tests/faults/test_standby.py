"""A second server waits for the lock of a PostgreSQL store, takes over, and the first never writes again."""

import itertools
import signal
import threading
import time
from contextlib import closing, contextmanager

import httpx
import psycopg
import pytest

from steadyarm.live import Client
from steadyarm.live.storage.store import Store
from tests.faults.clients import Ledger, Load, assert_nothing_lost, assert_whole, create, journal, missing
from tests.faults.sizes import SIZES
from tests.live.server import Server, refused_server, run_live

QUIET = ("--standby", "--log-level", "warning")
IMPATIENT = """
from steadyarm.live.storage import lease
lease._LIMITS |= {"idle_session_timeout": "1500ms", "idle_in_transaction_session_timeout": "1500ms"}
"""


@pytest.fixture
def pair(durable_postgres, tmp_path):
    """The URL of a store with a server and its standby, which does not let a paused one keep it for long."""
    database = durable_postgres.new_database()
    anchors = [
        ("--anchor", str(tmp_path / f"{n}.ndjson"), "--anchor-key", str(tmp_path / "key")) for n in "01"
    ]
    servers = [Server(database, *QUIET, *words, before=IMPATIENT) for words in anchors]
    servers[0].start()
    servers[1].start(wait=False)
    wait_for(lambda: health(servers[1]) == "standby")
    yield servers
    for server in servers:
        if server.process.poll() is None:
            server.send(signal.SIGCONT)
            server.stop()
    durable_postgres.drop(database)


def wait_for(condition, seconds=30.0):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def wait_for_more(answers):
    wanted = len(answers) + 50
    wait_for(lambda: len(answers) > wanted)


def health(server):
    try:
        return httpx.get(f"{server.url}/healthz").json()["status"]
    except httpx.TransportError:
        return None


@contextmanager
def load(servers, clients=4):
    """Clients that know both addresses; yields their ledgers, and when each answer came."""
    ledgers, times, errors, stopped = [Ledger() for _ in range(clients)], [], [], threading.Event()

    def work(number):
        try:
            urls = [server.url for server in servers]
            with Client(urls, servers[0].token, timeout=2.0) as client:
                experiment, turn = client.experiment("e"), 0
                while not stopped.is_set():
                    turn += 1
                    unit = f"c{number}-{turn}"
                    ledgers[number].arms[unit] = experiment.allocate(unit)
                    ledgers[number].rewards[unit] = experiment.report(unit, turn % 2)
                    times.append(time.monotonic())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield ledgers, times
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
    assert not errors, errors


def longest_gap(times):
    return max(later - earlier for earlier, later in itertools.pairwise(times))


@pytest.mark.slow
def test_a_standby_takes_over_within_five_seconds_and_nothing_acknowledged_is_lost(pair):
    gaps = []
    with Load(*pair, clients=4) as load:
        for number in range(SIZES.take_overs):
            first, second = pair[number % 2], pair[1 - number % 2]
            load.wait_for(50)
            (load.succeed if number % 2 else load.retire)()
            first.kill()
            killed = time.monotonic()
            wait_for(lambda moment=killed: load.times[-1] > moment + 0.5)
            gaps.append(longest_gap([each for each in load.times if each > killed - 1.0]))
            first.start(wait=False)
            wait_for(lambda server=first: health(server) == "standby", 120.0)
        load.stop()
        print(f"seconds without service: {[round(gap, 2) for gap in gaps]}")
        assert max(gaps) < 5.0
        assert_nothing_lost(load, second)
    run_live("verify", "--database", second.database)


@pytest.mark.slow
def test_a_server_that_was_paused_never_writes_again_once_the_other_has_the_store(pair):
    first, second = pair
    create(first, horizon=10**6)
    with load(pair) as (ledgers, times):
        wait_for_more(times)
        first.send(signal.SIGSTOP)
        second.wait_until_ready(30)
        wait_for_more(times)
        first.send(signal.SIGCONT)
        with first.client() as client:
            answer = client.put("/v1/experiments/e/allocations/late")
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    entries = journal(second)
    assert missing(ledgers, entries) == []
    assert_whole(entries)
    assert "late" not in [entry.get("unit") for entry in entries]


@pytest.mark.slow
def test_a_standby_answers_nobody_and_anchors_nothing_until_the_session_of_the_other_is_gone(pair, tmp_path):
    create(pair[0], horizon=100)
    wait_for((tmp_path / "0.ndjson").exists)
    for path in ("/readyz", "/metrics", "/v1/experiments", "/", "/ofrep/v1/evaluate/flags", "/nowhere"):
        answer = httpx.get(pair[1].url + path)
        assert (answer.status_code, answer.json()["code"]) == (503, "standby"), path
        assert answer.headers["retry-after"] == "1"
        assert "standby" in answer.json()["detail"]
    time.sleep(1.5)  # whoever anchors looks every second
    assert not (tmp_path / "1.ndjson").exists()
    with psycopg.connect(pair[0].database, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        )
    pair[1].wait_until_ready(10)
    wait_for((tmp_path / "1.ndjson").exists)
    # The first has noticed it by itself, when what it wrote last is no longer fresh.
    wait_for(lambda: httpx.get(f"{pair[0].url}/readyz", timeout=10).status_code == 503, 3.0)
    seconds, _ = pair[1].stop()
    assert seconds < 5.0
    pair[0].wait_until_ready(10)  # it is free again


def test_a_standby_that_is_too_old_for_the_store_stops_and_says_so(durable_postgres):
    database = durable_postgres.new_database()
    with closing(Store(database)) as store, store.connect_writer() as connection:
        store.migrate(connection)
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    said = refused_server("--database", database, "--standby", "--port", "0")
    assert "Use the newer steadyarm" in said
    durable_postgres.drop(database)


def test_only_a_postgresql_store_has_a_standby(sqlite):
    assert "--standby needs a PostgreSQL store" in refused_server("--database", sqlite, "--standby")
