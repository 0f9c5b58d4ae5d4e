"""A plan from what a team knows as people read it: on a terminal by `steadyarm plan`, and by `print`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steadyarm.console import print_notes, print_table
from steadyarm.planning.baseline.designs_in_words import HEADINGS, in_words, starred

if TYPE_CHECKING:
    from rich.console import Console

    from steadyarm.planning.baseline.situation_plan import SituationPlan

_WHERE = "Numbers without ± have theirs in plan.table, --json and --out."


def print_situation_plan(console: Console, plan: SituationPlan) -> None:
    """Print the recommendation, the designs side by side, and the notes."""
    from rich import box
    from rich.table import Table

    console.print(plan.situation.words, markup=False)
    if plan.goal:
        console.print(f"Goal: {plan.goal}.", markup=False)
    console.print(f"{plan.recommendation.sentence}\n", style="bold", markup=False)
    console.print(f"Lost {plan.situation.thing}, spread of an arm's traffic, and what is found out:")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name, heading in HEADINGS.items():
        table.add_column(heading, justify="left" if name == "design" else "right", no_wrap=True)
    for cells in in_words(plan.situation, plan.measured):
        table.add_row(*cells)
    print_table(console, table)
    for words in starred(plan.measured):
        console.print(words, markup=False)
    console.print(f"{_WHERE}\n", markup=False)
    print_notes(console, plan.notes)
