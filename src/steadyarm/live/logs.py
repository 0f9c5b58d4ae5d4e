"""Structured logs: one JSON object a line, on standard error, never with a token, a body or a password."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from typing import Any, TextIO

from steadyarm.live.journal import now

LEVELS = ("debug", "info", "warning", "error")

_settings: dict[str, Any] = {"level": LEVELS.index("warning"), "stream": None}


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
        # In ASCII: what a request says must not break the line in two, nor move a terminal's cursor.
        line = json.dumps({"time": now(), "level": level, "event": event, **members}, default=str)
        # A log that cannot be written, because its disk is full or its reader is gone, must not stop the service.
        with suppress(OSError):
            print(line, file=_settings["stream"] or sys.stderr, flush=True)
