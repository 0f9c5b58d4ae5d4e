"""`steadyarm coverage`: how often nominal intervals contain the arms' means after adaptive collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.options.common import Horizon, OutputOptions, Seed, ShareRuns, StudyOptions, given
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.instance import InstanceOptions
from steadyarm.cli.options.policy import OutsideClass, PolicyNames, PolicyOptions
from steadyarm.console import print_notes, print_table
from steadyarm.defaults import LEVEL

if TYPE_CHECKING:
    from steadyarm.study.coverage.study import Coverage


@grouped
def coverage(
    *,
    policies: PolicyNames = "SLEUCB,MOSS",
    horizon: Horizon = 10_000,
    instance: InstanceOptions,
    policy: PolicyOptions,
    level: Annotated[
        float | None, typer.Option("--level", help=f"Nominal level of the intervals. Default: {LEVEL}.")
    ] = None,
    runs: ShareRuns = None,
    seed: Seed = 0,
    outside_class: OutsideClass = False,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Measure how often intervals contain the arms' means.

    The intervals are Wald's and anytime-valid ones, computed from pulls that a policy chose.
    """
    import steadyarm as sa

    output.prepare()
    arms = instance.build()
    records = policy.build_several(policies, arms, horizon, instance.scale(arms), outside_class)
    with study.laboratory() as laboratory:
        found = sa.coverage(
            records,
            arms,
            seed=seed,
            outside_class=outside_class,
            laboratory=laboratory,
            **given(level=level, runs=runs),
        )
    output.show(found, _print)


def _print(found: Coverage) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from steadyarm.study.runs.resolve_policies import instance_labels

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
        low, high = f"{row['low']:.1%}", f"{row['high']:.1%}"
        table.add_row(
            row["policy"],
            str(row["arm"]),
            f"{row['pulls']:,.0f} ± {row['spread']:.0%}",
            row["method"],
            f"{row['coverage']:.1%}",
            low if low == high else f"{low} to {high}",
            f"{row['width']:.3g}",
        )
    print_table(console, table)
    console.print(
        "held: share of runs whose interval contained the arm's mean; pulls: mean ± relative spread"
    )
    print_notes(console, found.notes)
