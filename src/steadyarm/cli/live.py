"""`steadyarm live`: serve a durable experiment, make its tokens, export, verify, import and back up its journals."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated

import typer

from steadyarm.cli.anchors import anchored_words, keys
from steadyarm.cli.options.service import AnchorKey, Database, Json, OwnPolicies
from steadyarm.defaults import ANCHOR_ENTRIES, ANCHOR_MINUTES
from steadyarm.words import counted


def serve(
    database: Database = "",
    policy: OwnPolicies = None,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on. Beyond this machine only behind TLS.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", help="Port to listen on; 0 takes a free one.", min=0, max=65535)
    ] = 8470,
    open_planning: Annotated[
        bool, typer.Option("--open-planning", help="Plans and simulations need no token.")
    ] = False,
    standby: Annotated[
        bool,
        typer.Option(
            "--standby", help="Wait while another server has the store, then take over (PostgreSQL)."
        ),
    ] = False,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            "--anchor",
            help="Where signed heads of the journals are sent: a file, a URL or a second database; may be repeated.",
            metavar="FILE|URL",
            envvar="STEADYARM_ANCHOR",
        ),
    ] = None,
    anchor_key: AnchorKey = "",
    anchor_entries: Annotated[
        int, typer.Option("--anchor-entries", help="Send a head after this many new entries.", min=1)
    ] = ANCHOR_ENTRIES,
    anchor_minutes: Annotated[
        float,
        typer.Option(
            "--anchor-minutes",
            help="Send a head at least once in this many minutes while it changes.",
            min=0.0,
        ),
    ] = ANCHOR_MINUTES,
    log_level: Annotated[
        str, typer.Option("--log-level", help="debug, info (a line for each request), warning or error.")
    ] = "info",
) -> None:
    """Serve the API until stopped.

    An old store is brought up to date first.
    """
    from steadyarm.errors import InvalidInput
    from steadyarm.live.core.logs import LEVELS
    from steadyarm.live.http.server import serve as run
    from steadyarm.live.http.service import Settings

    _allow(policy)
    if log_level not in LEVELS:
        raise InvalidInput(f"--log-level must be one of {', '.join(LEVELS)}; got {log_level!r}.")
    settings = Settings(
        database=database,
        open_planning=open_planning,
        standby=standby,
        anchors=tuple(anchor or ()),
        anchor_key=anchor_key,
        anchor_entries=anchor_entries,
        anchor_minutes=anchor_minutes,
    )
    run(settings, host, port, log_level)


def token(
    database: Database = "",
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="admin (everything), allocate, report, read, unblind; may be repeated."),
    ] = None,
    label: Annotated[str, typer.Option("--label", help="Who or what it is for.")] = "",
    experiment: Annotated[
        str, typer.Option("--experiment", help="The only experiment that it is for. Default: all.")
    ] = "",
    expires_in: Annotated[
        str,
        typer.Option("--expires-in", help="How long it is valid, like P30D or PT8H. Default: forever."),
    ] = "",
    list_: Annotated[
        bool, typer.Option("--list", help="List the tokens instead; never the secrets.")
    ] = False,
    revoke: Annotated[
        str, typer.Option("--revoke", help="Revoke the token with this id instead.", metavar="ID")
    ] = "",
    as_json: Json = False,
) -> None:
    """Make, list or revoke tokens, also while a server runs.

    A new token is printed once.
    """
    from steadyarm.live.core.setup.durations import duration
    from steadyarm.live.storage.store import Store, default_url
    from steadyarm.live.storage.tokens import Tokens

    tokens = Tokens(Store(database or default_url()))
    try:
        if list_:
            listed = tokens.all()
            if as_json:
                print(json.dumps([known.shown() for known in listed]))
                return
            for known in listed:
                scopes, only = ",".join(sorted(known.scopes)), known.experiment or "all"
                print(f"{known.id}  {scopes:20}  {only:12}  {known.created_at}  {known.state}  {known.label}")
        elif revoke:
            tokens.revoke(revoke)
            print(f"revoked {revoke}")
        else:
            seconds = duration(expires_in, "--expires-in") if expires_in else None
            made = tokens.create(scope or [], label, experiment or None, seconds)
            print(json.dumps({"token": made}) if as_json else made)
    finally:
        tokens.close()


def export(
    experiments: Annotated[list[str] | None, typer.Argument(help="Which experiments. Default: all.")] = None,
    database: Database = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write. Default: standard output.")
    ] = None,
) -> None:
    """Write journals as NDJSON, also while a server runs.

    Every entry is a line.
    """
    from steadyarm.live.storage.journal_files import export as run

    for name, entries, head in run(database, experiments or [], out):
        typer.echo(f"{name}: {_entries(entries)}, head {head}", err=True)


def verify(
    journal: Annotated[Path | None, typer.Argument(help="An exported file. Default: the database.")] = None,
    database: Database = "",
    policy: OwnPolicies = None,
    experiment: Annotated[
        list[str] | None, typer.Option("--experiment", help="Only this one; may be repeated.")
    ] = None,
    head: Annotated[
        str, typer.Option("--head", help="Hash that the one journal must end in, as you kept it elsewhere.")
    ] = "",
    anchors: Annotated[
        list[str] | None,
        typer.Option("--anchors", help="File or database with anchors; may be repeated.", metavar="FILE|URL"),
    ] = None,
    public_key: Annotated[
        list[str] | None,
        typer.Option("--public-key", help="Public key to trust, as `keys` prints it; may be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every journal and replay every decision.

    The first bad entry is named, with exit code 1. A journal that was cut off at its end, or rewritten consistently
    from some entry on, is found by --head or --anchors only.
    """
    from steadyarm.errors import InvalidInput
    from steadyarm.live.core.journal import Broken
    from steadyarm.live.storage.anchor_targets import read_anchors
    from steadyarm.live.storage.verification import verify as run

    _allow(policy)
    if bool(anchors) != bool(public_key):
        raise InvalidInput("--anchors and --public-key go together. `steadyarm live keys` prints the key.")
    try:
        known = read_anchors(anchors or [], public_key or []) if anchors else None
        if known is not None and not known.heads:
            raise InvalidInput(
                f"--anchors must hold an anchor of a --public-key; there is none in {', '.join(anchors or [])}, and "
                f"{counted(known.of_other_keys, 'anchor')} of other keys. Check the file and the key."
            )
        found = run(journal, database, experiment or [], head or None, known)
    except Broken as broken:
        if as_json:
            print(
                json.dumps(
                    {
                        "valid": False,
                        "experiment": broken.experiment,
                        "seq": broken.seq,
                        "reason": broken.reason,
                    }
                )
            )
        else:
            typer.echo(f"steadyarm: {broken}", err=True)
        raise typer.Exit(1) from None
    if as_json:
        told = (
            {}
            if known is None
            else {"anchors": {"of_other_keys": known.of_other_keys, "unreadable": known.unreadable}}
        )
        print(json.dumps({"valid": True, "experiments": found} | told))
        return
    for each in found:
        print(
            f"{each['experiment']}: {_entries(each['entries'])}, "
            f"{counted(each['decisions'], 'decision')} replayed, head {each['hash']}"
        )
        if known is not None:
            print(f"  {anchored_words(each['anchored'])}")
    if known is not None and (known.of_other_keys or known.unreadable):
        other, lines = counted(known.of_other_keys, "anchor"), counted(known.unreadable, "line")
        typer.echo(f"not counted: {other} of other keys, {lines} that cannot be read", err=True)


