"""`compare`: several policies on the same rewards, so that "A beats B" is a statement with an error bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from steadyarm.defaults import LEVEL, RUNS
from steadyarm.engines.checkpoints import At, asked_for
from steadyarm.engines.choice import ENGINES
from steadyarm.engines.progress import Report, part
from steadyarm.engines.result import Simulation
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.feedback import Delay, feedback_of
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.study.compare.tables import difference_rows, policy_row, tables
from steadyarm.study.plotting.over_time import over_time_table, plot_over_time
from steadyarm.study.plotting.style import save_figure
from steadyarm.study.runs.laboratory import Laboratory, laboratory_for
from steadyarm.study.runs.resolve_policies import (
    everybody,
    instance_labels,
    labelled_notes,
    policy_labels,
    records,
)
from steadyarm.study.runs.table_runs import play_with_moments
from steadyarm.study.runs.tables import plain_rows
from steadyarm.study.shape import Study, StudyResult
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size


@dataclass(frozen=True, kw_only=True)
class CompareStudy(Study["Comparison"]):
    """A comparison before it is run; see `compare`."""

    kind: ClassVar[str] = "compare"
    fewest_runs: ClassVar[tuple[int, str]] = (2, "A comparison needs at least two runs.")

    policies: tuple[str | Policy, ...]
    instances: tuple[Instance, ...]
    horizon: int | None = None
    engine: str = "auto"
    outside_class: bool = False
    mean_bound: float | None = None
    left_out: dict[str, str] = field(default_factory=dict, init=False, compare=False)
    at: At = None
    delay: int | Delay = 0
    batch: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.one_of(self.engine, "engine", ("auto", *ENGINES))
        if not self.instances:
            raise InvalidInput("compare needs at least one instance; got none.")
        policies, left_out = everybody(
            self.policies, self.instances, self.horizon, self.outside_class, self.mean_bound
        )
        self._settle(policies=policies, left_out=left_out)
        for instance in self.instances:
            self.policies_on(instance)
        self._settle(policies=tuple(self.policies), instances=tuple(self.instances))
        feedback_of(self.delay, self.batch)
        self._settle(at=asked_for(self.at))

    def policies_on(self, instance: Instance) -> list[Policy]:
        """Return the policies as records for an instance."""
        return records(self.policies, instance, self.horizon, self.outside_class, self.mean_bound)

    @property
    def title(self) -> str:
        """A few words for the progress bar."""
        return counted(len(self.policies), "policy", "policies")

    def parameters_asked(self) -> dict[str, Any]:
        """Return the engine, moments and late feedback if there are any, and the instances with who plays them."""
        feedback = feedback_of(self.delay, self.batch).to_dict()
        return (
            ({} if self.at is None else {"at": self.at})
            | feedback
            | {
                "engine": self.engine,
                "instances": [
                    one.to_dict() | {"policies": [policy.to_dict() for policy in self.policies_on(one)]}
                    for one in self.instances
                ],
            }
        )

    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> Comparison:
        """Play every policy on every instance, and compare them run by run."""
        labels = policy_labels(self.policies_on(self.instances[0]))
        number = len(labels) * len(self.instances)
        rows: list[dict[str, Any]] = []
        differences: list[dict[str, Any]] = []
        simulations: list[Simulation] = []
        for instance, name in zip(self.instances, instance_labels(self.instances), strict=True):
            for label, policy in zip(labels, self.policies_on(instance), strict=True):
                simulation, moments = play_with_moments(
                    laboratory,
                    policy,
                    instance,
                    label=label,
                    engine=self.engine,
                    report=part(report, len(rows) / number, (len(rows) + 1) / number),
                    runs=runs,
                    seed=self.seed,
                    level=self.level,
                    outside_class=self.outside_class,
                    at=self.at,
                    delay=self.delay,
                    batch=self.batch,
                )
                simulations.append(simulation)
                rows.append(policy_row(label, name, simulation, moments))
            differences += difference_rows(labels, name, simulations[-len(labels) :], self.level)
        return Comparison(self, runs, *tables(rows, differences, runs, self.level), tuple(simulations))


@dataclass(frozen=True, eq=False)
class Comparison(StudyResult[CompareStudy]):
    """What a comparison found.

    Attributes:
        study: what was asked.
        runs: of each policy.
        table: one row for each policy and instance. `product` is regret × instability / T^1.5;
            `times_least_regret` the regret over the least worst-case regret of any policy that nowhere spreads by
            more than was measured here: a lower estimate of what `frontier` looks for, and maybe below 1;
            `regret_q95` the regret that one run in twenty exceeds; `wald_coverage` how often Wald's
            nominal interval, as `sa.intervals` reports it, held the arm's mean, over arms and runs;
            `wald_coverage_worst` the same for the worst arm; `oracle_coverage` that of Wald's interval with the
            true standard deviation, which for 0/1 rewards is Wilson's coverage too.
        differences: one row for each pair of policies, instance and quantity: `policy` − `other`, run by run,
            with its interval. `significant` asks more than that interval: it holds for all rows together
            (Bonferroni), and `better` names the smaller one then.
        simulations: the runs themselves, row by row of the table.
    """

    file: ClassVar[str] = "comparison"
    main_columns = (
        "policy",
        "instance",
        "regret",
        "instability",
        "times_least_regret",
        "wald_coverage",
    )

    table: pd.DataFrame
    differences: pd.DataFrame
    simulations: tuple[Simulation, ...]

    @property
    def left_out(self) -> dict[str, str]:
        """Whom "all" did not stand for, each with the reason."""
        return self.study.left_out

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw regret against instability, each policy a point with its error bars."""
        from steadyarm.study.compare.picture import draw

        return draw(self, ax, size)

    def plot_over_time(
        self, size: Size | None = None, *, ax: Axes | None = None, labels: Sequence[str] | None = None
    ) -> Figure:
        """Draw regret and instability over the rounds, if there are moments: see `steadyarm.plot_over_time`."""
        self._check_moments()
        return plot_over_time(self.simulations, size, ax=ax, labels=labels)

    @property
    def over_time(self) -> pd.DataFrame:
        """One row for each policy, instance and moment: regret and instability with their intervals."""
        self._check_moments()
        return over_time_table(self.simulations)

    def _check_moments(self) -> None:
        if self.study.at is None:
            raise InvalidInput(
                "counts on the way must have been noted; this comparison noted none. Say compare(…, at=50)."
            )

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return both tables, and the one over time if there are moments."""
        tables = {"comparison": self.table, "differences": self.differences}
        return tables if self.study.at is None else tables | {"over_time": self.over_time}

    def save(self, folder: str | Path) -> list[Path]:
        """Write the tables, all of it as JSON, and the pictures into a folder; return the files."""
        written = super().save(folder)
        if self.study.at is not None:
            written += save_figure(self.plot_over_time(), Path(folder), "over_time")
        return written

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the policies, in plain sentences."""
        return labelled_notes(list(self.table["policy"]), [each.notes for each in self.simulations])

    def findings(self) -> dict[str, Any]:
        """Return the rows with their policies' parameters, and the instances by their labels."""
        instances = {
            label: simulation.instance.to_dict()
            for label, simulation in zip(self.table["instance"], self.simulations, strict=True)
        }
        rows = [
            row | {"parameters": simulation.policy.to_dict()}
            for row, simulation in zip(plain_rows(self.table), self.simulations, strict=True)
        ]
        return {"instances": instances, "policies": rows, "differences": plain_rows(self.differences)}

    def to_dict(self) -> dict[str, Any]:
        """Return what came out as a plain dict, fit for JSON, with the seed and the level that were asked for."""
        asked = {"seed": self.study.seed, "level": self.study.level}
        return asked | self.findings() | {"notes": list(self.notes)}


