"""Long experiments that learn late are simulated in bundles: some units in a row get the same arm, as one round.

A policy that learns once a day, or hears of no outcome for days, cannot tell whether units are dealt out one by one or
a two-thousandth of a day at a time. The mean outcome of c units has 1/√c of their noise, so a bundled play is that of
the same policy with T/c rounds, the noise σ/√c and, for Steady, the spread S/c: its index is the same function of the
share of all units. Counts are c times those of the bundles; means and their intervals are the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from steadyarm.engines.progress import Report
from steadyarm.model.instance import Instance
from steadyarm.planning.baseline.designs import Design
from steadyarm.planning.baseline.measured import Bench, Measured
from steadyarm.planning.baseline.situation import Situation
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.general.beta_thompson import BetaThompson
from steadyarm.policies.general.gaussian_thompson import GaussianThompson
from steadyarm.policies.own_history.steady import Steady
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.limit import limit_of

LATE = 20_000
"""Units between two updates, or in a delay, from which on they are bundled."""
FINE = 2000
"""Bundles of that time, at least."""

_IN_UNITS = ("lost", "saved", "lost_at_smallest", "lost_at_worst", "spread", "spread_at_worst")


def bundle_of(situation: Situation) -> int:
    """Return how many units are simulated as one.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> known = {"n_arms": 20, "baseline": 0.02, "smallest_difference": 0.001, "days": 14}
    >>> bundle_of(describe(**known, per_day=1e6, daily=True)), bundle_of(describe(**known, per_day=1e6))
    (500, 1)
    """
    late = max(situation.batch, situation.delay)
    return late // FINE if late >= LATE else 1


def bench_for(situation: Situation, runs: int, seed: int, level: float, threads: int | None) -> Bench:
    """Return how designs are measured: in bundles where that makes no difference."""
    kind = BundledBench if bundle_of(situation) > 1 else Bench
    return kind(situation, runs, seed, level, threads)


@dataclass(frozen=True)
class _Bundled(Situation):
    """A situation in bundles; outcomes that were 0 or 1 have the noise of their own rate."""

    bundle: int = 1
    rates: bool = False

    def instance(self, means: Sequence[float]) -> Instance:
        if not self.rates:
            return super().instance(means)
        most = self.reward_class.noise_scale  # of the noisiest rate; rounding may have put one beyond it
        scales = [min(most, math.sqrt(max(mean * (1.0 - mean), 1e-12) / self.bundle)) for mean in means]
        return Instance.gaussian(means, noise_scale=scales)


def bundled(situation: Situation) -> Situation:
    """Return a situation whose units are the bundles of another one."""
    bundle = bundle_of(situation)
    known = {
        name: value for name, value in vars(situation).items() if name not in ("horizon", "per_day", "sd")
    }
    return _Bundled(
        **known,
        horizon=max(situation.n_arms + 1, round(situation.horizon / bundle)),
        per_day=None if situation.per_day is None else situation.per_day / bundle,
        sd=situation.reward_class.noise_scale / math.sqrt(bundle),
        bundle=bundle,
        rates=situation.is_rate,
    )


class BundledBench(Bench):
    """Measures designs in bundles, if their policies allow it, and gives their numbers in units."""

    @cached_property
    def _inner(self) -> Bench:
        return Bench(bundled(self.situation), self.runs, self.seed, self.level, self.threads)

    def _policy(self, policy: Policy) -> Policy | None:
        """Return the policy of bundles, or None for one whose index is not a function of shares and noise."""
        inner = self._inner.situation
        size = {"n_arms": inner.n_arms, "horizon": inner.horizon}
        noise = policy.noise_scale / math.sqrt(bundle_of(self.situation))
        if isinstance(policy, Steady):
            return Steady(**size, noise_scale=noise, spread=policy.spread * inner.horizon / policy.horizon)
        if isinstance(policy, BetaThompson | GaussianThompson):  # samples of thousands of units are Gaussian
            return GaussianThompson(**size, noise_scale=noise)
        return None

    def affordable_runs(self, policy: Policy) -> int:
        """Return how many runs a design gets."""
        inner = self._policy(policy)
        return super().affordable_runs(policy) if inner is None else self._inner.affordable_runs(inner)

    def seconds(self, policy: Policy, runs: int) -> float:
        """Return about how long a design takes."""
        inner = self._policy(policy)
        return super().seconds(policy, runs) if inner is None else self._inner.seconds(inner, runs)

    def measure(self, design: Design, runs: int, report: Report) -> Measured:
        """Simulate a design with so many runs of each part."""
        policy = self._policy(design.policy)
        if policy is None:
            return super().measure(design, runs, report)
        found = self._inner.measure(Design(design.name, policy), runs, report)
        each = self.situation.horizon / policy.horizon
        in_units: dict[str, Any] = {name: _times(getattr(found, name), each) for name in _IN_UNITS}
        limit = limit_of(self.situation.n_arms, self.situation.horizon, self.situation.reward_class)
        over_time = found.over_time._replace(rounds=np.rint(found.over_time.rounds * each).astype(np.int64))
        least = limit.least_regret(in_units["spread_at_worst"].high)
        return replace(found, design=design, **in_units, least_at_worst=least, over_time=over_time)


def _times(estimate: Estimate, number: float) -> Estimate:
    return replace(
        estimate, value=number * estimate.value, low=number * estimate.low, high=number * estimate.high
    )
