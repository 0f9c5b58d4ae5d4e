"""Places of the user's choice where anchors are kept: a file, a URL or a second database."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Protocol

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.core.anchors import Anchor, Anchors
from steadyarm.live.storage.anchor_table import AnchorTable
from steadyarm.live.storage.journal_files import is_sqlite
from steadyarm.live.storage.store import Store

PATIENCE = 10.0  # seconds that a URL has for its answer
LONGEST_ANSWER = 2000  # characters of it are kept
_WEB = ("http://", "https://")
_DATABASES = ("sqlite:", "postgresql:", "postgres:", "postgresql+")


class Target(Protocol):
    """A place for anchors; `name` says which, without a password."""

    name: str

    def send(self, anchor: Anchor, text: str) -> str:
        """Have an anchor kept; returns what the place has answered, or raises what went wrong."""


class FileTarget:
    """A file to which a line is appended, on the disk before it is called sent."""

    def __init__(self, path: Path) -> None:
        self._path, self.name = path, str(path)

    def send(self, anchor: Anchor, text: str) -> str:  # noqa: ARG002 (all of it stands in the text)
        """Append a line; half a line, which a full disk may have left, is ended first."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(file).st_size
            begun = size > 0 and os.pread(file, 1, size - 1) != b"\n"
            line = f"{chr(10) if begun else ''}{text}\n".encode()
            if os.write(file, line) < len(line):
                raise OSError("the disk took only a part of the line")
            os.fsync(file)
        finally:
            os.close(file)
        return ""


class DatabaseTarget:
    """A second database, by its URL."""

    def __init__(self, url: str) -> None:
        store = Store(url)
        self.name, self._table = str(store), AnchorTable(store.url)

    def send(self, anchor: Anchor, text: str) -> str:
        """Append a row."""
        self._table.add(anchor, text)
        return ""


class UrlTarget:
    """A URL to which an anchor is posted as JSON; any answer of 2xx is a receipt, and a redirect is none."""

    def __init__(self, url: str) -> None:
        import httpx

        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            raise InvalidInput("an anchor's URL must be like https://host/path.") from None
        if not parsed.host:
            raise InvalidInput("an anchor's URL must name a host, like https://host/path.")
        self.url = url
        self.name = str(parsed.copy_with(username=None, password=None, query=None, fragment=None))

    def send(self, anchor: Anchor, text: str) -> str:  # noqa: ARG002 (all of it stands in the text)
        """Post it; a place that answers a byte at a time is given up too."""
        import httpx

        try:
            return asyncio.run(self._post(text))
        except (httpx.HTTPError, TimeoutError) as error:
            raise SteadyarmError(f"it did not answer ({type(error).__name__}).") from None

    async def _post(self, text: str) -> str:
        import httpx

        headers = {"content-type": "application/json"}
        async with (
            asyncio.timeout(PATIENCE),
            httpx.AsyncClient(timeout=PATIENCE, follow_redirects=False, trust_env=False) as client,
            client.stream("POST", self.url, content=text, headers=headers) as answer,
        ):
            if not answer.is_success:
                raise SteadyarmError(f"it answered {answer.status_code}.")
            kept = b""
            async for part in answer.aiter_bytes(LONGEST_ANSWER):
                kept += part
                if len(kept) >= LONGEST_ANSWER:
                    break
        return kept[:LONGEST_ANSWER].decode("utf-8", "replace").replace("\0", "")


def target_of(given: str, store: Store) -> Target:
    """Return the target that a file's name or a URL means; never the store itself, which is what anchors check."""
    if given.startswith(_WEB):
        return UrlTarget(given)
    if given.startswith(_DATABASES):
        other = Store(given)
        if other.url.set(password=None, query={}) == store.url.set(password=None, query={}):
            raise InvalidInput("anchors must be kept in another database than the store. Name a second one.")
        return DatabaseTarget(given)
    path = Path(given.removeprefix("file://")).absolute()
    if path.is_dir() or not path.parent.is_dir():
        raise InvalidInput(f"anchors must go to a file in a folder that exists; got {path}.")
    beside = (
        store.path is not None and path.name.startswith(store.path.name) and path.parent == store.path.parent
    )
    if beside or (path.is_file() and is_sqlite(path)):
        raise InvalidInput(
            "anchors must go to a file of their own, not to a database or a file beside the store that begins with its "
            f"name; got {path}. Name another file, or sqlite:///FILE for a second database."
        )
    return FileTarget(path)


def read_anchors(places: list[str], public_keys: list[str]) -> Anchors:
    """Return the anchors of files and databases, each checked by the keys; a key may be given as the file it is in."""
    found = Anchors([_key(given) for given in public_keys])
    for place in places:
        if place.startswith(_WEB):
            raise InvalidInput(
                "anchors are read from files and databases. Save what the URL received as a file, a line each."
            )
        store = Store(place) if place.startswith(_DATABASES) else None
        path = Path(place) if store is None else store.path
        if path is not None and not path.is_file():
            raise InvalidInput(f"anchors are read from a file or a database; {path} is no file.")
        if store is not None or (path is not None and is_sqlite(path)):
            found.read(AnchorTable((store or Store(f"sqlite:///{path}")).url).texts())
            continue
        assert path is not None
        with path.open(encoding="utf-8", errors="replace") as lines:
            found.read(lines)
    return found


def _key(given: str) -> str:
    path = Path(given)
    return path.read_text(encoding="utf-8", errors="replace").strip() if len(given) != 64 and path.is_file() else given
