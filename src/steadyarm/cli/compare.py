"""`steadyarm compare`: several policies on the same rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options.common import (
    At,
    Batch,
    Horizon,
    Late,
    OutputOptions,
    Runs,
    Seed,
    StudyOptions,
    Threads,
    given,
)
from steadyarm.cli.options.drift import MovingInstanceOptions
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.policy import OutsideClass, PolicyNames, PolicyOptions
from steadyarm.console import print_notes, print_table
from steadyarm.words import counted, measured

if TYPE_CHECKING:
    from steadyarm.study.compare.study import Comparison


@grouped
def compare(
    *,
    policies: PolicyNames = "SLEUCB,MOSS,UCB,UCB1,GaussianThompson",
    horizon: Horizon = 10_000,
    instance: MovingInstanceOptions,
    policy: PolicyOptions,
    runs: Runs = None,
    seed: Seed = 0,
    at: At = None,
    delay: Late = "0",
    batch: Batch = 1,
    engine: Annotated[
        str, typer.Option("--engine", help="auto takes the cheapest that reads the reward table.")
    ] = "auto",
    threads: Threads = None,
    outside_class: OutsideClass = False,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Compare policies on the same rewards.

    It shows regret, instability, tails, coverage and paired differences. A parameter goes to every policy that has it,
    MOSS.constant=2 to MOSS alone.
    """
    import steadyarm as sa

    output.prepare()
    arms = instance.build_for(horizon)
    records = policy.build_several(policies, arms, horizon, instance.scale(arms), outside_class)
    with study.laboratory(threads) as laboratory:
        result = sa.compare(
            records,
            arms,
            seed=seed,
            engine=engine,
            outside_class=outside_class,
            laboratory=laboratory,
            at=at,
            delay=delay,
            batch=batch,
            **given(runs=runs),
        )
    output.show(result, _print)


def _print(result: Comparison) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from steadyarm.theory import Estimate

    console = Console(highlight=False, soft_wrap=True)
    rows = [row for _, row in result.table.iterrows()]
    seed = result.study.seed
    console.print(
        f"[bold]{counted(len(rows), 'policy', 'policies')}[/bold] on {rows[0]['instance']}; "
        f"{rows[0]['horizon']:,} rounds, {rows[0]['runs']:,} runs on the same rewards (seed {seed})"
    )

    def said(row: Any, quantity: str) -> str:
        return measured(Estimate(row[quantity], row[f"{quantity}_low"], row[f"{quantity}_high"], row["runs"]))

    main, more = Table(box=box.SIMPLE_HEAD), Table(box=box.SIMPLE_HEAD)
    still = not result.simulations[0].instance.moves  # of a product with dynamic regret no theorem speaks
    for table, headings in (
        (main, ("regret", "instability", *(["product/T^1.5"] if still else []))),
        (more, ("regret: half", "1 run in 20", "1 in 100", "covered", "worst arm")),
    ):
        table.add_column("policy", overflow="fold")
        for heading in headings:
            table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        product = [f"{row['product']:.3g}"] if still else []
        main.add_row(row["policy"], said(row, "regret"), said(row, "instability"), *product)
        tails = [f"≥ {row[name]:,.4g}" for name in ("regret_q50", "regret_q95", "regret_q99")]
        covered = [
            f"{row[name]:.1%}" if row[name] == row[name] else "unknown"
            for name in ("wald_coverage", "wald_coverage_worst")
        ]
        more.add_row(row["policy"], *tails, *covered)
    print_table(console, main)
    print_table(console, more)
    console.print(
        f"covered: how often a nominal {100 * result.study.level:.6g}% Wald interval contains an arm's mean"
    )
    for quantity in ("regret", "instability"):
        for line in _against_the_best(result, quantity):
            console.print(line)
    print_notes(console, result.notes)


def _against_the_best(result: Comparison, quantity: str) -> list[str]:
    """Sentences about the policy with the least regret, or instability, and each of the others."""
    from steadyarm.theory import Estimate

    best = result.table.loc[result.table[quantity].idxmin(), "policy"]
    lines = []
    for _, row in result.differences.iterrows():
        if row["quantity"] != quantity or best not in (row["policy"], row["other"]):
            continue
        other, sign = (row["other"], -1.0) if row["policy"] == best else (row["policy"], 1.0)
        low, high = sorted((sign * row["low"] + 0.0, sign * row["high"] + 0.0))  # no minus before a zero
        excess = Estimate(sign * row["difference"] + 0.0, low, high, int(result.table["runs"].iloc[0]))
        doubt = "" if row["significant"] else "  (not significant)"
        lines.append(f"{quantity} of {other} minus {best}'s: {measured(excess)}{doubt}")
    return lines
