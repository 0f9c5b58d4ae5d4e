"""`steadyarm plan`: what a stable allocation costs."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.grouping import grouped
from steadyarm.cli.instance_options import High, Low, Rewards
from steadyarm.cli.options import Horizon, NoiseScale, OutputOptions, Seed, say_written, whole_number
from steadyarm.cli.tables import print_table

if TYPE_CHECKING:
    from steadyarm.model import Instance
    from steadyarm.planning.check import PlanCheck
    from steadyarm.planning.plan import Plan
    from steadyarm.theory import Estimate


@grouped
def plan(
    *,
    arms: Annotated[
        int, typer.Option("--arms", help="Number of arms, K.", parser=whole_number, metavar="K")
    ] = 2,
    horizon: Horizon = 100_000,
    rewards: Rewards = "gaussian",
    low: Low = None,
    high: High = None,
    mean_bound: Annotated[
        float | None, typer.Option("--mean-bound", help="M: the arms' means lie in [-M, M].")
    ] = None,
    noise_scale: NoiseScale = None,
    max_sd: Annotated[
        float | None,
        typer.Option("--max-sd", help="Goal: at most this standard deviation of an arm's pulls."),
    ] = None,
    max_sd_share: Annotated[
        float | None,
        typer.Option("--max-sd-share", help="Goal: the same as a share of the rounds, like 0.01."),
    ] = None,
    max_regret: Annotated[
        float | None, typer.Option("--max-regret", help="Goal: at most this regret, as steady as it allows.")
    ] = None,
    max_regret_share: Annotated[
        float | None,
        typer.Option("--max-regret-share", help="Goal: the same as a share of all that could be lost."),
    ] = None,
    valid_intervals: Annotated[
        bool, typer.Option("--valid-intervals", help="Goal: the cheapest with valid intervals afterwards.")
    ] = False,
    alpha: Annotated[
        float | None, typer.Option("--alpha", help="Instead of a goal: what this α of SLE-UCB comes to.")
    ] = None,
    guaranteed: Annotated[
        bool, typer.Option("--guaranteed", help="Meet the goal by a theorem, not only as expected.")
    ] = False,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            help="Check the plan: simulate its worst instances so many times.",
            parser=whole_number,
            metavar="N",
        ),
    ] = None,
    seed: Seed = 0,
    output: OutputOptions,
) -> None:
    """Plan for the stability or the regret you want: what to expect, what is guaranteed, what nobody can beat."""
    import steadyarm as sa

    output.prepare()
    found = sa.plan(
        n_arms=arms,
        horizon=horizon,
        mean_bound=mean_bound,
        noise_scale=noise_scale,
        rewards=rewards,
        low=low,
        high=high,
        max_sd=max_sd,
        max_sd_share=max_sd_share,
        max_regret=max_regret,
        max_regret_share=max_regret_share,
        valid_intervals=valid_intervals,
        alpha=alpha,
        guaranteed=guaranteed,
    )
    check = None if runs is None else found.check(runs, seed)
    data = found.to_dict() | ({} if check is None else {"measured": check.to_dict()})
    if output.as_json:
        print(json.dumps(data, indent=2))
    else:
        _print(found, check)
    if output.out is not None:
        from steadyarm.study.plotting.style import save_figure
        from steadyarm.study.runs.tables import save_json

        say_written(
            [*save_figure(sa.plot_plan(found), output.out, "plan"), save_json(data, output.out, "plan")]
        )


def _print(found: Plan, check: PlanCheck | None) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    policy = found.policy
    console.print(f"Goal: {found.goal} ({policy.n_arms} arms, {policy.horizon:,} rounds).\n")
    console.print(f"Run [bold]{policy.title}[/bold] with {found.recipe}.")
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("on the worst instance", "regret", "spread of pulls", "share"):
        table.add_column(heading, justify="left" if heading.startswith("on") else "right", no_wrap=True)
    for row in found.rows(check):
        cells = [row.missing if each is None else _amount(each) for each in (row.regret, row.instability)]
        if check is not None and row.kind == "measured":
            cells = [_words(check.regret), _words(check.instability)]
        share = "" if row.instability is None else f"{row.instability / policy.horizon:.2%}"
        table.add_row(row.name, *cells, share)
    print_table(console, table)
    console.print(
        f"Worst arms: means {_levels(found.costliest)} lose most; {_levels(found.unsteadiest)} spread most."
    )
    console.print(found.distance)
    for note in found.notes:
        console.print(f"note: {note}")


def _levels(instance: Instance) -> str:
    """Return the means of an instance, each once, with how many arms have it, to four digits of the largest."""
    largest = max(abs(mean) for mean in instance.means) or 1.0
    digits = 3 - math.floor(math.log10(largest))
    levels = Counter(round(mean, digits) + 0.0 for mean in instance.means)
    return ", ".join(
        f"{mean:.3g}" if copies == 1 else f"{mean:.3g} ({copies} arms)"
        for mean, copies in sorted(levels.items(), reverse=True)
    )


def _words(estimate: Estimate) -> str:
    return f"{_amount(estimate.value)} ± {100.0 * estimate.relative_half_width:.3g}%"


def _amount(number: float) -> str:
    if number < 100.0:
        return f"{number:.3g}"
    return f"{number:,.0f}" if number < 1e9 else f"{number:.4g}"
