"""Draws the pictures of studies that README and docs show: simulate, coverage and scaling.

Run it with `.venv/bin/python tools/studies.py` (about a minute); `make pictures` does, after the frontier.
"""

from pathlib import Path

import steadyarm as sa

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"


def main():
    policy = sa.SLEUCB(n_arms=3, horizon=100_000, constants="sharp")
    save(sa.plot_counts(sa.simulate(policy, sa.equal_gap(3, gap=0.5), runs=2000)), "simulate")

    steady = sa.SLEUCB(n_arms=3, horizon=10_000, constants="sharp")
    covered = sa.coverage([steady, "MOSS", "UCB"], sa.equal_arms(3), runs=10_000, seed=1)
    save(covered.plot(), "coverage")
    print(covered.table[["policy", "arm", "method", "coverage", "low", "high", "width"]].round(4).to_string())

    grown = sa.scaling("SLEUCB", n_arms=[2, 8, 32], constants="sharp", runs=1000, seed=1)
    save(grown.plot(), "scaling")
    print(grown.exponents.round(3).to_string())


def save(figure, name):
    figure.savefig(PICTURES / f"{name}.png", dpi=120)


if __name__ == "__main__":
    main()
