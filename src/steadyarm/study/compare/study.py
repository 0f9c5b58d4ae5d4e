"""`compare`: several policies on the same rewards, so that "A beats B" is a statement with an error bar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy.special import stdtrit

from steadyarm.engines.progress import Report
from steadyarm.engines.simulate import ENGINES, Simulation
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.base import Policy
from steadyarm.study.coverage.interval_coverage import Floats, covered
from steadyarm.study.runs.laboratory import Laboratory, laboratory_for
from steadyarm.study.runs.resolve_policies import instance_labels, labelled_notes, policy_labels, records
from steadyarm.study.runs.table_runs import part, play_with_sums
from steadyarm.study.runs.tables import plain_rows
from steadyarm.study.shape import Study, StudyResult
from steadyarm.theory.differences import largest_sd_difference, mean_difference
from steadyarm.theory.estimates import Estimate, mean_estimate
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_QUANTILES = (0.5, 0.95, 0.99)


@dataclass(frozen=True, kw_only=True)
class CompareStudy(Study["Comparison"]):
    """A comparison before it is run; see `compare`."""

    kind: ClassVar[str] = "compare"
    fewest_runs: ClassVar[tuple[int, str]] = (2, "A comparison needs two runs at least.")

    policies: tuple[str | Policy, ...]
    instances: tuple[Instance, ...]
    horizon: int | None = None
    engine: str = "auto"
    outside_class: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.one_of(self.engine, "engine", ("auto", *ENGINES))
        if not self.instances:
            raise InvalidInput("compare needs one instance at least; got none.")
        for instance in self.instances:
            self.policies_on(instance)
        self._settle(policies=tuple(self.policies), instances=tuple(self.instances))

    def policies_on(self, instance: Instance) -> list[Policy]:
        """Return the policies as records for an instance."""
        return records(self.policies, instance, self.horizon, self.outside_class)

    @property
    def title(self) -> str:
        """A few words for the progress bar."""
        return counted(len(self.policies), "policy", "policies")

    def parameters_asked(self) -> dict[str, Any]:
        """Return the engine, and the instances with who plays them."""
        return {
            "engine": self.engine,
            "instances": [
                one.to_dict() | {"policies": [policy.to_dict() for policy in self.policies_on(one)]}
                for one in self.instances
            ],
        }

    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> Comparison:
        """Play every policy on every instance, and compare them run by run."""
        labels = policy_labels(self.policies_on(self.instances[0]))
        number = len(labels) * len(self.instances)
        rows: list[dict[str, Any]] = []
        differences: list[dict[str, Any]] = []
        simulations: list[Simulation] = []
        for instance, name in zip(self.instances, instance_labels(self.instances), strict=True):
            for label, policy in zip(labels, self.policies_on(instance), strict=True):
                simulation, sums = play_with_sums(
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
                )
                simulations.append(simulation)
                rows.append(_row(label, name, simulation, sums))
            differences += _differences(labels, name, simulations[-len(labels) :], self.level)
        return Comparison(self, runs, *_frames(rows, differences, runs, self.level), tuple(simulations))


@dataclass(frozen=True, eq=False)
class Comparison(StudyResult[CompareStudy]):
    """What a comparison found.

    Attributes:
        study: what was asked.
        runs: of each policy.
        table: one row for each policy and instance. `product` is regret × instability / T^1.5;
            `regret_q95` the regret that one run in twenty exceeds; `wald_coverage` how often a nominal
            interval mean ± z·sd/√n held the arm's mean, over arms and runs, and `wald_coverage_worst` the
            same for the worst arm.
        differences: one row for each pair of policies, instance and quantity: `policy` − `other`, run by run,
            with its interval. `significant` asks more than that interval: it holds for all rows together
            (Bonferroni), and `better` names the smaller one then.
        simulations: the runs themselves, row by row of the table.
    """

    file: ClassVar[str] = "comparison"

    table: pd.DataFrame
    differences: pd.DataFrame
    simulations: tuple[Simulation, ...]

    def plot(self) -> Figure:
        """Draw regret against instability, each policy a point with its error bars, Theorem 1 below."""
        from steadyarm.study.compare.picture import draw

        return draw(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return both tables."""
        return {"comparison": self.table, "differences": self.differences}

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
    policies: Sequence[str | Policy],
    instance: Instance | Sequence[Instance],
    *,
    horizon: int | None = None,
    runs: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    engine: str = "auto",
    threads: int | None = None,
    progress: bool | Report | None = None,
    outside_class: bool = False,
    laboratory: Laboratory | None = None,
) -> Comparison:
    """Play several policies on the same rewards and compare what came out.

    Args:
        policies: records, or names from `all_policies()`, which are built for each instance.
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
        laboratory: where the runs are played and kept; this machine's memory unless given.

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
        instances=tuple(instance) if isinstance(instance, Sequence) else (instance,),
        horizon=horizon,
        seed=seed,
        level=level,
        engine=engine,
        outside_class=outside_class,
    )
    return study.run(runs=runs, laboratory=laboratory_for(laboratory, threads), progress=progress)


def _row(label: str, name: str, simulation: Simulation, sums: Floats | None) -> dict[str, Any]:
    regret, instability = simulation.regret, simulation.instability
    horizon = simulation.policy.horizon
    tail = np.quantile(simulation.run_regrets, _QUANTILES)
    mean, worst = _wald_coverage(simulation, sums)
    return {
        "policy": label,
        "instance": name,
        "horizon": horizon,
        "runs": simulation.runs,
        "engine": simulation.engine,
        "regret": regret.value,
        "regret_low": regret.low,
        "regret_high": regret.high,
        "instability": instability.value,
        "instability_low": instability.low,
        "instability_high": instability.high,
        "product": regret.value * instability.value / float(horizon) ** 1.5,
        **{f"regret_q{share * 100:.0f}": float(at) for share, at in zip(_QUANTILES, tail, strict=True)},
        "wald_coverage": mean.value,
        "wald_coverage_low": mean.low,
        "wald_coverage_high": mean.high if np.isnan(mean.high) else min(1.0, mean.high),
        "wald_coverage_worst": worst,
    }


def _wald_coverage(simulation: Simulation, sums: Floats | None) -> tuple[Estimate, float]:
    """Estimate how often a Wald interval with the true standard deviation holds the mean; the worst arm too."""
    if sums is None:
        return Estimate(math.nan, math.nan, math.nan, 0), math.nan
    held = covered(simulation, sums, "wald").held
    return mean_estimate(held.mean(axis=1), simulation.level), float(held.mean(axis=0).min())


def _differences(
    labels: list[str], name: str, simulations: list[Simulation], level: float
) -> list[dict[str, Any]]:
    rows = []
    for one, other in combinations(range(len(labels)), 2):
        left, right = simulations[one], simulations[other]
        pairs = {
            "regret": mean_difference(left.run_regrets, right.run_regrets, level),
            "instability": largest_sd_difference(left.counts, right.counts, level),
        }
        for quantity, estimate in pairs.items():
            rows.append(
                {
                    "instance": name,
                    "quantity": quantity,
                    "policy": labels[one],
                    "other": labels[other],
                    "difference": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                }
            )
    return rows


def _frames(
    rows: list[dict[str, Any]], differences: list[dict[str, Any]], runs: int, level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    import pandas as pd

    tails = np.array([1.0 - level, (1.0 - level) / max(1, len(differences))]) / 2.0
    own, together = -stdtrit(runs - 1, tails)
    for row in differences:
        toward_zero = (
            row["difference"] - row["low"] if row["difference"] > 0.0 else row["high"] - row["difference"]
        )
        row["significant"] = bool(abs(row["difference"]) > toward_zero * together / own)
        smaller = row["policy"] if row["difference"] < 0.0 else row["other"]
        row["better"] = smaller if row["significant"] else "neither"
    return pd.DataFrame(rows), pd.DataFrame(differences)
