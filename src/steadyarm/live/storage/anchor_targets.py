"""Places of the user's choice where anchors are kept: a file, a URL or a second database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.core.anchors import Anchor, Anchors
from steadyarm.live.storage.anchor_table import AnchorTable
from steadyarm.live.storage.journal_files import is_sqlite
from steadyarm.live.storage.store import Store

TIMEOUT_SECONDS = 10.0  # for the answer of a URL
LONGEST_ANSWER = 2000  # characters of it are kept
_WEB = ("http://", "https://")
_DATABASES = ("sqlite:", "postgresql:", "postgres:", "postgresql+")


class Target(Protocol):
    """A place for anchors; `name` says which, without a password, and receipts go by it."""

    name: str

    @property
    def path(self) -> Path | None:
        """The file that it is, if it is one."""

    def send(self, anchor: Anchor, text: str) -> str:
        """Have an anchor kept; returns what the place has answered, or raises what went wrong."""


class FileTarget:
    """A file to which a line is appended, on the disk before it is called sent."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, str(path)

    def send(self, anchor: Anchor, text: str) -> str:  # noqa: ARG002 (all of it stands in the text)
        """Append a line; half a line, which a full disk may have left, is ended first."""
        file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
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

    def __init__(self, store: Store) -> None:
        self.name, self.path, self.place = str(store), store.path, _place(store)
        self._table = AnchorTable(store.url)

    def send(self, anchor: Anchor, text: str) -> str:
        """Append a row."""
        self._table.add(anchor, text)
        return ""


class UrlTarget:
    """A URL to which an anchor is posted as JSON; any answer of 2xx is a receipt, and a redirect is none."""

    path = None

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
            asyncio.timeout(TIMEOUT_SECONDS),
            httpx.AsyncClient(timeout=TIMEOUT_SECONDS, follow_redirects=False, trust_env=False) as client,
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


def targets_of(given: Sequence[str], store: Store, key: Path) -> list[Target]:
    """Return the targets that files' names and URLs mean, each another place: receipts are by target.

    `key` is the file of the key that signs, to which nothing may be added.
    """
    found: list[Target] = []
    for target in (target_of(each, store) for each in given):
        if target.path is not None and _same(target.path, key):
            raise InvalidInput(f"anchors cannot go to {target.path}, the file of the key. Name another file.")
        for other in found:
            if _are_one(target, other):
                raise InvalidInput(
                    f"anchors must go to different places, and {other.name} and {target.name} are one; URLs are told "
                    "apart without user, password and query. Leave one of them out."
                )
        found.append(target)
    return found


def _are_one(target: Target, other: Target) -> bool:
    if isinstance(target, DatabaseTarget) and isinstance(other, DatabaseTarget) and target.path is None:
        return target.place == other.place
    return target.name == other.name or _same(target.path, other.path)


def _same(path: Path | None, other: Path | None) -> bool:
    """Whether two files are one, by whatever names."""
    if path is None or other is None:
        return False
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.resolve() == other.resolve()


def target_of(given: str, store: Store) -> Target:
    """Return the target that a file's name or a URL means; never the store itself, which is what anchors check."""
    if given.startswith(_WEB):
        return UrlTarget(given)
    if given.startswith(_DATABASES):
        other = Store(given)
        if _place(other) == _place(store):
            raise InvalidInput("anchors must be kept in another database than the store. Name a second one.")
        if other.path is not None:
            _check_apart(other.path, store)
        return DatabaseTarget(other)
    path = Path(given.removeprefix("file://")).resolve()
    if path.is_dir() or not path.parent.is_dir():
        raise InvalidInput(f"anchors must go to a file in a folder that exists; got {path}.")
    _check_apart(path, store)
    if path.is_file() and is_sqlite(path):
        raise _not_apart(path)
    return FileTarget(path)


def _place(store: Store) -> tuple[str | None, int | None, str | None]:
    """Return where a database is, whoever asks for it and however."""
    url = store.url
    return url.host, url.port or (None if store.path else 5432), url.database


def _check_apart(path: Path, store: Store) -> None:
    """Refuse what stands beside a SQLite store with its name: its log, its tokens, its receipts, its key."""
    if store.path is not None and path.name.startswith(store.path.name) and path.parent == store.path.parent:
        raise _not_apart(path)


def _not_apart(path: Path) -> InvalidInput:
    return InvalidInput(
        "anchors must go to a file of their own, not to a database or a file beside the store that begins with its "
        f"name; got {path}. Name another file, or sqlite:///FILE for a second database."
    )


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
    return (
        path.read_text(encoding="utf-8", errors="replace").strip()
        if len(given) != 64 and path.is_file()
        else given
    )
