"""Measures what skewed revenue does to a plan that takes it for Gaussian.

One visitor in twenty buys, for a log-normal amount; a better variant's customers spend more. The mean and the standard
deviation are those of the plan. It prints the rows of docs/product-team.md.
Run it with `.venv/bin/python tools/skewed_measured.py` (four minutes on a quiet core).
"""

import math

import numba
import numpy as np

import steadyarm as sa
from steadyarm.inference.outcomes import Outcomes
from steadyarm.inference.pairs import pairs_of
from steadyarm.inference.sample import Sample
from steadyarm.inference.validity import AUTO
from steadyarm.policies.core.curves import tilted, upper
from steadyarm.theory.estimates import sd_estimate

KNOWN = {"n_arms": 3, "horizon": 60_000, "baseline": (8.0, 50.0), "smallest_difference": 1.0}
RUNS = 4000
BUYERS = 0.05
ORDER = 8.0 / BUYERS
# The second moment of an outcome is BUYERS·(mean order)²·(1 + spread²) = mean² + sd².
SHAPE = math.sqrt(math.log((8.0**2 + 50.0**2) / (BUYERS * ORDER**2)))


@numba.njit
def outcome(random, mean, skewed):
    """Return a visitor's revenue: that of the baseline, times what the variant is better by."""
    if not skewed:
        return random.normal(mean, 50.0)
    if random.random() >= BUYERS:
        return 0.0
    return mean / BUYERS * math.exp(random.normal(-0.5 * SHAPE * SHAPE, SHAPE))


@numba.njit
def play(curves, equal, means, skewed, horizon, runs, random):
    """Return counts and moments of each arm, run by run; equal shares take turns."""
    arms = len(means)
    counts, sums, squares = np.zeros((runs, arms)), np.zeros((runs, arms)), np.zeros((runs, arms))
    deviations = np.zeros((runs, arms))
    for run in range(runs):
        lows, indices = np.full(arms, np.inf), np.full(arms, np.inf)
        for t in range(horizon):
            arm = t % arms if equal else np.argmax(indices)
            reward = outcome(random, means[arm], skewed)
            if counts[run, arm] > 0:
                deviations[run, arm] += (reward - sums[run, arm] / counts[run, arm]) ** 2
            counts[run, arm] += 1
            sums[run, arm] += reward
            squares[run, arm] += reward * reward
            if not equal:
                n = counts[run, arm]
                here = upper(curves, sums[run, arm], n)
                lows[arm] = min(lows[arm], here)
                indices[arm] = tilted(curves, lows[arm] if curves.envelope else here, n)
    return counts, sums, squares, deviations


def measured(plan, design, skewed, seed=1):
    """Return what is lost, the spread, the power, and how often the interval of the difference holds it."""
    instance, horizon, arms = plan.situation.at_smallest, KNOWN["horizon"], KNOWN["n_arms"]
    equal = isinstance(design.policy, sa.RoundRobin)
    means = np.array(instance.means)
    counts, *moments = play(
        design.policy.curves, equal, means, skewed, horizon, RUNS, np.random.default_rng(seed)
    )
    scales = np.array(instance.noise_scales)
    sample = Sample(counts.astype(np.int64), *moments, "gaussian", -math.inf, math.inf, scales)
    outcomes = Outcomes(design.policy, instance, sample, None, 0.95)
    each = 1.0 - 0.05 / len(pairs_of(arms, 0))
    lows, highs = outcomes.difference_ends(AUTO, each, [(arms - 1, 0)], horizon / arms)
    return (
        outcomes.lost,
        max((sd_estimate(counts[:, arm], 0.95) for arm in range(arms)), key=lambda found: found.value),
        outcomes.share(lows[:, 0] > 0.0),
        outcomes.share((lows[:, 0] <= 1.0) & (highs[:, 0] >= 1.0)),
    )


def main():
    plan = sa.plan(**KNOWN, progress=False)
    print(f"| design | rewards | lost | spread | power | interval holds |\n|{'---|' * 6}")
    for design in plan.designs:
        if not design.name.startswith("Thompson"):
            for name, skewed in (("Gaussian", False), ("skewed", True)):
                lost, spread, power, holds = measured(plan, design, skewed)
                half = 50.0 * (power.high - power.low)
                print(
                    f"| {design.name} | {name} | {lost.value:,.0f} ± {(lost.high - lost.low) / 2:,.0f} | "
                    f"{spread.value:,.0f} ± {(spread.high - spread.low) / 2:,.0f} | {power.value:.1%} ± {half:.1f} | "
                    f"{holds.value:.1%} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
