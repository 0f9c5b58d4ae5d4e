"""Readers never block the writer: whatever is read, however often, units are allocated meanwhile."""

import asyncio
import json
from collections import Counter

import pytest

from tests.faults.clients import create
from tests.live.crowd import ALLOCATE, Allocating, Caller, forever, in_a_thread, stop
from tests.live.server import Server

READERS = 45
ENTRIES = 20_000
SECONDS = 0.6
READS = {
    "verify": lambda _: ("GET", "/v1/experiments/e/verify", b""),
    "plan": lambda number: (
        "POST",
        "/v1/plan",
        json.dumps({"arms": 9000 + number, "horizon": 10**9 + number, "alpha": 1}).encode(),
    ),
    "events": lambda _: ("GET", "/v1/experiments/e/events", b""),
    "results": lambda _: ("GET", "/v1/experiments/e/results", b""),
    "history": lambda _: ("GET", "/v1/experiments/e/history", b""),
    "experiments": lambda _: ("GET", "/v1/experiments", b""),
}


async def fill(server):
    caller = Caller(server)
    for batch in range(ENTRIES // 1000):
        units = [f"u{batch}-{place}" for place in range(1000)]
        assert (await caller("POST", ALLOCATE, json.dumps({"units": units}).encode()))[0] == 200
    await caller.close()


async def measure(server):
    """Return the allocations a second alone and beside readers of each kind, with the longest answer."""
    await fill(server)
    allocating = Allocating(server)
    await allocating.run(0.5)
    found = {"alone": (await allocating.run(SECONDS), max(allocating.times), {})}
    for kind, read in READS.items():
        counts = Counter()
        readers = [
            asyncio.create_task(forever(Caller(server), *read(number), counts)) for number in range(READERS)
        ]
        await asyncio.sleep(0.3)
        found[kind] = (await allocating.run(SECONDS), max(allocating.times), counts)
        await stop(readers)
    assert allocating.statuses == {201}
    await allocating.close()
    return found


@pytest.mark.slow
def test_units_are_allocated_whatever_is_read_and_however_often(sqlite):
    with Server(sqlite, "--log-level", "warning") as server:
        create(server, horizon=10**9)
        found = in_a_thread(measure(server))
        assert "defect" not in server.log()
    alone, _, _ = found.pop("alone")
    for kind, (beside, longest, counts) in found.items():
        assert counts.keys() <= {200, 503}, (kind, counts)
        assert beside > 0.05 * alone, (kind, found)
        assert longest < 2.0, (kind, found)
