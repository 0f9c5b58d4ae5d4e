"""What an attacker would try; docs/security.md names these tests beside each threat."""

import contextlib
import json
import re
import socket
import sqlite3
import time
from pathlib import Path

import pytest
from tests.live.conftest import problem
from tests.live.server import CONFIGURATION


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=10)


def received(connection):
    """All that comes until the server closes."""
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def raw(server, *lines, body=b"", token=True):
    """Send a request byte by byte as it stands, and return all that comes back."""
    head = "\r\n".join([*lines, *([f"authorization: Bearer {server.token}"] if token else [])]) + "\r\n\r\n"
    with connect(server) as connection:
        connection.sendall(head.encode() + body)
        return received(connection)


def test_the_log_is_one_json_line_an_event_whatever_the_request_says(server):
    until = time.monotonic() + 10
    raw(server, "GET /v1/now HTTP/1.1", "host: x", "connection: close")
    while "/v1/now" not in server.log():  # a thread writes it, after what other tests asked for
        assert time.monotonic() < until
        time.sleep(0.01)
    before = len(server.log().splitlines())
    raw(server, 'GET /v1/a%0a{"level":"error","event":"forged"} HTTP/1.1', "host: x", "connection: close")
    raw(server, "GET /v1/%1b[31m%E2%80%A8 HTTP/1.1", "host: x", "x-request-id: a%0ab", "connection: close")
    raw(server, f"GET /v1/experiments?token={server.token} HTTP/1.1", "host: x", "connection: close")
    raw(
        server,
        "GET /v1/x HTTP/1.1",
        "host: x",
        "authorization: Bearer wrong_one_secret",
        "connection: close",
        token=False,
    )
    while len(lines := server.log().splitlines()[before:]) < 4:
        assert time.monotonic() < until
        time.sleep(0.01)
    assert all(json.loads(line)["event"] in ("request", "defect") for line in lines)
    assert len(lines) == 4
    log = server.log()
    assert server.token not in log
    assert "wrong_one_secret" not in log
    assert "\x1b" not in log
    assert "\u2028" not in log


def test_a_token_is_stored_as_a_hash_only(server):
    path = Path(server.database.removeprefix("sqlite:///") + ".tokens")
    secret = server.token.split("_", 2)[2].encode()
    for file in path.parent.iterdir():
        assert secret not in file.read_bytes(), file
    with sqlite3.connect(path) as connection:
        (hashed,) = connection.execute("SELECT hash FROM tokens").fetchone()
    connection.close()
    assert re.fullmatch("[0-9a-f]{64}", hashed)


def test_pages_of_other_sites_get_no_leave_to_ask(server):
    for method in ("OPTIONS", "GET"):
        answer = raw(
            server,
            f"{method} /v1/experiments HTTP/1.1",
            "host: x",
            "origin: https://elsewhere.example",
            "access-control-request-method: PUT",
            "connection: close",
            token=method == "GET",
        ).lower()
        assert b"access-control-" not in answer
        assert b"set-cookie" not in answer
    assert raw(
        server, "OPTIONS /v1/experiments HTTP/1.1", "host: x", "connection: close", token=False
    ).startswith(b"HTTP/1.1 401 ")


def test_texts_with_quotes_are_texts(api):
    nasty = "'; DROP TABLE journal; -- \" \\ %s {0} ?1 :x <script>alert(1)</script>"
    api.create("e", description=nasty, arms=[nasty[:64], "b"])
    for number in range(4):
        api.allocate(f"u{number}")
    assert api.void("u0", nasty).json()["reason"] == nasty
    assert api.state()["configuration"]["description"] == nasty
    assert {entry.get("arm") for entry in api.events()} >= {nasty[:64], "b"}
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


def test_a_number_of_an_entry_has_sixteen_digits_at_most(api):
    api.create()
    for last in ("9" * 17, "0" * 20 + "9" * 30, "9" * 5000, "-1", "1.5", "²"):
        answer = api("GET", "/v1/experiments/e/stream", headers={"last-event-id": last.encode()})
        problem(answer, 422, "invalid")


@pytest.mark.parametrize("depth", [100, 500, 900, 20_000])
def test_a_body_is_not_nested_for_ever(api, depth):
    for left, right in (("[", "]"), ('{"a":', "}")):
        nested = left * depth + ("1" if "a" in left else "") + right * depth
        for method, path in (
            ("PUT", "/v1/experiments/e"),
            ("POST", "/v1/plan"),
            ("POST", "/v1/simulations"),
            ("POST", "/v1/experiments/e/allocations"),
            ("PUT", "/v1/experiments/e/allocations/u/reward"),
        ):
            problem(api(method, path, text=f'{{"arms": {nested}}}'), 400, "malformed")
    brackets = CONFIGURATION | {"arms": [f"[{number}" for number in range(100)]}  # these are not nested
    assert api("PUT", "/v1/experiments/e", brackets | {"horizon": 1000}).status_code == 201


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "latin-1"])
def test_a_body_is_in_utf_8_and_nothing_else(api, encoding):
    api.create()
    api.allocate("u")
    for method, path, content in (
        ("PUT", "/v1/experiments/f", {"arms": ["grün", "rot"], "horizon": 10}),
        ("POST", "/v1/experiments/e/allocations", {"units": ["ü"]}),
        ("PUT", "/v1/experiments/e/allocations/u/reward", {"reward": 1, "ü": 1}),
        ("POST", "/v1/experiments/e/allocations/u/void", {"reason": "verlören"}),
        ("POST", "/v1/plan", {"arms": 2, "horizon": 100, "ü": 1}),
        ("POST", "/v1/simulations", {"ü": 1}),
    ):
        text = json.dumps(content, ensure_ascii=False)
        said = problem(api(method, path, text=text.encode(encoding)), 400, "malformed")
        assert "must be JSON" in said["detail"]
        assert encoding.endswith(("-le", "-be")) or "UTF-8" in said["detail"]
        assert api(method, path, text=text.encode()).status_code != 400


def test_a_number_is_not_endless(api):
    api.create()
    for digits in (4301, 10**5, 2 * 10**5):
        text = '{"reward": ' + "9" * digits + "}"
        said = problem(api("PUT", "/v1/experiments/e/allocations/u/reward", text=text), 400, "malformed")
        assert "4,300 digits" in said["detail"]


def test_who_only_acts_learns_an_arm_and_nothing_that_predicts_the_next(api):
    api.create()
    token = api.with_scopes("allocate", "report")
    answer = api("PUT", "/v1/experiments/e/allocations/u", token=token)
    assert answer.json().keys() == {"unit", "arm", "round", "seq"}
    told = api("PUT", "/v1/experiments/e/allocations/u/reward", {"reward": 1}, token=token)
    assert told.json().keys() == {"unit", "arm", "reward", "seq"}
    for path in ("", "/arms", "/results", "/events", "/stream", "/verify", "/allocations/u"):
        problem(api("GET", f"/v1/experiments/e{path}", token=token), 403, "forbidden")
    read = api.with_scopes("read")
    problem(api("GET", "/v1/experiments/e/arms", token=read), 403, "forbidden")
