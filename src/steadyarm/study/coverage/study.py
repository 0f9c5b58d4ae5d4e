"""`coverage`: how often nominal intervals hold the arms' means after adaptive collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.engines.progress import Report, progress_bar
from steadyarm.engines.result import Simulation
from steadyarm.errors import InvalidInput, InvalidType, SimulationInterrupted
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.study.coverage.interval_coverage import covered, share_estimate, table_engine
from steadyarm.study.plotting.style import save_figure
from steadyarm.study.runs.laboratory import Laboratory, begun
from steadyarm.study.runs.resolve_policies import labelled_notes, policy_labels, records
from steadyarm.study.runs.tables import plain_rows, save_json, save_table
from steadyarm.theory.bounds import notes_on
from steadyarm.theory.estimates import check_level
from steadyarm.theory.mean_intervals import METHODS
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_PLAYED = 0.8  # the share of the work that is not reading the rewards again


@dataclass(frozen=True, kw_only=True)
class CoverageStudy:
    """A study of coverage before it is run; see `coverage`."""

    policies: tuple[Policy, ...]
    instance: Instance
    level: float = 0.95
    methods: tuple[str, ...] = METHODS
    seed: int = 0
    outside_class: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "policies", tuple(self.policies))
        object.__setattr__(self, "level", check_level(self.level))
        object.__setattr__(self, "seed", checks.seed(self.seed))
        if isinstance(self.methods, str) or not isinstance(self.methods, Sequence):
            raise InvalidType(f"methods must be a list of names; got {self.methods!r}.")
        if not self.methods:
            raise InvalidInput(f"methods must name one at least, out of {', '.join(METHODS)}; got none.")
        named = tuple(dict.fromkeys(checks.one_of(name, "a method", METHODS) for name in self.methods))
        object.__setattr__(self, "methods", named)

    def configuration(self) -> dict[str, Any]:
        """Return all that decides the result but the number of runs, as a plain dict."""
        return {
            "kind": "coverage",
            "policies": [policy.to_dict() for policy in self.policies],
            "instance": self.instance.to_dict(),
            "level": self.level,
            "methods": list(self.methods),
            "seed": self.seed,
            "outside_class": self.outside_class,
        }

    def run(
        self,
        *,
        runs: int = 2000,
        laboratory: Laboratory | None = None,
        progress: bool | Report | None = None,
    ) -> Coverage:
        """Play every policy, read the rewards of its pulls again and build the intervals of all runs."""
        import pandas as pd

        runs = checks.integer(runs, "runs", at_least=2, remedy="Coverage is a share of many runs.")
        laboratory = begun(laboratory, self.configuration(), runs)
        labels, rows = policy_labels(self.policies), []
        number = len(labels)
        with progress_bar(progress, f"{counted(number, 'policy', 'policies')}, {runs:,} runs") as report:
            for place, (label, policy) in enumerate(zip(labels, self.policies, strict=True)):
                try:
                    simulation = laboratory.simulate(
                        policy,
                        self.instance,
                        runs=runs,
                        seed=self.seed,
                        engine=table_engine(policy, self.instance),
                        level=self.level,
                        report=_part(report, place, number, 0.0, _PLAYED),
                        outside_class=self.outside_class,
                    )
                    sums = laboratory.reward_sums(simulation, _part(report, place, number, _PLAYED, 1.0))
                except SimulationInterrupted as interruption:
                    message = (
                        f"stopped while {label} was played; coverage is a share of all runs{laboratory.hint}"
                    )
                    raise SimulationInterrupted(message, None) from interruption
                rows += self._rows(label, simulation, sums)
        return Coverage(self, runs, pd.DataFrame(rows))

    def _rows(self, label: str, simulation: Simulation, sums: Any) -> list[dict[str, Any]]:
        rows = []
        for method in self.methods:
            held, width = covered(simulation, sums, method)
            for arm in range(self.instance.n_arms):
                share = share_estimate(held[:, arm], self.level)
                finite = width[np.isfinite(width[:, arm]), arm]
                pulls = simulation.counts[:, arm].mean()
                rows.append(
                    {
                        "policy": label,
                        "arm": arm,
                        "method": method,
                        "coverage": share.value,
                        "low": share.low,
                        "high": share.high,
                        "width": float(finite.mean()) if finite.size else np.inf,
                        "mean": self.instance.means[arm],
                        "pulls": float(pulls),
                        "spread": float(simulation.sd[arm] / pulls) if pulls else np.nan,
                    }
                )
        return rows


def _part(report: Report, place: int, number: int, begin: float, end: float) -> Report:
    return lambda share: report((place + begin + (end - begin) * share) / number)


@dataclass(frozen=True, eq=False)
class Coverage:
    """What a study of coverage found.

    Attributes:
        study: what was asked.
        runs: of each policy.
        table: one row for each policy, arm and method. `coverage` is the share of runs whose interval held the
            arm's mean, with its own interval from `low` to `high`; `width` the mean length of the intervals;
            `mean` the arm's; `pulls` its average count and `spread` the count's standard deviation over it.
    """

    study: CoverageStudy
    runs: int
    table: pd.DataFrame

    def configuration(self) -> dict[str, Any]:
        """Return what was run as a plain dict; the number of runs is apart."""
        return self.study.configuration()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the policies, in plain sentences."""
        study = self.study
        about = [notes_on(policy, study.instance) for policy in study.policies]
        return labelled_notes(policy_labels(study.policies), about)

    def to_dict(self) -> dict[str, Any]:
        """Return what was run and what came out as a plain dict, fit for JSON."""
        found = {"runs": self.runs, "coverage": plain_rows(self.table), "notes": list(self.notes)}
        return self.configuration() | found

    def plot(self) -> Figure:
        """Draw the coverage of every policy, arm and method beside the nominal one."""
        from steadyarm.study.coverage.picture import draw

        return draw(self)

    def save(self, folder: str | Path) -> list[Path]:
        """Write the table, the picture and a description of what was run into a folder."""
        folder = Path(folder)
        table = save_table(self.table, folder, "coverage")
        return [
            *table,
            save_json(self.to_dict(), folder, "coverage"),
            *save_figure(self.plot(), folder, "coverage"),
        ]


