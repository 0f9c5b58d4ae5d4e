"""Draws the pictures of studies that the docs show (coverage, trials, scaling, over time) and prints their numbers.

Run it with `.venv/bin/python tools/studies.py` (about a minute); `make pictures` does, after the frontier.
"""

from pathlib import Path

import steadyarm as sa

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"


def main():
    steady = sa.SLEUCB(n_arms=3, horizon=10_000, constants="sharp")
    covered = sa.coverage([steady, "MOSS", "UCB"], sa.equal_arms(3), runs=10_000, seed=1)
    save(covered.plot(), "coverage")
    print(covered.table[["policy", "arm", "method", "coverage", "low", "high", "width"]].round(4).to_string())

    responses = sa.Instance.bernoulli([0.05, 0.13])
    designs = ["RoundRobin", "Steady", "BetaThompson"]
    save(sa.trial(responses, designs, horizon=300, methods=["wilson", "wald"]).plot(), "trial")

    rates, arms = sa.Instance.bernoulli([0.3, 0.5]), {"n_arms": 2, "horizon": 300, "noise_scale": 0.5}
    policies = [sa.BetaThompson(**arms), sa.MOSS(**arms), sa.SLEUCB(**arms, constants="sharp")]
    trial = sa.coverage(policies, rates, runs=20_000, seed=1)
    save(trial.plot(), "small-trial")
    print(trial.table[["policy", "arm", "method", "coverage", "low", "high", "width"]].round(4).to_string())

    grown = sa.scaling("SLEUCB", n_arms=[2, 8, 32], constants="sharp", runs=1000, seed=1)
    save(grown.plot(), "scaling")
    print(grown.exponents.round(3).to_string())

    longer = steady.replace(horizon=100_000)
    curves = sa.compare([longer, "MOSS", "UCB", "UCB1"], sa.equal_gap(3, gap=0.05), runs=1000, seed=1, at=60)
    save(curves.plot_over_time(), "over-time")


def save(figure, name):
    figure.savefig(PICTURES / f"{name}.png", dpi=120)


if __name__ == "__main__":
    main()
