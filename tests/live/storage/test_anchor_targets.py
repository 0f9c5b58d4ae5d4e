"""Where anchors go: lines of a file, rows of a second database, or a URL that may do anything."""

import socket
import threading
import time
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.core.anchors import Anchor, SigningKey
from steadyarm.live.storage import anchor_targets
from steadyarm.live.storage.anchor_targets import read_anchors, target_of, targets_of
from steadyarm.live.storage.store import Store

KEY = SigningKey.new()
AT = "2026-11-15T09:30:00.125Z"


def anchor(seq, key=KEY):
    hash_ = f"{seq:064x}"
    return Anchor("e", seq, hash_, AT, key.id), key.anchor("e", seq, hash_, AT)


def heads(place, *keys):
    return [
        each.seq for each in read_anchors([str(place)], [key.public for key in keys or (KEY,)]).heads["e"]
    ]


def test_a_file_gets_a_line_for_each_anchor(tmp_path, store):
    target = target_of(str(tmp_path / "anchors"), store)
    for seq in (1, 2):
        target.send(*anchor(seq))
    assert heads(tmp_path / "anchors") == [1, 2]
    assert (tmp_path / "anchors").stat().st_mode & 0o077 == 0


def test_half_a_line_from_before_costs_that_line_only(tmp_path, store):
    path = tmp_path / "anchors"
    path.write_text(anchor(1)[1] + "\n" + anchor(2)[1][:40])
    target_of(f"file://{path}", store).send(*anchor(3))
    assert heads(path) == [1, 3]
    assert read_anchors([str(path)], [KEY.public]).unreadable == 1


def test_two_servers_may_share_a_file(tmp_path, store):
    other, path = SigningKey.new(), tmp_path / "anchors"
    target_of(str(path), store).send(*anchor(1))
    target_of(str(path), store).send(*anchor(7, other))
    assert heads(path) == [1]
    assert heads(path, other) == [7]


@pytest.mark.parametrize("name", ["live.db", "live.db-wal", "other.db"])
def test_neither_the_store_nor_any_database_is_taken_for_a_file_of_anchors(tmp_path, store, name):
    (tmp_path / "other.db").write_bytes(b"SQLite format 3\0 and more")
    with pytest.raises(InvalidInput, match="must go to a file of their own"):
        target_of(str(tmp_path / name), store)


def test_a_target_that_cannot_be_is_refused_at_once(tmp_path, store):
    for wrong, said in [
        (str(tmp_path), "a file"),
        (f"{tmp_path}/nowhere/file", "a folder that exists"),
        (f"sqlite:///{tmp_path}/live.db", "another database"),
        ("http://", "host"),
    ]:
        with pytest.raises(InvalidInput, match=said):
            target_of(wrong, store)
    with pytest.raises(InvalidInput, match="no file"):
        read_anchors([f"sqlite:///{tmp_path}/nothing.db"], [KEY.public])
    with pytest.raises(InvalidInput, match="Save what"):
        read_anchors(["https://host/anchors"], [KEY.public])


@pytest.mark.parametrize("same", ["me:secret@host", "you@host", "me@host:5432", "host"])
def test_the_store_itself_is_no_place_for_anchors_whoever_asks_for_it(same):
    with closing(Store("postgresql://me@host/live")) as store:
        with pytest.raises(InvalidInput, match="another database"):
            target_of(f"postgresql://{same}/live", store)
        assert target_of(f"postgresql://{same}/kept", store).path is None


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    "names",
    [
        ("{}/anchors", "{}/anchors"),
        ("{}/anchors", "{}/folder/../anchors"),
        ("{}/anchors", "{}/link"),
        ("{}/anchors", "{}/linked/anchors"),
        ("file://{}/anchors", "{}/anchors"),
        ("sqlite:///{}/second.db", "sqlite:///{}/folder/../second.db"),
        ("sqlite:///{}/second.db", "{}/second.db"),
        ("https://host/kept", "https://me:secret@host/kept?token=hidden"),
        ("postgresql://me@host/kept", "postgresql://you:secret@host:5432/kept?application_name=hidden"),
    ],
)
def test_two_targets_that_are_one_place_are_refused(tmp_path, store, names, there):
    (tmp_path / "folder").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "anchors")
    if there:
        (tmp_path / "anchors").touch()
        (tmp_path / "second.db").touch()
    given = [name.format(tmp_path) for name in names]
    with pytest.raises(InvalidInput, match="must go to different places") as refused:
        targets_of(given, store, tmp_path / "key")
    assert "secret" not in str(refused.value)
    assert "hidden" not in str(refused.value)


