"""`steadyarm live keys`, and what `verify` says of anchors."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Annotated, Any

import typer

from steadyarm.cli.options.service import AnchorKey, Database, Json
from steadyarm.words import counted


def keys(
    database: Database = "",
    anchor_key: AnchorKey = "",
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Make a new key; the old one is kept beside it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the public key of a store's anchors.

    Give it to those who will verify a journal. If there is no key, one is made.
    """
    from steadyarm.live.storage.keys import key_path, load_key, rotate_key
    from steadyarm.live.storage.store import Store, default_url

    with closing(Store(database or default_url())) as store:
        path = key_path(store, anchor_key)
    if rotate:
        key, old = rotate_key(path)
        typer.echo(
            f"the old key is now {old}; a running server signs with the new one after a restart", err=True
        )
    else:
        key = load_key(path)
    shown = {"key": key.id, "public_key": key.public, "file": str(path)}
    print(json.dumps(shown) if as_json else key.public)


def anchored_words(found: dict[str, Any] | None) -> str:
    """Return what is anchored of a journal.

    >>> anchored_words({"seq": 40, "at": "2026-11-15T09:30:00.125Z", "entries_after": 3})
    'anchored up to entry 40 (2026-11-15T09:30:00.125Z), 3 entries after it'
    """
    if found is None:
        return "not anchored"
    after = counted(found["entries_after"], "entry", "entries")
    return f"anchored up to entry {found['seq']:,} ({found['at']}), {after} after it"
