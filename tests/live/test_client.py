"""The client's patience has an end, and what it does about a service that does not answer."""

import asyncio
import contextlib
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from steadyarm.errors import InvalidInput
from steadyarm.live import AsyncClient, Client, LiveError, NoAnswer


@contextlib.contextmanager
def silent():
    """A server that takes connections and never says a word; yields its URL."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextlib.contextmanager
def dripping(what="body"):
    """A server that answers a piece at a time, and never ends; yields its URL."""

    class Dripping(BaseHTTPRequestHandler):
        def do_PUT(self):
            piece = {
                "body": b" ",
                "headers": b"x-more: yes\r\n",
                "processing": b"HTTP/1.1 102 Processing\r\n\r\n",
            }
            if what != "processing":
                self.send_response(200)
                self.send_header("content-length", "1000")
                self.end_headers() if what == "body" else self.flush_headers()
            with contextlib.suppress(OSError):
                for _ in range(100):
                    self.wfile.write(piece[what])
                    time.sleep(0.05)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class Refusing(BaseHTTPRequestHandler):
    """Answers everything with the problem of its server."""

    def do_PUT(self):
        self.server.asked += 1
        content = json.dumps({"code": self.server.code, "detail": "not now."}).encode()
        self.send_response(503 if self.server.code else 200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def refusing(code):
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        server.code, server.asked, server.daemon_threads = code, 0, True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def ask(kind, url, options, times=1):
    if kind is Client:
        with Client(url, "none", **options) as client:
            for _ in range(times):
                client.experiment("e").allocate("u")
    else:

        async def run():
            async with AsyncClient(url, "none", **options) as client:
                for _ in range(times):
                    await client.experiment("e").allocate("u")

        asyncio.run(run())


def allocate(kind, url, **options):
    """Ask for an arm; returns the seconds it took to fail, and how."""
    begun = time.monotonic()
    with pytest.raises((NoAnswer, LiveError)) as failed:
        ask(kind, url, options)
    return time.monotonic() - begun, failed.value


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("timeout", [0.1, 10.0])
def test_a_call_ends_at_its_deadline_though_nobody_answers(kind, timeout):
    with silent() as url:
        seconds, error = allocate(kind, url, timeout=timeout, deadline=0.6)
    assert isinstance(error, NoAnswer)
    assert isinstance(error, TimeoutError)
    assert 0.2 < seconds < 3.0
    assert "PUT /v1/experiments/e/allocations/u" in str(error)
    assert "0.6 seconds" in str(error)
    assert "the same call again is safe" in str(error)


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize("what", ["body", "headers", "processing"])
def test_a_call_ends_at_its_deadline_though_the_answer_comes_a_piece_at_a_time(kind, what):
    with dripping(what) as url:
        seconds, error = allocate(kind, url, deadline=0.6)
    assert isinstance(error, NoAnswer)
    assert seconds < 3.0


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_call_ends_at_its_deadline_though_nobody_says_where_the_service_is(kind, monkeypatch):
    asked = threading.Event()

    def hang(*_, **__):
        asked.set()
        time.sleep(4.0)
        raise socket.gaierror(socket.EAI_AGAIN, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    if kind is Client:
        seconds, error = allocate(kind, "http://somewhere.invalid", deadline=0.6)
    else:

        async def call():
            async with AsyncClient("http://somewhere.invalid", "none", deadline=0.6) as client:
                begun = time.monotonic()
                with pytest.raises(NoAnswer) as failed:
                    await client.experiment("e").allocate("u")
                return time.monotonic() - begun, failed.value

        seconds, error = asyncio.run(call())  # which waits for the look-up's thread
    assert asked.is_set()
    assert isinstance(error, NoAnswer)
    assert seconds < 3.0


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_service_that_cannot_serve_is_asked_until_the_deadline_and_then_speaks_for_itself(kind):
    with refusing("unavailable") as (server, url):
        seconds, error = allocate(kind, url, deadline=4.0, attempts=1000)
    assert isinstance(error, LiveError)
    assert (error.status, error.code) == (503, "unavailable")
    assert seconds < 6.0
    assert server.asked > 2


def test_by_default_a_call_ends_within_half_a_minute():
    for kind in (Client, AsyncClient):
        assert kind.__init__.__kwdefaults__["deadline"] == 30.0


@pytest.mark.parametrize("wrong", [0.0, -1.0, float("nan")])
def test_a_deadline_is_a_positive_number(wrong):
    with pytest.raises(ValueError, match="deadline must be positive"):
        Client("http://127.0.0.1:9", "none", deadline=wrong)
    with pytest.raises(ValueError, match="deadline must be positive"):
        Client("http://127.0.0.1:9", "none").experiment("e").allocate("u", deadline=wrong)


def test_what_is_no_text_is_refused_before_it_is_sent():
    with silent() as url:
        with Client(url, "token") as client, pytest.raises(InvalidInput, match="half a character"):
            client.experiment("e").allocate_many(["\ud800"])

        async def told():
            async with AsyncClient(url, "token") as client:
                await client.experiment("e").void("u", "\ud800")

        with pytest.raises(InvalidInput, match="half a character"):
            asyncio.run(told())
