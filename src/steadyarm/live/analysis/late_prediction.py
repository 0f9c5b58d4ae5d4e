"""Where the allocation should be if outcomes are told late or in batches: simulated, since no formula knows of that.

The same policy is played with the same batch and delay on arms with the means seen so far, a number of times. What that
costs is known before, and more than `BUDGET_SECONDS` is not spent: whoever asks waits for it, though no allocation
does. Means are rounded to a part of their standard error, so that most questions find a simulation that was made
before; the answer is a pure function of the summary all the same.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from steadyarm.engines.choice import choose_engine
from steadyarm.engines.simulate import simulate
from steadyarm.errors import NotSupported
from steadyarm.live.core.experiment import Summary
from steadyarm.model import Instance
from steadyarm.model.feedback import Feedback
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies import Policy

BUDGET_SECONDS = 1.0
"""Of a core, that a simulation may take, by the engine's own figures."""

MOST_RUNS, FEWEST_RUNS = 200, 40
_MOMENTS = 40
_FINEST = 4  # parts of a standard error that a mean is rounded to, at least
_SEED = 20


class LateBand(NamedTuple):
    """Mean counts and their standard deviations after some rounds, (moments, arms), over so many runs."""

    rounds: Integers
    counts: Floats
    sd: Floats
    runs: int

    def at(self, turn: int) -> tuple[Floats, Floats]:
        """Return both after any round, on lines between the moments; a count is whole, so no deviation is below one."""
        rounds = np.concatenate([[0], self.rounds])
        counts, sd = (
            np.array([np.interp(turn, rounds, [0.0, *column]) for column in each.T])
            for each in (self.counts, self.sd)
        )
        return counts, np.maximum(sd, 1.0)


def late_band(summary: Summary, scales: list[float]) -> LateBand:
    """Simulate an experiment whose policy is told late; `scales` are the deviations of its arms' rewards.

    `NotSupported` says why that cannot be.
    """
    setup = summary.setup
    means = [
        _rounded(total / n, scale / math.sqrt(n))
        for n, total, scale in zip(summary.observed, summary.sums, scales, strict=True)
    ]
    if setup.configuration["rewards"] == "bernoulli":
        instance = Instance.bernoulli(np.clip(means, 0.0, 1.0).tolist())
    else:
        instance = Instance.gaussian(means, noise_scale=[float(f"{scale:.1g}") for scale in scales])
    return _simulated(setup.policy, instance, setup.feedback)


@lru_cache(maxsize=64)
def _simulated(policy: Policy, instance: Instance, feedback: Feedback) -> LateBand:
    policy.check_instance(instance, outside_class=True)
    cost = choose_engine("auto", policy, instance, feedback=feedback).run_cost(policy)
    runs = min(MOST_RUNS, int(BUDGET_SECONDS / cost))
    if runs < FEWEST_RUNS:
        raise NotSupported(
            f"{FEWEST_RUNS} simulated runs of {policy.horizon:,} rounds would take about {FEWEST_RUNS * cost:.2g} s, "
            f"and {BUDGET_SECONDS:g} s is the most that one request may take; use `steadyarm simulate "
            f"--batch {feedback.batch} --delay {feedback.delay.rounds}`"
        )
    rounds = _moments(policy, feedback.batch)
    found = simulate(
        policy,
        instance,
        runs=runs,
        seed=_SEED,
        threads=1,
        progress=False,
        at=rounds.tolist(),
        delay=feedback.delay,
        batch=feedback.batch,
        outside_class=True,
    )
    return LateBand(found.at, found.counts_at.mean(axis=0), found.counts_at.std(axis=0, ddof=1), runs)


def _moments(policy: Policy, batch: int) -> Integers:
    """Return rounds up to the horizon at which a batch ends: between two of them counts grow on lines."""
    ends = np.arange(batch, policy.horizon, batch)
    if len(ends) > _MOMENTS:  # as many early as late ones
        parts = np.geomspace(1, len(ends), _MOMENTS // 2), np.linspace(1, len(ends), _MOMENTS // 2)
        ends = ends[np.unique(np.concatenate(parts).round().astype(np.int64)) - 1]
    return np.append(ends, policy.horizon)


def _rounded(value: float, error: float) -> float:
    """Return a number on a grid of a power of two, at most a part of its error apart.

    >>> _rounded(0.0312345, 0.002)
    0.03125
    """
    step = 2.0 ** math.floor(math.log2(error / _FINEST))
    return round(value / step) * step
