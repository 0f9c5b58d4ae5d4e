"""Draws docs/pictures/optimum.png and everybody.png: how far each policy is from the best possible.

The first is over horizons and numbers of arms, for policies that can be played for 10¹² rounds; the second has all.

Each point is a worst-case regret over the least that any policy of the same worst-case instability has (Theorem 1′),
both worst cases searched for and measured again by `frontier`. The numbers stand beside the pictures as optimum.csv and
everybody.csv.
Run it with `.venv/bin/python tools/optimum.py` (some minutes); `make pictures` does. With `--draw` it draws
what was measured before.
"""

import sys
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

import steadyarm as sa
from steadyarm.study.plotting.style import COLOURS, house_style

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
HORIZONS, ARMS = (10**4, 10**5, 10**6, 10**8, 10**10, 10**12), 10
SEVERAL_ARMS, HORIZON = (2, 3, 5, 10, 20, 50, 100), 10**8
RIVALS = ["UCB", "UCBf", "MOSS", "SafeUCB"]
SHORT = 10**5  # every policy can be played for so long
SHARE = 0.1  # of T/K: the spread that Steady is asked for
RUNS = 300
STYLES = {
    "Steady": (COLOURS[3], "^"),
    "SLE-UCB, α = 1": (COLOURS[2], "s"),
    "UCB": (COLOURS[1], "D"),
    "UCB-f": (COLOURS[4], "v"),
    "MOSS": (COLOURS[5], "o"),
    "Safe UCB": (COLOURS[0], "P"),
}


def measured(n_arms, horizon, rivals=RIVALS):
    """Return the rows of one class: every policy with its ratio."""
    found = sa.frontier(
        n_arms=n_arms,
        horizon=horizon,
        alphas=[1.0],
        spreads=[SHARE * horizon / n_arms],
        rivals=rivals,
        runs=RUNS,
        seed=1,
    ).table
    found = found[found["constants"] != "paper"]
    names = [
        "SLE-UCB, α = 1" if name == "SLEUCB" else policy.split(" (")[0]
        for name, policy in zip(found["name"], found["policy"], strict=True)
    ]
    return pd.DataFrame(
        {
            "arms": n_arms,
            "horizon": horizon,
            "policy": names,
            "regret": found["regret"],
            "instability": found["instability"],
            "times_least_regret": found["times_least_regret"],
            "low": found["times_least_regret_low"],
            "high": found["times_least_regret_high"],
        }
    )


def main():
    classes = [(ARMS, horizon) for horizon in HORIZONS] + [(arms, HORIZON) for arms in SEVERAL_ARMS]
    table = pd.concat([measured(*each) for each in dict.fromkeys(classes)], ignore_index=True)
    table.to_csv(PICTURES / "optimum.csv", index=False, float_format="%.5g")
    print(table.round(3).to_string())
    everybody = measured(ARMS, SHORT, "all").sort_values("times_least_regret")
    everybody.to_csv(PICTURES / "everybody.csv", index=False, float_format="%.5g")
    print(everybody.round(3).to_string())


def picture():
    table = pd.read_csv(PICTURES / "optimum.csv")
    ours = table["policy"] == "Steady"
    within = table[ours]["times_least_regret"].max() - 1.0
    times = table[~ours]["times_least_regret"].max()
    with house_style():
        figure = Figure(figsize=(11.0, 4.8), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        draw(left, table[table["arms"] == ARMS], "horizon", f"rounds, with {ARMS} arms")
        draw(right, table[table["horizon"] == HORIZON], "arms", "arms, with 10⁸ rounds")
        left.set_ylabel("worst-case regret over the least\nof any policy of the same instability")
        left.legend(frameon=False, ncols=2, fontsize=9, loc="upper left")
        figure.suptitle(
            f"Steady is within {within:.0%} of the best possible; others lose up to {times:.0f} times as much"
        )
        right.set_xticks(SEVERAL_ARMS, [str(arms) for arms in SEVERAL_ARMS])
        figure.savefig(PICTURES / "optimum.png", dpi=120)


def everybody():
    table = pd.read_csv(PICTURES / "everybody.csv").iloc[::-1]
    places = range(len(table))
    with house_style():
        figure = Figure(figsize=(8.0, 7.0), layout="constrained")
        axes = figure.subplots()
        for place, (_, row) in zip(places, table.iterrows(), strict=True):
            colour, marker = STYLES.get(row["policy"], ("#555555", "o"))
            axes.plot([row["low"], row["high"]], [place, place], color=colour, linewidth=2, alpha=0.5)
            axes.plot(row["times_least_regret"], place, color=colour, marker=marker, linestyle="none")
            axes.annotate(
                f"{row['times_least_regret']:.3g}",
                (row["high"], place),
                (6, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
            )
        axes.axvspan(0.8, 1.0, color="#E8E8E8")
        axes.set(xscale="log", xlim=(0.85, 1.6 * table["high"].max()), ylim=(-0.7, len(table) - 0.3))
        axes.set_yticks(list(places), table["policy"])
        axes.set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
        axes.minorticks_off()
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("worst-case regret over the least of any policy of the same instability")
        figure.suptitle(f"How far everybody is from the best possible: {ARMS} arms, {SHORT:,} rounds")
        figure.savefig(PICTURES / "everybody.png", dpi=120)


def draw(axes, table, along, words):
    for name, rows in table.sort_values(along).groupby("policy", sort=False):
        colour, marker = STYLES[name]
        axes.plot(rows[along], rows["times_least_regret"], color=colour, marker=marker, label=name)
        axes.fill_between(rows[along], rows["low"], rows["high"], color=colour, alpha=0.12, linewidth=0)
    axes.axhspan(0.8, 1.0, color="#E8E8E8")
    axes.annotate("no policy is below 1 (Theorem 1′)", (0.02, 0.02), xycoords="axes fraction", fontsize=9)
    axes.set(xscale="log", yscale="log", xlabel=words)
    axes.set_ylim(0.85, 20.0)
    axes.set_yticks([1, 1.5, 2, 3, 5, 10], ["1", "1.5", "2", "3", "5", "10"])
    axes.minorticks_off()


if __name__ == "__main__":
    if "--draw" not in sys.argv:
        main()
    picture()
    everybody()