def compare(
    policies: str | Sequence[str | Policy],
    instance: Instance | Sequence[Instance],
    *,
    horizon: int | None = None,
    runs: int = RUNS,
    seed: int = 0,
    level: float = LEVEL,
    engine: str = "auto",
    threads: int | None = None,
    progress: bool | Report | None = None,
    outside_class: bool = False,
    mean_bound: float | None = None,
    laboratory: Laboratory | None = None,
    at: At = None,
    delay: int | Delay = 0,
    batch: int = 1,
) -> Comparison:
    """Play several policies on the same rewards and compare what came out.

    Args:
        policies: records, or names from `all_policies()`, which are built for each instance; or "all", which stands for
            those of the registry that can play, and `.left_out` says who cannot.
        instance: one instance or a list of them.
        horizon: the number of rounds of policies given by name; that of the records unless given.
        runs: how many independent runs of each policy.
        seed: names the reward table that all policies read.
        level: the confidence level of all intervals.
        engine: "auto" takes the cheapest that reads the reward table; "leap", for horizons that cannot be
            played, draws rewards of its own: differences are then those of independent runs, and
            `wald_coverage` is not known.
        threads: how many threads; all cores by default. The result does not depend on it.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        outside_class: play even instances that lie outside a policy's class (M, σ).
        mean_bound: M of the policies given by name that have such a parameter; their own default unless given.
        laboratory: where the runs are played and kept; this machine's memory unless given.
        at: moments for `over_time` and `plot_over_time`: rounds, or how many; see `simulate`.
        delay: how many rounds late rewards come, or a law of that; the same delays for all policies. See `simulate`.
        batch: every how many rounds the policies are told.

    >>> import steadyarm as sa
    >>> found = compare(["MOSS", "UCB1"], sa.equal_gap(2, gap=0.5), horizon=500, runs=200, seed=1)
    >>> found.table["policy"].tolist()
    ['MOSS', 'UCB1']
    >>> row = found.differences.iloc[0]
    >>> row["quantity"], bool(row["low"] < row["difference"] < row["high"])
    ('regret', True)
    """
    study = CompareStudy(
        policies=policies,  # type: ignore[arg-type]
        mean_bound=mean_bound,
        instances=tuple(instance) if isinstance(instance, Sequence) else (instance,),
        horizon=horizon,
        seed=seed,
        level=level,
        engine=engine,
        outside_class=outside_class,
        at=at,
        delay=delay,
        batch=batch,
    )
    return study.run(runs=runs, laboratory=laboratory_for(laboratory, threads), progress=progress)
