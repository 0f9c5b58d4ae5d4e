"""Lanes: a few at a time, some wait, the rest is refused; a process of its own ends with the service."""

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest
from tests import processes
from tests.live.conftest import PROCESSES
from tests.live.crowd import in_a_thread
from tests.live.server import Server

from steadyarm.live.core.problems import Problem
from steadyarm.live.http import lanes, work
from steadyarm.live.http.lanes import Lane, Process


@pytest.fixture
def threads():
    with ThreadPoolExecutor(4) as pool:
        yield pool


def test_a_lane_does_so_many_at_once_and_refuses_beyond_those_that_may_wait(threads, monkeypatch):
    monkeypatch.setattr(lanes, "REFUSED_AFTER", 0.01)
    busy, most, free = [], [], threading.Event()

    def work_on(number):
        busy.append(number)
        most.append(len(busy))
        free.wait(10)
        busy.remove(number)
        return number

    async def run():
        lane = Lane("a test", threads, at_once=2, most_waiting=3)
        asked = [asyncio.ensure_future(lane.run(work_on, number)) for number in range(2)]
        await asyncio.sleep(0.05)
        asked += [asyncio.ensure_future(lane.run(work_on, number)) for number in range(2, 5)]
        await asyncio.sleep(0.05)
        with pytest.raises(Problem, match="3 requests for a test are waiting already") as refused:
            await lane.run(work_on, 5)
        assert (refused.value.status, refused.value.code) == (503, "overloaded")
        free.set()
        assert await asyncio.gather(*asked) == [0, 1, 2, 3, 4]
        assert await lane.run(work_on, 5) == 5

    in_a_thread(run())
    assert max(most) == 2


def test_what_is_shared_is_done_once_for_those_who_asked_before_it_began(threads):
    begun, free = [], threading.Event()

    def work_on(what):
        begun.append(what)
        free.wait(10)
        return len(begun)

    async def run():
        lane = Lane("a test", threads, most_waiting=2)
        first = asyncio.ensure_future(lane.run(work_on, "a", shared=True))
        await asyncio.sleep(0.05)
        assert begun == ["a"]
        rest = [asyncio.ensure_future(lane.run(work_on, "a", shared=True)) for _ in range(40)]
        await asyncio.sleep(0.05)
        free.set()
        assert await first == 1
        assert await asyncio.gather(*rest) == [2] * 40  # what happened meanwhile is in it

    in_a_thread(run())
    assert begun == ["a", "a"]


def test_an_exception_reaches_all_who_share_it_and_the_lane_goes_on(threads):
    def wrong():
        raise ZeroDivisionError

    async def run():
        lane = Lane("a test", threads)
        found = await asyncio.gather(
            *(lane.run(wrong, shared=True) for _ in range(3)), return_exceptions=True
        )
        assert [type(each) for each in found] == [ZeroDivisionError] * 3
        assert await lane.run(int) == 0

    in_a_thread(run())


def test_problems_come_from_another_process_as_they_were():
    refused = PROCESSES[1].submit(work.plan, b'{"arms": 1}').exception(60)
    assert isinstance(refused, Problem)
    assert (refused.status, refused.code) == (422, "invalid")
    assert refused.body("id") == Problem("invalid", refused.detail).body("id")


def test_a_process_that_dies_is_started_again_and_one_that_is_busy_can_be_ended():
    process = Process()
    first = process.submit(os.getpid).result(60)
    killed = process.submit(time.sleep, 60)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(BrokenProcessPool):
        killed.result(10)
    second = process.submit(os.getpid).result(60)
    assert second != first
    process.submit(time.sleep, 60)
    begun = time.monotonic()
    process.shutdown()
    assert time.monotonic() - begun < 10
    assert not processes.runs(second)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(each) for each in file.read().split()]


def test_processes_end_with_a_service_that_is_killed(sqlite):
    with Server(sqlite) as server:
        with server.client() as client:
            assert (
                client.post("/v1/plan", json={"arms": 2, "horizon": 1000, "alpha": 1}, timeout=60).status_code
                == 200
            )
        found = children(server.process.pid)
        assert found
        server.kill()
    until = time.monotonic() + 10
    while any(map(processes.runs, found)):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_an_experiment_is_loaded_by_a_reader_and_taken_over_by_the_writer(open_api, monkeypatch):
    api = open_api()
    api.create()
    for number in range(5):
        api.allocate(f"u{number}")
    expected = api.state()
    api.close()
    api = open_api()
    monkeypatch.setattr("steadyarm.live.storage.memory.Memory.load", None)  # the writer itself loads nothing
    assert api.state() == expected
    assert api.allocate("u5").json()["round"] == 6


def test_what_a_reader_loaded_is_not_taken_over_if_it_was_written_to_since(open_api):
    from steadyarm.live.core.commands.commands import LoadExperiment
    from steadyarm.live.storage import recovery

    api = open_api()
    api.create()
    with api.service.store.read() as connection:
        old = recovery.load(connection, "e")
    api.allocate("u0")
    api.service.writer.memory.experiments.clear()
    api.http.run(api.service._submit(LoadExperiment("e", old)))
    assert api.allocate("u1").json()["round"] == 2
    assert api("GET", "/v1/experiments/e/verify").json()["decisions"] == 2
