"""A plan from what a team knows: designs side by side in its own units, one of them recommended."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steadyarm.console import text_of
from steadyarm.defaults import LEVEL
from steadyarm.engines.progress import part, progress_bar
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.model import checks
from steadyarm.notebook import Sheet, Shown, above, public
from steadyarm.planning.baseline.bundles import bench_for
from steadyarm.planning.baseline.designs import Design, Designs, design_at, designs_for
from steadyarm.planning.baseline.designs_in_words import IN_A_LINE, in_words, starred
from steadyarm.planning.baseline.measured import FEWEST_RUNS, Bench, Measured, nobody
from steadyarm.planning.baseline.notes import notes_of, too_few
from steadyarm.planning.baseline.predicted import predicted
from steadyarm.planning.baseline.recommendation import Recommendation, recommend, row_in_words
from steadyarm.planning.baseline.situation import Situation
from steadyarm.planning.baseline.situation_plan_in_words import print_situation_plan
from steadyarm.planning.families import Spreads
from steadyarm.planning.plan import Plan
from steadyarm.planning.quota_cost import QuotaCost
from steadyarm.planning.trade_offs import CurvePoint, EdgePoint, curve, excluded_edge
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.steady import Steady
from steadyarm.printed import latex
from steadyarm.theory.limit import Limit, limit_of
from steadyarm.theory.reward_class import RewardClass
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

USUAL_RUNS = 200
LEAST_RUNS = 20

_MAIN = ("design", "lost", "lost_at_smallest", "lost_at_worst", "spread", "best_share", "power", "width")


@dataclass(frozen=True, eq=False)
class SituationPlan(Shown):
    """Designs for a situation; they are simulated when the first of their numbers is asked for, and once.

    Attributes:
        situation: what the team knows.
        by_goal: the plan for a goal, if one was given, with everything that plans have.
        runs: of each design at the smallest difference; expensive ones get fewer.
        seed: of all simulations, and of the draws of the plausible range.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        level: of all intervals.
        threads: that simulations take; all cores by default. No number depends on it.
        quotas: what quotas of arms cost, if there are any; the table is without them.
        told: gets each design of the table as soon as it is measured.
    """

    situation: Situation
    by_goal: Plan | None = None
    runs: int = USUAL_RUNS
    seed: int = 0
    progress: bool | Callable[[float], None] | None = None
    level: float = LEVEL
    threads: int | None = None
    quotas: QuotaCost | None = None
    told: Callable[[Measured], None] = field(default=nobody, repr=False)

    @property
    def reward_class(self) -> RewardClass:
        """The class that the situation comes to."""
        return self.situation.reward_class

    @property
    def limit(self) -> Limit:
        """What no policy can beat over the class."""
        return limit_of(self.situation.n_arms, self.situation.horizon, self.reward_class)

    @property
    def policy(self) -> Policy:
        """The policy for the goal; without one, that of the recommended design."""
        return self.recommendation.design.policy if self.by_goal is None else self.by_goal.policy

    @property
    def goal(self) -> str:
        """The goal in words, empty without one."""
        return "" if self.by_goal is None else self.by_goal.goal

    @cached_property
    def designs(self) -> Designs:
        """The designs that are compared, before any is simulated."""
        return designs_for(self.situation, self.by_goal)

    @cached_property
    def affordable(self) -> dict[str, int]:
        """How many runs each design gets, by name."""
        bench = self._bench
        return {design.name: bench.affordable_runs(design.policy) for design in self.designs}

    @property
    def _bench(self) -> Bench:
        return bench_for(self.situation, self.runs, self.seed, self.level, self.threads)

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """Every design that can be afforded, with its numbers; equal shares first."""
        fewest = min(FEWEST_RUNS, self.runs)
        return self._measure([design for design in self.designs if self.affordable[design.name] >= fewest])

    def measured_at(self, spread: float) -> Measured:
        """Simulate Steady with a spread, in units, that no design of the table need have.

        >>> import steadyarm as sa
        >>> known = {"baseline": 0.1, "smallest_difference": 0.05}
        >>> found = sa.plan(n_arms=2, horizon=2000, **known, runs=20, progress=False).measured_at(120.0)
        >>> found.design.name, 0.0 < found.power.value <= 1.0
        ('Steady, spread 120', True)
        """
        design = self.design_at(spread)
        runs = self._bench.affordable_runs(design.policy)
        if runs < min(FEWEST_RUNS, self.runs):
            raise NotSupported(too_few(design.name, self.situation.horizon, runs))
        return self._measure([design])[0]

    def design_at(self, spread: float) -> Design:
        """Return Steady with a spread in units."""
        most = self.situation.horizon / 2.0
        remedy = "It is in units, and no count can spread by more than half of them."
        return design_at(
            self.situation, checks.real(spread, "spread", above=0.0, at_most=most, remedy=remedy)
        )

    def _measure(self, designs: Sequence[Design]) -> tuple[Measured, ...]:
        """Simulate designs one after the other; the slower a run of one, the larger its part of the progress."""
        runs = [self._bench.affordable_runs(design.policy) for design in designs]
        costs = [self._bench.seconds(design.policy, each) for design, each in zip(designs, runs, strict=True)]
        ends = [sum(costs[:place]) / sum(costs) for place in range(len(costs) + 1)]
        found = []
        words = f"{counted(len(designs), 'design')}, {self.situation.horizon:,} rounds"
        with progress_bar(self.progress, words) as report:
            for place, design in enumerate(designs):
                share = part(report, ends[place], ends[place + 1])
                found.append(self._bench.measure(design, runs[place], share))
                self.told(found[-1])
        return tuple(found)

    @cached_property
    def recommendation(self) -> Recommendation:
        """One design and the reason for it."""
        return recommend(self.situation, self.measured)

    @property
    def table(self) -> pd.DataFrame:
        """One row for each design; every measured quantity x has its interval in `x_low` and `x_high`."""
        import pandas as pd

        return pd.DataFrame([self._row(each) for each in self.measured])

    def _row(self, each: Measured) -> dict[str, Any]:
        row: dict[str, Any] = {"design": each.design.name}
        for name, estimate in each.estimates().items():
            row |= estimate.columns(name)
        horizon, days = self.situation.horizon, self.situation.days
        return row | {
            "spread_share": each.spread.value / horizon,
            "spread_at_worst_share": each.spread_at_worst.value / horizon,
            "least_at_worst": each.least_at_worst,
            "interval": each.interval,
            "days": math.nan if days is None else days + self.situation.delay_days,
            "runs": each.runs,
        }

    @cached_property
    def curve(self) -> tuple[CurvePoint, ...]:
        """Predicted worst cases of Steady along its spread, over this class; first order."""
        family = Spreads(self.situation.n_arms, self.situation.horizon, self.reward_class)
        return curve(family, family.usual[0])

    @property
    def excluded(self) -> tuple[EdgePoint, ...]:
        """The edge of the region where no policy is (Theorem 1′)."""
        return excluded_edge(self.limit)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers has to know, in plain sentences."""
        return notes_of(self)

    def __str__(self) -> str:
        return text_of(lambda console: print_situation_plan(console, self))

    def plot(self, ax: Axes | None = None, size: Sequence[float] | None = None) -> Figure:
        """Draw the frontier of this class with the designs, and the traffic on the best arm over time."""
        figure: Figure = public("plot_plan")(self, ax, size)
        return figure

    def to_latex(self, caption: str | None = None, label: str | None = None) -> str:
        """Return the main columns as a table for LaTeX, which needs the package booktabs."""
        return latex(self.table, _MAIN, interval="half", caption=caption, label=label)

    @property
    def _printed(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(in_words(self.situation, self.measured), columns=list(IN_A_LINE.values()))

    def _sheet(self) -> Sheet:
        return Sheet(
            self.situation.words,
            [self._printed],
            (*starred(self.measured), *self.notes),
            self.plot,
            (self.recommendation.sentence, *([f"Goal: {self.goal}."] if self.goal else [])),
        )

    def save(self, folder: str | Path) -> list[Path]:
        """Write the picture, the table and the whole plan as JSON into a folder; return the files."""
        written: list[Path] = above("study.plotting.plan", "save_plan")(self, folder)
        return written

    def outline(self) -> dict[str, Any]:
        """Return what is known before anything is simulated, as a plain dict, fit for JSON."""
        return {
            "situation": self.situation.to_dict(),
            "goal": self.goal,
            "by_goal": None if self.by_goal is None else self.by_goal.to_dict(),
            "designs": [self.expected_of(design) for design in self.designs],
            "headings": IN_A_LINE,
            "curve": [vars(point) for point in self.curve],
            "excluded": [vars(point) for point in self.excluded],
            "equal_shares_at_worst": self.limit.equal_shares,
            "quotas": None if self.quotas is None else self.quotas.to_dict(),
            "notes": list(self.notes),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the whole plan as a plain dict, fit for JSON."""
        return self.outline() | {
            "policy": self.policy.to_dict(),
            "recommendation": self.recommendation.to_dict(),
            "table": [self.row(each) for each in self.measured],
        }

    def expected_of(self, design: Design) -> dict[str, Any]:
        """Return what is known of a design before it is simulated, as a plain dict."""
        found = predicted(self.situation, design.policy)
        return {
            "design": design.name,
            "policy": design.policy.to_dict(),
            "spread": design.policy.spread if isinstance(design.policy, Steady) else None,
            "runs": self._bench.affordable_runs(design.policy),
            "predicted": None if found is None else found._asdict(),
        }

    def row(self, each: Measured) -> dict[str, Any]:
        """Return a measured design as a plain dict, with a sentence."""
        return each.to_dict() | {"sentence": row_in_words(self.situation, each)}


def check_runs(runs: int) -> int:
    """Return a number of runs that gives every number an interval."""
    return checks.integer(
        runs, "runs", at_least=LEAST_RUNS, remedy="A standard deviation of fewer says nothing."
    )


def refuse_class(**given: Any) -> None:
    """Refuse what describes a class beside a situation, which has its own."""
    named = [name for name, value in given.items() if value is not None]
    if named:
        describe = "describes" if len(named) == 1 and named[0] != "rewards" else "describe"
        raise InvalidInput(
            f"{' and '.join(named)} {describe} a class of rewards, and baseline describes one too. Give one of them."
        )
