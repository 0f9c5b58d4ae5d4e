"""A plan for a goal as people read it: on a terminal by `steadyarm plan`, and by `print`."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from steadyarm.console import print_notes, print_table
from steadyarm.words import size

if TYPE_CHECKING:
    from rich.console import Console

    from steadyarm.model.instance import Instance
    from steadyarm.planning.check import PlanCheck
    from steadyarm.planning.plan import Plan
    from steadyarm.theory.estimates import Estimate


def print_plan(console: Console, plan: Plan, check: PlanCheck | None = None) -> None:
    """Print a plan for a goal, and its check if there is one."""
    from rich import box
    from rich.table import Table

    policy = plan.policy
    console.print(f"Goal: {plan.goal} ({policy.n_arms} arms, {policy.horizon:,} rounds).\n", markup=False)
    console.print(f"Run [bold]{policy.title}[/bold] with {plan.recipe}.")
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("on the worst instance", "regret", "spread of pulls", "share"):
        table.add_column(heading, justify="left" if heading.startswith("on") else "right", no_wrap=True)
    for row in plan.rows(check):
        cells = [row.missing if each is None else size(each) for each in (row.regret, row.instability)]
        if check is not None and row.kind == "measured":
            cells = [_words(check.regret), _words(check.instability)]
        share = "" if row.instability is None else f"{row.instability / policy.horizon:.2%}"
        table.add_row(row.name, *cells, share)
    print_table(console, table)
    console.print(
        f"Worst arms: means {_levels(plan.costliest)} lose most; {_levels(plan.unsteadiest)} spread most."
    )
    console.print(plan.distance)
    print_notes(console, plan.notes)


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
