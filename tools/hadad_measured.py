"""Measures plain and weighted means in Hadad et al.'s design: Thompson sampling with a floor of t^−0.7/3.

Plain means are from 20,000 runs of an engine, weighted ones from 400 plays that keep a log. Prints the table of
docs/logged-probabilities.md.

Run it with `.venv/bin/python tools/hadad_measured.py` (two minutes).
"""

import numpy as np
from mixing_measured import logged

import steadyarm as sa
from steadyarm.engines.sums import reward_moments

MEANS, HORIZON, RUNS, LOGS = np.array([0.9, 1.0, 1.1]), 1000, 20_000, 400


def main():
    instance = sa.Instance.bounded(MEANS.tolist(), low=-0.1, high=2.1, reach=1.0)
    inner = sa.GaussianThompson(n_arms=3, horizon=HORIZON, noise_scale=3**-0.5)
    policy = sa.Mixed(inner, 1.0, decay=0.7)
    counts = sa.simulate(policy, instance, runs=RUNS, seed=1, outside_class=True).counts
    plain = reward_moments(instance, counts, seed=1).sums / counts - MEANS
    logs = [logged(policy, instance, run)[1] for run in range(LOGS)]
    once, ever = (
        np.array(
            [
                [(each.value, each.low, each.high) for each in sa.weighted_intervals(log, **how)]
                for log in logs
            ]
        )
        for how in ({}, {"method": "anytime", "optimal_at": HORIZON})
    )
    print("| mean | pulls | error of the plain mean | of the weighted mean | planned end | at any time |")
    print(f"|{'---|' * 6}")
    for arm, mean in enumerate(MEANS):
        errors = (signed(plain[:, arm]), signed(once[:, arm, 0] - mean))
        held = (share((each[:, arm, 1] <= mean) & (each[:, arm, 2] >= mean)) for each in (once, ever))
        print(f"| {mean:g} | {counts[:, arm].mean():.0f} | {' | '.join((*errors, *held))} |")


def signed(errors):
    return f"{errors.mean():+.4f} ± {errors.std(ddof=1) / np.sqrt(len(errors)):.4f}".replace("-", "−")


def share(held):
    return f"{held.mean():.1%} ± {np.sqrt(held.mean() * (1 - held.mean()) / len(held)):.1%}"


if __name__ == "__main__":
    main()
