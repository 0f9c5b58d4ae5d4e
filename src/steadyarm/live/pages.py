"""The web page: static files of this package, served to anybody; what they show needs a token.

They are read once and kept, since all of them together are smaller than one picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PLACES = (
    (re.compile(r"/"), "plan.html"),
    (re.compile(r"/experiments/?"), "experiments.html"),
    (re.compile(r"/experiments/[^/]+/?"), "experiment.html"),
    (re.compile(r"/experiments/[^/]+/report/?"), "report.html"),
)
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src "
    "'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page loads nothing from elsewhere, runs no script but its own files, and cannot be framed."""


class File(NamedTuple):
    """A static file as it is sent."""

    kind: str
    body: bytes
    tag: str

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Return its headers; browsers keep a copy and ask whether it still is the right one."""
        return [
            (b"content-type", self.kind.encode()),
            (b"etag", self.tag.encode()),
            (b"cache-control", b"no-cache"),
            (b"content-security-policy", POLICY.encode()),
            (b"cross-origin-opener-policy", b"same-origin"),
        ]


class Pages:
    """All files of the page, by path.

    >>> Pages().find("/experiments/colours").kind
    'text/html; charset=utf-8'
    >>> Pages().find("/experiments/colours/secrets") is None
    True
    """

    def __init__(self) -> None:
        self._files = {name: _file(name, path) for name, path in _walk(files("steadyarm.live") / "page")}

    def find(self, path: str) -> File | None:
        """Return the file behind a path, if there is one."""
        if path.startswith("/page/"):
            return self._files.get(path[len("/page/") :])
        for pattern, name in _PLACES:
            if pattern.fullmatch(path):
                return self._files[name]
        return None


def _walk(folder: Traversable, under: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{under}{entry.name}/")
        elif any(entry.name.endswith(suffix) for suffix in _KINDS):
            yield under + entry.name, entry


def _file(name: str, path: Traversable) -> File:
    body = path.read_bytes()
    return File(_KINDS[name[name.rindex(".") :]], body, f'"{sha256(body).hexdigest()[:32]}"')
