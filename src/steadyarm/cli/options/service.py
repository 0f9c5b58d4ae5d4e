"""What several commands of `steadyarm live` take."""

from __future__ import annotations

from typing import Annotated

import typer

Database = Annotated[
    str,
    typer.Option(
        "--database",
        help="sqlite:///file.db or postgresql://… . Default: a file in the user's data folder.",
        show_default=False,
        envvar="STEADYARM_DATABASE",
    ),
]
OwnPolicies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        help="A policy of your own that experiments may use, like my_module:MyPolicy; may be repeated.",
        metavar="MODULE:CLASS",
        envvar="STEADYARM_POLICIES",
    ),
]
AnchorKey = Annotated[
    str,
    typer.Option(
        "--anchor-key",
        help="File of the key that signs anchors; made if there is none. Default: beside a SQLite store.",
        metavar="FILE",
        envvar="STEADYARM_ANCHOR_KEY",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
