"""`compare`: several policies on the same rewards, so that "A beats B" is a statement with an error bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtrit

from steadyarm.engines.progress import Report, progress_bar
from steadyarm.engines.simulate import ENGINES, Simulation
from steadyarm.engines.sums import TABLE_ENGINES
from steadyarm.errors import InvalidInput, SimulationInterrupted
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.base import Policy
from steadyarm.study.coverage.interval_coverage import covered, table_engine
from steadyarm.study.plotting.style import save_figure
from steadyarm.study.runs.laboratory import Laboratory, laboratory_for
from steadyarm.study.runs.resolve_policies import instance_labels, labelled_notes, policy_labels, records
from steadyarm.study.runs.tables import plain_rows, save_json, save_table
from steadyarm.theory.differences import largest_sd_difference, mean_difference
from steadyarm.theory.estimates import Estimate, check_level, mean_estimate
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_QUANTILES = (0.5, 0.95, 0.99)
_PLAYED = 0.9  # the share of the work that is not reading the rewards again


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a comparison found.

    Attributes:
        table: one row for each policy and instance. `product` is regret × instability / T^1.5;
            `regret_q95` the regret that one run in twenty exceeds; `wald_coverage` how often a nominal
            interval mean ± z·sd/√n held the arm's mean, over arms and runs, and `wald_coverage_worst` the
            same for the worst arm.
        differences: one row for each pair of policies, instance and quantity: `policy` − `other`, run by run,
            with its interval. `significant` asks more than that interval: it holds for all rows together
            (Bonferroni), and `better` names the smaller one then.
        simulations: the runs themselves, row by row of the table.
    """

    table: pd.DataFrame
    differences: pd.DataFrame
    simulations: tuple[Simulation, ...]
    level: float

    def plot(self) -> Figure:
        """Draw regret against instability, each policy a point with its error bars, Theorem 1 below."""
        from steadyarm.study.compare.picture import draw

        return draw(self)

    def save(self, folder: str | Path) -> list[Path]:
        """Write both tables, the picture and a description of what was run into a folder."""
        folder = Path(folder)
        written = save_table(self.table, folder, "comparison") + save_table(
            self.differences, folder, "differences"
        )
        written.append(save_json(self.to_dict(), folder, "comparison"))
        return [*written, *save_figure(self.plot(), folder, "comparison")]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the policies, in plain sentences."""
        return labelled_notes(list(self.table["policy"]), [each.notes for each in self.simulations])

    def to_dict(self) -> dict[str, Any]:
        """Return what was run and what came out as a plain dict, fit for JSON."""
        instances = {
            label: simulation.instance.to_dict()
            for label, simulation in zip(self.table["instance"], self.simulations, strict=True)
        }
        rows = [
            row | {"parameters": simulation.policy.to_dict()}
            for row, simulation in zip(plain_rows(self.table), self.simulations, strict=True)
        ]
        return {
            "seed": self.simulations[0].seed,
            "level": self.level,
            "instances": instances,
            "policies": rows,
            "differences": plain_rows(self.differences),
            "notes": list(self.notes),
        }


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
    level = check_level(level)
    runs = checks.integer(runs, "runs", at_least=2, remedy="A comparison needs two runs at least.")
    checks.one_of(engine, "engine", ("auto", *ENGINES))
    instances = list(instance) if isinstance(instance, Sequence) else [instance]
    fields = [records(policies, one, horizon, outside_class) for one in instances]
    if not fields:
        raise InvalidInput("compare needs one instance at least; got none.")
    laboratory = laboratory_for(laboratory, threads)
    laboratory.begin("compare", _configuration(instances, fields, seed, engine), runs)
    labels, names = policy_labels(fields[0]), instance_labels(instances)
    number = len(labels) * len(instances)
    rows: list[dict[str, Any]] = []
    differences: list[dict[str, Any]] = []
    simulations: list[Simulation] = []
    with progress_bar(progress, f"{counted(len(labels), 'policy', 'policies')}, {runs:,} runs") as report:
        for one, name, participants in zip(instances, names, fields, strict=True):
            for label, policy in zip(labels, participants, strict=True):
                try:
                    simulations.append(
                        laboratory.simulate(
                            policy,
                            one,
                            runs=runs,
                            seed=seed,
                            engine=table_engine(policy, one) if engine == "auto" else engine,
                            report=_part(report, len(rows), number, 0.0, _PLAYED),
                            level=level,
                            outside_class=outside_class,
                        )
                    )
                    after = _part(report, len(rows), number, _PLAYED, 1.0)
                    coverage = _coverage(simulations[-1], laboratory, after)
                except SimulationInterrupted as interruption:
                    message = f"stopped while {label} was played{laboratory.hint}"
                    if not laboratory.hint:
                        message += "; a comparison needs all its policies"
                    raise SimulationInterrupted(message, None) from interruption
                rows.append(_row(label, name, simulations[-1], coverage))
            differences += _differences(labels, name, simulations[-len(labels) :], level)
    return Comparison(*_frames(rows, differences, runs, level), tuple(simulations), level)


def _configuration(
    instances: list[Instance], fields: list[list[Policy]], seed: int, engine: str
) -> dict[str, Any]:
    """Return what decides the numbers of a comparison."""
    return {
        "seed": seed,
        "engine": engine,
        "instances": [
            one.to_dict() | {"policies": [policy.to_dict() for policy in participants]}
            for one, participants in zip(instances, fields, strict=True)
        ],
    }


def _part(report: Report, done: int, number: int, begin: float, end: float) -> Report:
    return lambda share: report((done + begin + (end - begin) * share) / number)


def _coverage(
    simulation: Simulation, laboratory: Laboratory, report: Report
) -> tuple[Estimate, float] | None:
    """Estimate how often a Wald interval with the true standard deviation holds the mean; the worst arm too."""
    if simulation.engine not in TABLE_ENGINES:
        return None
    held = covered(simulation, laboratory.reward_sums(simulation, report), "wald").held
    return mean_estimate(held.mean(axis=1), simulation.level), float(held.mean(axis=0).min())


def _row(
    label: str, name: str, simulation: Simulation, coverage: tuple[Estimate, float] | None
) -> dict[str, Any]:
    regret, instability = simulation.regret, simulation.instability
    horizon = simulation.policy.horizon
    tail = np.quantile(simulation.run_regrets, _QUANTILES)
    mean, worst = coverage or (Estimate(np.nan, np.nan, np.nan, 0), np.nan)
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
