"""Event streams: they end when they should, cost little when nobody reads them, and give their place back."""

import asyncio
import contextlib
import socket
import time

import pytest
from tests.faults.clients import create
from tests.faults.test_load import resident
from tests.live.crowd import ALLOCATE
from tests.live.server import Server, new_token, run_live

from steadyarm.live.core.problems import Problem
from steadyarm.live.http import streams

BATCHES = 30
STREAM = "/v1/experiments/e/stream"
HASTY = """
from steadyarm.live.http import connections
connections.READ_SECONDS = 3.0
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(
        f"sqlite:///{tmp_path_factory.mktemp('store')}/live.db", "--log-level", "warning", before=HASTY
    ) as running:
        create(running, horizon=10**9)
        with running.client() as client:
            for batch in range(BATCHES):
                units = [f"u{batch}-{place}" for place in range(1000)]
                assert client.post(ALLOCATE, json={"units": units}).status_code == 200
        yield running


def open_stream(server, after=0, token=None):
    """A connection on which a stream was asked for; the server's answer is left where it is."""
    connection = socket.socket()
    connection.settimeout(10)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    connection.connect(("127.0.0.1", server.port))
    head = f"GET {STREAM}?after={after} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token or server.token}"
    connection.sendall(f"{head}\r\n\r\n".encode())
    return connection


def places_taken(server):
    with server.client() as client:
        lines = client.get("/metrics").text.splitlines()
    return int(float(next(line for line in lines if line.startswith("steadyarm_streams ")).split()[1]))


def wait_for_places(server, wanted, seconds):
    until = time.monotonic() + seconds
    while places_taken(server) != wanted:
        assert time.monotonic() < until, places_taken(server)
        time.sleep(0.05)


def status_of(connection):
    return int(connection.recv(12).split()[1])


@pytest.mark.slow
def test_two_hundred_streams_that_are_never_read_cost_little_and_their_places_are_free_when_they_close(
    server,
):
    before = resident(server)
    with contextlib.ExitStack() as stack:
        for _ in range(streams.MOST_STREAMS):
            stack.enter_context(open_stream(server))
        wait_for_places(server, streams.MOST_STREAMS, 30)
        with open_stream(server) as one_more:
            assert status_of(one_more) == 503
        time.sleep(1.0)
        assert resident(server) < before + 80  # MB
    begun = time.monotonic()
    wait_for_places(server, 0, 10)
    with contextlib.ExitStack() as stack:
        again = [stack.enter_context(open_stream(server)) for _ in range(streams.MOST_STREAMS)]
        assert [status_of(each) for each in again] == [200] * streams.MOST_STREAMS
    assert time.monotonic() - begun < 20
    wait_for_places(server, 0, 10)


def test_a_client_that_takes_nothing_is_given_up_and_one_that_reads_slowly_is_not(server):
    with open_stream(server) as stuck, open_stream(server) as slow:
        wait_for_places(server, 2, 10)
        begun = time.monotonic()
        while time.monotonic() - begun < 7.0:  # twice as long as it has patience
            assert slow.recv(1 << 17)
            time.sleep(0.5)
        assert places_taken(server) == 1
        with contextlib.suppress(ConnectionResetError):  # what was on its way, and no more
            while stuck.recv(1 << 20):
                pass
    wait_for_places(server, 0, 10)


def test_a_stream_ends_within_seconds_when_its_token_is_revoked(server):
    token = new_token(server.database, "read")
    end = 2 + BATCHES * 1000
    with open_stream(server, end, token) as revoked, open_stream(server, end) as other:
        wait_for_places(server, 2, 10)
        run_live("token", "--database", server.database, "--revoke", token.split("_")[1])
        begun = time.monotonic()
        said = b""
        while part := revoked.recv(1 << 16):
            said += part
        assert time.monotonic() - begun < 5.0  # and on a quiet machine within two and a half
        assert said.endswith(b"0\r\n\r\n")  # an end, not a breakdown
        assert places_taken(server) == 1
        with server.client() as client:
            assert client.put(f"{ALLOCATE}/later").status_code == 201
        said = b""
        while b'"unit":"later"' not in said:
            said += other.recv(1 << 16)
        with open_stream(server, end, token) as again:
            assert status_of(again) == 401
    wait_for_places(server, 0, 10)


def test_those_who_follow_one_journal_share_what_is_read(open_api, monkeypatch):
    api = open_api()
    api.create()
    read, reads = streams._read, []

    def slow(*arguments):
        reads.append(arguments)
        time.sleep(0.5)  # so long that all of them ask before the first is answered
        return read(*arguments)

    monkeypatch.setattr(streams, "_read", slow)

    async def follow():
        service = api.service
        token = await service.authentication.find(api.token)
        identity = await service.identity("e")
        followers = [streams.server_sent_events(service, "e", identity, 0, token) for _ in range(50)]
        assert {await anext(each) for each in followers} == {b"retry: 2000\n\n"}
        (events,) = set(await asyncio.gather(*map(anext, followers)))
        for follower in followers:
            await follower.aclose()
        return events

    events = api.http.run(follow())
    assert [line for line in events.splitlines() if line.startswith(b"id")] == [b"id: 1", b"id: 2"]
    assert len(reads) == 1


def test_a_place_is_given_back_however_a_stream_ends():
    async def run():
        hub = streams.Hub()

        async def endless():
            while True:
                yield b"x"

        async def send(_message):
            if hub.open > 1:
                raise ZeroDivisionError

        async def receive():
            return {"type": "http.disconnect"}

        with hub.place():
            for _ in range(3):
                scope = {"type": "http", "asgi": {}}
                with contextlib.suppress(ZeroDivisionError):
                    await streams.EventStream(hub, endless())(scope, receive, send)
                assert hub.open == 1
            hub.open = streams.MOST_STREAMS
            with pytest.raises(Problem, match="200 streams are open already"):
                await streams.EventStream(hub, endless())(scope, receive, send)
            hub.open = 1
        assert hub.open == 0

    asyncio.run(run())
