"""A long journal: memory stays flat, a restart is quick; and a floor under the speed, so that a collapse is noticed."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from tests.faults.clients import Caller, create
from tests.faults.sizes import FULL, SIZES
from tests.live.server import Server

ROOT = Path(__file__).parents[2]
QUIET = ("--log-level", "warning")
# SQLite's page cache fills up to its limit whatever the service does; with a small one it is full at once.
SMALL_CACHE = "from steadyarm.live.storage import store; store.CACHE_KIB = 2048"


def resident(server):
    """The memory of the server's process in MB."""
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmRSS")


def processor_seconds(server):
    """What the server has used of the processor since it began: waiting for others does not count."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def in_a_thread(work):
    """Run a coroutine where no other test has left an event loop running: a browser's tests do."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.mark.slow
def test_memory_is_flat_over_a_long_journal_and_a_restart_answers_within_five_seconds(database, new_server):
    server = new_server(database, *QUIET, before=SMALL_CACHE, new=True)
    create(server, horizon=10**9)
    caller, path = Caller(server), "/v1/experiments/e/allocations"
    entries = SIZES.entries if FULL or database.startswith("sqlite") else SIZES.entries // 2
    memory = []
    for batch in range(entries // 1000):
        status, said = caller("POST", path, {"units": [f"u{batch}-{place}" for place in range(1000)]})
        assert status == 200, said
        if batch % 10 == 0:
            caller("PUT", f"{path}/u{batch}-7/reward", {"reward": 1})
        memory.append(resident(server))
    early, late = memory[len(memory) // 5], memory[-1]
    assert late < early + 20, memory[:: len(memory) // 10]  # MB; the journal itself has a hundred and more
    server.kill()
    server.start()
    status, said = caller("PUT", f"{path}/after")
    assert processor_seconds(server) < 5  # by the wall on a machine that has nothing else to do
    assert (status, said["round"]) == (201, entries + 1)
    assert caller("PUT", f"{path}/u3-14")[1]["round"] == 3015
    caller.close()


@pytest.mark.slow
def test_the_speed_has_not_collapsed(sqlite):
    spec = spec_from_file_location("bench_live", ROOT / "benchmarks" / "live.py")
    bench = module_from_spec(spec)
    spec.loader.exec_module(bench)
    with Server(sqlite, *QUIET) as server:
        create(server, horizon=10**9)
        target = bench.Target(server.port, server.token)
        single = in_a_thread(
            bench.load(target, lambda number: bench.allocations("e", number), 16, seconds=1.0)
        )
        batched = in_a_thread(bench.load(target, lambda number: bench.batches("e", number), 4, seconds=1.0))
    assert len(single) > 500
    assert len(batched) * bench.BATCH > 5000
