"""Measures simulated intervals beside Wald's, Wilson's and anytime-valid ones: two coins, 300 rounds, three policies.

An interval covers if its test keeps the true mean, so that one test an arm is enough to measure coverage; widths need
whole intervals and are measured on fewer experiments. Every experiment has replays of its own: a common seed would be a
common error. Prints the tables of docs/simulated-intervals.md, of means and of differences.

Run it with `.venv/bin/python tools/simulated_measured.py` (three minutes on one core).
"""

import math

import numpy as np

import steadyarm as sa
from steadyarm.engines.sums import reward_moments
from steadyarm.inference.differences import METHODS_OF_DIFFERENCES, difference_ends
from steadyarm.inference.methods import interval_ends
from steadyarm.inference.sample import Sample
from steadyarm.inference.simulated import SEED, simulated_ends, tails
from steadyarm.inference.simulated_differences import difference_tails

MEANS, HORIZON = (0.3, 0.5), 300
EXPERIMENTS, WHOLE, REPLAYS = 400, 40, 300


def main():
    sizes = {"n_arms": 2, "horizon": HORIZON, "noise_scale": 0.5}
    print(
        "| policy | arm | pulls | Wald | Wilson | anytime-valid | simulated |\n|---|---|---|---|---|---|---|"
    )
    policies = (sa.BetaThompson(**sizes), sa.MOSS(**sizes), sa.SLEUCB(**sizes, constants="sharp"))
    for policy in policies:
        for row in rows(policy, seed=1):
            print(row, flush=True)
    print("\n| policy | rates | Wald | Newcombe | anytime-valid | simulated |\n|---|---|---|---|---|---|")
    for policy in policies:
        for rates in (MEANS, (0.4, 0.4)):
            print(difference_row(policy, rates, seed=2), flush=True)


def played(policy, means, seed):
    """Return the experiments in which every arm was pulled, as one sample."""
    instance = sa.Instance.bernoulli(means)
    counts = sa.simulate(policy, instance, runs=EXPERIMENTS, seed=seed, threads=1).counts
    sums = reward_moments(instance, counts, seed=seed, threads=1).sums
    kept = counts.min(axis=1) > 0
    return Sample(counts[kept], sums[kept], None, None, "bernoulli", 0.0, 1.0, None)


def difference_row(policy, rates, seed):
    """Return how often the difference is covered, and how often one is found, by each kind of interval."""
    sample, true = played(policy, rates, seed), rates[1] - rates[0]
    cells = []
    for method in METHODS_OF_DIFFERENCES:
        low, high = difference_ends(sample, method, 0.95, [(1, 0)], optimal_at=HORIZON / 2)
        cells.append(found_cell((low <= true) & (high >= true), (low > 0.0) | (high < 0.0)))
    tests = [
        [
            min(difference_tails(policy, sample.runs(run), (1, 0), each, REPLAYS, SEED + run)) >= 0.025
            for each in (true, 0.0)
        ]
        for run in range(len(sample.counts))
    ]
    kept, equal = np.array(tests).T
    cells.append(found_cell(kept, ~equal))
    return f"| {policy.title} | {rates[0]} and {rates[1]} | {' | '.join(cells)} |"


def found_cell(covered, found):
    share = covered.mean()
    return f"{share:.1%} ± {math.sqrt(share * (1 - share) / covered.size):.1%}, {found.mean():.0%}"


def rows(policy, seed):
    """Return a row for each arm: coverage, and mean width, of each kind of interval."""
    everything = played(policy, MEANS, seed)
    counts, sums = everything.counts, everything.sums
    covered, width = {}, {}
    for method in ("wald", "wilson", "anytime"):
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