def coverage(
    policy: str | Policy | Sequence[str | Policy],
    instance: Instance,
    *,
    level: float = 0.95,
    methods: Sequence[str] = METHODS,
    horizon: int | None = None,
    runs: int = 2000,
    seed: int = 0,
    outside_class: bool = False,
    laboratory: Laboratory | None = None,
    progress: bool | Report | None = None,
) -> Coverage:
    """Measure how often nominal intervals hold each arm's mean when a policy chose the pulls.

    Args:
        policy: a record or a name from `all_policies()`, or a list of them.
        instance: what the arms give.
        level: the nominal level of the intervals, and that of the coverage's own.
        methods: of `sa.intervals`: "wald", with the true standard deviation, so that nothing but the adaptive
            choice of the arms can spoil it; "anytime", valid under every policy and at every time.
        horizon: the number of rounds of policies given by name; that of the records unless given.
        runs: of each policy, all on the same rewards.
        seed: names the reward table; the result depends on nothing else.
        outside_class: play even an instance that lies outside a policy's class (M, σ).
        laboratory: where simulations are run.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.

    >>> import steadyarm as sa
    >>> steady = sa.SLEUCB(n_arms=2, horizon=2000, constants="sharp")
    >>> found = sa.coverage([steady, "MOSS"], sa.equal_arms(2), runs=2000, seed=1)
    >>> found.table.query("method == 'wald'").groupby("policy", sort=False)["coverage"].mean().round(2).to_dict()
    {'SLE-UCB': 0.95, 'MOSS': 0.92}
    """
    asked = [policy] if isinstance(policy, str | Policy) else policy
    study = CoverageStudy(
        policies=tuple(records(asked, instance, horizon, outside_class)),
        instance=instance,
        level=level,
        methods=methods,  # type: ignore[arg-type]
        seed=seed,
        outside_class=outside_class,
    )
    return study.run(runs=runs, laboratory=laboratory, progress=progress)
