"""`steadyarm worst-case`: the instance on which a policy loses most, or is the least steady."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.options.common import (
    ClassNoise,
    OutputOptions,
    Runs,
    Seed,
    StudyOptions,
    given,
    whole_number,
)
from steadyarm.cli.options.groups import grouped
from steadyarm.cli.options.policy import PolicyName, PolicyOptions
from steadyarm.console import print_notes, print_table
from steadyarm.defaults import ARMS, SEARCH_RUNS, SEARCH_STEPS, WORST_CASE_HORIZON
from steadyarm.words import counted, measured

if TYPE_CHECKING:
    from steadyarm.study.worst_case.study import WorstCase


@grouped
def worst_case(
    *,
    policy: PolicyName = "SLEUCB",
    of: Annotated[str, typer.Option("--of", help="regret or instability.")] = "regret",
    arms: Annotated[
        int | None,
        typer.Option("--arms", help=f"Number of arms, K. Default: {ARMS}.", parser=whole_number, metavar="K"),
    ] = None,
    horizon: Annotated[
        int | None,
        typer.Option(
            "--horizon",
            help=f"Number of rounds, T, like 100000 or 1e6. Default: {WORST_CASE_HORIZON}.",
            parser=whole_number,
            metavar="T",
        ),
    ] = None,
    rewards: Annotated[
        str | None,
        typer.Option("--rewards", help="gaussian or bernoulli. Default: what the policy takes."),
    ] = None,
    noise_scale: ClassNoise = None,
    parameters: PolicyOptions,
    runs: Runs = None,
    search_runs: Annotated[
        int | None,
        typer.Option(
            "--search-runs",
            help=f"Runs on each instance that the search tries. Default: {SEARCH_RUNS}.",
            parser=whole_number,
            metavar="N",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            "--steps",
            help=f"Instances to try beyond the families. Default: {SEARCH_STEPS}.",
            parser=whole_number,
            metavar="N",
        ),
    ] = None,
    seed: Seed = 0,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Search for the instance on which a policy does worst.

    What is found is measured again on fresh rewards.
    """
    import steadyarm as sa

    output.prepare()
    n_arms, rounds = ARMS if arms is None else arms, WORST_CASE_HORIZON if horizon is None else horizon
    record = parameters.build(policy, n_arms, rounds, noise_scale)
    with study.laboratory() as laboratory:
        found = sa.worst_case(
            record,
            of,
            seed=seed,
            laboratory=laboratory,
            **given(
                runs=runs,
                steps=steps,
                search_runs=search_runs,
                rewards=rewards,
                mean_bound=parameters.mean_bound,
            ),
        )
    output.show(found, _print)


def _print(found: WorstCase) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    study, of, policy = found.study, found.study.of, found.study.policy
    console.print(
        f"[bold]{policy.title}[/bold], {policy.n_arms} {found.instance.rewards} arms, {policy.horizon:,} rounds: "
        f"the worst {of} found"
    )
    console.print(
        f"{of}  {measured(found.estimate)}  ({found.estimate.runs:,} fresh runs, seed {study.seed})"
    )
    means = ", ".join(f"{mean:.4g}" for mean in found.instance.means[:12])
    more = f", … ({found.instance.n_arms - 12} more)" if found.instance.n_arms > 12 else ""
    console.print(f"on means    {means}{more}")
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("best of", "gap", of, "how"):
        table.add_column(heading, justify="left" if heading in ("best of", "how") else "right", no_wrap=True)
    tried = found.tried
    for _, row in tried[tried["stage"] == "family"].iterrows():
        same = tried[(tried["stage"] == "family") & (tried["family"] == row["family"])]
        if row[of] == same[of].max() and row.name == same[of].idxmax():
            table.add_row(row["family"], f"{row['gap']:.4g}", f"{row[of]:,.4g}", row["how"])
    walk = tried[tried["stage"] == "walk"]
    if len(walk):
        best = walk.loc[walk[of].idxmax()]
        table.add_row(
            f"{counted(len(walk), 'step')} from there", f"{best['gap']:.4g}", f"{best[of]:,.4g}", best["how"]
        )
    print_table(console, table)
    print_notes(console, found.notes)
