"""`steadyarm policies`: what can be played."""

import json
from dataclasses import MISSING, fields
from typing import Any

from steadyarm.cli.options.common import Json


def policies(as_json: Json = False) -> None:
    """List the policies, their parameters and their sources."""
    from steadyarm.policies import OwnHistoryPolicy, Policy, all_policies

    def parameters(kind: type[Policy]) -> dict[str, object]:
        return {
            field.name: None if field.default is MISSING else field.default
            for field in fields(kind)
            if field.name not in ("n_arms", "horizon")
        }

    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "title": kind.title,
            "own_history": issubclass(kind, OwnHistoryPolicy),
            "parameters": parameters(kind),
            "source": kind.source,
        }
        for name, kind in all_policies().items()
    ]
    if as_json:
        print(json.dumps({"policies": rows}, indent=2))
        return

    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("policy", no_wrap=True)
    table.add_column("engines", no_wrap=True)
    table.add_column("own parameters", overflow="fold", max_width=24)
    table.add_column("source", overflow="fold")
    for row in rows:
        own = [
            f"{name} ({'derived' if value is None else value})"
            for name, value in row["parameters"].items()
            if name != "noise_scale"
        ]
        table.add_row(row["name"], "all" if row["own_history"] else "step", "\n".join(own), row["source"])
    console = Console(highlight=False)
    console.print(table)
    console.print("Every policy also takes noise_scale (1.0) and plays on the reference engine.")
