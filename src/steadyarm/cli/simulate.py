"""`steadyarm simulate`: regret and instability of one policy on one instance."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options import (
    Alpha,
    Arms,
    Horizon,
    Json,
    MeanBound,
    NoiseScale,
    Out,
    Runs,
    Seed,
    numbers,
    whole_number,
)

if TYPE_CHECKING:
    from pathlib import Path

    from steadyarm.engines import Simulation
    from steadyarm.model import Instance
    from steadyarm.policies import Policy

_FAMILIES = ("equal_gap", "one_better", "ladder", "equal_arms")


def simulate(
    policy: Annotated[
        str, typer.Option("--policy", help="Name of a policy; see `steadyarm policies`.")
    ] = "SLEUCB",
    arms: Arms = None,
    horizon: Horizon = 100_000,
    means: Annotated[
        str | None, typer.Option("--means", help="The arms' means, like 0,-0.1,-0.1.", metavar="M1,M2,…")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option("--family", help=f"Instead of means: {', '.join(_FAMILIES)}. Default: equal_gap."),
    ] = None,
    gap: Annotated[
        float | None, typer.Option("--gap", help="The family's gap between arms. Default: 0.1.")
    ] = None,
    rewards: Annotated[
        str, typer.Option("--rewards", help="gaussian, bernoulli (0/1) or bounded.")
    ] = "gaussian",
    low: Annotated[float | None, typer.Option("--low", help="Smallest bounded reward. Default: 0.")] = None,
    high: Annotated[float | None, typer.Option("--high", help="Largest bounded reward. Default: 1.")] = None,
    mean_bound: MeanBound = 1.0,
    noise_scale: NoiseScale = None,
    alpha: Alpha = None,
    constants: Annotated[
        str | None, typer.Option("--constants", help="paper or sharp. Default: paper.", show_default=False)
    ] = None,
    beta: Annotated[float | None, typer.Option("--beta", help="β by hand; carries no guarantee.")] = None,
    runs: Runs = None,
    precision: Annotated[
        float | None,
        typer.Option("--precision", help="Instead of runs: relative half-width to reach, like 0.02."),
    ] = None,
    seed: Seed = 0,
    engine: Annotated[str, typer.Option("--engine", help="auto, prefix, step or reference.")] = "auto",
    threads: Annotated[
        int | None,
        typer.Option("--threads", help="Threads. Default: all cores.", parser=whole_number, metavar="N"),
    ] = None,
    outside_class: Annotated[
        bool, typer.Option("--outside-class", help="Run even if the instance is outside the policy's class.")
    ] = False,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Play a policy many times: regret, instability and each arm's pulls, with intervals."""
    import steadyarm as sa
    from steadyarm.errors import SimulationInterrupted

    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    instance = _instance(rewards, means, family, arms, gap, noise_scale, low, high)
    if noise_scale is None:
        noise_scale = max(instance.noise_scales)
    given = {"mean_bound": mean_bound, "noise_scale": noise_scale}
    asked = {"alpha": alpha, "constants": constants, "beta": beta}
    record = _policy(policy, instance.n_arms, horizon, given, asked)
    try:
        result = sa.simulate(
            record,
            instance,
            runs=runs,
            precision=precision,
            seed=seed,
            engine=engine,
            threads=threads,
            outside_class=outside_class,
        )
    except SimulationInterrupted as interruption:
        if interruption.partial is not None:
            _show(interruption.partial, as_json, out)  # type: ignore[arg-type]
        raise
    _show(result, as_json, out)


def _instance(
    rewards: str,
    means: str | None,
    family: str | None,
    arms: int | None,
    gap: float | None,
    noise_scale: float | None,
    low: float | None,
    high: float | None,
) -> Instance:
    import steadyarm as sa
    from steadyarm.errors import InvalidInput
    from steadyarm.model import checks
    from steadyarm.model.instance import LAWS

    checks.one_of(rewards, "--rewards", LAWS)
    noise = 1.0 if noise_scale is None else noise_scale
    if rewards != "bounded" and not (low is None and high is None):
        raise InvalidInput(f"--low and --high are for bounded rewards; these are {rewards}. Leave them out.")
    if means is not None:
        if family is not None or gap is not None:
            raise InvalidInput("--means says it all; leave --family and --gap out.")
        values = numbers(means)
        if arms is not None and arms != len(values):
            raise InvalidInput(f"--arms says {arms} but --means names {len(values)}. Leave one of them out.")
        if rewards == "gaussian":
            return sa.Instance.gaussian(values, noise)
        if rewards == "bernoulli":
            return sa.Instance.bernoulli(values)
        return sa.Instance.bounded(values, 0.0 if low is None else low, 1.0 if high is None else high)
    if rewards != "gaussian":
        raise InvalidInput(f"--family makes Gaussian arms; for {rewards} rewards give --means, like 0.6,0.5.")
    family = checks.one_of("equal_gap" if family is None else family, "--family", _FAMILIES)
    n_arms = 2 if arms is None else arms
    if family == "equal_arms":
        if gap is not None:
            raise InvalidInput("--family equal_arms has no gap; leave --gap out.")
        return sa.equal_arms(n_arms, noise_scale=noise)
    build = {"equal_gap": sa.equal_gap, "one_better": sa.one_better, "ladder": sa.ladder}[family]
    return build(n_arms, 0.1 if gap is None else gap, noise_scale=noise)


def _policy(name: str, n_arms: int, horizon: int, given: dict[str, Any], asked: dict[str, Any]) -> Policy:
    """Make the policy; `given` goes to those that have such a parameter, `asked` is refused by the others."""
    import steadyarm as sa
    from steadyarm.errors import InvalidInput
    from steadyarm.model import checks

    kinds = sa.all_policies()
    kind = kinds[checks.one_of(name, "--policy", tuple(kinds))]
    known = {field.name for field in fields(kind)}
    parameters = {key: value for key, value in given.items() if key in known}
    for key, value in asked.items():
        if value is not None and key not in known:
            raise InvalidInput(f"{name} has no parameter {key!r}; it has {', '.join(sorted(known))}.")
        if value is not None:
            parameters[key] = value
    return kind(n_arms=n_arms, horizon=horizon, **parameters)


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
