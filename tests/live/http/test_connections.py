"""Connections: requests that never end, heads without end, too many of them, and disputable ends."""

import contextlib
import time

import pytest
from tests.live.http.test_asgi import connect, raw, received


def test_a_request_that_never_ends_is_cut_off_and_others_are_served_meanwhile(server):
    begun = time.monotonic()
    with (
        connect(server) as silent,
        connect(server) as head,
        connect(server) as body,
        connect(server) as after,
    ):
        head.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n")
        body.sendall(
            f"PUT /v1/experiments/e/allocations/u HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {server.token}\r\n"
            "content-length: 10\r\n\r\nab".encode()
        )
        after.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        after.recv(1 << 16)
        after.sendall(b"\r\n\r\n")  # nothing, for as long as one likes
        with server.client() as client:
            assert client.get("/v1/experiments").status_code == 200
        for connection in (silent, head, body, after):
            assert b"201" not in received(connection)
    assert time.monotonic() - begun < 8
    with server.client() as client:  # a slow but honest client is not cut off between requests
        for _ in range(3):
            assert client.get("/healthz").status_code == 200
            time.sleep(0.7)


@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\nhost: x\r\n"
        + b"".join(b"x-%d: %s\r\n" % (n, b"y" * 4000) for n in range(20)),
        b"GET /healthz HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 200_000,
        b"GET /" + b"a" * 200_000,
        b"GET /" + b"a" * 60_000 + b" HTTP/1.1\r\nhost: x",
        b"GET /healthz?" + b"a" * 33_000 + b" HTTP/1.1\r\nhost: x",
        b"GET /healthz?" + b"a" * 17_000 + b" HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 17_000,
    ],
    ids=["many headers", "one header", "endless path", "path", "query", "both together"],
)
def test_a_head_has_a_size(server, head):
    with connect(server) as connection:
        with contextlib.suppress(ConnectionResetError, BrokenPipeError):
            connection.sendall(head + b"\r\n\r\n")
        answer = received(connection)
    assert not answer or answer.startswith(b"HTTP/1.1 400 ")
    with server.client() as client:
        assert client.get("/healthz").status_code == 200


def test_too_many_connections_are_turned_away_and_the_next_is_served(server):
    with contextlib.ExitStack() as stack:
        many = [stack.enter_context(connect(server)) for _ in range(60)]
        answers = []
        for connection in many:
            connection.settimeout(0.05)
            with contextlib.suppress(TimeoutError, ConnectionResetError):
                answers.append(connection.recv(1 << 12))
        assert any(answer.startswith(b"HTTP/1.1 503 ") and b'"overloaded"' in answer for answer in answers)
    time.sleep(0.1)
    with server.client() as client:
        assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        ["content-length: 5", "transfer-encoding: chunked"],
        ["content-length: 5", "content-length: 6"],
        ["transfer-encoding : chunked"],
        ["content-length: -1"],
        ["content-length: +5"],
        ["x: a\n smuggled: b"],
    ],
    ids=str,
)
def test_a_request_whose_end_is_disputable_is_refused_and_nothing_behind_it_is_read(server, headers):
    second = b"0\r\n\r\nPUT /v1/experiments/e/allocations/smuggled HTTP/1.1\r\nhost: x\r\n\r\n"
    answer = raw(server, "PUT /v1/experiments/e/allocations/first HTTP/1.1", "host: x", *headers, body=second)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1
    assert b'"code": "malformed"' in answer
    with server.client() as client:
        for unit in ("first", "smuggled"):
            assert client.get(f"/v1/experiments/e/allocations/{unit}").status_code == 404
