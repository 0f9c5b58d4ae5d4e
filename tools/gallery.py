"""Writes docs/policies.md: every policy with its formula, source and a picture, on one instance.

Left: the pulls of the two worse arms as the rounds go by, one line a run. Right: where the policy stands among
all others, regret against instability. Run it with `.venv/bin/python tools/gallery.py` (about four minutes).
"""

import inspect
import io
from pathlib import Path
from textwrap import fill

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

import steadyarm as sa
from steadyarm.policies import OwnHistoryPolicy
from steadyarm.study.plotting.style import COLOURS, house_style

DOCS = Path(__file__).parent.parent / "docs"
INSTANCE = sa.Instance.bernoulli([0.6, 0.4, 0.4])
HORIZON = 10_000
RUNS, LINES, SEED = 2000, 20, 1
GREY = "#BBBBBB"

# Where a default is not meant for rewards of 0 and 1, or says nothing at this horizon.
SETTINGS = {
    "SLEUCB": {"constants": "sharp"},
    "KLUCB": {"rewards": "bernoulli"},
    "KLUCBpp": {"rewards": "bernoulli"},
}

HEAD = """# The policies

Every policy of steadyarm, each with its formula, its source and one picture. This page is written by
`tools/gallery.py`. All of them play the same rewards: three arms that give 0 or 1, with means 0.6, 0.4 and 0.4,
{horizon:,} rounds, σ = ½.

The left half of a picture shows how many pulls the two worse arms have had as the rounds go by, in {lines} runs: low
lines are low regret, and lines that stay together are a steady allocation. The right half shows where the policy
stands among the others, which are grey: expected regret to the right, instability (the largest standard deviation
of an arm's pulls) upwards, at the very bottom if it is 0, both over {runs:,} runs.

Policies whose index depends on each arm's own history are marked **own history**: every engine plays them. The
others are rules, played step by step.

This instance is an easy one: the best arm stands out, and few policies are unsteady. Where arms are close together
they differ far more; [Comparing policies](comparing.md) shows it.

In the formulas n is the arm's pull count, t the round, T the horizon, K the number of arms, σ the noise scale. Behind
a source stands how its formula was checked: *read* in the source itself, written *from memory*, or *reconstructed*
from what the source proves.
"""


def main():
    policies = [policy(name) for name in sa.all_policies()]
    measured = table(policies)
    pictures = DOCS / "pictures" / "policies"
    pictures.mkdir(parents=True, exist_ok=True)
    page = [HEAD.format(horizon=HORIZON, lines=LINES, runs=RUNS)]
    for place, shown in enumerate(policies):
        figure = draw(shown, measured, place)
        size = save(figure, pictures / f"{shown.name}.png")
        page.append(entry(shown, measured.iloc[place]))
        print(f"{shown.name}: {size / 1000:.0f} kB")
    (DOCS / "policies.md").write_text("\n".join(page), encoding="utf-8")
    comparison().plot().savefig(DOCS / "pictures" / "comparison.png", dpi=120)


def policy(name):
    """A policy as the gallery plays it."""
    return sa.all_policies()[name](n_arms=3, horizon=HORIZON, noise_scale=0.5, **SETTINGS.get(name, {}))


def table(policies):
    """Their regret and instability, a row each."""
    return sa.compare(policies, INSTANCE, runs=RUNS, seed=SEED).table


def comparison():
    """The picture of docs/comparing.md."""
    steady = sa.SLEUCB(n_arms=3, horizon=10_000, constants="sharp")
    rivals = ["MOSS", "UCB", "UCB1", "GaussianThompson"]
    return sa.compare([steady, *rivals], sa.equal_gap(3, gap=0.05), runs=2000, seed=1)


def entry(policy, row):
    doc = inspect.cleandoc(type(policy).__doc__).split(">>>")[0].split("Attributes:")[0].strip()
    lines = doc.splitlines()
    formula = "\n".join(f"    {line.strip()}" for line in lines[1:] if line.startswith("    "))
    rest = " ".join(line.strip() for line in lines[1:] if not line.startswith("    ")).strip()
    setting = ", ".join(f"`{name}={value!r}`" for name, value in SETTINGS.get(policy.name, {}).items())
    kind = "own history" if isinstance(policy, OwnHistoryPolicy) else "rule"
    parts = [
        f"## {policy.title if policy.title[0] == 'ε' else policy.title[0].upper() + policy.title[1:]}",
        f"`sa.{policy.name}` · **{kind}** · {policy.source}",
        lines[0],
        formula,
        fill(rest, 110),
        f"![{message(policy, row)}](pictures/policies/{policy.name}.png)",
        f"Drawn with {setting}." if setting else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def message(policy, row):
    stray = f"{row['instability']:,.{0 if row['instability'] >= 10 else 1}f}"
    return f"{policy.title}: regret {row['regret']:,.0f}, an arm's pulls stray by ± {stray}"


def trajectories(policy):
    """Pulls of the two worse arms after each round, one row a run."""
    worse = np.zeros((LINES, HORIZON))
    for run in range(LINES):
        play = policy.start(seed=SEED, run=run)
        rewards = sa.reward_table(INSTANCE, seed=SEED, run=run, pulls=HORIZON)
        pulled = [0, 0, 0]
        for number in range(HORIZON):
            arm = play.ask()
            play.tell(arm, float(rewards[arm, pulled[arm]]))
            pulled[arm] += 1
            worse[run, number] = pulled[1] + pulled[2]
    return worse


def draw(policy, table, place):
    row = table.iloc[place]
    ours = policy.name == "SLEUCB"
    colour = COLOURS[0] if ours else COLOURS[1]
    with house_style():
        figure = Figure(figsize=(6.4, 2.7), dpi=100, layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1.0))
        rounds = np.unique(np.geomspace(3, HORIZON, 300).astype(int))
        for line in trajectories(policy):
            left.plot(rounds, line[rounds - 1], color=colour, linewidth=0.8, alpha=0.6)
        left.set(xscale="log", yscale="log", xlim=(10, HORIZON), ylim=(2, HORIZON))
        left.set_xlabel("round", fontsize=9)
        left.set_ylabel("pulls of the worse arms", fontsize=9)
        shown = np.maximum(table["instability"], 0.3)
        right.scatter(table["regret"], shown, s=18, color=GREY, linewidths=0)
        right.scatter(row["regret"], shown.iloc[place], s=70, color=colour, zorder=3, linewidths=0)
        right.set(xscale="log", yscale="log")
        right.set_xlabel("expected regret", fontsize=9)
        right.set_ylabel("instability", fontsize=9)
        for axes in (left, right):
            axes.tick_params(labelsize=8)
            for axis in (axes.xaxis, axes.yaxis):
                axis.set_major_formatter(lambda value, _place: f"{value:,g}")
                axis.set_minor_formatter(lambda _value, _place: "")
        figure.suptitle(message(policy, row), fontsize=11, fontweight="bold", x=0.01, ha="left")
    return figure


def save(figure, path):
    """Write a picture of few colours, which is a third of the size; the gallery's are 640 pixels wide."""
    whole = io.BytesIO()
    figure.savefig(whole, dpi=100)
    Image.open(whole).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    main()
