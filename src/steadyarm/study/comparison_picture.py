"""The picture of a comparison: regret against instability, each policy a labelled point, Theorem 1 below."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.policies.sle_ucb import SLEUCB
from steadyarm.study.placing import Label, place_labels
from steadyarm.study.style import COLOURS, house_style
from steadyarm.theory.bounds import instability_lower_bound
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.policies.base import Policy
    from steadyarm.study.compare import Comparison

_MARKERS = ("s", "^", "D", "v", "P")
_EXCLUDED = "excluded for worst cases by Theorem 1"
_WIDEST_TITLE = 62  # letters


def draw(comparison: Comparison) -> Figure:
    """Draw one panel for each instance."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(comparison.table["instance"]))
    columns = 1 if len(names) == 1 else 2
    lines = -(-len(names) // columns)
    with house_style():
        figure = Figure(figsize=(8.0 * columns, 5.8 * lines), layout="constrained")
        FigureCanvasAgg(figure)
        panels = figure.subplots(lines, columns, squeeze=False).ravel()
        for axes in panels[len(names) :]:
            axes.set_visible(False)
        drawn = [_panel(axes, comparison, name) for axes, name in zip(panels, names, strict=False)]
        figure.draw_without_rendering()
        for axes, labels in zip(panels, drawn, strict=False):
            place_labels(axes, labels)
    return figure


def _panel(axes: Axes, comparison: Comparison, name: str) -> list[Label]:
    """Draw points and the bound; return what is to be labelled once the axes stand still."""
    table = comparison.table
    chosen = [place for place, instance in enumerate(table["instance"]) if instance == name]
    rows = table.iloc[chosen]
    axes.set_xscale("log")
    axes.set_yscale("log")
    lost = bool(rows["regret"].max() > 0.0)
    floors = {quantity: _floor(rows, quantity) for quantity in ("regret", "instability")}
    labels, others = [], 0
    for place, (_, row) in zip(chosen, rows.iterrows(), strict=True):
        ours = isinstance(comparison.simulations[place].policy, SLEUCB)
        colour = COLOURS[0] if ours else COLOURS[1 + others % (len(COLOURS) - 1)]
        x, y = (_shown(row, quantity, floors[quantity]) for quantity in floors)
        axes.errorbar(
            x[1],
            y[1],
            xerr=[[x[1] - x[0]], [x[2] - x[1]]],
            yerr=[[y[1] - y[0]], [y[2] - y[1]]],
            marker="o" if ours else _MARKERS[others % len(_MARKERS)],
            markersize=9.0 if ours else 6.0,
            color=colour,
            linestyle="none",
            elinewidth=1.4,
            capsize=2.5,
            zorder=4 if ours else 3,
        )
        others += not ours
        nothing = [
            quantity for quantity in floors if not row[quantity] > 0.0 and (lost or quantity != "regret")
        ]
        text = row["policy"] + (f" ({' and '.join(nothing)} 0)" if nothing else "")
        labels.append(Label(x, y, text, colour, ours))
    _settle(axes, labels)
    if lost:
        axes.set_xlabel("expected regret")
        _bound(axes, [comparison.simulations[place].policy for place in chosen])
    else:
        axes.set_xlabel("expected regret: 0 for every policy, as all arms are alike")
        axes.xaxis.set_ticks([], minor=False)
        axes.xaxis.set_ticks([], minor=True)
    axes.set_ylabel("instability: largest standard deviation of an arm's pulls")
    horizon, runs = int(rows["horizon"].iloc[0]), int(rows["runs"].iloc[0])
    axes.set_title(fill(_message(comparison, rows, name), _WIDEST_TITLE), pad=26.0)
    axes.annotate(
        f"{name}; {horizon:,} rounds, {runs:,} runs; bars: {100 * comparison.level:.6g}% intervals",
        (0.0, 1.0),
        (0.0, 8.0),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=9.5,
        color="#444444",
    )
    return labels


def _floor(rows: pd.DataFrame, quantity: str) -> float:
    """Return where a value of zero is drawn on a logarithmic axis: below all others."""
    positive = [value for value in rows[quantity] if value > 0.0]
    return min(positive) / 4.0 if positive else 1.0


def _shown(row: Any, quantity: str, floor: float) -> tuple[float, float, float]:
    """Return low end, value and high end, in the reach of a logarithmic axis."""
    value = float(row[quantity])
    if not value > 0.0:
        return floor, floor, floor
    low, high = float(row[f"{quantity}_low"]), float(row[f"{quantity}_high"])
    return max(low, value / 4.0), value, high if np.isfinite(high) else value


def _settle(axes: Axes, labels: list[Label]) -> None:
    """Set limits with room for labels, a decade at least, and write plain numbers on the axes."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis, ends in (
        (axes.xaxis, [label.x for label in labels]),
        (axes.yaxis, [label.y for label in labels]),
    ):
        low, high = min(end[0] for end in ends) / 1.6, max(end[2] for end in ends) * 1.6
        wider = max(1.0, np.sqrt(10.0 / (high / low)))
        axis.axes.set(**{f"{axis.axis_name}lim": (low / wider, high * wider)})
        steps = (1.0, 2.0, 5.0) if high / low < 300.0 else (1.0,)
        axis.set_major_locator(LogLocator(subs=steps, numticks=20))
        axis.set_major_formatter(FuncFormatter(lambda value, _place: f"{value:,.10g}"))
        axis.set_minor_formatter(NullFormatter())


def _bound(axes: Axes, policies: list[Policy]) -> None:
    """Draw the least worst-case instability at each worst-case regret up to MT/8, shaded below."""
    horizon = policies[0].horizon
    noise = min(policy.noise_scale for policy in policies)
    widest = min(getattr(policy, "mean_bound", 1.0) for policy in policies) * horizon / 8.0
    left, right = axes.get_xlim()
    if left >= widest:
        return
    regrets = np.geomspace(left, min(right, widest), 200)
    curve = np.array([instability_lower_bound(regret, horizon, noise) for regret in regrets])
    low, high = axes.get_ylim()
    low, high = min(low, curve.min() / 2.5), max(high, curve.max() * 1.6)
    axes.plot(regrets, curve, color=COLOURS[6], linewidth=1.2)
    axes.fill_between(regrets, low, curve, color=COLOURS[6], alpha=0.10, linewidth=0.0)
    axes.set(xlim=(left, right), ylim=(low, high))
    axes.annotate(
        _EXCLUDED,
        (0.0, 0.0),
        (8.0, 6.0),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=9,
        color="#444444",
    )


def _message(comparison: Comparison, rows: pd.DataFrame, name: str) -> str:
    cheapest, steadiest = (_best(comparison, rows, name, what) for what in ("regret", "instability"))
    if not rows["regret"].max() > 0.0:
        return f"{_words(steadiest, 'is steadiest')}; there is no regret to lose"
    if cheapest == steadiest:
        return _words(cheapest, "loses least and is steadiest")
    return f"{_words(cheapest, 'loses least')}; {_words(steadiest, 'is steadiest')}"


def _best(comparison: Comparison, rows: pd.DataFrame, name: str, quantity: str) -> tuple[str, int]:
    """Return the policy with the least of a quantity, and how many others are not significantly worse."""
    first = str(rows.iloc[int(np.argmin(rows[quantity].to_numpy()))]["policy"])
    beaten = sum(
        row["better"] == first and (row["instance"], row["quantity"]) == (name, quantity)
        for _, row in comparison.differences.iterrows()
    )
    return first, len(rows) - 1 - beaten


def _words(best: tuple[str, int], what: str) -> str:
    policy, rivals = best
    within = f", {counted(rivals, 'other')} within error" if rivals else ""
    return f"{policy} {what}{within}"
