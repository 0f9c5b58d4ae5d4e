"""The picture of a frontier: worst-case regret against worst-case instability, between Theorems 1 and 2."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.study.frontier_words import message
from steadyarm.study.placing import Label, place_labels
from steadyarm.study.style import COLOURS, house_style, label_axis, number_words
from steadyarm.theory.bounds import instability_bound, instability_lower_bound, regret_bound

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.frontier import Frontier

_OURS = {"paper": (COLOURS[0], "o", "paper's constants"), "sharp": (COLOURS[2], "s", "sharp constants")}
_RIVAL = COLOURS[1]
_GREY = "#555555"
_WIDEST_TITLE = 86  # letters
_BELOW = 2.5  # an instability of zero is drawn this factor below the least of the others


def draw(frontier: Frontier) -> Figure:
    """Draw the points with their intervals, the excluded region and the guarantees."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    table = frontier.table
    floor = table["instability"][table["instability"] > 0.0].min() / _BELOW
    floor = floor if np.isfinite(floor) else 1.0
    with house_style():
        figure = Figure(figsize=(10.5, 7.6), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        axes.set_xscale("log")
        axes.set_yscale("log")
        labels = _points(axes, table, floor)
        _settle(axes, labels)
        _excluded(axes, frontier)
        _products(axes, frontier)
        names = _guarantees(axes, frontier)
        axes.set_xlabel("worst-case regret: expected reward lost on the worst instance found")
        axes.set_ylabel("worst-case instability: largest standard deviation of an arm's pulls")
        label_axis(axes.xaxis)
        label_axis(axes.yaxis)
        study = frontier.study
        words = fill(message(frontier), _WIDEST_TITLE, break_on_hyphens=False)
        axes.set_title(words.replace("T^1.5", "T$^{1.5}$"), pad=26.0)
        axes.annotate(
            f"{study.n_arms} Gaussian arms, {study.horizon:,} rounds, means in [−{study.mean_bound:g}, "
            f"{study.mean_bound:g}], σ = {study.noise_scale:g}; bars: {100 * study.level:.6g}% intervals; "
            "dashed: guaranteed by Theorem 2",
            (0.0, 1.0),
            (0.0, 8.0),
            xycoords="axes fraction",
            textcoords="offset points",
            fontsize=9.5,
            color=_GREY,
        )
        figure.draw_without_rendering()
        place_labels(axes, [*names, *labels])
    return figure


def _points(axes: Axes, table: pd.DataFrame, floor: float) -> list[Label]:
    """Draw every policy; return the labels."""
    labels = []
    for constants, (colour, marker, words) in _OURS.items():
        rows = table[table["constants"] == constants]
        axes.plot(
            rows["regret"], rows["instability"].clip(lower=floor), color=colour, linewidth=1.6, zorder=3
        )
        named = (
            0 if constants == "sharp" else len(rows) - 1
        )  # at the ends that are apart, where there is room
        for place, (_, row) in enumerate(rows.iterrows()):
            x, y = _bars(axes, row, colour, marker, floor, 7.0)
            text = (f"SLE-UCB, {words}, " if place == named else "") + f"α = {row['alpha']:g}"
            labels.append(Label(x, y, text, colour, place == named))
    for _, row in table[table["constants"].isna()].iterrows():
        x, y = _bars(axes, row, _RIVAL, "D", floor, 4.5)
        nothing = "" if row["instability"] > 0.0 else " (instability 0, far below)"
        labels.append(Label(x, y, f"{row['policy']}{nothing}", _RIVAL, False))
    return labels


def _bars(axes: Axes, row: Any, colour: str, marker: str, floor: float, size: float) -> tuple[Any, Any]:
    """Draw a point with its error bars; return low end, value and high end on both axes."""
    ends = []
    for quantity, least in (("regret", 0.0), ("instability", floor)):
        if not float(row[quantity]) > least:
            ends.append((least, least, least))
            continue
        value = float(row[quantity])
        low = float(np.clip(row[f"{quantity}_low"], value / 4.0, value))
        high = float(np.clip(row[f"{quantity}_high"], value, 4.0 * value))
        ends.append((low, value, high))
    x, y = ends
    axes.errorbar(
        x[1],
        y[1],
        xerr=[[x[1] - x[0]], [x[2] - x[1]]],
        yerr=[[y[1] - y[0]], [y[2] - y[1]]],
        marker=marker,
        markersize=size,
        color=colour,
        elinewidth=1.1,
        capsize=2.0,
        zorder=4,
    )
    return x, y


def _settle(axes: Axes, labels: list[Label]) -> None:
    """Set limits that hold the points and some room for labels."""
    low = min(label.x[0] for label in labels) / 2.2
    high = max(label.x[2] for label in labels) * 1.9
    axes.set_xlim(low, high)
    axes.set_ylim(min(label.y[0] for label in labels) / 1.6, max(label.y[2] for label in labels) * 2.0)


def _excluded(axes: Axes, frontier: Frontier) -> None:
    """Shade what Theorem 1 excludes: below the curve, for worst-case regrets up to MT/8."""
    study = frontier.study
    left, right = axes.get_xlim()
    end = study.mean_bound * study.horizon / 8.0
    if left >= end:
        return
    regrets = np.geomspace(left, min(right, end), 200)
    least = np.array([instability_lower_bound(each, study.horizon, study.noise_scale) for each in regrets])
    low, high = axes.get_ylim()
    low = min(low, least.min() / 2.0)
    axes.plot(regrets, least, color=COLOURS[6], linewidth=1.2)
    axes.fill_between(regrets, low, least, color=COLOURS[6], alpha=0.09, linewidth=0.0)
    if end < right:
        axes.plot([end, end], [low, least[-1]], color=COLOURS[6], linewidth=1.0, linestyle=":")
    axes.set(xlim=(left, right), ylim=(low, high))
    middle = float(np.sqrt(left * min(right, end)))
    height = float(np.sqrt(low * instability_lower_bound(middle, study.horizon, study.noise_scale)))
    axes.text(
        middle,
        height,
        f"no policy is here (Theorem 1,\nworst-case regret up to MT/8 = {end:,.0f})",
        fontsize=9.5,
        color="#333333",
        ha="center",
        va="center",
    )


def _products(axes: Axes, frontier: Frontier) -> None:
    """Draw where regret × instability is the same, a decade apart, with the constant at the right edge."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    whole = float(frontier.study.horizon) ** 1.5
    for power in range(-12, 7):
        constant = 10.0**power
        at_right = constant * whole / right
        if not low < at_right < high:
            continue
        axes.plot(
            [left, right], [constant * whole / left, at_right], color="#BBBBBB", linewidth=0.7, zorder=1
        )
        axes.annotate(
            f"R·S = {number_words(constant)} T$^{{1.5}}$",
            (right, at_right),
            (5.0, 0.0),
            textcoords="offset points",
            fontsize=8.5,
            color=_GREY,
            va="center",
            annotation_clip=False,
        )
    axes.set(xlim=(left, right), ylim=(low, high))


def _guarantees(axes: Axes, frontier: Frontier) -> list[Label]:
    """Draw Theorem 2's two bounds along α, dashed, as far as they lie in the picture; return their labels."""
    labels = []
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    for policy in frontier.study.sle_ucb()[:: len(frontier.study.alphas)]:
        colour, _, words = _OURS[policy.constants]
        alphas = np.geomspace(min(frontier.study.alphas) / 1e3, max(frontier.study.alphas) * 1e3, 400)
        along = [policy.replace(alpha=float(alpha)) for alpha in alphas]
        regrets = np.array([regret_bound(each) for each in along])
        spreads = np.array([instability_bound(each) for each in along])
        asked = (alphas >= min(frontier.study.alphas) / 1.01) & (alphas <= max(frontier.study.alphas) * 1.01)
        inside = (regrets > left) & (regrets < right) & (spreads > low) & (spreads < high)
        if not inside.any():
            continue
        axes.plot(regrets[inside], spreads[inside], color=colour, linestyle="--", linewidth=1.3, zorder=2)
        shown = inside & asked if (inside & asked).any() else inside
        at = int(np.flatnonzero(shown)[-1])
        trivial = regrets[at] >= 2.0 * policy.mean_bound * policy.horizon
        text = f"guaranteed, {words}" + (" (regret: 2MT, trivial)" if trivial else "")
        labels.append(Label((regrets[at],) * 3, (spreads[at],) * 3, text, colour, False))
    return labels
