"""Connections with an end to patience: a request must arrive in time, its head has a size, its answer must be taken.

uvicorn waits for ever for the rest of a request and keeps whatever headers come; that is left to a proxy as a
rule, and this service is often run without one.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from steadyarm.live.core.problems import MEDIA_TYPE, Problem

REQUEST_SECONDS = 20.0
READ_SECONDS = 60.0
LARGEST_HEAD = 1 << 15
MOST_FILES = 1 << 14
_OTHER_FILES = 100  # that the process may have open beside its connections


def most_connections() -> int:
    """Return how many connections the process can keep open, after asking the system for more files."""
    if sys.platform == "win32":
        return 500
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < MOST_FILES:  # an infinite limit is a large number here, or a negative one
        soft = min(MOST_FILES, hard) if hard > 0 else MOST_FILES
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(soft, MOST_FILES) - _OTHER_FILES)


class Connection(HttpToolsProtocol):
    """A client's connection."""

    most = MOST_FILES

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless there are too many connections already."""
        super().connection_made(transport)
        self._started_at: float | None = self.loop.time()
        self._head = 0  # bytes
        self._in_head = True
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        if len(self.connections) > self.most:
            self._refuse(Problem("overloaded", "too many connections are open. Ask again later."))
        else:
            self._timer = self.loop.call_later(REQUEST_SECONDS, self._check_time)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        for timer in (self._timer, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Called when the client takes too little; one that takes nothing at all is given up."""
        super().pause_writing()
        self._unread = self.loop.call_later(
            READ_SECONDS, self._check_unread, self.transport.get_write_buffer_size()
        )

    def resume_writing(self) -> None:
        """Called when the client has taken most of it."""
        if self._unread is not None:
            self._unread.cancel()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        if self._started_at is None:
            self._started_at = self.loop.time()
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("")

    def on_message_begin(self) -> None:
        """Called at the first byte of a request."""
        self._in_head, self._listed = True, 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Called for the address, or a part of it."""
        self._list(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called for a header."""
        self._list(name, value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Called before the body."""
        self._in_head, self._head = False, 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Called when a request is there."""
        self._started_at, self._in_head = None, True
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (uvicorn's own words are replaced by ours)
        """Refuse what is not HTTP."""
        self._refuse(
            Problem(
                "malformed",
                "this is not HTTP, its address is not percent-encoded, or address and headers have more than "
                f"{LARGEST_HEAD:,} bytes together.",
            )
        )

    def _list(self, *parts: bytes) -> None:
        """Count parts of a head; what is raised here is answered as a request that cannot be understood."""
        self._listed += sum(map(len, parts))
        if self._listed > LARGEST_HEAD:
            raise ValueError("the head is too large")

    def _check_time(self) -> None:
        """Close the connection if a request has been on its way for too long; one timer serves all requests."""
        now = self.loop.time()
        if self._started_at is not None and now - self._started_at >= REQUEST_SECONDS:
            self.transport.close()
            return
        since = now if self._started_at is None else self._started_at
        self._timer = self.loop.call_later(since + REQUEST_SECONDS - now, self._check_time)

    def _check_unread(self, before: int) -> None:
        """Drop a connection whose client has taken nothing since the last look, with all that waits for it."""
        left = self.transport.get_write_buffer_size()
        if left >= before:
            self.transport.abort()
        else:
            self._unread = self.loop.call_later(READ_SECONDS, self._check_unread, left)

    def _refuse(self, problem: Problem) -> None:
        body = problem.body("")
        headers: dict[str, Any] = {
            "content-type": MEDIA_TYPE,
            "content-length": len(body),
            "connection": "close",
        }
        lines = [f"{name}: {value}\r\n".encode() for name, value in headers.items()]
        self.transport.write(b"".join([STATUS_LINE[problem.status], *lines, b"\r\n", body]))
        self.transport.close()
