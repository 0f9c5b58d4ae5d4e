"""The web page: static files of this package, served to anybody; what they show needs a token.

They are read once and kept, since all of them together are smaller than one picture. A page is its own part, put into
the frame that all pages share.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template
from typing import NamedTuple

from steadyarm.defaults import LEVEL
from steadyarm.live.analysis.estimates import MOST_IN_PAIRS
from steadyarm.live.analysis.questions import MOST_PLANNED_ARMS
from steadyarm.live.core.names import LONGEST_TEXT, NAME_PATTERN
from steadyarm.live.core.setup.configuration import FEWEST_ARMS, SCALES
from steadyarm.live.http.schemas import MOST_LISTED
from steadyarm.live.http.streams import KEEP_ALIVE_SECONDS
from steadyarm.model.checks import LARGEST_HORIZON
from steadyarm.planning.baseline.measured import BAND

_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_HTML = "text/html; charset=utf-8"
_PLACES = (
    (re.compile(r"/"), "plan"),
    (re.compile(r"/class/?"), "class"),
    (re.compile(r"/experiments/?"), "experiments"),
    (re.compile(r"/experiments/[^/]+/?"), "experiment"),
    (re.compile(r"/experiments/[^/]+/report/?"), "report"),
)
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src "
    "'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page loads nothing from elsewhere, runs no script but its own files, and cannot be framed."""

LIMITS = {
    "name": NAME_PATTERN[1:-1].replace("-]", "\\-]"),  # a browser reads a pattern more strictly
    "text": LONGEST_TEXT,
    "arms": [FEWEST_ARMS, MOST_PLANNED_ARMS],
    "horizon": [FEWEST_ARMS + 1, LARGEST_HORIZON],
    "scale": [1.0 / SCALES["noise_scale"], SCALES["noise_scale"]],
    "quiet": 1000 * KEEP_ALIVE_SECONDS,
    "listed": MOST_LISTED,
    "pairs": MOST_IN_PAIRS * (MOST_IN_PAIRS - 1) // 2,
}
"""What the page must know: limits of what is typed, the milliseconds that a stream may be quiet, how many experiments
come in one answer, and how many differences there are where all pairs are compared."""

WORDS = {"level": f"{100.0 * LEVEL:g}&nbsp;%", "most": f"{100.0 * (BAND[1] - BAND[0]):g}&nbsp;%"}
"""What stands in the text of pages: the level of a plan's intervals, and how many runs the band of traffic contains."""


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
        folder = files("steadyarm.live") / "page"
        frame = Template((folder / "frame.html").read_text("utf-8"))
        self._pages = {name: _page(frame, name, folder / f"{name}.html") for _, name in _PLACES}
        limits = f"/** What the service takes. */\n\nexport const limits = {json.dumps(LIMITS)};\n"
        self._files = dict(_walk(folder)) | {"limits.js": _file(_KINDS[".js"], limits.encode())}

    def find(self, path: str) -> File | None:
        """Return the file behind a path, if there is one."""
        if path.startswith("/page/"):
            return self._files.get(path[len("/page/") :])
        for pattern, name in _PLACES:
            if pattern.fullmatch(path):
                return self._pages[name]
        return None


def _walk(folder: Traversable, under: str = "") -> Iterator[tuple[str, File]]:
    for entry in folder.iterdir():
        _, dot, suffix = entry.name.rpartition(".")
        if entry.is_dir():
            yield from _walk(entry, f"{under}{entry.name}/")
        elif dot + suffix in _KINDS:
            yield under + entry.name, _file(_KINDS[dot + suffix], entry.read_bytes())


def _page(frame: Template, name: str, part: Traversable) -> File:
    main = Template(part.read_text("utf-8")).substitute(WORDS)
    whole = frame.substitute(name=name, title=name.capitalize(), main=main)
    return _file(_HTML, whole.encode())


def _file(kind: str, body: bytes) -> File:
    return File(kind, body, f'"{sha256(body).hexdigest()[:32]}"')
