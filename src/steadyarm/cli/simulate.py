"""`steadyarm simulate`: regret and instability of one policy on one instance."""

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
    ask_for,
    build_instance,
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
    from pathlib import Path

    from steadyarm.engines import Simulation


def simulate(
    policy: Annotated[
        str,
        typer.Option(
            "--policy", help="Name of a policy (see `steadyarm policies`) or your my_module:MyPolicy."
        ),
    ] = "SLEUCB",
    arms: Arms = None,
    horizon: Horizon = 100_000,
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
    runs: Runs = None,
    precision: Annotated[
        float | None,
        typer.Option("--precision", help="Instead of runs: relative half-width to reach, like 0.02."),
    ] = None,
    seed: Seed = 0,
    engine: Annotated[str, typer.Option("--engine", help="auto, leap, prefix, step or reference.")] = "auto",
    device: Annotated[str, typer.Option("--device", help="cpu, or cuda: prefix and step on a GPU.")] = "cpu",
    threads: Annotated[
        int | None,
        typer.Option("--threads", help="Threads. Default: all cores.", parser=whole_number, metavar="N"),
    ] = None,
    outside_class: OutsideClass = False,
    study: Study = None,
    dask: Dask = None,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Play a policy many times: regret, instability and each arm's pulls, with intervals."""
    from steadyarm.engines.progress import progress_bar
    from steadyarm.errors import SimulationInterrupted

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    instance = build_instance(rewards, means, family, arms, gap, noise_scale, low, high)
    if noise_scale is None:
        noise_scale = max(instance.noise_scales)
    given = {"mean_bound": mean_bound, "noise_scale": noise_scale}
    asked = ask_for(read_parameters(parameter), {"alpha": alpha, "constants": constants, "beta": beta})
    record = build_policy(policy, instance.n_arms, horizon, given, asked)
    try:
        with (
            build_laboratory(study, dask, threads, device) as laboratory,
            progress_bar(None, f"{record.title}, {record.horizon:,} rounds") as report,
        ):
            configuration = {"policy": record.to_dict(), "instance": instance.to_dict()}
            laboratory.begin("simulate", configuration | {"seed": seed, "engine": engine}, runs)
            result = laboratory.simulate(
                record,
                instance,
                runs=runs,
                precision=precision,
                seed=seed,
                engine=engine,
                report=report,
                outside_class=outside_class,
            )
    except SimulationInterrupted as interruption:
        if interruption.partial is not None:
            _show(interruption.partial, as_json, out)  # type: ignore[arg-type]
        raise
    _show(result, as_json, out)


def _show(result: Simulation, as_json: bool, out: Path | None) -> None:
    """Print a result and write its files."""
    if as_json:
        print(json.dumps(result.to_dict() | {"guarantee": _promise(result)}, indent=2))
    else:
        _print(result)
    if out is not None:
        from steadyarm.study.allocations import save_simulation

        for path in save_simulation(result, out):
            typer.echo(f"wrote {path}", err=True)


def _promise(result: Simulation) -> dict[str, float] | None:
    """Theorem 2's bounds where they apply: SLE-UCB with its own β, on an instance of its class."""
    from steadyarm.errors import OutsideClass
    from steadyarm.policies import SLEUCB
    from steadyarm.theory import guarantee

    if not isinstance(result.policy, SLEUCB) or not result.policy.guaranteed:
        return None
    try:
        result.policy.check_instance(result.instance)
    except OutsideClass:
        return None
    promise = guarantee(result.policy)
    return {"regret": promise.regret, "instability": promise.instability, "product": promise.product}


def _print(result: Simulation) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    horizon, runs = result.policy.horizon, f"{result.runs:,} run{'s' if result.runs > 1 else ''}"
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
            f"{result.instance.means[arm]:g}",
            str(pulls),
            f"{pulls.value / horizon:.2%}",
            str(spread),
        )
    console.print(table)
    if result.instance.n_arms > 20:
        console.print(f"… and {result.instance.n_arms - 20} more arms (--json has them all)")
    product = result.regret.value * result.instability.value / horizon**1.5
    console.print(f"regret       {result.regret}  (expected reward lost to not knowing the best arm)")
    console.print(f"instability  {result.instability}  (largest standard deviation of an arm's pulls)")
    console.print(f"product      {product:.3g} × T^1.5  (no policy gets below a constant)")
    promise = _promise(result)
    if promise is not None:
        console.print(
            f"guaranteed   regret ≤ {promise['regret']:,.0f}, instability ≤ {promise['instability']:,.0f} "
            "on every instance of the class"
        )
    for note in result.notes:
        console.print(f"note: {note}")
