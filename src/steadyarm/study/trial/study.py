"""`trial`: operating characteristics of an experiment before it begins, for several designs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from steadyarm.defaults import LEVEL, SHARE_RUNS
from steadyarm.engines.exact.law import exact, exact_refusal
from steadyarm.engines.progress import Report, part
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.inference.differences import METHODS_OF_DIFFERENCES
from steadyarm.inference.methods import ordinary_method
from steadyarm.inference.outcomes import Outcomes, exactly, simulated
from steadyarm.inference.validity import AUTO
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.runs.keys import digest
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.runs.resolve_policies import everybody, labelled_notes, policy_labels, records
from steadyarm.study.runs.table_runs import play_with_moments
from steadyarm.study.runs.tables import plain_rows
from steadyarm.study.shape import Study, StudyResult
from steadyarm.study.trial.looks import Looks, looks_of, moments_of, standing_at, stopped
from steadyarm.study.trial.tables import arm_rows, decision_row
from steadyarm.theory.guarantees import notes_on
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

Scenarios = Mapping[str, Instance] | Instance


@dataclass(frozen=True, kw_only=True)
class TrialStudy(Study["Trial"]):
    """A trial before it is simulated; see `trial`."""

    kind: ClassVar[str] = "trial"
    fewest_runs: ClassVar[tuple[int, str]] = (2, "A probability is a share of many runs.")

    scenarios: Mapping[str, Instance]
    designs: tuple[str | Policy, ...]
    methods: tuple[str, ...]
    horizon: int | None = None
    control: int | None = None
    looks: Looks = None
    outside_class: bool = False
    mean_bound: float | None = None
    left_out: dict[str, str] = field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._settle(scenarios=_named(self.scenarios))
        first = next(iter(self.scenarios.values()))
        how = (self.horizon, self.outside_class, self.mean_bound)
        designs, left_out = everybody(self.designs, list(self.scenarios.values()), *how)
        designs = self._usual_designs(first) if designs is None else tuple(designs)
        self._settle(designs=designs, left_out=left_out)
        for instance in self.scenarios.values():
            if (instance.n_arms, instance.rewards) != (first.n_arms, first.rewards):
                raise InvalidInput(
                    f"all scenarios of a trial must have the same number of arms and kind of rewards; got "
                    f"{first.n_arms} with {first.rewards} and {instance.n_arms} with {instance.rewards} ones."
                )
            self.policies_on(instance)
        if self.looks is not None:
            for policy in self.policies_on(first):
                looks_of(self.looks, policy)
        if self.control is not None:
            last = first.n_arms - 1
            self._settle(control=checks.integer(self.control, "control", at_least=0, at_most=last))
        usual = (ordinary_method(first.rewards), "anytime")
        asked = usual if self.methods is None else self.methods
        if isinstance(asked, str) or not isinstance(asked, Sequence) or not asked:
            raise InvalidType(f"methods must be a list of names; got {asked!r}.")
        self._settle(
            methods=tuple(
                dict.fromkeys(
                    checks.one_of(name, "a method", (*METHODS_OF_DIFFERENCES, AUTO)) for name in asked
                )
            )
        )
        if "wilson" in self.methods and first.rewards != "bernoulli":
            raise InvalidInput("Wilson's interval is for 0/1 rewards. Use the methods 'wald' and 'anytime'.")

    def policies_on(self, instance: Instance) -> list[Policy]:
        """Return the designs as records for an instance."""
        return records(self.designs, instance, self.horizon, self.outside_class, self.mean_bound)

    def _usual_designs(self, instance: Instance) -> tuple[str | Policy, ...]:
        """Return equal shares, Steady, SLE-UCB with sharp constants, and Thompson sampling."""
        if self.horizon is None:
            raise InvalidInput("a trial without designs of its own needs a horizon; give horizon=300, say.")
        sle_ucb = SLEUCB(
            n_arms=instance.n_arms,
            horizon=self.horizon,
            noise_scale=max(instance.noise_scales),
            mean_bound=max(1.0, *(abs(mean) for stage in instance.stages for mean in stage.means)),
            constants="sharp",
        )
        thompson = "BetaThompson" if instance.rewards == "bernoulli" else "GaussianThompson"
        return ("RoundRobin", "Steady", sle_ucb, thompson)

    @property
    def labels(self) -> list[str]:
        """What the designs are called in tables."""
        return policy_labels(self.policies_on(next(iter(self.scenarios.values()))))

    @property
    def title(self) -> str:
        """A few words for the progress bar."""
        return f"{counted(len(self.designs), 'design')}, {counted(len(self.scenarios), 'scenario')}"

    def parameters_asked(self) -> dict[str, Any]:
        """Return the scenarios with who plays them, and what is decided."""
        return {
            "scenarios": {
                name: instance.to_dict()
                | {"designs": [policy.to_dict() for policy in self.policies_on(instance)]}
                for name, instance in self.scenarios.items()
            },
            "methods": list(self.methods),
            "control": self.control,
            **({} if self.looks is None else {"looks": self.looks}),
        }

    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> Trial:
        """Find how every design ends in every scenario: exactly where that is possible, else by simulation."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        arms: list[dict[str, Any]] = []
        scenarios, labels = self.scenarios, self.labels
        number = len(labels) * len(scenarios)
        for place, label in enumerate(labels):
            for turn, (name, instance) in enumerate(scenarios.items()):
                policy = self.policies_on(instance)[place]
                done = place * len(scenarios) + turn
                ends = self._ends(
                    policy,
                    label,
                    instance,
                    runs,
                    laboratory,
                    part(report, done / number, (done + 1) / number),
                )
                best_at = policy.horizon / policy.n_arms
                for method, outcomes in ends.items():
                    what = {"design": label, "scenario": name, "method": method, "source": outcomes.source}
                    rows.append(what | decision_row(outcomes, method, self.level, self.control, best_at))
                    arms += [what | row for row in arm_rows(outcomes, method, self.level, best_at)]
        return Trial(self, runs, pd.DataFrame(rows), pd.DataFrame(arms))

    def _ends(
        self,
        policy: Policy,
        label: str,
        instance: Instance,
        runs: int,
        laboratory: Laboratory,
        report: Report,
    ) -> dict[str, Outcomes]:
        """Return the ends for each method. Some decisions take too long for the millions of an exact law."""
        known = self.looks is None and not instance.moves and not exact_refusal(policy, instance)
        by_law = [method for method in self.methods if known and method not in ("anytime", AUTO)]
        by_runs = [method for method in self.methods if method not in by_law]
        ends: dict[str, Outcomes] = {}
        if by_law:
            law = exactly(exact(policy, instance, outside_class=self.outside_class), self.level)
            ends |= dict.fromkeys(by_law, law)
            report(0.5 if by_runs else 1.0)
        if by_runs:
            looks = looks_of(self.looks, policy)
            simulation, moments = play_with_moments(
                laboratory,
                policy,
                instance,
                label=label,
                report=part(report, 0.5 if by_law else 0.0, 1.0),
                runs=runs,
                seed=self.seed,
                level=self.level,
                outside_class=self.outside_class,
                at=moments_of(looks, instance),
            )
            if moments is not None and self.looks is None:
                ends |= dict.fromkeys(by_runs, simulated(simulation, moments))
            else:
                standing = [standing_at(simulation, look, laboratory.threads) for look in looks.tolist()]
                best_at = policy.horizon / policy.n_arms
                for method in by_runs:
                    ends[method] = standing[-1]
                    if self.looks is not None:
                        ends[method] = stopped(standing, method, self.level, self.control, best_at)
        return {method: ends[method] for method in self.methods}


