"""How `steadyarm plan` prints a plan: for a goal, or from what a team knows."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from steadyarm.cli.tables import print_notes, print_table
from steadyarm.planning.designs_in_words import HEADINGS, in_words, size

if TYPE_CHECKING:
    from steadyarm.model import Instance
    from steadyarm.planning.check import PlanCheck
    from steadyarm.planning.plan import Plan
    from steadyarm.planning.situation_plan import SituationPlan
    from steadyarm.theory import Estimate


def print_situation(found: SituationPlan) -> None:
    """Print the recommendation, the designs side by side, and the notes."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    console.print(found.situation.words, markup=False)
    if found.goal:
        console.print(f"Goal: {found.goal}.")
    console.print(f"[bold]{found.recommendation.sentence}[/bold]\n")
    console.print(f"Lost {found.situation.thing}, spread of an arm's traffic, and what is found out:")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "design" else "right", no_wrap=True)
    for cells in in_words(found.situation, found.measured):
        table.add_row(*cells)
    print_table(console, table)
    print_notes(console, found.notes)


def print_plan(found: Plan, check: PlanCheck | None) -> None:
    """Print a plan for a goal, and its check if there is one."""
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
        cells = [row.missing if each is None else size(each) for each in (row.regret, row.instability)]
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
    return f"{size(estimate.value)} ± {100.0 * estimate.relative_half_width:.3g}%"
