"""`steadyarm trial`: operating characteristics of an experiment before it begins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from steadyarm.cli.options.common import Horizon, OutputOptions, Seed, ShareRuns, StudyOptions, given, moments
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.instance import InstanceOptions
from steadyarm.cli.options.policy import OutsideClass, PolicyOptions
from steadyarm.console import print_notes, print_table
from steadyarm.defaults import LEVEL

if TYPE_CHECKING:
    from steadyarm.model import Instance
    from steadyarm.study.trial.study import Trial

_HEADINGS = ("wrong", "power", "picks best", "reward", "on the best")
_STOPS = ("stopped", "rounds")


@grouped
def trial(
    *,
    policies: Annotated[
        str | None,
        typer.Option(
            "--policies",
            help="The designs: names separated by commas (see `steadyarm policies`). Default: RoundRobin, Steady, "
            "SLEUCB with sharp constants, and Thompson sampling.",
            metavar="A,B,…",
        ),
    ] = None,
    horizon: Horizon = 300,
    instance: InstanceOptions,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            help="Means by name, like null=0.1,0.1; may be repeated. Default: --means, and the null "
            "scenario in which all arms have the first one's mean.",
            metavar="NAME=M1,M2,…",
        ),
    ] = None,
    policy: PolicyOptions,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            help="wald, wilson, anytime or auto; may be repeated. Default: the ordinary one for these "
            "rewards, and anytime.",
        ),
    ] = None,
    control: Annotated[
        int | None,
        typer.Option("--control", help="Arm that the others are compared with. Default: all pairs."),
    ] = None,
    looks: Annotated[
        Any,
        typer.Option(
            "--looks",
            help="Looks at which the trial may stop: how many, evenly spaced, like 5, or after which rounds, like "
            "100,200,300. Default: none before the end.",
            parser=moments,
            metavar="LOOKS",
        ),
    ] = None,
    level: Annotated[
        float | None, typer.Option("--level", help=f"Level of decisions and intervals. Default: {LEVEL}.")
    ] = None,
    runs: ShareRuns = None,
    seed: Seed = 0,
    outside_class: OutsideClass = False,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Find a trial's errors, power and cost before it begins.

    For several designs: type I error, power, bias, coverage, allocation and cost.

    Short trials of two arms with 0/1 rewards are computed exactly where the design allows it.
    """
    import steadyarm as sa

    output.prepare()
    scenarios = _scenarios(instance, scenario)
    first = scenarios if isinstance(scenarios, sa.Instance) else next(iter(scenarios.values()))
    designs = None
    if policies is not None:
        designs = policy.build_several(policies, first, horizon, instance.scale(first), outside_class)
    with study.laboratory() as laboratory:
        found = sa.trial(
            scenarios,
            designs,
            horizon=horizon,
            methods=method or None,
            control=control,
            looks=looks,
            seed=seed,
            outside_class=outside_class,
            laboratory=laboratory,
            **given(level=level, runs=runs),
        )
    output.show(found, _print)


def _scenarios(options: InstanceOptions, words: list[str] | None) -> Instance | dict[str, Instance]:
    from steadyarm.errors import InvalidInput

    if not words:
        return options.build()
    if options.means is not None:
        raise InvalidInput("--scenario names the means; leave --means out.")
    scenarios = {}
    for word in words:
        name, equals, means = word.partition("=")
        if not equals or not name.strip() or name.strip() in scenarios:
            raise InvalidInput(f"--scenario must be like null=0.1,0.1, each name once; got {word!r}.")
        scenarios[name.strip()] = replace(options, means=means).build()
    return scenarios


def _print(found: Trial) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    study = found.study
    for name, instance in study.scenarios.items():
        console.print(
            f"[bold]{name}[/bold]: {instance.rewards} rewards with means "
            f"{', '.join(map(instance.mean_in_words, range(instance.n_arms)))}"
        )
        for method in study.methods:
            table = Table(box=box.SIMPLE_HEAD)
            table.add_column(f"{method} {100 * study.level:.6g}%", overflow="fold")
            for heading in _HEADINGS if study.looks is None else (*_HEADINGS, *_STOPS):
                table.add_column(heading, justify="right", no_wrap=True)
            for _, row in found.table.query("scenario == @name and method == @method").iterrows():
                shares = (_share(row, quantity) for quantity in ("wrong", "power", "picks_best"))
                stops = [] if study.looks is None else [f"{row['stopped']:.0%}", f"{row['rounds']:,.0f}"]
                table.add_row(row["design"], *shares, f"{row['reward']:,.1f}", _pulls(found, row), *stops)
            print_table(console, table)
    console.print(
        "wrong: some arm is declared better than one that is no worse; power: a true difference is declared; on the "
        f"best: pulls of the best arm ± spread. Shares with ± are of {found.runs:,} simulated runs (seed "
        f"{study.seed}), those without are exact."
    )
    console.print(f"digest: {found.digest}")
    print_notes(console, found.notes)


def _share(row: Any, quantity: str) -> str:
    value = row[quantity]
    if value != value:
        return "–"
    half = (row[f"{quantity}_high"] - row[f"{quantity}_low"]) / 2.0
    return f"{value:.1%}" if row["source"] == "exact" else f"{100 * value:.1f} ± {100 * half:.1f}%"


def _pulls(found: Trial, row: Any) -> str:
    best = found.best_arm(row["scenario"])
    same = (found.arms[name] == row[name] for name in ("design", "scenario", "method"))
    arm = found.arms[(found.arms["arm"] == best) & next(same) & next(same) & next(same)].iloc[0]
    return f"{arm['pulls']:,.0f} ± {arm['spread']:,.0f}"
