"""`steadyarm coverage`: how often nominal intervals hold the arms' means after adaptive collection."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.building import (
    Beta,
    Constants,
    Family,
    Gap,
    High,
    Low,
    Means,
    OutsideClass,
    Parameters,
    Rewards,
    able_policies,
    ask_for,
    build_instance,
    build_policies,
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
    Seed,
    Study,
    build_laboratory,
    whole_number,
)

if TYPE_CHECKING:
    from steadyarm.study import Coverage


def coverage(
    policies: Annotated[
        str,
        typer.Option(
            "--policies",
            help="Names separated by commas (see `steadyarm policies`), my_module:MyPolicy among them, "
            "or all: those that can play the instance.",
            metavar="A,B,…",
        ),
    ] = "SLEUCB,MOSS",
    arms: Arms = None,
    horizon: Horizon = 10_000,
    means: Means = None,
    family: Family = None,
    gap: Gap = None,
    rewards: Rewards = "gaussian",
    low: Low = None,
    high: High = None,
    mean_bound: MeanBound = 1.0,
    noise_scale: NoiseScale = None,
    alpha: Alpha = None,
    constants: Constants = None,
    beta: Beta = None,
    parameter: Parameters = None,
    level: Annotated[float, typer.Option("--level", help="Nominal level of the intervals.")] = 0.95,
    runs: Annotated[
        int, typer.Option("--runs", help="Independent runs.", parser=whole_number, metavar="N")
    ] = 2000,
    seed: Seed = 0,
    outside_class: OutsideClass = False,
    study: Study = None,
    dask: Dask = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Measure how often Wald and anytime-valid intervals hold the arms' means when a policy chose the pulls."""
    import steadyarm as sa

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    instance = build_instance(rewards, means, family, arms, gap, noise_scale, low, high)
    given = {
        "mean_bound": mean_bound,
        "noise_scale": max(instance.noise_scales) if noise_scale is None else noise_scale,
    }
    asked = ask_for(read_parameters(parameter), {"alpha": alpha, "constants": constants, "beta": beta})
    records = build_policies(policies, instance, horizon, given, asked)
    if policies == "all":
        records = able_policies(records, instance, outside_class)
    with build_laboratory(study, dask) as laboratory:
        found = sa.coverage(
            records,
            instance,
            level=level,
            runs=runs,
            seed=seed,
            outside_class=outside_class,
            laboratory=laboratory,
        )
    if as_json:
        print(json.dumps(found.to_dict(), indent=2))
    else:
        _print(found)
    if out is not None:
        for path in found.save(out):
            typer.echo(f"wrote {path}", err=True)


def _print(found: Coverage) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from steadyarm.study.contestants import instance_labels

    console = Console(highlight=False, soft_wrap=True)
    study = found.study
    console.print(
        f"[bold]Coverage[/bold] of nominal {100 * study.level:.6g}% intervals on "
        f"{instance_labels([study.instance])[0]}; {study.policies[0].horizon:,} rounds, "
        f"{found.runs:,} runs (seed {study.seed})"
    )
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("policy", overflow="fold")
    for heading in ("arm", "pulls", "method", "held", "within", "width"):
        table.add_column(heading, justify="left" if heading == "method" else "right", no_wrap=True)
    order = {label: place for place, label in enumerate(dict.fromkeys(found.table["policy"]))}
    rows = sorted(
        (row for _, row in found.table.iterrows()), key=lambda row: (order[row["policy"]], row["arm"])
    )
    for row in rows:
        table.add_row(
            row["policy"],
            str(row["arm"]),
            f"{row['pulls']:,.0f} ± {row['spread']:.0%}",
            row["method"],
            f"{row['coverage']:.1%}",
            f"{row['low']:.1%} to {row['high']:.1%}",
            f"{row['width']:.3g}",
        )
    console.print(table)
    console.print("held: share of runs whose interval held the arm's mean; pulls: mean ± relative spread")
