"""Structured logs: one JSON object a line, on standard error, never with a token, a body or a password.

While a service runs a thread of its own writes them: whoever reads the log may be slow, or gone, and nobody waits for
that. Lines for which there is no room are counted, and the count is logged.

Why not `logging` with a `QueueHandler` and a `QueueListener`: a queue that is full raises there and counts nothing, the
listener writes to a stream with a lock that Python waits for at its end, and `stop` waits for a reader that is gone.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from steadyarm.live.core.journal import now

LEVELS = ("debug", "info", "warning", "error")
MOST_WAITING = 10_000  # lines
LAST_LINES_SECONDS = 2.0  # for the last lines when a service ends

_settings: dict[str, Any] = {"level": LEVELS.index("warning"), "stream": None, "background": None}


def configure(level: str, stream: TextIO | None = None) -> None:
    """Choose what is logged, and where to."""
    _settings["level"] = LEVELS.index(level)
    _settings["stream"] = stream


def enabled(level: str) -> bool:
    """Whether lines of a level are written."""
    return bool(LEVELS.index(level) >= _settings["level"])


def log(level: str, event: str, **members: Any) -> None:
    """Write a line.

    >>> configure("info", sys.stdout)
    >>> log("info", "started", port=8000)
    {"time": "...Z", "level": "info", "event": "started", "port": 8000}
    >>> configure("warning")
    """
    if enabled(level):
        background = _settings["background"]
        (_print if background is None else background.put)(_line(level, event, **members))


@contextmanager
def in_background() -> Iterator[None]:
    """Have a thread write the log from now on, and what libraries log with it."""
    if _settings["background"] is not None:
        yield
        return
    root, libraries = logging.getLogger(), _Libraries(logging.WARNING)
    _settings["background"] = background = _Background()
    root.addHandler(libraries)
    try:
        yield
    finally:
        root.removeHandler(libraries)
        _settings["background"] = None
        background.close()


def _line(level: str, event: str, **members: Any) -> str:
    # In ASCII: what a request says must not break the line in two, nor move a terminal's cursor.
    return json.dumps({"time": now(), "level": level, "event": event, **members}, default=str)


def _print(line: str) -> None:
    # A log that cannot be written, because its disk is full or its reader is gone, must not stop the service.
    with suppress(OSError):
        print(line, file=_settings["stream"] or sys.stderr, flush=True)


class _Background:
    """A thread that writes lines, and a queue in front of it that is never waited for."""

    def __init__(self) -> None:
        try:
            # The file itself: Python's own has a lock, which others would wait for, and Python itself at its end.
            self._file: int | None = os.dup((_settings["stream"] or sys.stderr).fileno())
        except (OSError, ValueError):  # a stream of Python's own, in a notebook, say
            self._file = None
        self._lines: deque[str] = deque()
        self._dropped = 0
        self._closing = False
        self._more = threading.Event()
        self._thread = threading.Thread(target=self._run, name="steadyarm-log", daemon=True)
        self._thread.start()

    def put(self, line: str) -> None:
        if len(self._lines) < MOST_WAITING:
            self._lines.append(line)
        else:
            self._dropped += 1
        if not self._more.is_set():
            self._more.set()

    def close(self) -> None:
        """Write what waits, but do not wait long for it."""
        self._closing = True
        self._more.set()
        self._thread.join(LAST_LINES_SECONDS)

    def _run(self) -> None:
        while self._lines or not self._closing:
            self._more.wait()
            self._more.clear()
            lines = [self._lines.popleft() for _ in range(len(self._lines))]
            if self._dropped:
                lines.append(_line("warning", "log_lines_dropped", lines=self._dropped))
                self._dropped = 0
            if lines:
                self._write("\n".join(lines))
        if self._file is not None:
            os.close(self._file)

    def _write(self, lines: str) -> None:
        if self._file is None:
            _print(lines)
            return
        rest = f"{lines}\n".encode()
        with suppress(OSError):
            while rest:
                rest = rest[os.write(self._file, rest) :]


class _Libraries(logging.Handler):
    """What uvicorn, asyncio and others have to say becomes a line like all others."""

    def emit(self, record: logging.LogRecord) -> None:
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else None
        level = "error" if record.levelno >= logging.ERROR else "warning"
        log(level, "library", name=record.name, message=record.getMessage(), trace=trace)
