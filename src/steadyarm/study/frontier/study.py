"""`frontier`: worst-case regret against worst-case instability, Steady and SLE-UCB along their knobs among rivals.

Figure 1 of the paper, measured: what Theorem 1′ excludes, what is guaranteed, and what policies do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from steadyarm.defaults import (
    FRONTIER_ALPHAS,
    FRONTIER_ARMS,
    FRONTIER_HORIZON,
    FRONTIER_PATIENCE,
    FRONTIER_RIVALS,
    LEVEL,
    WORST_CASES_RUNS,
)
from steadyarm.engines.progress import Report
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady
from steadyarm.study.frontier.curves import SPREADS, Curve, sle_ucb_curve, steady_curve
from steadyarm.study.frontier.rows import row_of
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.runs.resolve_policies import policy_labels
from steadyarm.study.runs.tables import plain_rows
from steadyarm.study.shape import Study, StudyResult
from steadyarm.study.worst_case.budget import (
    Participant,
    curve_participant,
    rival_participant,
    rivals_for,
    too_expensive,
)
from steadyarm.study.worst_case.space import Space, space_of
from steadyarm.study.worst_case.study import search_seed
from steadyarm.study.worst_case.sweep import Worst, measure_worst_cases
from steadyarm.theory.bounds import product_lower_bound
from steadyarm.theory.limit import Limit

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

CONSTANTS = ("paper", "sharp")

_CLASS = ("n_arms", "horizon", "mean_bound", "noise_scale")


@dataclass(frozen=True, kw_only=True)
class FrontierStudy(Study["Frontier"]):
    """A frontier before it is measured; see `frontier`."""

    kind: ClassVar[str] = "frontier"

    n_arms: int = FRONTIER_ARMS
    horizon: int = FRONTIER_HORIZON
    mean_bound: float = 1.0
    noise_scale: float = 1.0
    alphas: tuple[float, ...] = FRONTIER_ALPHAS
    spreads: tuple[float, ...] | None = None
    rivals: str | tuple[Policy, ...] = FRONTIER_RIVALS
    patience: float = FRONTIER_PATIENCE

    def __post_init__(self) -> None:
        super().__post_init__()
        alphas = checks.reals(self.alphas, "alphas", remedy="Give a list, like [0.5, 1, 2].")
        if not alphas:
            raise InvalidInput("alphas must name at least one; got none.")
        patience = checks.real(self.patience, "patience", above=0.0, remedy="It is in seconds of CPU time.")
        self._settle(alphas=tuple(sorted(set(alphas))), patience=patience)
        first = self._sle_ucb("paper")
        self._settle(**{name: getattr(first, name) for name in _CLASS})
        fair = self.horizon / self.n_arms
        spreads = checks.reals(
            [float(f"{share * fair:.2g}") for share in SPREADS] if self.spreads is None else self.spreads,
            "spreads",
            remedy="Give a list of pulls, like [100, 1000].",
        )
        self._settle(spreads=tuple(sorted(set(spreads), reverse=True)))
        # Names become records, so that a study is the same whichever was given, and a wrong rival is refused at once.
        rivals, _ = self._rivals()
        for rival in rivals:
            for curve in self.curves:
                if rival in curve.policies:
                    raise InvalidInput(
                        f"the rivals must differ from {curve.policy.title} along {curve.symbol}; {rival!r} is on it "
                        "already."
                    )
        if self.rivals != "all":
            self._settle(rivals=tuple(rivals))

    def _sle_ucb(self, constants: str) -> SLEUCB:
        return SLEUCB(
            n_arms=self.n_arms,
            horizon=self.horizon,
            mean_bound=self.mean_bound,
            noise_scale=self.noise_scale,
            constants=constants,
        )

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """The policies that are measured along a parameter."""
        along_alpha = [sle_ucb_curve(self._sle_ucb(constants), self.alphas) for constants in CONSTANTS]
        if not self.spreads:
            return tuple(along_alpha)
        steady = Steady(n_arms=self.n_arms, horizon=self.horizon, noise_scale=self.noise_scale)
        return *along_alpha, steady_curve(steady, self.spreads)

    @property
    def space(self) -> Space:
        """The class of instances."""
        return space_of(self._sle_ucb("paper"))

    @property
    def limit(self) -> Limit:
        """What no policy can beat (Theorem 1′)."""
        return self.space.limit(self.horizon)

    def participants(self, runs: int) -> tuple[list[Participant], dict[str, str]]:
        """Return who takes part with how many runs, those on curves first, and why others are left out."""
        space, seed = self.space, search_seed(self.seed)
        participants = [
            curve_participant(policy, space, runs, seed) for curve in self.curves for policy in curve.policies
        ]
        rivals, left_out = self._rivals()
        for policy in rivals:
            reason = too_expensive(policy, space, self.patience)
            if reason:
                left_out[policy.name] = reason
            else:
                participants.append(rival_participant(policy, space, runs, seed))
        return participants, left_out

    def _rivals(self) -> tuple[list[Policy], dict[str, str]]:
        names = {curve.policy.name for curve in self.curves}
        return rivals_for(self.rivals, self.space, self.horizon, self.mean_bound, names)

    @property
    def title(self) -> str:
        """A few words for the progress bar."""
        return f"frontier of {self.n_arms} arms and {self.horizon:,} rounds"

    def parameters_asked(self) -> dict[str, Any]:
        """Return the class, the values of α and the rivals."""
        rivals = self.rivals if isinstance(self.rivals, str) else [rival.to_dict() for rival in self.rivals]
        return {
            **{name: getattr(self, name) for name in _CLASS},
            "alphas": list(self.alphas),
            "spreads": list(self.spreads or ()),
            "rivals": rivals,
            "patience": self.patience,
        }

    def measure(self, runs: int, laboratory: Laboratory, report: Report) -> Frontier:
        """Look for the two worst cases of every policy and measure them on fresh rewards."""
        participants, left_out = self.participants(runs)
        space = self.space
        found = measure_worst_cases(
            [(participant, space) for participant in participants],
            laboratory,
            seed=self.seed,
            level=self.level,
            report=report,
            what="policies",
        )
        return Frontier(self, runs, tuple(participants), tuple(found), left_out)


@dataclass(frozen=True, eq=False)
class Frontier(StudyResult[FrontierStudy]):
    """A measured frontier.

    Attributes:
        study: what was asked.
        runs: of SLE-UCB on its least steady instance; the table has those of all others.
        participants: who took part.
        worst: their worst cases, in the same order.
        left_out: names of policies that did not take part, each with the reason.
    """

    file: ClassVar[str] = "frontier"
    main_columns = (
        "policy",
        "regret",
        "instability",
        "product",
        "times_least_regret",
    )

    participants: tuple[Participant, ...]
    worst: tuple[Worst, ...]
    left_out: dict[str, str]

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row for each policy; docs/frontier.md explains the columns."""
        import pandas as pd

        labels = policy_labels([participant.policy for participant in self.participants])
        curves = [curve.name for curve in self.study.curves for _ in curve.policies]
        rows = [
            row_of(self.study, label, curve, participant, worst)
            for label, curve, participant, worst in zip_longest(labels, curves, self.participants, self.worst)
        ]
        return pd.DataFrame(rows)

    @property
    def product_lower_bound(self) -> float:
        """Theorem 1: regret × instability over T^1.5 of every policy with worst-case regret up to MT/8."""
        study = self.study
        bound = product_lower_bound(study.horizon, study.mean_bound, study.noise_scale)
        return float(bound / float(study.horizon) ** 1.5)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about these numbers, in plain sentences."""
        from steadyarm.study.frontier.notes import notes

        return notes(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the table."""
        return {"frontier": self.table}

    def findings(self) -> dict[str, Any]:
        """Return the points, Theorem 1's bound and who was left out."""
        return {
            "product_lower_bound": self.product_lower_bound,
            "points": plain_rows(self.table),
            "left_out": self.left_out,
        }

    def plot(self, ax: Axes | None = None, size: Size | None = None) -> Figure:
        """Draw worst-case regret against worst-case instability, what is excluded and what is guaranteed."""
        from steadyarm.study.frontier.picture import draw

        return draw(self, ax, size)

    def save(self, folder: str | Path) -> list[Path]:
        """Write the table, all of it as JSON, the picture and a report in HTML into a folder."""
        from steadyarm.study.frontier.report import report

        written = super().save(folder)
        svg = next(path for path in written if path.suffix == ".svg").read_text(encoding="utf-8")
        page = Path(folder) / "frontier.html"
        page.write_text(report(self, svg), encoding="utf-8")
        return [*written, page]