def feedback(
    journal: Annotated[Path, typer.Argument(help="An exported file.", exists=True, dir_okay=False)],
    experiment: Annotated[
        str, typer.Option("--experiment", help="Which experiment, if the file holds several.")
    ] = "",
    policy: OwnPolicies = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write. Default: standard output.")
    ] = None,
) -> None:
    """Write the rewarded units of an exported journal as CSV.

    The journal is verified first; the columns are those of Open Bandit Pipeline.
    """
    import csv
    import sys
    from contextlib import nullcontext

    from steadyarm.live.analysis.journal import read_feedback

    _allow(policy)
    found = read_feedback(journal, experiment or None)
    with nullcontext(sys.stdout) if out is None else out.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(found.to_csv())


def backup(
    out: Annotated[Path, typer.Argument(help="File to write; it must not exist.")],
    database: Database = "",
) -> None:
    """Back up a store, also while its server runs.

    SQLite is backed up as a database, PostgreSQL as exported journals.
    """
    from steadyarm.live.storage.backup import backup as run

    for path in run(database, out):
        typer.echo(f"wrote {path}", err=True)


def restore(
    copy: Annotated[Path, typer.Argument(help="What `backup` wrote from a SQLite store.")],
    database: Database = "",
    policy: OwnPolicies = None,
) -> None:
    """Verify a backup of SQLite and make it the store.

    There must be no store yet, and no server running.
    """
    from steadyarm.live.storage.backup import restore as run

    _allow(policy)
    for path in run(copy, database):
        typer.echo(f"wrote {path}", err=True)


def import_(
    journal: Annotated[Path, typer.Argument(help="An exported file.", exists=True, dir_okay=False)],
    database: Database = "",
    policy: OwnPolicies = None,
) -> None:
    """Verify exported journals and load them into a store.

    The store must not have those experiments yet.
    """
    from steadyarm.live.storage.journal_files import import_file

    _allow(policy)
    for name, entries in import_file(journal, database):
        print(f"{name}: {_entries(entries)}")


def _allow(policies: list[str] | None) -> None:
    """Load policies of the user's own, here and in the processes that are started from here."""
    from steadyarm.cli.options.policy import policy_class
    from steadyarm.policies.registry import OWN_POLICIES

    for name in policies or ():
        policy_class(name)
    if policies:
        os.environ[OWN_POLICIES] = " ".join(policies)


def _entries(number: int) -> str:
    return counted(number, "entry", "entries")


def _plainly(command: Callable[..., None]) -> Callable[..., None]:
    """Turn a database that cannot be reached, or fails, into one line."""

    @wraps(command)
    def run(*words: object, **options: object) -> None:
        import sqlite3

        from sqlalchemy import exc

        from steadyarm.errors import SteadyarmError

        try:
            command(*words, **options)
        except (exc.DBAPIError, sqlite3.Error) as failed:
            cause = failed.orig if isinstance(failed, exc.DBAPIError) else failed
            said = str(cause).strip().splitlines() or [type(cause).__name__]
            raise SteadyarmError(f"the database failed: {said[0].rstrip('.')}. See --database.") from None

    return run


_PLAIN: dict[str, Callable[..., None]] = {
    "serve": serve,
    "token": token,
    "keys": keys,
    "export": export,
    "verify": verify,
    "feedback": feedback,
    "backup": backup,
    "restore": restore,
    "import": import_,
}
COMMANDS = {name: _plainly(command) for name, command in _PLAIN.items()}
