"""`steadyarm worst-case`: the instance on which a policy loses most, or is the least steady."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from steadyarm.cli.options.common import (
    Arms,
    ClassNoise,
    Horizon,
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
from steadyarm.words import counted, measured

if TYPE_CHECKING:
    from steadyarm.study.worst_case.study import WorstCase


@grouped
def worst_case(
    *,
    policy: PolicyName = "SLEUCB",
    of: Annotated[str, typer.Option("--of", help="regret or instability.")] = "regret",
    arms: Arms = None,
    horizon: Horizon = 10_000,
    rewards: Annotated[
        str | None,
        typer.Option("--rewards", help="gaussian or bernoulli. Default: what the policy takes."),
    ] = None,
    noise_scale: ClassNoise = 1.0,
    parameters: PolicyOptions,
    runs: Runs = None,
    search_runs: Annotated[
        int,
        typer.Option(
            "--search-runs",
            help="Runs on each instance that the search tries.",
            parser=whole_number,
            metavar="N",
        ),
    ] = 64,
    steps: Annotated[
        int,
        typer.Option(
            "--steps", help="Instances to try beyond the families.", parser=whole_number, metavar="N"
        ),
    ] = 40,
    seed: Seed = 0,
    study: StudyOptions,
    output: OutputOptions,
) -> None:
    """Search for the instance on which a policy does worst.

    What is found is measured again on fresh rewards.
    """
    import steadyarm as sa

    output.prepare()
    record = parameters.build(policy, 2 if arms is None else arms, horizon, noise_scale)
    with study.laboratory() as laboratory:
        found = sa.worst_case(
            record,
            of,
            seed=seed,
            steps=steps,
            search_runs=search_runs,
            rewards=rewards,
            laboratory=laboratory,
            **given(runs=runs, mean_bound=parameters.mean_bound),
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
