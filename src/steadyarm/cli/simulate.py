"""`steadyarm simulate`: regret and instability of one policy on one instance."""

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
)
from steadyarm.cli.options.drift import MovingInstanceOptions
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.policy import OutsideClass, PolicyName, PolicyOptions
from steadyarm.console import print_notes, print_table
from steadyarm.words import counted, measured

if TYPE_CHECKING:
    from rich.console import Console

    from steadyarm.engines.result import Simulation

_MOST_MOMENTS = 12


@grouped
def simulate(
    *,
    policy: PolicyName = "SLEUCB",
    horizon: Horizon = 100_000,
    instance: MovingInstanceOptions,
    parameters: PolicyOptions,
    runs: Runs = None,
    precision: Annotated[
        float | None,
        typer.Option("--precision", help="Instead of --runs: the relative half-width to reach, like 0.02."),
    ] = None,
    seed: Seed = 0,
    at: At = None,
    delay: Late = "0",
    batch: Batch = 1,
    engine: Annotated[str, typer.Option("--engine", help="auto, leap, prefix, step or reference.")] = "auto",
    device: Annotated[str, typer.Option("--device", help="cpu, or cuda: prefix and step on a GPU.")] = "cpu",
    threads: Threads = None,
    outside_class: OutsideClass = False,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Measure a policy's regret, instability and pulls."""
    from steadyarm.engines.progress import progress_bar
    from steadyarm.errors import SimulationInterrupted

    how: dict[str, Any] = {"seed": seed, "engine": engine, "delay": delay, "batch": batch}
    output.prepare()
    arms = instance.build_for(horizon)
    record = parameters.build(policy, arms.n_arms, horizon, instance.scale(arms))
    try:
        with (
            study.laboratory(threads, device) as laboratory,
            progress_bar(None, f"{record.title}, {record.horizon:,} rounds") as report,
        ):
            laboratory.begin_simulation(record, arms, runs=runs, **how)
            result = laboratory.simulate(
                record,
                arms,
                runs=runs,
                precision=precision,
                report=report,
                outside_class=outside_class,
                at=at,
                **how,
            )
    except SimulationInterrupted as interruption:
        partial: Any = interruption.partial
        if partial is not None:
            output.show(partial, _print)
        raise
    output.show(result, _print)


def _print(result: Simulation) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    horizon, runs = result.policy.horizon, counted(result.runs, "run")
    console.print(
        f"[bold]{result.policy.title}[/bold] on {result.instance.n_arms} {result.instance.rewards} arms, "
        f"{horizon:,} rounds, {runs} ({result.engine} engine, seed {result.seed})"
    )
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("arm", "mean reward", "pulls", "share", "standard deviation"):
        table.add_column(heading, justify="right", no_wrap=True)
    for arm in range(min(result.instance.n_arms, 20)):
        pulls, spread = result.arm(arm)
        table.add_row(
            str(arm),
            result.instance.mean_in_words(arm),
            measured(pulls),
            f"{pulls.value / horizon:.2%}",
            measured(spread),
        )
    print_table(console, table)
    if result.instance.n_arms > 20:
        console.print(f"… and {counted(result.instance.n_arms - 20, 'more arm')} (--json has them all)")
    lost = "the best arm of each round" if result.instance.moves else "the best arm"
    console.print(f"regret       {measured(result.regret)}  (expected reward lost to not knowing {lost})")
    console.print(
        f"instability  {measured(result.instability)}  (largest standard deviation of an arm's pulls)"
    )
    if not result.instance.moves:  # no theorem speaks of the product then
        times = f"{result.product:.3g} × T^1.5" if result.product == result.product else "unknown"
        console.print(f"product      {times}  (on this instance; Theorem 1 is about worst cases)")
    if (promise := result.guarantee) is not None:
        console.print(
            f"guaranteed   regret ≤ {promise.regret:,.0f}, instability ≤ {promise.instability:,.0f} "
            "on every instance of the class"
        )
    if len(result.at):
        _print_over_time(console, result)
    print_notes(console, result.notes)


def _print_over_time(console: Console, result: Simulation) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("round", "regret", "instability"):
        table.add_column(heading, justify="right", no_wrap=True)
    every = -(-len(result.at) // _MOST_MOMENTS)
    shown = range(len(result.at) - 1, -1, -every)[::-1]
    for place in shown:
        regret, instability = result.regret_at[place], result.instability_at[place]
        table.add_row(f"{result.at[place]:,}", measured(regret), measured(instability))
    print_table(console, table)
    if every > 1:
        console.print(f"… and {counted(len(result.at) - len(shown), 'more moment')} (--json has them all)")
