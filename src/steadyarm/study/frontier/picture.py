"""The picture of a frontier: worst-case regret against worst-case instability, between Theorems 1 and 2."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steadyarm.study.frontier.notes import message
from steadyarm.study.plotting.error_bars import Ends, PointStyle, draw_estimate, held
from steadyarm.study.plotting.excluded import Excluded, name_shade, shade
from steadyarm.study.plotting.labels import Label, place_labels
from steadyarm.study.plotting.style import COLOURS, house_style, label_axis, number_words
from steadyarm.theory.guarantees import guarantee

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.frontier.study import Frontier

_OURS = {"paper": (COLOURS[0], "o", "paper's constants"), "sharp": (COLOURS[2], "s", "sharp constants")}
_RIVAL = PointStyle(COLOURS[1], "D", 4.5)
_GREY = "#555555"
_WIDEST_TITLE = 86  # letters
_BELOW = 2.5  # an instability of zero is drawn this factor below the least of the others


class _Point(NamedTuple):
    """A policy: its two estimates, and what stands beside them."""

    x: Ends
    y: Ends
    style: PointStyle
    text: str
    bold: bool = False


def draw(frontier: Frontier) -> Figure:
    """Draw the points with their intervals, the excluded region and the guarantees."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    study = frontier.study
    excluded = study.excluded
    with house_style():
        figure = Figure(figsize=(10.5, 7.6), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        axes.set_xscale("log")
        axes.set_yscale("log")
        points = _points(frontier.table)
        _settle(axes, points)
        shade(axes, excluded)
        _products(axes, frontier)
        names = _guarantees(axes, frontier)
        _curves(axes, points)
        labels = [
            Label(*draw_estimate(axes, each.x, each.y, each.style), each.text, each.style.colour, each.bold)
            for each in points
        ]
        axes.set_xlabel("worst-case regret: expected reward lost on the worst instance found")
        axes.set_ylabel("worst-case instability: largest standard deviation of an arm's pulls")
        label_axis(axes.xaxis)
        label_axis(axes.yaxis)
        _title(axes, frontier)
        figure.draw_without_rendering()
        name_shade(axes, excluded, _no_policy(excluded))
        place_labels(axes, [*names, *labels])
    return figure


def _title(axes: Axes, frontier: Frontier) -> None:
    study = frontier.study
    words = fill(message(frontier), _WIDEST_TITLE, break_on_hyphens=False)
    axes.set_title(words.replace("T^1.5", "T$^{1.5}$"), pad=26.0)
    axes.annotate(
        f"{study.n_arms} Gaussian arms, {study.horizon:,} rounds, means in [−{study.mean_bound:g}, "
        f"{study.mean_bound:g}], σ = {study.noise_scale:g}; bars: {100 * study.level:.6g}% intervals; "
        "dashed: guaranteed",
        (0.0, 1.0),
        (0.0, 8.0),
        xycoords="axes fraction",
        textcoords="offset points",
        fontsize=9.5,
        color=_GREY,
    )


def _no_policy(excluded: Excluded) -> tuple[str, ...]:
    return (
        f"no policy is here (Theorem 1,\nworst-case regret up to MT/8 = {excluded.end:,.0f})",
        "no policy is here\n(Theorem 1)",
        "Theorem 1",
    )


def _points(table: pd.DataFrame) -> list[_Point]:
    """Return every policy, SLE-UCB along α first."""
    floor = table["instability"][table["instability"] > 0.0].min() / _BELOW
    floor = float(floor) if np.isfinite(floor) else 1.0
    points = []
    for constants, (colour, marker, words) in _OURS.items():
        rows = table[table["constants"] == constants]
        named = (
            0 if constants == "sharp" else len(rows) - 1
        )  # at the ends that are apart, where there is room
        for place, (_, row) in enumerate(rows.iterrows()):
            text = (f"SLE-UCB, {words}, " if place == named else "") + f"α = {row['alpha']:g}"
            points.append(_Point(*_ends(row, floor), PointStyle(colour, marker, 7.0), text, place == named))
    for _, row in table[table["constants"].isna()].iterrows():
        nothing = "" if row["instability"] > 0.0 else " (instability 0, far below)"
        points.append(_Point(*_ends(row, floor), _RIVAL, f"{row['policy']}{nothing}"))
    return points


def _ends(row: Any, floor: float) -> tuple[Ends, Ends]:
    """Return both estimates; an instability of zero is drawn at the floor, where no bar belongs."""
    x, y = (
        (float(row[f"{quantity}_low"]), float(row[quantity]), float(row[f"{quantity}_high"]))
        for quantity in ("regret", "instability")
    )
    return x, y if y[1] > 0.0 else (floor, floor, floor)


def _curves(axes: Axes, points: list[_Point]) -> None:
    """Draw the lines that SLE-UCB moves along as α changes."""
    for colour, marker, _ in _OURS.values():
        along = [each for each in points if (each.style.colour, each.style.marker) == (colour, marker)]
        line = [(each.x[1], each.y[1]) for each in along]
        axes.plot(*zip(*line, strict=True), color=colour, linewidth=1.6, zorder=3)


def _settle(axes: Axes, points: list[_Point]) -> None:
    """Set limits that hold the points and some room for labels."""
    x, y = [held(each.x) for each in points], [held(each.y) for each in points]
    axes.set_xlim(min(low for low, _, _ in x) / 2.2, max(high for _, _, high in x) * 1.9)
    axes.set_ylim(min(low for low, _, _ in y) / 1.6, max(high for _, _, high in y) * 2.0)


def _products(axes: Axes, frontier: Frontier) -> None:
    """Draw where regret × instability is the same, a decade apart, with the constant at the right edge."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    whole = float(frontier.study.horizon) ** 1.5
    constants = [10.0**power for power in range(-12, 7) if low < 10.0**power * whole / right < high]
    for constant in constants:
        at_right = constant * whole / right
        axes.plot(
            [left, right], [constant * whole / left, at_right], color="#BBBBBB", linewidth=0.7, zorder=1
        )
        axes.annotate(
            f"R·S = {number_words(constant, *constants)} T$^{{1.5}}$",
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
    """Draw what is guaranteed along α, dashed, as far as they lie in the picture; return their labels."""
    labels = []
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    for policy in frontier.study.sle_ucb()[:: len(frontier.study.alphas)]:
        colour, _, words = _OURS[policy.constants]
        alphas = np.geomspace(min(frontier.study.alphas) / 1e3, max(frontier.study.alphas) * 1e3, 400)
        along = [policy.replace(alpha=float(alpha)) for alpha in alphas]
        promises = [guarantee(each, quick=True) for each in along]
        regrets = np.array([promise.regret for promise in promises])
        spreads = np.array([promise.instability for promise in promises])
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
