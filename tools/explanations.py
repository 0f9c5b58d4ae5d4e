"""Draws the pictures and writes the tables of the explanation pages and of docs/delayed-outcomes.md.

Run it with `.venv/bin/python tools/explanations.py` (two minutes), or with the names of some parts: low_regret,
offline_view, guarantees, optimum, inference, delays. `make pictures` does all. Tables stand between two comments in
their pages; tests compute rows of each again.
"""

import math
import re
import sys
import zlib
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import steadyarm as sa
from steadyarm.planning.trade_offs import trade_off
from steadyarm.policies import Curves
from steadyarm.study.plotting.style import COLOURS, house_style, label_axis
from steadyarm.theory.bounds import largest_instability, trivial_regret
from steadyarm.theory.guarantees import first_nontrivial_horizon
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases

DOCS = Path(__file__).parent.parent / "docs"
BEGIN, END = "<!-- {name}: written by tools/explanations.py -->", "<!-- end of {name}, {checksum} -->"
TABLE = re.compile(
    r"<!-- (?P<name>[\w -]+): written by tools/explanations.py -->\n"
    r"(?P<text>.*?)\n<!-- end of (?P=name), (?P<checksum>\w*) -->",
    re.DOTALL,
)


def main():
    parts = {
        part.__name__: part for part in (low_regret, offline_view, guarantees, optimum, inference, delays)
    }
    for name in sys.argv[1:] or parts:
        parts[name]()


# Why low regret is not enough


def low_regret():
    """Two arms that differ by 0.02: how many rounds the better one gets, run by run."""
    horizon, runs = 10_000, 4000
    results = [low_regret_result(name) for name in ("GaussianThompson", "MOSS", "UCB", "SLEUCB")]
    shares = [result.counts[:, 0] / horizon for result in results]
    head = "| policy | regret | instability | share of the better arm in 9 runs of 10 | worse arm got more |"
    write_table("low-regret", "low-regret", [head, "|---|---|---|---|---|", *map(low_regret_row, results)])
    with house_style():
        figure = Figure(figsize=(8.0, 5.2), layout="constrained")
        for axes, result, share, colour in zip(
            figure.subplots(len(results), 1, sharex=True), results, shares, (1, 5, 2, 0), strict=True
        ):
            axes.hist(share, bins=np.linspace(0, 1, 101), color=COLOURS[colour])
            axes.set_yticks([])
            axes.spines["left"].set_visible(False)
            regret, spread = result.regret.value, result.instability.value
            about = f"{result.policy.title}\nregret {regret:.0f}\ninstability {spread:,.0f}"
            axes.text(0.01, 0.92, about, transform=axes.transAxes, va="top", fontsize=10)
            axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(lambda value, _place: f"{value:.0%}")
        axes.set_xlabel(f"share of the {horizon:,} rounds that the better arm got, in {runs:,} runs")
        figure.suptitle(
            "Similar regret, very different allocations", fontsize=13, fontweight="bold", x=0.01, ha="left"
        )
    save(figure, "low-regret")


def low_regret_result(name, horizon=10_000, runs=4000):
    constants = {"constants": "sharp"} if name == "SLEUCB" else {}
    policy = sa.all_policies()[name](n_arms=2, horizon=horizon, **constants)
    return sa.simulate(policy, sa.equal_gap(2, gap=0.02), runs=runs, seed=1)


def low_regret_row(result):
    share = result.counts[:, 0] / result.policy.horizon
    return (
        f"| {result.policy.title} | {result.regret} | {result.instability} | "
        f"{np.quantile(share, 0.05):.0%} to {np.quantile(share, 0.95):.0%} | {np.mean(share < 0.5):.0%} |"
    )


# The offline view


