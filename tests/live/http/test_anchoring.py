"""Heads are signed and sent while the service runs; a target that is away costs nothing and loses nothing."""

import contextlib
import json
import math
import socket
import threading
import time

import pytest
from tests.live.conftest import Api
from tests.live.server import CONFIGURATION, Server

from steadyarm.errors import InvalidInput
from steadyarm.live.http import anchoring
from steadyarm.live.http.service import Service, Settings
from steadyarm.live.storage.anchor_table import AnchorTable
from steadyarm.live.storage.anchor_targets import FileTarget, read_anchors

OFTEN = {"anchor_entries": 1}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(anchoring, "CHECK_EVERY_SECONDS", 0.05)
    monkeypatch.setattr(anchoring, "FIRST_REST", 0.05)


@pytest.fixture
def start(sqlite):
    """Start services on one SQLite store, one after the other."""
    with contextlib.ExitStack() as stack:

        def started(**settings):
            api = Api(sqlite, **settings)
            stack.callback(api.close)
            return api

        yield started


def eventually(true):
    until = time.monotonic() + 20.0
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def heads(api, path):
    """Return the entries of `e` that a file has anchors of, signed by the service's key."""
    if not path.exists():
        return []
    key = api("GET", "/v1/anchoring").json()["public_key"]
    return [each.seq for each in read_anchors([str(path)], [key]).heads["e"]]


def reached(api, path, seq):
    """Wait until an entry is anchored, and its receipt kept."""

    def there():
        sent = api.service.anchoring.sendings[-1].sent or {}
        return heads(api, path)[-1:] == [seq] and sent.get("e", (0,))[0] == seq

    eventually(there)


def test_heads_are_sent_as_the_journal_grows_and_receipts_are_kept(open_api, tmp_path):
    path = tmp_path / "anchors"
    api = open_api(anchors=(str(path),), anchor_key=str(tmp_path / "key"), **OFTEN)
    api.create()
    reached(api, path, 2)
    api.allocate("u1")
    reached(api, path, 3)
    receipts = AnchorTable.receipts(api.service.store)
    eventually(lambda: receipts.newest(str(path))["e"][:2] == (3, api.state()["hash"]))
    receipts.close()
    (target,) = api("GET", "/v1/anchoring").json()["targets"]
    assert (target["target"], target["waiting"], target["error"]) == (str(path), 0, None)
    assert f'steadyarm_anchor_failing{{target="{path}"}} 0.0' in api("GET", "/metrics").text


def test_a_head_waits_for_enough_entries_or_enough_time(start, tmp_path):
    path = tmp_path / "anchors"
    api = start(anchors=(str(path),), anchor_entries=5, anchor_minutes=60.0)
    api.create(started=False)
    reached(api, path, 1)
    api("POST", "/v1/experiments/e/start")
    for number in range(3):
        api.allocate(f"u{number}")
    time.sleep(0.3)
    assert heads(api, path) == [1]
    api.allocate("u3")
    reached(api, path, 6)
    api.allocate("u4")
    api.close()
    again = start(anchors=(str(path),), anchor_entries=5, anchor_minutes=60.0)
    reached(again, path, 7)  # after a start all that has grown
    again.close()
    once_more = start(anchors=(str(path),), anchor_entries=5)
    time.sleep(0.3)
    assert heads(once_more, path) == [1, 6, 7]  # and nothing that has not


def test_while_a_target_is_away_units_are_allocated_and_later_it_gets_the_newest_head(
    start, tmp_path, monkeypatch
):
    away, path = threading.Event(), tmp_path / "anchors"
    away.set()
    kept = FileTarget.send

    def send(self, anchor, text):
        if away.is_set():
            raise OSError("no such device")
        return kept(self, anchor, text)

    monkeypatch.setattr(FileTarget, "send", send)
    api = start(anchors=(str(path),), **OFTEN)
    api.create()
    for number in range(5):
        assert api.allocate(f"u{number}").status_code == 201

    def target():
        return api("GET", "/v1/anchoring").json()["targets"][0]

    eventually(lambda: target()["failing_since"] is not None)
    assert target()["waiting"] == 1
    assert "no such device" in target()["error"]
    assert api("GET", "/readyz").status_code == 200
    eventually(lambda: "steadyarm_anchor_failing" in api("GET", "/metrics").text)
    api.service.anchoring.sendings[0].again_at = math.inf
    api.create("f")  # never anchored, and counted though nothing is tried meanwhile
    eventually(lambda: f'steadyarm_anchor_waiting{{target="{path}"}} 2.0' in api("GET", "/metrics").text)
    api.service.anchoring.sendings[0].again_at = 0.0
    away.clear()
    reached(api, path, 7)
    assert heads(api, path) == [7]
    eventually(lambda: target()["failing_since"] is None)


