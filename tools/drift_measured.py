"""Measures what moving means do to regret, instability and intervals.

It prints the rows of docs/drift.md and draws its picture.
Run it with `.venv/bin/python tools/drift_measured.py` (three minutes).
"""

import math
from pathlib import Path

import numpy as np

import steadyarm as sa
from steadyarm.study.path import play_run

DOCS = Path(__file__).parent.parent / "docs"
HORIZON, RUNS, PATHS = 10_000, 2000, 200
ONE, OTHER = (0.1, -0.1), (-0.1, 0.1)


def drifts(horizon=HORIZON):
    """The ways in which two arms change places, by what the page calls them."""
    return {
        "stay": sa.Drift.of([ONE]),
        "step in the middle": sa.Drift.step(ONE, OTHER, after=horizon // 2),
        "linear": sa.Drift.linear(ONE, OTHER, rounds=horizon),
        "five seasons": sa.Drift.seasonal((0.0, 0.0), ONE, period=horizon // 5, rounds=horizon),
    }


def policies(horizon=HORIZON):
    size = {"n_arms": 2, "horizon": horizon}
    sharp, steady = sa.SLEUCB(**size, constants="sharp"), sa.Steady(**size, spread=0.05 * horizon)
    return [sa.RoundRobin(**size), sharp, steady, sa.MOSS(**size), sa.GaussianThompson(**size)]


def main():
    print(f"| means | policy | regret | instability |\n|{'---|' * 4}")
    for name in drifts():
        for policy in policies():
            print(row(name, policy), flush=True)
    print(f"\n| means | policy | intervals that hold |\n|{'---|' * 3}")
    for name in ("stay", "step in the middle"):
        for policy in policies(1000)[:4]:
            print(coverage_row(name, policy), flush=True)
    stepping = sa.Instance.drifting(drifts()["step in the middle"])
    found = sa.compare(policies()[1:], stepping, runs=400, seed=1, at=range(200, HORIZON + 1, 200))
    found.plot_over_time().savefig(DOCS / "pictures" / "drift.png", dpi=120)


def row(name, policy, runs=RUNS):
    found = sa.simulate(policy, sa.Instance.drifting(drifts()[name]), runs=runs, seed=1)
    return f"| {name} | {policy.title} | {found.regret} | {found.instability} |"


def coverage_row(name, policy, runs=PATHS):
    """How often mean ± 1.96σ/√n of arm 0 holds the average of its means over all rounds."""
    nu = sa.Instance.drifting(drifts(policy.horizon)[name])
    goal = np.mean([nu.in_round(number).means[0] for number in range(1, policy.horizon + 1)])
    held = np.empty(runs)
    for run in range(runs):
        arms, rewards = play_run(policy, nu, 1, run, lambda _share: None)
        mine = rewards[arms == 0]
        held[run] = abs(mine.mean() - goal) <= 1.96 / math.sqrt(len(mine))
    share = held.mean()
    return f"| {name} | {policy.title} | {share:.1%} ± {math.sqrt(share * (1 - share) / runs):.1%} |"


if __name__ == "__main__":
    main()