def offline_view():
    """Three index sequences cut at one level, with the round in which online play took each item."""
    horizon, shown = 24, 13
    policy = sa.SLEUCB(n_arms=3, horizon=horizon, beta=2.0, alpha=0.6)
    rewards = sa.reward_table(sa.equal_gap(3, gap=0.4), seed=2, run=0, pulls=horizon)
    sequences = [[index_at(policy, rewards[arm], n) for n in range(horizon)] for arm in range(3)]
    play, taken = policy.start(seed=2), [[], [], []]
    for number in range(1, horizon + 1):
        arm = play.ask()
        play.tell(arm, float(rewards[arm, len(taken[arm])]))
        taken[arm].append(number)
    items = sorted((value for sequence in sequences for value in sequence[:horizon]), reverse=True)
    assert {round(value, 9) for value in items[:horizon]} == {
        round(sequences[arm][n], 9) for arm in range(3) for n in range(len(taken[arm]))
    }, "the top items are not those that were played"
    level = (items[horizon - 1] + items[horizon]) / 2
    with house_style():
        figure = Figure(figsize=(8.0, 4.6), layout="constrained")
        axes = figure.add_subplot()
        for arm, sequence in enumerate(sequences):
            places = np.arange(1, shown + 1) + (arm - 1) * 0.22
            values = np.array([min(value, 4.4) for value in sequence[:shown]])
            played = np.arange(shown) < len(taken[arm])
            axes.plot(places, values, color=COLOURS[arm], linewidth=0.8, alpha=0.5)
            axes.scatter(places[played], values[played], s=190, color=COLOURS[arm], zorder=3)
            axes.scatter(
                places[~played], values[~played], s=40, facecolors="white", edgecolors=COLOURS[arm], zorder=3
            )
            for place, value, number in zip(places, values, taken[arm], strict=False):
                axes.text(place, value, number, color="white", ha="center", va="center", fontsize=8, zorder=4)
            axes.scatter([], [], s=80, color=COLOURS[arm], label=f"arm {arm}: {len(taken[arm])} pulls")
        axes.axhline(level, color="black", linewidth=1.2, linestyle="--")
        axes.text(0.55, level + 0.07, "the level", fontsize=10)
        axes.set(
            xlabel="pull of the arm", ylabel="index at which this pull is taken", xticks=range(1, shown + 1)
        )
        axes.legend(loc="upper right")
        axes.set_title(f"Playing {horizon} rounds takes the {horizon} highest items of all arms")
    save(figure, "offline-view")


def index_at(policy, rewards, n):
    """Return the index of an arm after n pulls; infinite before the first, drawn in order of priority."""
    if n == 0:
        return math.inf
    means = np.cumsum(np.clip(rewards[:n], -policy.clip, policy.clip)) / np.arange(1, n + 1)
    envelope = np.min(means + policy.beta / np.sqrt(np.arange(1, n + 1)))
    return float(envelope + policy.lam * math.log(policy.horizon / n))


# What the guarantees mean at your horizon


def guarantees():
    """The guaranteed regret beside what to expect, as shares of the worst that can happen, 2MT."""
    horizons = [round(10**power) for power in np.arange(3, 12.01, 0.25)]
    lines = {}
    for constants in ("paper", "sharp"):
        kinds = [sa.SLEUCB(n_arms=10, horizon=horizon, constants=constants) for horizon in horizons]
        lines[constants, "guaranteed"] = [
            sa.theory.guarantee(p, quick=True).regret / trivial_regret(p) for p in kinds
        ]
        lines[constants, "expected"] = [
            trade_off(p, class_of("gaussian"), p.alpha).regret / trivial_regret(p) for p in kinds
        ]
    with house_style():
        figure = Figure(figsize=(8.0, 4.6), layout="constrained")
        axes = figure.add_subplot()
        for (constants, what), values in lines.items():
            colour = COLOURS[1] if constants == "paper" else COLOURS[0]
            style = "--" if what == "guaranteed" else "-"
            axes.plot(
                horizons, values, style, color=colour, linewidth=2, label=f"{constants} constants, {what}"
            )
        axes.set(xscale="log", yscale="log", xlim=(1e3, 1e12), ylim=(1e-4, 1.5))
        label_axis(axes.xaxis)
        axes.yaxis.set_major_formatter(lambda value, _place: f"{value:.4g}")
        axes.set(xlabel="horizon T", ylabel="worst-case regret as a share of 2MT")
        axes.legend(loc="lower left")
        late, soon = (
            first_nontrivial_horizon(sa.SLEUCB(n_arms=10, horizon=1000, constants=constants))
            for constants in ("paper", "sharp")
        )
        axes.set_title(
            f"Ten arms: the paper's constants promise something from\n{late / 1e6:.1f} million rounds on, "
            f"sharp ones from {soon / 1e3:.1f} thousand on"
        )
    save(figure, "guarantees")
    head = "| arms | paper's constants | sharp constants |"
    write_table("guarantees", "first horizons", [head, "|---|---|---|", *first_horizon_rows()])
    head = (
        "| horizon | constants | guaranteed regret | expected regret "
        "| guaranteed instability | expected instability |"
    )
    write_table("guarantees", "promises", [head, "|---|---|---|---|---|---|", *promise_rows()])
    head = "| arms | horizon | spread at most | guaranteed regret | nobody below | β, in σι | α |"
    rows = [cheapest_row(*case) for case in CHEAPEST]
    write_table("guarantees", "cheapest", [head, "|---|---|---|---|---|---|---|", *rows])


def first_horizon_rows():
    return [
        f"| {n_arms:,} | "
        + " | ".join(
            words(first_nontrivial_horizon(sa.SLEUCB(n_arms=n_arms, horizon=n_arms + 1, constants=constants)))
            for constants in ("paper", "sharp")
        )
        + " |"
        for n_arms in (2, 3, 5, 10, 100, 1000)
    ]


