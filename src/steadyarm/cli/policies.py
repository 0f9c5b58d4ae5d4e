"""`steadyarm policies`: what can be played."""

import json

from steadyarm.cli.options.common import Json


def policies(as_json: Json = False) -> None:
    """List the policies, their parameters and their sources."""
    import steadyarm as sa
    from steadyarm.engines.choice import ENGINES

    rows = sa.policy_rows()
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
        engines = "all" if row["engines"] == list(ENGINES) else ", ".join(row["engines"])
        table.add_row(row["name"], engines.removesuffix(", reference"), "\n".join(own), row["source"])
    console = Console(highlight=False)
    console.print(table)
    console.print(
        f"Every policy also takes noise_scale ({sa.Policy.noise_scale}) and plays on the reference engine."
    )
