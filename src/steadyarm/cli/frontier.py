"""`steadyarm frontier`: worst-case regret against worst-case instability of Steady, SLE-UCB and their rivals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options.common import (
    Alpha,
    ClassNoise,
    MeanBound,
    OutputOptions,
    Seed,
    StudyOptions,
    given,
    numbers,
    whole_number,
)
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.policy import build_policy
from steadyarm.console import print_notes, print_table
from steadyarm.defaults import (
    FRONTIER_ALPHAS,
    FRONTIER_ARMS,
    FRONTIER_HORIZON,
    FRONTIER_PATIENCE,
    FRONTIER_RIVALS,
    WORST_CASES_RUNS,
)
from steadyarm.words import in_a_cell

if TYPE_CHECKING:
    from steadyarm.policies import Policy
    from steadyarm.study.frontier.study import Frontier


@grouped
def frontier(
    *,
    arms: Annotated[
        int | None,
        typer.Option(
            "--arms", help=f"Number of arms, K. Default: {FRONTIER_ARMS}.", parser=whole_number, metavar="K"
        ),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            "--horizon",
            help=f"Number of rounds, T, like 100000 or 1e6. Default: {FRONTIER_HORIZON}.",
            parser=whole_number,
            metavar="T",
        ),
    ] = None,
    mean_bound: MeanBound = None,
    noise_scale: ClassNoise = None,
    alpha: Alpha = None,
    alphas: Annotated[
        str | None,
        typer.Option(
            "--alphas",
            help=f"Values of α. Default: {','.join(f'{alpha:g}' for alpha in FRONTIER_ALPHAS)}.",
            metavar="A1,A2,…",
        ),
    ] = None,
    spreads: Annotated[
        str | None,
        typer.Option(
            "--spreads",
            help="Spreads for Steady to aim at, in pulls, or none. Default: several below T/K.",
            metavar="S1,S2,…",
        ),
    ] = None,
    rivals: Annotated[
        str | None,
        typer.Option(
            "--rivals",
            help="all, none, or names separated by commas; your own are like my_module:MyPolicy. "
            f"Default: {FRONTIER_RIVALS}.",
            metavar="A,B,…",
        ),
    ] = None,
    patience: Annotated[
        float | None,
        typer.Option(
            "--patience",
            help="Leave out rivals whose fewest runs would take more CPU time than this, in seconds. "
            f"Default: {FRONTIER_PATIENCE:g}.",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            help=f"Independent runs; slow rivals get fewer. Default: {WORST_CASES_RUNS}.",
            parser=whole_number,
            metavar="N",
        ),
    ] = None,
    seed: Seed = 0,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Trace worst-case regret against worst-case instability.

    The policies are Steady, SLE-UCB along α, and their rivals.

    --out writes the picture, the table and an HTML report in one file.
    """
    import steadyarm as sa
    from steadyarm.errors import InvalidInput

    if alpha is not None and alphas is not None:
        raise InvalidInput("--alpha and --alphas say the same thing. Leave one of them out.")
    output.prepare()
    along = None if alpha is None else [alpha]
    if alphas is not None:
        along = numbers(alphas, "--alphas", "0.5,1,2")
    aims: list[float] | None = None if spreads is None else []
    if spreads is not None and spreads != "none":
        aims = numbers(spreads, "--spreads", "100,1000")
    known = given(mean_bound=mean_bound, noise_scale=noise_scale)
    size = given(n_arms=arms, horizon=horizon)
    who = None if rivals is None else _rivals(rivals, size, known)
    with study.laboratory() as laboratory:
        found = sa.frontier(
            seed=seed,
            laboratory=laboratory,
            **size,
            **known,
            **given(alphas=along, spreads=aims, rivals=who, runs=runs, patience=patience),
        )
    output.show(found, _print)
    for name, reason in found.left_out.items():
        typer.echo(f"left out {name}: {reason}", err=True)


def _rivals(words: str, size: dict[str, int], known: dict[str, Any]) -> str | list[Policy]:
    if words == "all":
        return "all"
    sizes = {"n_arms": FRONTIER_ARMS, "horizon": FRONTIER_HORIZON} | size
    names = [name.strip() for name in words.split(",")] if words != "none" else []
    return [build_policy(name, **sizes, known=known, asked={}, option="--rivals") for name in names]


def _print(found: Frontier) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    study = found.study
    console.print(
        f"[bold]Worst cases[/bold] over {study.n_arms} Gaussian arms with means in \\[-{study.mean_bound:g}, "
        f"{study.mean_bound:g}] and σ = {study.noise_scale:g}, {study.horizon:,} rounds (seed {study.seed})"
    )
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("policy", overflow="fold")
    for heading in ("regret", "instability", "R·S/T^1.5", "× least"):
        table.add_column(heading, justify="right", no_wrap=True)
    for _, row in found.table.iterrows():
        ours = isinstance(row["constants"], str)
        name = f"SLE-UCB {row['constants']}, α {row['alpha']:g}" if ours else row["policy"]
        name = f"Steady, spread {row['spread']:,g}" if row["spread"] > 0.0 else name
        measured = [_measured(row, quantity) for quantity in ("regret", "instability")]
        table.add_row(name, *measured, f"{row['product']:.3g}", f"{row['times_least_regret']:.2f}")
    print_table(console, table)
    console.print(
        "× least: regret over the least that any policy of the same instability has; nobody is below 1 (Theorem 1′)"
    )
    print_notes(console, found.notes)


def _measured(row: Any, quantity: str) -> str:
    """Return a value with half its interval in per cent."""
    value, low, high = (row[f"{quantity}{end}"] for end in ("", "_low", "_high"))
    words = in_a_cell(value)
    if not value:
        return words
    half = (high - low) / 2.0 / value
    share = f"{half:.1%}" if half < 0.1 else f"{half:.0%}"
    return f"{words} ± {share}" if math.isfinite(half) else f"{words} ± ∞"
