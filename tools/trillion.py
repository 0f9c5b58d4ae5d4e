"""Draws docs/pictures/trillion.png: worst regret times worst instability over T^1.5, for T from 10⁶ to 10¹².

Worst cases are taken over equal-gap instances with gaps in proportion to β√(K/T). Writes the numbers beside the picture
as trillion.csv; `--check` only verifies that the product stays within 15 % of its mean over the six decades.
"""

import math
import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import steadyarm as sa
from steadyarm.study.plotting.style import COLOURS, house_style

HORIZONS = [10**k for k in range(6, 13)]
MULTIPLES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
RUNS = 1000
SETTINGS = {"two arms, the paper's constants": (2, "paper"), "ten arms, sharp constants": (10, "sharp")}
PICTURES = Path(__file__).parent.parent / "docs" / "pictures"


def product(n_arms, constants, horizon, runs=RUNS, seed=1):
    """Worst regret times worst instability over T^1.5."""
    policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon, constants=constants)
    unit = policy.beta * math.sqrt(n_arms / horizon)
    instances = [sa.equal_gap(n_arms, min(1.0, multiple * unit)) for multiple in MULTIPLES]
    results = [sa.simulate(policy, nu, runs=runs, seed=seed, engine="leap") for nu in instances]
    regret = max(result.regret.value for result in results)
    instability = max(result.instability.value for result in results)
    return regret * instability / horizon**1.5


def main():
    table = {name: [product(*setting, horizon) for horizon in HORIZONS] for name, setting in SETTINGS.items()}
    for name, values in table.items():
        spread = max(abs(value / np.mean(values) - 1.0) for value in values)
        print(f"{name}: {', '.join(f'{value:.3f}' for value in values)}; within {spread:.1%} of the mean")
        assert spread < 0.15
    if "--check" in sys.argv:
        return
    lines = ["horizon," + ",".join(f'"{name}"' for name in table)] + [
        f"{horizon}," + ",".join(f"{values[place]:.4f}" for values in table.values())
        for place, horizon in enumerate(HORIZONS)
    ]
    (PICTURES / "trillion.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with house_style():
        figure = Figure(figsize=(8.0, 4.2), layout="constrained")
        axes = figure.add_subplot()
        for colour, (name, values) in zip(COLOURS, table.items(), strict=False):
            axes.semilogx(HORIZONS, values, "o-", color=colour)
            axes.annotate(
                name, (HORIZONS[3], values[3]), (0, 9), textcoords="offset points", color=colour, ha="center"
            )
        axes.set_ylim(bottom=0.0, top=1.35 * max(map(max, table.values())))
        axes.set_xlabel("horizon T (rounds)")
        axes.set_ylabel("worst regret × worst instability / T$^{1.5}$")
        axes.set_title("Regret times instability grows like T$^{1.5}$, over six decades")
        figure.savefig(PICTURES / "trillion.png")


if __name__ == "__main__":
    main()
