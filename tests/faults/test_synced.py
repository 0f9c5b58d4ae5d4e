"""An answer leaves after the disk has it: seen by strace, because a kill loop cannot show it."""

import contextlib
import os
import threading
from itertools import takewhile
from pathlib import Path
from tempfile import gettempdir

import pytest

from tests.faults.clients import Caller, create
from tests.faults.traces import SYNCS, calls_of, exchanges, strace, syncs, unsynced
from tests.live.postgres import Postgres
from tests.live.server import Server

NETWORK = ["read", "recvfrom", "recvmsg", "write", "writev", "sendto", "sendmsg"]
QUIET = ("--log-level", "warning")
UNITS = 10
SLOPPY = {
    "sqlite": "from steadyarm.live.storage import store; store.SYNCHRONOUS = 'NORMAL'",
    "postgresql": """
from steadyarm.live.storage import store
def sloppy(driver):
    driver.execute("SET synchronous_commit = off")
    driver.commit()
store._prepare_writer["postgresql"] = sloppy
""",
}


class TracedServer(Server):
    """A server under strace, which itself heeds no signals."""

    def __init__(self, file, *words, **options):
        super().__init__(*words, **options, new=True)
        self.command = [*strace(file, [*SYNCS, *NETWORK]), *self.command]

    def send(self, how):
        tracer = self.process.pid
        (child,) = Path(f"/proc/{tracer}/task/{tracer}/children").read_text().split()
        os.kill(int(child), how)


class TracedPostgres(Postgres):
    def __init__(self, file):
        super().__init__(durable=True)
        self.before = strace(file, SYNCS)


def write(server, clients=3):
    """Allocate, one by one and in batches, and report, from several connections at once."""
    create(server, horizon=10**6)

    def work(number):
        caller, path = Caller(server), "/v1/experiments/e/allocations"
        for turn in range(UNITS):
            caller("PUT", f"{path}/u{number}-{turn}")
            caller("PUT", f"{path}/u{number}-{turn}/reward", {"reward": 1})
        caller("POST", path, {"units": [f"b{number}-{place}" for place in range(200)]})
        caller.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return clients * (2 * UNITS + 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_sync_of_the_disk_precedes_each_success_and_the_test_sees_it_missing(kind, tmp_path):
    with contextlib.ExitStack() as stack:
        if kind == "postgresql":
            synced_in, log = tmp_path / "postgresql.trace", "/pg_wal/"
            tmp_path.chmod(0o777)  # PostgreSQL writes there as another user
            for folder in takewhile(lambda folder: folder != Path(gettempdir()), tmp_path.parents):
                folder.chmod(0o755)
            postgres = TracedPostgres(synced_in)
            postgres.start()
            stack.callback(postgres.remove)
        for durable in (True, False):
            file = tmp_path / f"service-{durable}.trace"
            if kind == "sqlite":
                database, log, synced_in = f"sqlite:///{tmp_path}/{durable}.db", f"/{durable}.db-wal", file
            else:
                database = postgres.new_database()
            with TracedServer(file, database, *QUIET, before="" if durable else SLOPPY[kind]) as server:
                wrote = write(server)
            exchanged = exchanges(calls_of(file))
            assert len(exchanged) == wrote  # every write and its answer were seen
            bare = unsynced(exchanged, syncs(calls_of(synced_in), log))
            if durable:
                assert bare == []
            else:
                assert len(bare) > wrote / 2
        if kind == "sqlite":  # a new file is in its folder for good before anything in it is acknowledged
            calls = calls_of(tmp_path / "service-True.trace")
            folder = [call for call in syncs(calls, str(tmp_path)) if f"<{tmp_path}>" in call.text]
            assert folder
            assert folder[0].end < exchanges(calls)[0][1]
