"""Measures simulated intervals beside Wald's, Wilson's and anytime-valid ones: two coins, 300 rounds, three policies.

An interval covers if its test keeps the true mean, so that one test an arm is enough to measure coverage; widths need
whole intervals and are measured on fewer experiments. Every experiment has replays of its own: a common seed would be a
common error. Prints the rows of docs/simulated-intervals.md.

Run it with `.venv/bin/python tools/simulated_measured.py` (two minutes on one core).
"""

import math

import numpy as np

import steadyarm as sa
from steadyarm.engines.sums import reward_moments
from steadyarm.inference.methods import METHODS, interval_ends
from steadyarm.inference.sample import Sample
from steadyarm.inference.simulated import SEED, simulated_ends, tails

MEANS, HORIZON = (0.3, 0.5), 300
EXPERIMENTS, WHOLE, REPLAYS = 400, 40, 300


def main():
    sizes = {"n_arms": 2, "horizon": HORIZON, "noise_scale": 0.5}
    print(
        "| policy | arm | pulls | Wald | Wilson | anytime-valid | simulated |\n|---|---|---|---|---|---|---|"
    )
    for policy in (sa.BetaThompson(**sizes), sa.MOSS(**sizes), sa.SLEUCB(**sizes, constants="sharp")):
        for row in rows(policy, seed=1):
            print(row, flush=True)


def rows(policy, seed):
    """Return a row for each arm: coverage, and mean width, of each kind of interval."""
    instance = sa.Instance.bernoulli(MEANS)
    counts = sa.simulate(policy, instance, runs=EXPERIMENTS, seed=seed, threads=1).counts
    counts = counts[counts.min(axis=1) > 0]
    sums = reward_moments(instance, counts, seed=seed, threads=1).sums
    everything = Sample(counts, sums, None, None, "bernoulli", 0.0, 1.0, None)
    covered, width = {}, {}
    for method in METHODS:
        low, high = interval_ends(everything, method, 0.95, optimal_at=HORIZON / 2)
        covered[method], width[method] = (low <= MEANS) & (high >= MEANS), (high - low)[:WHOLE].mean(axis=0)
    single = [
        Sample(*pair, None, None, "bernoulli", 0.0, 1.0, None) for pair in zip(counts, sums, strict=True)
    ]
    covered["simulated"] = np.array(
        [
            [
                min(tails(policy, each, arm, MEANS[arm], REPLAYS, SEED + place, threads=1)) >= 0.025
                for arm in (0, 1)
            ]
            for place, each in enumerate(single)
        ]
    )
    ends = [
        simulated_ends(policy, each, 0.95, replays=REPLAYS, seed=SEED + place, threads=1)[:2]
        for place, each in enumerate(single[:WHOLE])
    ]
    width["simulated"] = np.mean([high - low for low, high in ends], axis=0)
    for arm, mean in enumerate(MEANS):
        cells = (cell(covered[method][:, arm], width[method][arm]) for method in covered)
        yield f"| {policy.title} | {mean} | {counts[:, arm].mean():.0f} | {' | '.join(cells)} |"


def cell(covered, width):
    share = covered.mean()
    return f"{share:.1%} ± {math.sqrt(share * (1 - share) / len(covered)):.1%}, {width:.3f}"


if __name__ == "__main__":
    main()
