"""The log: whoever reads it, or does not, the service goes on."""

import json
import logging
import os
import signal
import threading

import pytest
from tests.live.server import Server

from steadyarm.live.core import logs


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    with os.fdopen(reading) as read, os.fdopen(writing, "w") as write:
        yield read, write


def test_a_log_that_nobody_reads_does_not_hold_the_service_up(sqlite, pipe):
    server = Server(sqlite).start(log=pipe[1])
    try:
        with server.client() as client:
            for _ in range(40):  # 400 kB of lines; a pipe holds 64
                assert client.get("/v1/" + "x" * 10_000, timeout=5).status_code == 404
            assert client.get("/readyz", timeout=5).status_code == 200
        server.send(signal.SIGTERM)
        assert server.process.wait(10) == 0  # nor does it hold up the end
    finally:
        server.process.kill()
        server.process.wait(10)


def test_lines_without_room_are_counted_and_never_waited_for(monkeypatch, pipe):
    reading, writing = pipe
    monkeypatch.setattr(logs, "MOST_WAITING", 20)
    logs.configure("info", writing)
    try:
        with logs.in_background():
            for number in range(3000):
                logs.log("info", "filling", number=number, text="x" * 100)
            found = [json.loads(reading.readline()) for _ in range(20)]
            assert [each["number"] for each in found] == list(range(20))
            rest = []
            reader = threading.Thread(target=lambda: rest.extend(json.loads(line) for line in reading))
            reader.start()
    finally:
        logs.configure("warning")
    writing.close()  # the thread of the log has closed its own
    reader.join(10)
    assert not reader.is_alive()
    dropped = sum(each["lines"] for each in rest if each["event"] == "log_lines_dropped")
    assert dropped > 1000
    assert dropped + len(found) + sum(each["event"] == "filling" for each in rest) == 3000


def test_what_libraries_say_is_a_line_too(pipe):
    reading, writing = pipe
    logs.configure("warning", writing)
    try:
        with logs.in_background():
            try:
                raise KeyError("inside")
            except KeyError:
                logging.getLogger("asyncio").exception("in a task,\nand two lines")
            said = json.loads(reading.readline())
    finally:
        logs.configure("warning")
    assert (said["level"], said["event"], said["name"]) == ("error", "library", "asyncio")
    assert said["message"] == "in a task,\nand two lines"
    assert "KeyError: 'inside'" in said["trace"]


def test_a_log_whose_reader_is_gone_stops_nothing(pipe):
    reading, writing = pipe
    logs.configure("info", writing)
    try:
        with logs.in_background():
            reading.close()
            for _ in range(3):
                logs.log("info", "unheard")
        logs.log("info", "unheard")
    finally:
        logs.configure("warning")
    with pytest.raises(BrokenPipeError):
        writing.close()


def test_a_service_without_a_server_of_ours_logs_in_the_background_too(sqlite):
    from tests.live.conftest import InProcess

    from steadyarm.live import Settings, create_app

    http = InProcess(create_app(Settings(database=sqlite)))
    try:
        assert logs._settings["background"] is not None
        assert http.get("/healthz").status_code == 200
    finally:
        http.close()
    assert logs._settings["background"] is None