def frontier(
    *,
    n_arms: int = FRONTIER_ARMS,
    horizon: int = FRONTIER_HORIZON,
    mean_bound: float = 1.0,
    noise_scale: float = 1.0,
    alphas: Sequence[float] = FRONTIER_ALPHAS,
    spreads: Sequence[float] | None = None,
    rivals: str | Policy | Sequence[str | Policy] | None = FRONTIER_RIVALS,
    runs: int = WORST_CASES_RUNS,
    seed: int = 0,
    level: float = LEVEL,
    patience: float = FRONTIER_PATIENCE,
    laboratory: Laboratory | None = None,
    progress: bool | Report | None = None,
) -> Frontier:
    """Measure worst-case regret and instability of SLE-UCB along α, of Steady along its spread, and of rivals.

    Both worst cases of each policy are searched for (see `worst_case`) and what is found is measured on rewards
    that the search did not see. So every point is a lower estimate of the two suprema. A rival whose rounds
    are slow is searched for at a shorter horizon and gets fewer runs; the table says how many.

    Args:
        n_arms: K.
        horizon: T.
        mean_bound: M; the arms' means lie in [−M, M].
        noise_scale: σ.
        alphas: where along the frontier SLE-UCB is measured, for the paper's constants and for sharp ones.
        spreads: where Steady is measured, in pulls; by default six from half the fair share T/K down to a
            hundredth of it. An empty list leaves it out.
        rivals: "all", "none", or a list of names and records.
        runs: of SLE-UCB on its least steady instance, and the most that a rival gets; a quarter of them for
            its worst regret, whose interval is narrow sooner.
        seed: names the reward table; the result depends on nothing else.
        level: the confidence level of the intervals.
        patience: seconds of CPU time that a rival's fewest runs may take; slower ones are left out and named.
        laboratory: where simulations are run.
        progress: True or False for a bar, a function of the finished share, or None: a bar on a terminal.

    >>> import steadyarm as sa
    >>> found = sa.frontier(n_arms=2, horizon=10**8, alphas=[4], spreads=[1e6], rivals=["UCBf"], runs=50)
    >>> found.table["policy"].tolist()[1:]
    ['SLE-UCB (constants sharp)', 'Steady', 'UCB-f']
    >>> bool((found.table["product"] > found.product_lower_bound).all())
    True
    """
    study = FrontierStudy(
        n_arms=n_arms,
        horizon=horizon,
        mean_bound=mean_bound,
        noise_scale=noise_scale,
        alphas=alphas,  # type: ignore[arg-type]
        spreads=spreads,  # type: ignore[arg-type]
        rivals=rivals,  # type: ignore[arg-type]
        seed=seed,
        level=level,
        patience=patience,
    )
    return study.run(runs=runs, laboratory=laboratory, progress=progress)
