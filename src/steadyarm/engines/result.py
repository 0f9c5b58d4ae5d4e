"""What a simulation found: counts of many runs, and the estimates that follow from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.model import checks
from steadyarm.model.feedback import AT_ONCE, Feedback
from steadyarm.model.instance import Instance
from steadyarm.notebook import MOST_ROWS, Sheet, Shown, above, public
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.estimates import Estimate, largest_sd_estimate, mean_estimate, sd_estimate
from steadyarm.theory.guarantees import Guarantee, notes_on, proved_on
from steadyarm.words import counted, measured

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOVING = (
    "Means move: regret is dynamic, in every round against the best arm of that round. What is proved is about means "
    "that stay."
)
_ONE_RUN = "One run has no spread: intervals and the instability need two runs or more."


@dataclass(frozen=True, eq=False)
class Simulation(Shown):
    """The terminal pull counts of many runs, and what they say.

    Attributes:
        counts: (runs, arms) whole numbers; row r is run `first_run` + r.
        engine: the engine that played them.
        seed: the seed; run r of the same seed has the same rewards under every policy.
        tolerance: the counts are right to this many pulls; 1 is exact.
        device: where they were played: "cpu" or "cuda".
        total_variation: a bound on the distance between the law of a run and the true one; 0 is exact.
        at: the rounds after which counts on the way were noted; none unless they were asked for.
        counts_at: (runs, moments, arms) the counts after these rounds; the runs are those of `counts`.
        feedback: `.delay` and `.batch`, when the policy was told of rewards.
        losses: (runs, moments + 1) where means move, the dynamic regret of each run at the moments `at` and at the end.
    """

    policy: Policy
    instance: Instance
    counts: Integers
    engine: str
    seed: int
    level: float = 0.95
    tolerance: int = 1
    total_variation: float = 0.0
    first_run: int = 0
    device: str = "cpu"
    at: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    counts_at: Integers = field(default_factory=lambda: np.zeros((0, 0, 0), dtype=np.int64))
    feedback: Feedback = AT_ONCE
    losses: Floats | None = None

    @property
    def runs(self) -> int:
        """How many runs were played."""
        return int(self.counts.shape[0])

    @cached_property
    def run_regrets(self) -> Floats:
        """The regret of each run: what its pulls cost in expected reward, each against the best arm of its round."""
        if self.losses is not None:
            return self.losses[:, -1]
        regrets: Floats = self.counts @ np.array(self.instance.gaps)
        return regrets

    @cached_property
    def regret(self) -> Estimate:
        """The expected regret (Definition 1)."""
        return mean_estimate(self.run_regrets, self.level)

    @cached_property
    def instability(self) -> Estimate:
        """The largest standard deviation of an arm's pull count (Definition 1)."""
        return largest_sd_estimate(self.counts, self.level)

    @property
    def product(self) -> float:
        """Regret × instability over T^1.5 on this instance; Theorem 1 is about worst cases."""
        product: float = self.regret.value * self.instability.value / float(self.policy.horizon) ** 1.5
        return product

    @cached_property
    def regret_at(self) -> tuple[Estimate, ...]:
        """The expected regret up to each of the moments `at`."""
        if self.losses is not None:
            return tuple(mean_estimate(lost, self.level) for lost in self.losses[:, :-1].T)
        gaps = np.array(self.instance.gaps)
        return tuple(
            mean_estimate(self.counts_at[:, place] @ gaps, self.level) for place in range(len(self.at))
        )

    @cached_property
    def instability_at(self) -> tuple[Estimate, ...]:
        """The largest standard deviation of an arm's pull count at each of the moments `at`."""
        places = range(len(self.at))
        return tuple(largest_sd_estimate(self.counts_at[:, place], self.level) for place in places)

    def plot_over_time(self, size: Sequence[float] | None = None, *, ax: Axes | None = None) -> Figure:
        """Draw regret and instability over the rounds, with their intervals; see `steadyarm.plot_over_time`."""
        figure: Figure = public("plot_over_time")(self, size, ax=ax)
        return figure

    @cached_property
    def mean_counts(self) -> Floats:
        """The average pull count of each arm."""
        means: Floats = self.counts.mean(axis=0)
        return means

    @cached_property
    def sd(self) -> Floats:
        """The standard deviation of each arm's pull count."""
        if self.runs < 2:
            return np.full(self.instance.n_arms, math.nan)
        deviations: Floats = self.counts.std(axis=0, ddof=1)
        return deviations

    def arm(self, arm: int) -> tuple[Estimate, Estimate]:
        """Return one arm's mean count and standard deviation, both with intervals."""
        arm = checks.integer(arm, "arm", at_least=0, at_most=self.instance.n_arms - 1)
        column = self.counts[:, arm]
        return mean_estimate(column, self.level), sd_estimate(column, self.level)

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """What is proved of this policy on such instances, rewards told at once; None where nothing is."""
        return proved_on(self.policy, self.instance) if self.feedback.at_once else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know about the policy, the instance and the runs, in plain sentences."""
        notes = self.policy.notes if self.instance.moves else notes_on(self.policy, self.instance)
        if self.instance.moves:
            notes += (_MOVING,)
        if not self.feedback.at_once:
            notes += (
                f"Rewards are told {self.feedback}. What is proved is about rewards that are told at once.",
            )
        return notes if self.runs > 1 else (*notes, _ONE_RUN)

    def to_dict(self) -> dict[str, Any]:
        """Return what was run and what came out as a plain dict, fit for JSON."""
        return {
            "policy": self.policy.to_dict(),
            "instance": self.instance.to_dict(),
            "runs": self.runs,
            "first_run": self.first_run,
            "seed": self.seed,
            "engine": self.engine,
            "device": self.device,
            **self.feedback.to_dict(),
            "tolerance": self.tolerance,
            "total_variation": self.total_variation,
            "regret": self.regret.to_dict(),
            "instability": self.instability.to_dict(),
            "mean_counts": self.mean_counts.tolist(),
            "guarantee": self.guarantee and self.guarantee.to_dict(),
            "notes": list(self.notes),
            "sd": [deviation if math.isfinite(deviation) else None for deviation in self.sd.tolist()],
            "at": self.at.tolist(),
            "regret_at": [estimate.to_dict() for estimate in self.regret_at],
            "instability_at": [estimate.to_dict() for estimate in self.instability_at],
        }

    def save(self, folder: str | Path) -> list[Path]:
        """Write the counts of every run, all else as JSON, and the pictures into a folder; return the files."""
        written: list[Path] = above("study.plotting.allocations", "save_simulation")(self, folder)
        return written

    def _sheet(self) -> Sheet:
        import pandas as pd

        whole = {"regret": [measured(self.regret)], "instability": [measured(self.instability)]}
        arms, rows = self.instance.n_arms, []
        for arm in range(min(arms, MOST_ROWS)):
            pulls, spread = map(measured, self.arm(arm))
            mean = self.instance.mean_in_words(arm)
            rows.append({"arm": arm, "mean reward": mean, "pulls": pulls, "spread": spread})
        heading = (
            f"{self.policy.title}: {arms} arms, {self.policy.horizon:,} rounds, {counted(self.runs, 'run')}"
        )
        more = (f"The first {MOST_ROWS} of {arms:,} arms are in the table.",) if arms > MOST_ROWS else ()
        return Sheet(
            heading,
            [pd.DataFrame(whole), pd.DataFrame(rows)],
            (*more, *self.notes),
            lambda: public("plot_counts")(self),
        )

    def __repr__(self) -> str:
        return (
            f"Simulation({self.policy.title}, {self.instance.n_arms} arms, {self.policy.horizon:,} rounds, "
            f"{counted(self.runs, 'run')} by {self.engine}: regret {self.regret}, instability {self.instability})"
        )


def noted(instance: Instance, asked: Integers, moments: Integers, counts: Integers) -> dict[str, Any]:
    """Return what a `Simulation` takes from counts (runs, moments, arms) at the moments asked for, among others.

    The last moment is the horizon; where means move, the ends of all stretches before it are moments too.
    """
    places = np.searchsorted(moments, asked)
    losses = dynamic_losses(instance, moments, counts)[:, [*places, -1]] if instance.moves else None
    final = np.ascontiguousarray(counts[:, -1])
    return {"counts": final, "at": asked, "counts_at": counts[:, places], "losses": losses}


def dynamic_losses(instance: Instance, moments: Integers, counts: Integers) -> Floats:
    """Return the dynamic regret of each run up to each moment; the ends of all stretches are among the moments.

    Pulls between two moments are in one stretch, whose gaps are what they cost.
    """
    gaps = np.array([instance.in_round(moment).gaps for moment in moments.tolist()])
    pulls = np.diff(counts, axis=1, prepend=0)
    losses: Floats = np.cumsum(np.einsum("rma,ma->rm", pulls, gaps), axis=1)
    return losses
