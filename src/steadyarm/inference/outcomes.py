"""How an experiment can end: simulated runs, or all possible ends with their exact chances; averages of both alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from steadyarm.engines.exact.law import ExactLaw
from steadyarm.engines.result import Simulation
from steadyarm.inference.differences import difference_ends, method_of_differences
from steadyarm.inference.pairs import Pairs
from steadyarm.inference.sample import Sample
from steadyarm.inference.validity import AUTO, chosen_methods, ends_as_chosen
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.estimates import Estimate, mean_estimate, sd_estimate, share_estimate

NEGLIGIBLE = 1e-19
"""The chance of an end that is left out: the millions of them have less than 1e-11 together."""

Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The ends of an experiment on one instance.

    Attributes:
        sample: counts and moments, one row an end.
        chances: of the ends; None for simulated runs, which count alike.
        level: of the intervals that simulated averages get; exact ones are their own.
        stopped_early: in which runs somebody looked and stopped before the planned end; None if nobody looks.
        losses: the dynamic regret of each run, where means move; None where counts tell it.
    """

    policy: Policy
    instance: Instance
    sample: Sample
    chances: Floats | None
    level: float
    stopped_early: Truths | None = None
    losses: Floats | None = None

    @cached_property
    def means(self) -> Floats:
        """The true means of the arms, averaged over the planned rounds if they move."""
        return np.array(self.instance.average_means(self.policy.horizon))

    @property
    def lost(self) -> Estimate:
        """What always playing the best arm would have added to the expected reward."""
        if self.losses is not None:
            return self.mean(self.losses)
        lost: Floats = self.sample.counts @ np.array(self.instance.gaps)
        return self.mean(lost)

    @cached_property
    def chosen(self) -> npt.NDArray[np.str_]:
        """The method that `sa.intervals` and `sa.differences` take by themselves at each end."""
        chosen = chosen_methods(self.sample, self.policy)
        return chosen if self.stopped_early is None else np.where(self.stopped_early, "anytime", chosen)

    def ends(self, method: str, by: Callable[[Sample, str], tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
        """Return both ends of intervals by a method; "auto" is the one that is taken at each end."""
        return by(self.sample, method) if method != AUTO else ends_as_chosen(self.sample, self.chosen, by)

    def difference_ends(
        self, method: str, level: float, pairs: Pairs, optimal_at: float
    ) -> tuple[Floats, Floats]:
        """Return both ends of the differences that `sa.differences` gives at each end, each at `level`."""

        def by(part: Sample, name: str) -> tuple[Floats, Floats]:
            return difference_ends(part, method_of_differences(name), level, pairs, optimal_at=optimal_at)

        return self.ends(method, by)

    def shown_signs(
        self, method: str, level: float, pairs: Pairs, optimal_at: float
    ) -> npt.NDArray[np.int64]:
        """Return for each end and pair the sign of the difference that is declared, 0 if none is."""
        lows, highs = self.difference_ends(method, level, pairs, optimal_at)
        return (lows > 0.0).astype(int) - (highs < 0.0)

    def decided(self, method: str, level: float, pairs: Pairs, optimal_at: float) -> tuple[Truths, Truths]:
        """Return where some arm is shown to be better than one that is no worse, and where a true difference is."""
        means = self.means
        true = np.array([np.sign(means[arm] - means[other]) for arm, other in pairs])
        shown = self.shown_signs(method, level, pairs, optimal_at)
        return ((shown != 0) & (shown != true)).any(axis=1), ((shown != 0) & (shown == true)).any(axis=1)

    @property
    def best_picked(self) -> Floats:
        """The chance that the arm with the largest sample mean is a best one; ties are split evenly."""
        means = np.where(self.sample.counts > 0, self.sample.means, -np.inf)
        leads = means == means.max(axis=1, keepdims=True)
        best = self.means == self.means.max()
        chances: Floats = (leads & best).sum(axis=1) / leads.sum(axis=1)
        return chances

    @property
    def source(self) -> str:
        """Whether the numbers are "exact" or "simulated"."""
        return "simulated" if self.chances is None else "exact"

    def share(self, happens: Truths) -> Estimate:
        """Estimate the probability of an event."""
        if self.chances is None:
            return share_estimate(int(happens.sum()), len(happens), self.level)
        return self._known(min(1.0, float(self.chances[happens].sum())))

    def mean(self, values: Floats, among: Truths | None = None) -> Estimate:
        """Estimate an expectation, given that the end is among some."""
        among = np.ones(len(values), bool) if among is None else among
        if not among.any():
            return Estimate(np.nan, np.nan, np.nan, 0, self.level)
        if self.chances is None:
            return mean_estimate(values[among], self.level)
        return self._known(float(np.average(values[among], weights=self.chances[among])))

    def spread(self, values: Floats) -> Estimate:
        """Estimate a standard deviation."""
        if self.chances is None:
            return sd_estimate(values, self.level)
        centred = values - np.average(values, weights=self.chances)
        return self._known(float(np.sqrt(np.average(centred**2, weights=self.chances))))

    def _known(self, value: float) -> Estimate:
        return Estimate(value, value, value, 0, self.level)


def simulated(
    simulation: Simulation, moments: Moments | Floats, counts: Integers | None = None, place: int = -1
) -> Outcomes:
    """Return runs as outcomes, at their end or with the counts at a place on the way; σ of Gaussian rewards is known.

    They need the moments of their rewards, or the sums alone.
    """
    instance = simulation.instance
    scales = np.array(instance.noise_scales) if instance.rewards == "gaussian" else None
    counts = simulation.counts if counts is None else counts
    sums, *others = moments if isinstance(moments, Moments) else (moments, None, None)
    sample = Sample(counts, sums, others[0], others[1], instance.rewards, instance.low, instance.high, scales)
    losses = None if simulation.losses is None else simulation.losses[:, place]
    return Outcomes(simulation.policy, instance, sample, None, simulation.level, losses=losses)


def exactly(law: ExactLaw, level: float) -> Outcomes:
    """Return an exact law as outcomes, without ends of negligible chance."""
    kept = law.chances > NEGLIGIBLE
    sample = Sample(
        law.counts[kept], law.successes[kept].astype(float), None, None, "bernoulli", 0.0, 1.0, None
    )
    return Outcomes(law.policy, law.instance, sample, law.chances[kept], level)