def test_receipts_that_cannot_be_read_are_a_failure_with_everything_waiting(start, tmp_path, monkeypatch):
    def newest(*_):
        raise OSError("no receipts")

    monkeypatch.setattr(AnchorTable, "newest", newest)
    api = start(anchors=(str(tmp_path / "anchors"),), **OFTEN)
    api.create()

    def target():
        return api("GET", "/v1/anchoring").json()["targets"][0]

    eventually(lambda: target()["waiting"] == 1)
    assert "no receipts" in target()["error"]
    eventually(lambda: "steadyarm_anchor_failing" in api("GET", "/metrics").text)


def test_a_target_that_hangs_holds_up_neither_units_nor_other_targets_nor_the_end(
    start, tmp_path, monkeypatch
):
    released, path = threading.Event(), tmp_path / "anchors"
    kept = FileTarget.send
    monkeypatch.setattr(anchoring, "TIMEOUT_SECONDS", 0.2)

    def send(self, anchor, text):
        if self.name.endswith("stuck"):
            released.wait(20.0)
        return kept(self, anchor, text)

    monkeypatch.setattr(FileTarget, "send", send)
    api = start(anchors=(str(tmp_path / "stuck"), str(path)), **OFTEN)
    api.create()
    assert api.allocate("u1").status_code == 201
    reached(api, path, 3)
    eventually(
        lambda: api("GET", "/v1/anchoring").json()["targets"][0]["error"] == "TimeoutError: TimeoutError"
    )
    started = time.monotonic()
    api.close()
    assert time.monotonic() - started < 5.0
    released.set()


def test_a_server_stops_within_seconds_though_a_target_hangs(sqlite):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"http://127.0.0.1:{silent.getsockname()[1]}/anchors"
        server = Server(sqlite, "--anchor", place, new=True).start()
        with server.client() as client:
            client.put("/v1/experiments/e", json=CONFIGURATION)
        silent.settimeout(20.0)
        with silent.accept()[0]:  # it has begun to send, and waits for an answer
            seconds, log = server.stop()
    assert seconds < 5.0
    assert "Traceback" not in log


def test_a_restored_store_is_anchored_again_though_it_has_fewer_entries(start, tmp_path):
    service = start(anchors=(str(tmp_path / "anchors"),)).service
    sent = {"e": (9, "later", time.monotonic())}
    assert service.anchoring._due([("e", 5, "earlier")], sent) == [("e", 5, "earlier")]
    assert service.anchoring._due([("e", 9, "another")], sent) == [("e", 9, "another")]
    assert service.anchoring._due([("e", 9, "later")], sent) == []


def test_an_anchor_is_one_line_that_says_what_it_stands_for(start, tmp_path):
    path = tmp_path / "anchors"
    api = start(anchors=(str(path),))
    api.create(started=False)
    reached(api, path, 1)
    said = json.loads(path.read_text())
    assert said["hash"] == api.state()["hash"]
    assert set(said) == {"kind", "experiment", "seq", "hash", "at", "software", "key", "signature"}


def test_a_service_does_not_start_with_one_place_named_twice(sqlite, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "anchors")
    places = (str(tmp_path / "anchors"), str(tmp_path / "link"))
    with pytest.raises(InvalidInput, match="must go to different places"):
        Service(Settings(database=sqlite, anchors=places))


def test_a_key_that_had_to_be_made_is_told_once(start, tmp_path, monkeypatch):
    """After a restore without the old key, say, whose anchors those who verify would go on looking for."""
    said = []
    monkeypatch.setattr(anchoring, "log", lambda level, event, **more: said.append((level, event, more)))
    for _ in range(2):
        api = start(anchors=(str(tmp_path / "anchors.ndjson"),))
        key = api("GET", "/v1/anchoring").json()["key"]
        api.close()
    [(level, _, more)] = [each for each in said if each[1] == "anchor_key_made"]
    assert (level, more["key"]) == ("warning", key)
    assert "put that file back" in more["advice"]