def test_a_file_of_two_names_is_one_place(tmp_path, store):
    (tmp_path / "anchors").touch()
    (tmp_path / "same").hardlink_to(tmp_path / "anchors")
    with pytest.raises(InvalidInput, match="must go to different places"):
        targets_of([f"{tmp_path}/anchors", f"{tmp_path}/same"], store, tmp_path / "key")
    found = targets_of([f"{tmp_path}/anchors", f"{tmp_path}/other"], store, tmp_path / "key")
    assert [each.name for each in found] == [f"{tmp_path}/anchors", f"{tmp_path}/other"]


def test_the_key_and_what_stands_beside_the_store_take_no_anchors_by_whatever_name(tmp_path, store):
    (tmp_path / "linked").symlink_to(tmp_path)
    with pytest.raises(InvalidInput, match="the file of the key"):
        targets_of([f"{tmp_path}/linked/key"], store, tmp_path / "key")
    for wrong in (f"{tmp_path}/linked/live.db-wal", f"sqlite:///{tmp_path}/live.db.anchors"):
        with pytest.raises(InvalidInput, match="a file of their own"):
            target_of(wrong, store)


class Place(BaseHTTPRequestHandler):
    """A place that answers as the path says."""

    def do_POST(self):
        length = int(self.headers["content-length"])
        self.server.got.append(
            (self.path, self.rfile.read(length).decode(), self.headers.get("authorization"))
        )
        if self.path == "/hangs":
            self.server.released.wait(20.0)
            return
        if self.path == "/drips":
            while not self.server.released.wait(0.05):
                self.wfile.write(b"HTTP/1.1 200 OK\r\nx: y\r\n"[:1])
            return
        status = {"/moved": 302, "/fails": 500}.get(self.path, 201)
        body = b"x" * 100_000 if self.path == "/long" else b"receipt 17"
        self.send_response(status)
        self.send_header("location", "/kept")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def place():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Place)
    server.daemon_threads = True
    server.got, server.released = [], threading.Event()
    server.handle_error = lambda *_: None  # who was given up on
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.released.set()
    server.shutdown()
    server.server_close()


def test_a_url_gets_the_anchor_as_json_and_its_answer_is_kept(place, store):
    port = place.server_address[1]
    target = target_of(f"http://me:secret@127.0.0.1:{port}/kept?token=hidden", store)
    assert "secret" not in target.name
    assert "hidden" not in target.name
    assert target.send(*anchor(1)) == "receipt 17"
    ((_, body, authorization),) = place.got
    assert body == anchor(1)[1]
    assert authorization.startswith("Basic ")
    long = target_of(f"http://127.0.0.1:{port}/long", store).send(*anchor(1))
    assert len(long) == anchor_targets.LONGEST_ANSWER


SAID = {"moved": "it answered 302", "fails": "it answered 500", "hangs": "not answer", "drips": "not answer"}


@pytest.mark.parametrize("path", SAID)
def test_a_url_that_does_not_keep_it_is_a_failure_within_seconds(place, store, monkeypatch, path):
    monkeypatch.setattr(anchor_targets, "TIMEOUT_SECONDS", 0.4)
    target, started = target_of(f"http://127.0.0.1:{place.server_address[1]}/{path}", store), time.monotonic()
    with pytest.raises(SteadyarmError, match=SAID[path]):
        target.send(*anchor(1))
    assert time.monotonic() - started < 3.0
    assert len(place.got) == 1  # a redirect is not followed


def test_a_url_where_nobody_is_is_a_failure(store):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with pytest.raises(SteadyarmError, match="ConnectError"):
        target_of(f"http://127.0.0.1:{port}/", store).send(*anchor(1))
