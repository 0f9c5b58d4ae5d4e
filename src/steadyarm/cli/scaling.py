"""`steadyarm scaling`: how worst-case regret and instability grow with the horizon and the number of arms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.options.common import ClassNoise, OutputOptions, Seed, StudyOptions, given, whole_number
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.policy import PolicyName, PolicyOptions, policy_class
from steadyarm.console import print_notes, print_table
from steadyarm.defaults import ARMS, SCALING_HORIZON, SCALING_PATIENCE, WORST_CASES_RUNS
from steadyarm.words import in_a_cell

if TYPE_CHECKING:
    from steadyarm.study.scaling.study import Scaling


def whole_numbers(text: str, option: str) -> list[int]:
    """Read whole numbers separated by commas."""
    try:
        return [whole_number(part.strip()) for part in text.split(",")]
    except typer.BadParameter as wrong:
        raise typer.BadParameter(wrong.message, param_hint=f"'{option}'") from None


@grouped
def scaling(
    *,
    policy: PolicyName = "SLEUCB",
    arms: Annotated[
        str | None,
        typer.Option(
            "--arms", help=f"Numbers of arms, K, like 10 or 2,4,8. Default: {ARMS}.", metavar="K1,K2,…"
        ),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            "--horizon",
            help=f"Longest of up to seven horizons, a decade apart. Default: {SCALING_HORIZON}.",
            parser=whole_number,
            metavar="T",
        ),
    ] = None,
    horizons: Annotated[
        str | None,
        typer.Option("--horizons", help="These horizons instead, like 1e4,1e5.", metavar="T1,T2,…"),
    ] = None,
    noise_scale: ClassNoise = None,
    parameters: PolicyOptions,
    patience: Annotated[
        float | None,
        typer.Option(
            "--patience",
            help="Refuse sizes whose fewest runs would take more CPU time than this, in seconds. "
            f"Default: {SCALING_PATIENCE:g}.",
        ),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            help=f"Independent runs at each size. Default: {WORST_CASES_RUNS}.",
            parser=whole_number,
            metavar="N",
        ),
    ] = None,
    seed: Seed = 0,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Fit how worst cases grow with T and K.

    The exponents are those of worst-case regret, worst-case instability and their product.
    """
    import steadyarm as sa

    sizes = given(
        n_arms=None if arms is None else whole_numbers(arms, "--arms"),
        horizons=horizon if horizons is None else whole_numbers(horizons, "--horizons"),
    )
    known = given(mean_bound=parameters.mean_bound, noise_scale=noise_scale, **parameters.asked)
    output.prepare()
    with study.laboratory() as laboratory:
        found = sa.scaling(
            policy_class(policy),
            seed=seed,
            laboratory=laboratory,
            **sizes,
            **known,
            **given(runs=runs, patience=patience),
        )
    output.show(found, _print)


def _print(found: Scaling) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    study = found.study
    console.print(
        f"[bold]{study.policy_class.title}[/bold]: worst cases at {len(found.table)} sizes (seed {study.seed})"
    )
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("arms", "horizon", "regret", "instability", "R·S/T^1.5", "runs"):
        table.add_column(heading, justify="right", no_wrap=True)
    for _, row in found.table.iterrows():
        table.add_row(
            str(row["n_arms"]),
            f"{row['horizon']:,}",
            in_a_cell(row["regret"]),
            in_a_cell(row["instability"]),
            f"{row['constant']:.3g}",
            f"{row['runs']:,}",
        )
    print_table(console, table)
    letters = {"horizon": "T", "n_arms": "K"}
    words = {"product_over_log": "product / (log 2K · (K − 1)/K)"}
    for _, row in found.exponents.iterrows():
        if row["size"] == "horizon" and row["quantity"] == "product_over_log":
            continue  # the same as the product's
        name = words.get(row["quantity"], row["quantity"])
        if why := found.why_no_exponent(row["quantity"]):
            console.print(f"{name}: {why}, so there is no exponent of {letters[row['size']]}")
            continue
        stray = row["lack_of_fit"]
        rough = (
            f"  (not a straight line: points stray by {stray:,.0f} standard errors)" if stray > 2.0 else ""
        )
        console.print(
            f"{name} grows like {letters[row['size']]}^{row['exponent']:.3f} "
            f"[{row['low']:.3f}, {row['high']:.3f}]{rough}"
        )
    print_notes(console, found.notes)
