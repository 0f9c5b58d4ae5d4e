"""No request holds others up: whatever its body is, the others are answered meanwhile."""

import asyncio
import time

import pytest

from tests.faults.clients import create
from tests.live.crowd import ALLOCATE, Caller, in_a_thread, stop
from tests.live.hostile import CASES, body_of
from tests.live.server import Server

LIMIT = 0.1  # seconds


class Pulse:
    """Allocates all the time; `longest` is how long an answer took at most since it was last set to 0."""

    def __init__(self, server):
        self.caller = Caller(server)
        self._count = 0
        self.longest = 0.0

    async def beat(self):
        while True:
            begun = time.perf_counter()
            self._count += 1
            status, _ = await self.caller("PUT", f"{ALLOCATE}/pulse-{self._count}")
            assert status == 201
            self.longest = max(self.longest, time.perf_counter() - begun)
            await asyncio.sleep(0.002)


async def held_up(server, pulse, method, path, body):
    """Send a body three times; returns its status, and how long others waited at least, at most each time."""
    times = []
    while len(times) < 3 and not (times and times[-1] < LIMIT):  # a machine that has other work says too much
        caller, pulse.longest = Caller(server), 0.0
        status, _ = await asyncio.wait_for(caller(method, path, body), 60)
        await asyncio.sleep(0.01)
        times.append(pulse.longest)
        await caller.close()
    return status, min(times)


async def measure(server):
    pulse = Pulse(server)
    beating = asyncio.create_task(pulse.beat())
    found = {case: await held_up(server, pulse, *case[:2], body_of(*case)) for case in CASES}
    assert not beating.done()
    await stop([beating])
    await pulse.caller.close()
    return found


@pytest.mark.slow
def test_no_body_holds_others_up_for_a_tenth_of_a_second(sqlite):
    with Server(sqlite, "--log-level", "warning") as server:
        create(server, horizon=10**9)
        found = in_a_thread(measure(server))
        assert "defect" not in server.log()
    assert {case: status for case, (status, _) in found.items() if status >= 500} == {}
    assert {case: seconds for case, (_, seconds) in found.items() if seconds >= LIMIT} == {}
    assert len(found) > 200
