"""`coverage`: how often nominal intervals hold the arms' means after adaptive collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from steadyarm.defaults import LEVEL, SHARE_RUNS
from steadyarm.engines.progress import Report, part
from steadyarm.engines.result import Simulation
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments
from steadyarm.policies.core.policy import Policy
from steadyarm.study.coverage.interval_coverage import MEASURED, covered, usual_methods
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.runs.resolve_policies import EVERYBODY, everybody, labelled_notes, policy_labels, records
from steadyarm.study.runs.table_runs import play_with_moments
from steadyarm.study.runs.tables import plain_rows
from steadyarm.study.shape import Study, StudyResult
from steadyarm.theory.estimates import share_estimate
from steadyarm.theory.guarantees import notes_on
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size


@dataclass(frozen=True, kw_only=True)
class CoverageStudy(Study["Coverage"]):
    """A study of coverage before it is run; see `coverage`. Names become records of its horizon."""

    kind: ClassVar[str] = "coverage"
    fewest_runs: ClassVar[tuple[int, str]] = (2, "Coverage is a share of many runs.")

    policies: tuple[Policy, ...]
    instance: Instance
    methods: tuple[str, ...]
    horizon: int | None = None
    outside_class: bool = False
    mean_bound: float | None = None
    left_out: dict[str, str] = field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.instance_of(self.instance, Instance, "instance")
        self.instance.check_still()
        how = (self.horizon, self.outside_class, self.mean_bound)
        asked, left_out = everybody(self.policies, [self.instance], *how)
        policies = records(asked, self.instance, *how)
        self._settle(policies=tuple(policies), horizon=policies[0].horizon, left_out=left_out)
        if isinstance(self.methods, str) or not isinstance(self.methods, Sequence):
            raise InvalidType(f"methods must be a list of names; got {self.methods!r}.")
        if not self.methods:
            raise InvalidInput(f"methods must name at least one of {', '.join(MEASURED)}; got none.")
        named = tuple(dict.fromkeys(checks.one_of(name, "a method", MEASURED) for name in self.methods))
        self._settle(methods=named)

    @property
    def title(self) -> str:
        """A few words for the progress bar."""
        return counted(len(self.policies), "policy", "policies")

    def parameters_asked(self) -> dict[str, Any]:
        """Return who plays what, and the intervals."""
        return {
            "policies": [policy.to_dict() for policy in self.policies],
            "instance": self.instance.to_dict(),
            "methods": list(self.methods),
            "outside_class": self.outside_class,
        }

    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> Coverage:
        """Play every policy, read the rewards of its pulls again and build the intervals of all runs."""
        import pandas as pd

        labels, rows = policy_labels(self.policies), []
        for place, (label, policy) in enumerate(zip(labels, self.policies, strict=True)):
            simulation, moments = play_with_moments(
                laboratory,
                policy,
                self.instance,
                label=label,
                report=part(report, place / len(labels), (place + 1) / len(labels)),
                runs=runs,
                seed=self.seed,
                level=self.level,
                outside_class=self.outside_class,
            )
            assert moments is not None  # the cheapest engine that reads the table played
            rows += self._rows(label, simulation, moments)
        return Coverage(self, runs, pd.DataFrame(rows))

    def _rows(self, label: str, simulation: Simulation, moments: Moments) -> list[dict[str, Any]]:
        rows = []
        for method in self.methods:
            held, width = covered(simulation, moments, method)
            for arm in range(self.instance.n_arms):
                share = share_estimate(int(held[:, arm].sum()), len(held), self.level)
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


@dataclass(frozen=True, eq=False)
class Coverage(StudyResult[CoverageStudy]):
    """What a study of coverage found.

    Attributes:
        study: what was asked.
        runs: of each policy.
        table: one row for each policy, arm and method. `coverage` is the share of runs whose interval held the
            arm's mean, with its own interval from `low` to `high`; `width` the mean length of the intervals;
            `mean` the arm's; `pulls` its average count and `spread` the count's standard deviation over it.
    """

    file: ClassVar[str] = "coverage"
    main_columns = ("policy", "arm", "method", "coverage", "width", "pulls")

    table: pd.DataFrame

    @property
    def left_out(self) -> dict[str, str]:
        """Whom "all" did not stand for, each with the reason."""
        return self.study.left_out

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the policies, in plain sentences."""
        study = self.study
        about = [notes_on(policy, study.instance) for policy in study.policies]
        return labelled_notes(policy_labels(study.policies), about)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table."""
        return {"coverage": self.table}

    def findings(self) -> dict[str, Any]:
        """Return the table as rows."""
        return {"coverage": plain_rows(self.table)}

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw the coverage of every policy, arm and method beside the nominal one."""
        from steadyarm.study.coverage.picture import draw

        return draw(self, ax, size)


def coverage(
    policy: str | Policy | Sequence[str | Policy],
    instance: Instance,
    *,
    level: float = LEVEL,
    methods: Sequence[str] | None = None,
    horizon: int | None = None,
    runs: int = SHARE_RUNS,
    seed: int = 0,
    outside_class: bool = False,
    mean_bound: float | None = None,
    laboratory: Laboratory | None = None,
    progress: bool | Report | None = None,
) -> Coverage:
    """Measure how often nominal intervals contain each arm's mean when a policy chose the pulls.

    Args:
        policy: a record or a name from `all_policies()`, or a list of them; or "all", which stands for those of the
            registry that can play, and `.left_out` says who cannot.
        instance: what the arms give.
        level: the nominal level of the intervals, and that of the coverage's own.
        methods: of `sa.intervals`: "wald", "wilson" for 0/1 rewards, "anytime"; they know what an experimenter
            knows, of Gaussian rewards the policy's σ. "oracle" is Wald's with the true standard deviation, which
            nobody can compute: nothing but the adaptive choice of the arms can spoil it. "auto" is what `sa.intervals`
            takes by itself at the end of each run. By default all that there are for the rewards, and the oracle where
            σ has to be estimated.
        horizon: the number of rounds of policies given by name; that of the records unless given.
        runs: of each policy, all on the same rewards.
        seed: names the reward table; the result depends on nothing else.
        outside_class: play even an instance that lies outside a policy's class (M, σ).
        mean_bound: M of the policies given by name that have such a parameter; their own default unless given.
        laboratory: where simulations are run.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.

    >>> import steadyarm as sa
    >>> steady = sa.SLEUCB(n_arms=2, horizon=2000, constants="sharp")
    >>> found = sa.coverage([steady, "MOSS"], sa.equal_arms(2), runs=2000, seed=1)
    >>> found.table.query("method == 'wald'").groupby("policy", sort=False)["coverage"].mean().round(2).to_dict()
    {'SLE-UCB': 0.95, 'MOSS': 0.92}
    """
    study = CoverageStudy(
        policies=[policy] if isinstance(policy, str | Policy) and policy != EVERYBODY else policy,  # type: ignore[arg-type]
        mean_bound=mean_bound,
        instance=instance,
        level=level,
        methods=usual_methods(instance) if methods is None else methods,  # type: ignore[arg-type]
        horizon=horizon,
        seed=seed,
        outside_class=outside_class,
    )
    return study.run(runs=runs, laboratory=laboratory, progress=progress)