def promise_rows():
    rows = []
    for horizon in (10**4, 10**6, 10**8, 10**10, 10**12):
        for constants in ("paper", "sharp"):
            policy = sa.SLEUCB(n_arms=10, horizon=horizon, constants=constants)
            found = trade_off(policy, class_of("gaussian"))
            sure = sa.theory.guarantee(policy)
            worst = trivial_regret(policy)
            regret = "nothing" if sure.regret >= worst else share(sure.regret / worst)
            spread = (
                "nothing"
                if sure.instability >= largest_instability(policy)
                else share(sure.instability / horizon)
            )
            rows.append(
                f"| {words(horizon)} | {constants} | {regret} | {share(found.regret / worst)} | {spread} | "
                f"{share(found.instability / horizon)} |"
            )
    return rows


CHEAPEST = [
    (n_arms, horizon, goal)
    for n_arms, horizon in ((2, 10**5), (2, 10**9), (4, 10**6), (10, 10**5), (10, 10**9))
    for goal in (0.005, 0.01, 0.02, 0.09)
]


def cheapest_row(n_arms, horizon, goal):
    """The cheapest guaranteed plan for a spread, as shares of T, beside what nobody can beat."""
    size = {"n_arms": n_arms, "horizon": horizon}
    policy = sa.theory.cheapest_guarantee(**size, max_instability=goal * horizon)
    sure, least = sa.theory.guarantee(policy), sa.theory.least_regret(goal * horizon, **size)
    return (
        f"| {n_arms} | {words(horizon)} | {share(goal)} | {share(sure.regret / horizon)} | {share(least / horizon)} | "
        f"{policy.beta / policy.iota:.1f} | {policy.alpha:.1f} |"
    )


