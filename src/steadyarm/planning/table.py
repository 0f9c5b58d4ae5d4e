"""A plan as a table: what is expected, measured, guaranteed, the least possible, and what others come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from steadyarm.planning.families import settings_of
from steadyarm.policies.core.own_history import OwnHistoryPolicy

if TYPE_CHECKING:
    import pandas as pd

    from steadyarm.planning.check import PlanCheck
    from steadyarm.planning.plan import Plan

SYMBOLS = {"alpha": "α", "beta": "β", "spread": "spread"}


@dataclass(frozen=True)
class PlanRow:
    """A line of a plan's table: worst-case regret and instability, or None, and what stands in its place."""

    kind: str
    name: str
    regret: float | None
    instability: float | None
    missing: str = ""


def plan_rows(plan: Plan, check: PlanCheck | None) -> Iterator[PlanRow]:
    """Yield the lines of a plan's table."""
    expected = plan.expected
    yield PlanRow(
        "expected", f"expected, {settings_in_words(plan.policy)}", expected.regret, expected.instability
    )
    if check is not None:
        yield PlanRow("measured", check.words, check.regret.value, check.instability.value)
    yield _guaranteed(plan)
    yield PlanRow(
        "least", "least possible at this spread (Theorem 1′)", plan.least_regret, expected.instability
    )
    if plan.half is not None:
        name = f"half the spread, {settings_in_words(plan.half.policy)}"
        yield PlanRow("half", name, plan.half.regret, plan.half.instability)
    if not plan.guaranteed and plan.promise is not None:
        yield PlanRow(
            "promise", "SLE-UCB, if guaranteed: this or less", plan.promise.regret, plan.promise.instability
        )
    for each in plan.alternatives:
        yield PlanRow("alternative", each.title, each.regret, each.instability, "no prediction")


def table_of(rows: Iterable[PlanRow]) -> pd.DataFrame:
    """Return the lines as a table, with words where there is no number."""
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "": row.name,
                "worst-case regret": row.missing if row.regret is None else row.regret,
                "worst-case instability": row.missing if row.instability is None else row.instability,
            }
            for row in rows
        ]
    )


def _guaranteed(plan: Plan) -> PlanRow:
    promised = plan.guarantee
    if promised is None:
        return PlanRow("guaranteed", "guaranteed", None, None, "nothing")
    return PlanRow(
        "guaranteed",
        f"guaranteed ({promised.theorem})",
        promised.regret if promised.regret < plan.most_regret else None,
        promised.instability if promised.instability < plan.most_instability else None,
        "nothing",
    )


def settings_in_words(policy: OwnHistoryPolicy) -> str:
    """Return what is set on a planned policy, in words.

    >>> import steadyarm as sa
    >>> settings_in_words(sa.SLEUCB(n_arms=2, horizon=1000, alpha=2.0, beta=30.0))
    'α = 2, β = 30'
    """
    return ", ".join(f"{SYMBOLS[name]} = {value:,.4g}" for name, value in settings_of(policy).items())
