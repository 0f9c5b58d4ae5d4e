"""`steadyarm plan`: what a stable allocation costs."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.grouping import grouped
from steadyarm.cli.instance_options import High, Low, Rewards
from steadyarm.cli.options import Horizon, NoiseScale, OutputOptions, Seed, say_written, whole_number
from steadyarm.cli.tables import print_table

if TYPE_CHECKING:
    from steadyarm.model import Instance
    from steadyarm.theory import Estimate
    from steadyarm.theory.planning import Plan

    Measured = dict[str, Estimate]


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
        typer.Option("--max-sd", help="Wish: at most this standard deviation of an arm's pulls."),
    ] = None,
    max_sd_share: Annotated[
        float | None,
        typer.Option("--max-sd-share", help="Wish: the same as a share of the rounds, like 0.01."),
    ] = None,
    max_regret: Annotated[
        float | None, typer.Option("--max-regret", help="Wish: at most this regret, as steady as it allows.")
    ] = None,
    valid_intervals: Annotated[
        bool, typer.Option("--valid-intervals", help="Wish: the cheapest with valid intervals afterwards.")
    ] = False,
    alpha: Annotated[
        float | None, typer.Option("--alpha", help="Instead of a wish: what this α comes to.")
    ] = None,
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
    """Choose α for the stability or the regret you want: what to expect, what is promised, what more costs."""
    import steadyarm as sa
    from steadyarm.model import checks

    output.prepare()
    if runs is not None:
        checks.integer(runs, "--runs", at_least=6, remedy="A standard deviation of fewer has no interval.")
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
        valid_intervals=valid_intervals,
        alpha=alpha,
    )
    measured: Measured = {}
    if runs is not None:
        measured["regret"] = sa.simulate(found.policy, found.costliest, runs=runs, seed=seed).regret
        measured["instability"] = sa.simulate(
            found.policy, found.unsteadiest, runs=runs, seed=seed
        ).instability
    data = found.to_dict() | (
        {"measured": {name: estimate.to_dict() for name, estimate in measured.items()}} if measured else {}
    )
    if output.as_json:
        print(json.dumps(data, indent=2))
    else:
        _print(found, measured)
    if output.out is not None:
        from steadyarm.study.plotting.style import save_figure
        from steadyarm.study.runs.tables import save_json

        say_written(
            [*save_figure(sa.plot_plan(found), output.out, "plan"), save_json(data, output.out, "plan")]
        )


def _print(found: Plan, measured: Measured) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from steadyarm.theory.bounds import largest_instability

    console = Console(highlight=False, soft_wrap=True)
    policy, horizon = found.policy, found.policy.horizon
    console.print(f"You wish for {found.wish}, with {policy.n_arms} arms and {horizon:,} rounds.\n")
    console.print(
        f"Run [bold]SLE-UCB[/bold] with alpha = {policy.alpha:.4g} (constants = {policy.constants}, mean_bound = "
        f"{policy.mean_bound:g}, noise_scale = {policy.noise_scale:g})."
    )
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("on the worst instance", "regret", "spread of pulls", "share"):
        table.add_column(heading, justify="left" if heading.startswith("on") else "right", no_wrap=True)

    def row(name: str, regret: float, spread: float) -> None:
        table.add_row(name, _amount(regret), _amount(spread), f"{spread / horizon:.2%}")

    row("expected", found.expected.regret, found.expected.instability)
    if measured:
        table.add_row(
            f"measured, {measured['regret'].runs:,} runs",
            _words(measured["regret"]),
            _words(measured["instability"]),
            f"{measured['instability'].value / horizon:.2%}",
        )
    if found.half is not None:
        row(f"half the spread, α = {found.half.alpha:.3g}", found.half.regret, found.half.instability)
    promise = found.promise
    table.add_row(
        "guaranteed by Theorem 2",
        _amount(promise.regret) if promise.regret < found.most_regret else "nothing",
        _amount(promise.instability) if promise.instability < largest_instability(policy) else "nothing",
        f"{promise.instability / horizon:.2%}" if promise.instability < largest_instability(policy) else "",
    )
    print_table(console, table)
    if found.least_instability is not None:
        console.print(
            f"No policy with this regret can keep its spread below {found.least_instability:,.1f} pulls everywhere "
            "(Theorem 1)."
        )
    console.print(
        f"Worst arms: means {_levels(found.costliest)} lose most; {_levels(found.unsteadiest)} spread most."
    )
    for note in found.notes:
        console.print(f"note: {note}")


def _levels(instance: Instance) -> str:
    """Return the means of an instance, each once, with how many arms have it."""
    return ", ".join(
        f"{mean:.3g}" if copies == 1 else f"{mean:.3g} ({copies} arms)"
        for mean, copies in sorted(Counter(instance.means).items(), reverse=True)
    )


def _words(estimate: Estimate) -> str:
    return f"{_amount(estimate.value)} ± {100.0 * estimate.relative_half_width:.3g}%"


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number < 1e9 else f"{number:.4g}"