def words(number):
    """Write a horizon with two digits.

    >>> words(10**8), words(3.14e6), words(900)
    ('10⁸', '3.1·10⁶', '900')
    """
    if number < 10_000:
        return f"{float(f'{number:.2g}'):,.0f}"
    digits, power = f"{number:.1e}".split("e")
    power = str(int(power)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{power}" if float(digits) == 1.0 else f"{digits}·10{power}"


def share(value):
    """Write a share of the rounds."""
    return f"{100 * value:.2g} %" if value >= 1e-4 else f"{100 * value:.4f} %"


# The optimum

SHAPES = {
    "x^−1.5: UCB, and SLE-UCB as α → 0": (1000.0, 0.0),
    "SLE-UCB, α = 1": (1000.0, 1.0),
    "1/x: the stabilizer alone": (0.0, 1.0),
}
SHAPE_ARMS = (2, 3, 5, 10, 20, 50, 100)


def optimum():
    """Regret times instability over the least possible, for shapes of the index."""
    head = "| shape of the slope | " + " | ".join(f"{n_arms} arms" for n_arms in SHAPE_ARMS) + " |"
    rows = [shape_row(name) for name in SHAPES]
    write_table("optimum", "shapes", [head, "|---" * (len(SHAPE_ARMS) + 1) + "|", *rows, steady_row()])


def shape_row(name, horizon=1e12):
    """The fluid product of SLE-UCB's index over c_K, for a width and a stabilizer, in a class as wide as one likes."""
    width, alpha = SHAPES[name]
    found = []
    for n_arms in SHAPE_ARMS:
        tilt = alpha * width * math.sqrt(n_arms / horizon) if width else 1.0
        curves = Curves(horizon=horizon, root=width, tilt=tilt, envelope=True)
        found.append(shape_product(curves, n_arms))
    return f"| {name} | " + " | ".join(f"{each:.2f}" for each in found) + " |"


def steady_row(horizon=10**12):
    """The same of Steady, for a spread so small that its first bonus does not matter."""
    policies = [
        sa.Steady(n_arms=n_arms, horizon=horizon, spread=1e-3 * horizon / n_arms) for n_arms in SHAPE_ARMS
    ]
    found = [shape_product(policy.curves, policy.n_arms) for policy in policies]
    name = "[Steady](steady.md): 1/x, then 1/(√x·(1 − b²x))"
    return f"| {name} | " + " | ".join(f"{each:.2f}" for each in found) + " |"


def shape_product(curves, n_arms):
    worst = worst_cases(curves, n_arms, class_of("gaussian", mean_bound=1e4))
    product = worst.regret.value * worst.deviation.value / curves.horizon**1.5
    return product / sa.theory.product_constant(n_arms)


# Inference after adaptive collection


def inference():
    """How often nominal 95 % intervals hold, by policy and gap."""
    head = "| gap | policy | a count spreads by, at most | Wald intervals hold | anytime-valid ones hold |"
    rows = ["|---|---|---|---|---|", *(row for gap in (0.0, 0.1, 0.3) for row in coverage_rows(gap))]
    write_table("inference", "coverage", [head, *rows])
    head = '| rates | policy | a count spreads by, at most | Wald | Wilson | anytime-valid | `"auto"` | its width |'
    rows = [row for rates in ((0.3, 0.5), (0.03, 0.04), (0.9, 0.9)) for row in auto_rows(rates)]
    write_table("inference", "auto", [head, "|---|---|---|---|---|---|---|---|", *rows])


def coverage_rows(gap, names=("SLEUCB", "UCB", "MOSS", "UCB1")):
    horizon, runs, rows = 2000, 20_000, []
    steady = sa.SLEUCB(n_arms=3, horizon=horizon, constants="sharp")
    policies = [steady if name == "SLEUCB" else name for name in names]
    held = sa.coverage(policies, sa.equal_gap(3, gap=gap), horizon=horizon, runs=runs, seed=1).table
    for name in held["policy"].unique():
        mine = held[held["policy"] == name]
        wald, anytime = (mine[mine["method"] == method]["coverage"].min() for method in ("wald", "anytime"))
        rows.append(f"| {gap:g} | {name} | {mine['spread'].max():.0%} | {wald:.1%} | {anytime:.1%} |")
    return rows


def auto_rows(rates, runs=10_000):
    """How often each interval of the worst arm holds after 300 rounds of 0/1 rewards, and what "auto" takes."""
    kinds = (sa.RoundRobin, sa.Steady, sa.SLEUCB, sa.UCB, sa.MOSS, sa.BetaThompson)
    own = {sa.Steady: {"spread": 8.0}, sa.SLEUCB: {"constants": "sharp"}}
    methods, rows = ["wald", "wilson", "anytime", "auto"], []
    policies = [kind(n_arms=2, horizon=300, noise_scale=0.5, **own.get(kind, {})) for kind in kinds]
    held = sa.coverage(policies, sa.Instance.bernoulli(rates), methods=methods, runs=runs, seed=1).table
    for name in held["policy"].unique():
        mine = held[held["policy"] == name].set_index("method")
        shares = [f"{mine.loc[method, 'coverage'].min():.1%}" for method in methods]
        ends = f"{mine['spread'].max():.0%}", f"{mine.loc['auto', 'width'].max():#.2g}"
        rows.append(f"| {rates[0]} and {rates[1]} | {' | '.join([name, ends[0], *shares, ends[1]])} |")
    return rows


# A trial with delayed outcomes


LATE = {
    "at once": {},
    "30 rounds late": {"delay": 30},
    "300 rounds late": {"delay": 300},
    "300 rounds late on average, geometric": {"delay": sa.Delay.geometric(300)},
    "1,000 rounds late": {"delay": 1000},
    "every 100 rounds": {"batch": 100},
    "every 1,000 rounds": {"batch": 1000},
    "after the last round": {"delay": 3000},
}


def late_policies(n_arms=3, horizon=3000):
    size = {"n_arms": n_arms, "horizon": horizon}
    steady = sa.Steady(**size, spread=100.0)
    return [sa.SLEUCB(**size, constants="sharp"), steady, sa.MOSS(**size), sa.GaussianThompson(**size)]


def delays():
    """Regret and instability of four policies when rewards come late or in batches."""
    titles = [policy.title for policy in late_policies()]
    for quantity in ("regret", "instability"):
        head = f"| rewards are told | {' | '.join(titles)} |"
        rows = [late_row(quantity, when) for when in LATE]
        write_table("delayed-outcomes", f"{quantity} told late", [head, "|---" * 5 + "|", *rows])


def late_row(quantity, when, runs=2000):
    arms = sa.equal_gap(3, gap=0.5)
    found = [sa.simulate(policy, arms, runs=runs, seed=1, **LATE[when]) for policy in late_policies()]
    return f"| {when} | {' | '.join(str(getattr(each, quantity)) for each in found)} |"


def write_table(page, name, lines):
    path, text = DOCS / f"{page}.md", "\n".join(lines)
    before = path.read_text(encoding="utf-8")
    (place,) = [found for found in TABLE.finditer(before) if found["name"] == name]
    ended = END.format(name=name, checksum=checksum(text))
    table = f"{BEGIN.format(name=name)}\n{text}\n{ended}"
    path.write_text(before[: place.start()] + table + before[place.end() :], encoding="utf-8")
    print(f"{page}, {name}\n{text}\n")


def checksum(text):
    """What stands below a table, so that a figure changed by hand is noticed."""
    return f"{zlib.crc32(text.encode()):08x}"


def save(figure, name):
    figure.savefig(DOCS / "pictures" / f"{name}.png", dpi=120)


if __name__ == "__main__":
    main()
