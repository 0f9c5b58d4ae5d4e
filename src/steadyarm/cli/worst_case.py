"""`steadyarm worst-case`: the instance on which a policy loses most, or is the least steady."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.building import (
    Beta,
    Constants,
    Parameters,
    ask_for,
    build_policy,
    read_parameters,
)
from steadyarm.cli.options import (
    Alpha,
    Arms,
    Dask,
    Horizon,
    Json,
    MeanBound,
    NoiseScale,
    Out,
    Runs,
    Seed,
    Study,
    build_laboratory,
    whole_number,
)

if TYPE_CHECKING:
    from steadyarm.study import WorstCase


def worst_case(
    policy: Annotated[
        str,
        typer.Option(
            "--policy", help="Name of a policy (see `steadyarm policies`) or your my_module:MyPolicy."
        ),
    ] = "SLEUCB",
    of: Annotated[str, typer.Option("--of", help="regret or instability.")] = "regret",
    arms: Arms = None,
    horizon: Horizon = 10_000,
    rewards: Annotated[
        str | None,
        typer.Option("--rewards", help="gaussian or bernoulli. Default: what the policy takes."),
    ] = None,
    mean_bound: MeanBound = 1.0,
    noise_scale: NoiseScale = None,
    alpha: Alpha = None,
    constants: Constants = None,
    beta: Beta = None,
    parameter: Parameters = None,
    runs: Runs = None,
    search_runs: Annotated[
        int,
        typer.Option(
            "--search-runs", help="Runs on each instance on the way.", parser=whole_number, metavar="N"
        ),
    ] = 64,
    steps: Annotated[
        int,
        typer.Option(
            "--steps", help="Instances beyond the families to measure.", parser=whole_number, metavar="N"
        ),
    ] = 40,
    seed: Seed = 0,
    study: Study = None,
    dask: Dask = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Search the class for a policy's worst instance; what is found is measured on fresh rewards."""
    import steadyarm as sa

    given = {"mean_bound": mean_bound, "noise_scale": 1.0 if noise_scale is None else noise_scale}
    asked = ask_for(read_parameters(parameter), {"alpha": alpha, "constants": constants, "beta": beta})
    record = build_policy(policy, 2 if arms is None else arms, horizon, given, asked)
    with build_laboratory(study, dask) as laboratory:
        found = sa.worst_case(
            record,
            of,
            runs=1000 if runs is None else runs,
            seed=seed,
            steps=steps,
            search_runs=search_runs,
            mean_bound=mean_bound,
            rewards=rewards,
            laboratory=laboratory,
        )
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        _print(found)
    if out is not None:
        for path in found.save(out):
            typer.echo(f"wrote {path}", err=True)


def _print(found: WorstCase) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from steadyarm.study.worst_case import LOWER_ESTIMATE

    console = Console(highlight=False, soft_wrap=True)
    study, of, policy = found.study, found.study.of, found.study.policy
    console.print(
        f"[bold]{policy.title}[/bold], {policy.n_arms} {found.instance.rewards} arms, {policy.horizon:,} rounds: "
        f"the worst {of} found"
    )
    console.print(f"{of}  {found.estimate}  ({found.estimate.runs:,} fresh runs, seed {study.seed})")
    means = ", ".join(f"{mean:.4g}" for mean in found.instance.means[:12])
    more = f", … ({found.instance.n_arms - 12} more)" if found.instance.n_arms > 12 else ""
    console.print(f"on means    {means}{more}")
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("best of", "gap", of, "how"):
        table.add_column(heading, justify="left" if heading in ("best of", "how") else "right", no_wrap=True)
    tried = found.tried
    for _, row in tried[tried["stage"] == "family"].iterrows():
        same = tried[(tried["stage"] == "family") & (tried["family"] == row["family"])]
        if row[of] == same[of].max() and row.name == same[of].idxmax():
            table.add_row(row["family"], f"{row['gap']:.4g}", f"{row[of]:,.4g}", row["how"])
    walk = tried[tried["stage"] == "walk"]
    if len(walk):
        best = walk.loc[walk[of].idxmax()]
        table.add_row(f"{len(walk)} steps from there", f"{best['gap']:.4g}", f"{best[of]:,.4g}", best["how"])
    console.print(table)
    console.print(f"note: {LOWER_ESTIMATE}")