@dataclass(frozen=True, eq=False)
class Trial(StudyResult[TrialStudy]):
    """Operating characteristics of several designs.

    Every quantity has its own interval in `…_low` and `…_high`; where `source` is "exact" there is no simulation error
    and both are the value itself.

    Attributes:
        study: what was asked.
        runs: of each design and scenario that was simulated.
        table: one row for each design, scenario and method. `wrong` is the probability that some arm is declared
            better than one that is no worse, which is the type I error where all means are equal; `power` the
            probability that a true difference is declared; `picks_best` that the arm with the largest estimate is
            a best one; `reward` the expected sum of all rewards and `lost` what always playing a best arm would add.
            Where means move, all of this is about their averages over the planned rounds, and `lost` about the best arm
            of each round. With looks on the way `stopped` is the probability to stop before the planned end, `rounds`
            the expected number of rounds, and everything else is told at the stop.
        arms: one row for each of those and each arm: `pulls` and their `spread` from run to run, `bias` and `rmse` of
            the estimated mean, `coverage` and `width` of its interval.
    """

    file: ClassVar[str] = "trial"
    main_columns = (
        "scenario",
        "design",
        "method",
        "source",
        "wrong",
        "power",
        "picks_best",
        "lost",
    )

    table: pd.DataFrame
    arms: pd.DataFrame

    @property
    def digest(self) -> str:
        """The SHA-256 of what was asked and what came out, to six digits: what a live experiment's `trial` names."""
        found = {name: _rounded(rows) for name, rows in self.findings().items() if name != "digest"}
        return digest(self.configuration() | {"runs": self.runs} | found)

    @property
    def left_out(self) -> dict[str, str]:
        """Whom "all" did not stand for, each with the reason."""
        return self.study.left_out

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the designs, in plain sentences."""
        instance = next(iter(self.study.scenarios.values()))
        about = [
            policy.notes if instance.moves else notes_on(policy, instance)
            for policy in self.study.policies_on(instance)
        ]
        return labelled_notes(self.study.labels, about)

    def best_arm(self, scenario: str) -> int:
        """Return the arm with the largest mean in a scenario, on average over the rounds."""
        instance = self.study.scenarios[scenario]
        means = instance.average_means(self.study.policies_on(instance)[0].horizon)
        return max(range(len(means)), key=means.__getitem__)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return both tables."""
        return {"trial": self.table, "arms": self.arms}

    def findings(self) -> dict[str, Any]:
        """Return both tables as rows."""
        return {"decisions": plain_rows(self.table), "arms": plain_rows(self.arms)}

    def to_dict(self) -> dict[str, Any]:
        """Return what was asked, what came out and the digest of both as a plain dict, fit for JSON."""
        return super().to_dict() | {"digest": self.digest}

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw what is decided, and what it costs, for every design and scenario."""
        from steadyarm.study.trial.picture import draw

        return draw(self, ax, size)

    def save(self, folder: str | Path) -> list[Path]:
        """Write the tables, all of it as JSON, the picture and a report in HTML into a folder; return the files."""
        from steadyarm.study.trial.report import report

        written, page = super().save(folder), Path(folder) / "trial.html"
        page.write_text(
            report(self, (Path(folder) / "trial.svg").read_text(encoding="utf-8")), encoding="utf-8"
        )
        return [*written, page]


def trial(
    scenarios: Scenarios,
    designs: str | Sequence[str | Policy] | None = None,
    *,
    horizon: int | None = None,
    methods: Sequence[str] | None = None,
    control: int | None = None,
    looks: Looks = None,
    level: float = LEVEL,
    runs: int = SHARE_RUNS,
    seed: int = 0,
    outside_class: bool = False,
    mean_bound: float | None = None,
    laboratory: Laboratory | None = None,
    progress: bool | Report | None = None,
) -> Trial:
    """Find the operating characteristics of a trial before it begins: errors, power, estimates, allocation, cost.

    Two arms with 0/1 rewards and no more rounds than `exact` takes are computed where the design has an exact law,
    without simulation error; everything else is simulated, all designs on the same rewards.

    Args:
        scenarios: instances by name, {"null": …, "better": …}; or one instance, to which the null scenario is added in
            which all arms have the first one's mean. Means may move: see `Instance.drifting`.
        designs: records, or names from `all_policies()`; or "all", which stands for those of the registry that can
            play, and `.left_out` says who cannot. By default equal shares (RoundRobin), Steady, SLE-UCB with
            sharp constants, and Thompson sampling.
        horizon: the number of rounds of designs given by name.
        methods: of `sa.differences` and `sa.intervals`; by default the ordinary one ("wilson" for 0/1 rewards, "wald"
            for others) and "anytime". Decisions at the end are taken by each. "auto" is what `sa.differences` and the
            live service take by themselves.
        control: the arm that the others are compared with; all pairs are compared without it.
        looks: rounds after which somebody looks, or how many looks, evenly spaced. A trial stops at the first look at
            which one arm is shown to be better than all others; with a control, some arm than it. Without looks
            nobody looks before the planned end.
        level: at which decisions hold together, and that of all intervals.
        runs: of each design and scenario that is simulated.
        seed: names the reward table; the result depends on nothing else.
        outside_class: play even instances that lie outside a design's class (M, σ).
        mean_bound: M of the designs given by name that have such a parameter; their own default unless given.
        laboratory: where simulations are run.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.

    >>> import steadyarm as sa
    >>> found = sa.trial(sa.Instance.bernoulli([0.2, 0.5]), ["RoundRobin"], horizon=60, methods=["wilson"])
    >>> found.table[["scenario", "source", "wrong", "power"]].round(3)
          scenario source  wrong  power
    0         null  exact  0.045    NaN
    1  alternative  exact  0.000  0.692
    """
    study = TrialStudy(
        scenarios=scenarios,  # type: ignore[arg-type]
        designs=designs,  # type: ignore[arg-type]
        mean_bound=mean_bound,
        horizon=horizon,
        methods=methods,  # type: ignore[arg-type]
        control=control,
        looks=looks,
        level=level,
        seed=seed,
        outside_class=outside_class,
    )
    return study.run(runs=runs, laboratory=laboratory, progress=progress)


def _named(scenarios: Any) -> dict[str, Instance]:
    """Return scenarios by name; one instance gets the null scenario beside it."""
    if isinstance(scenarios, Instance) and scenarios.moves:
        return {"drift": scenarios}
    if isinstance(scenarios, Instance):
        means = [scenarios.means[0]] * scenarios.n_arms
        null = Instance.from_dict(scenarios.to_dict() | {"means": means})
        return {"null": null} | ({"alternative": scenarios} if scenarios != null else {})
    if not isinstance(scenarios, Mapping) or not scenarios:
        raise InvalidType(f"scenarios must be an instance, or instances by name; got {scenarios!r}.")
    for name, instance in scenarios.items():
        checks.instance_of(name, str, "the name of a scenario")
        checks.instance_of(instance, Instance, f"scenario {name!r}")
    return dict(scenarios)


def _rounded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows with six digits, which no machine's way of adding up changes."""
    return [
        {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in row.items()}
        for row in rows
    ]
