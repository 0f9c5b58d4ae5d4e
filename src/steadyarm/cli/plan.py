"""`steadyarm plan`: what to run, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options.common import (
    NoiseScale,
    OutputOptions,
    Seed,
    given,
    numbers,
    whole_number,
)
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.instance import High, Low
from steadyarm.cli.options.policy import Parameters, build_policy, read_parameters
from steadyarm.cli.options.situation import SituationOptions
from steadyarm.defaults import ARMS

if TYPE_CHECKING:
    from steadyarm.policies import Policy


@grouped
def plan(
    *,
    arms: Annotated[
        int | None,
        typer.Option(
            "--arms",
            help=f"Number of arms (variants, today's included), K. Default: {ARMS}.",
            parser=whole_number,
            metavar="K",
        ),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            "--horizon",
            help="Number of rounds (units, visitors), T, like 100000 or 1e6; with a baseline --days will do.",
            parser=whole_number,
            metavar="T",
            show_default=False,
        ),
    ] = None,
    situation: SituationOptions,
    rewards: Annotated[
        str | None,
        typer.Option(
            "--rewards", help="Without a baseline: gaussian (the default), bernoulli (0/1) or bounded."
        ),
    ] = None,
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
        typer.Option("--max-sd-share", help="The same as a share of the rounds, like 0.01."),
    ] = None,
    max_regret: Annotated[
        float | None,
        typer.Option("--max-regret", help="Goal: at most this regret, and as steady as that allows."),
    ] = None,
    max_regret_share: Annotated[
        float | None,
        typer.Option("--max-regret-share", help="The same as a share of all that could be lost."),
    ] = None,
    valid_intervals: Annotated[
        bool,
        typer.Option("--valid-intervals", help="Goal: the cheapest plan with valid intervals afterwards."),
    ] = False,
    alpha: Annotated[
        float | None, typer.Option("--alpha", help="Instead of a goal: what SLE-UCB with this α gives.")
    ] = None,
    constants: Annotated[
        str | None,
        typer.Option("--constants", help="With --alpha: paper or sharp. Default: sharp.", show_default=False),
    ] = None,
    policy: Annotated[
        str | None, typer.Option("--policy", help="Instead of a goal: what SLEUCB or Steady gives as it is.")
    ] = None,
    parameter: Parameters = None,
    guaranteed: Annotated[
        bool,
        typer.Option(
            "--guaranteed", help="A theorem must guarantee the goal; otherwise it is expected to be met."
        ),
    ] = False,
    at_least: Annotated[
        str | None,
        typer.Option(
            "--at-least",
            help="A floor for each arm, as a share of the rounds, like 0.2,0; its cost is computed.",
            metavar="S1,S2,…",
        ),
    ] = None,
    at_most: Annotated[
        str | None, typer.Option("--at-most", help="A cap for each arm, likewise.", metavar="S1,S2,…")
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs",
            help="With a baseline: runs of each design. Without: check the plan by this many runs of its worst cases.",
            parser=whole_number,
            metavar="N",
        ),
    ] = None,
    seed: Seed = 0,
    output: OutputOptions,
) -> None:
    """Plan an experiment: what to run, and what it costs.

    Plan from what you know of the experiment, as in --arms 3 --baseline 10% --smallest-difference 2pp --per-day 1000
    --days 14, from a goal for stability or regret, or from both. The plan also says what no policy can beat.
    """
    from rich.console import Console

    import steadyarm as sa
    from steadyarm.errors import InvalidInput
    from steadyarm.planning.baseline.situation_plan_in_words import print_situation_plan
    from steadyarm.planning.plan_in_words import print_plan

    output.prepare()
    goal: dict[str, Any] = {
        "max_sd": max_sd,
        "max_sd_share": max_sd_share,
        "max_regret": max_regret,
        "max_regret_share": max_regret_share,
        "valid_intervals": valid_intervals,
        "alpha": alpha,
        "constants": constants,
        "guaranteed": guaranteed,
    }
    described: dict[str, Any] = {
        "mean_bound": mean_bound,
        "noise_scale": noise_scale,
        "rewards": rewards,
        "low": low,
        "high": high,
    }
    quotas: dict[str, Any] = {
        "at_least": None if at_least is None else numbers(at_least, "--at-least", "0.2,0"),
        "at_most": None if at_most is None else numbers(at_most, "--at-most", "1,0.1"),
    }
    if policy is None and parameter:
        raise InvalidInput("--parameter goes with --policy. Give that too, or leave it out.")
    if policy is not None:
        # A plan from a baseline refuses the name of a policy as it does the policy.
        goal["policy"] = policy if horizon is None else _policy(policy, arms, horizon, described, parameter)
    often = given(n_arms=arms, runs=runs if situation.known else None)
    found = sa.plan(horizon=horizon, **situation.given(), **described, **goal, **quotas, **often, seed=seed)
    situation.check_units(found)
    console = Console(highlight=False, soft_wrap=True)
    if not isinstance(found, sa.Plan):
        output.show(found, lambda plan: print_situation_plan(console, plan))
        return
    check = None if runs is None else found.check(runs, seed)
    output.show(found, lambda plan: print_plan(console, plan, check), check=check)


def _policy(
    name: str, arms: int | None, horizon: int, described: dict[str, Any], parameter: list[str] | None
) -> Policy:
    """Make the policy to be planned; what its parameters leave open is that of the class."""
    from steadyarm.theory.reward_class import class_of

    told = class_of(**described)
    scales = {"mean_bound": told.mean_bound, "noise_scale": told.noise_scale}
    return build_policy(name, ARMS if arms is None else arms, horizon, scales, read_parameters(parameter))
