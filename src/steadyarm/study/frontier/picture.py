"""The picture of a frontier: worst-case regret against worst-case instability, up against what no policy can beat."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from steadyarm.study.frontier.notes import message
from steadyarm.study.plotting.error_bars import Ends, PointStyle, draw_estimate, held
from steadyarm.study.plotting.excluded import name_shade, shade
from steadyarm.study.plotting.labels import Label, place_labels
from steadyarm.study.plotting.style import COLOURS, label_axis, letter_size, number_words
from steadyarm.theory.bounds import instability_lower_bound, largest_regret
from steadyarm.theory.guarantees.frontier import guaranteed_frontier

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.frontier.study import Frontier, FrontierStudy
    from steadyarm.study.plotting.figure import Size

_CURVES = (  # colour, marker, and which point has the name beside it: those at the ends have room
    (COLOURS[0], "o", -1),
    (COLOURS[2], "s", 0),
    (COLOURS[3], "^", 0),
)
_RIVAL = PointStyle(COLOURS[1], "D", 4.5)
_GREY = "#555555"
_GUARANTEED = COLOURS[2]
_SIZE = (10.5, 7.6)
_LEAST, _LEAST_OF_MANY = (2.6, 1.8), (3.6, 2.8)  # inches, for the labels
_MANY = 16  # labels
_NO_POLICY = ("no policy is here (Theorem 1′)", "no policy is here\n(Theorem 1′)", "Theorem 1′")
_BELOW = 2.5  # an instability of zero is drawn this factor below the least of the others


class _Point(NamedTuple):
    """A policy: its two estimates, and what stands beside them."""

    x: Ends
    y: Ends
    style: PointStyle
    text: str
    bold: bool = False


def draw(frontier: Frontier, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw the points with their intervals, the excluded region and the guarantees."""
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import fit

    study = frontier.study
    points = _points(frontier)
    least = _LEAST if len(points) <= _MANY else _LEAST_OF_MANY
    with panels(ax, size, _SIZE, least=least) as [axes]:
        axes.set_xscale("log")
        axes.set_yscale("log")
        _settle(axes, points)
        shade(axes, study.limit)
        names = _theorem_1(axes, study)
        _products(axes, frontier)
        names += _guarantees(axes, study)
        _curves(axes, frontier)
        labels = [
            Label(*draw_estimate(axes, each.x, each.y, each.style), each.text, each.style.colour, each.bold)
            for each in points
        ]
        axes.set_xlabel("worst-case regret: expected reward lost on the worst instance found")
        axes.set_ylabel("worst-case instability: largest standard deviation of an arm's pulls")
        label_axis(axes.xaxis)
        label_axis(axes.yaxis)
        _title(axes, frontier)
        fit(figure_of(axes), [axes])
        name_shade(axes, study.limit, _NO_POLICY)
        place_labels(axes, [*names, *labels])
    return figure_of(axes)


def _title(axes: Axes, frontier: Frontier) -> None:
    from steadyarm.study.plotting.fit import title

    study = frontier.study
    title(
        axes,
        message(frontier).replace("T^1.5", "T$^{1.5}$"),
        f"{study.n_arms} Gaussian arms, {study.horizon:,} rounds, means in [−{study.mean_bound:g}, "
        f"{study.mean_bound:g}], σ = {study.noise_scale:g}; bars: {100 * study.level:.6g}% intervals; "
        "dashed: guaranteed",
    )


def _points(frontier: Frontier) -> list[_Point]:
    """Return every policy, those on curves first."""
    table, points = frontier.table, []
    floor = table["instability"][table["instability"] > 0.0].min() / _BELOW
    floor = float(floor) if np.isfinite(floor) else 1.0
    for (colour, marker, named), curve in zip(cycle(_CURVES), frontier.study.curves, strict=False):
        rows = table[table["curve"] == curve.name]
        for policy, (_, row) in zip(curve.policies, rows.iterrows(), strict=True):
            bold = policy == curve.policies[named]
            text = (f"{curve.name}, " if bold else "") + curve.place(policy)
            points.append(_Point(*_ends(row, floor), PointStyle(colour, marker, 7.0), text, bold))
    for _, row in table[table["curve"].isna()].iterrows():
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


def _curves(axes: Axes, frontier: Frontier) -> None:
    """Draw the lines that policies move along as their parameter changes."""
    for (colour, _, _), curve in zip(cycle(_CURVES), frontier.study.curves, strict=False):
        rows = frontier.table[frontier.table["curve"] == curve.name]
        axes.plot(rows["regret"], rows["instability"], color=colour, linewidth=1.6, zorder=3)


def _theorem_1(axes: Axes, study: FrontierStudy) -> list[Label]:
    """Draw the paper's own lower bound as a thin line, as far as it is in the picture; return its label."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    regrets = np.geomspace(left, largest_regret(study.horizon, study.mean_bound), 50)
    spreads = np.array([instability_lower_bound(each, study.horizon, study.noise_scale) for each in regrets])
    inside = (regrets >= left) & (regrets < right) & (spreads > low)
    if not inside.any():
        return []
    axes.plot(regrets[inside], spreads[inside], color=_GREY, linewidth=0.8, linestyle=":")
    axes.set(xlim=(left, right), ylim=(low, high))
    at = int(np.flatnonzero(inside)[len(np.flatnonzero(inside)) // 2])
    return [Label((regrets[at],) * 3, (spreads[at],) * 3, "Theorem 1 of the paper", _GREY, False)]


def _settle(axes: Axes, points: list[_Point]) -> None:
    """Set limits that hold the points and some room for labels."""
    x, y = [held(each.x) for each in points], [held(each.y) for each in points]
    axes.set_xlim(min(low for low, _, _ in x) / 2.2, max(high for _, _, high in x) * 1.9)
    axes.set_ylim(min(low for low, _, _ in y) / 1.6, max(high for _, _, high in y) * 4.0)


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
            fontsize=letter_size(8.5),
            color=_GREY,
            va="center",
            annotation_clip=False,
        )
    axes.set(xlim=(left, right), ylim=(low, high))


def _guarantees(axes: Axes, study: FrontierStudy) -> list[Label]:
    """Draw the best that is guaranteed of SLE-UCB, dashed, as far as it lies in the picture; return its label."""
    promises = guaranteed_frontier(
        study.n_arms, study.horizon, 2.0 * study.mean_bound, noise_scale=study.noise_scale, finer=3
    )
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    inside = [each for each in promises if left < each.regret < right and low < each.instability < high]
    if not inside:
        return []
    along = [each.regret for each in inside], [each.instability for each in inside]
    axes.plot(*along, color=_GUARANTEED, linestyle="--", linewidth=1.3, zorder=2)
    at = inside[len(inside) // 2]
    text = "guaranteed of SLE-UCB, β and α chosen"
    return [Label((at.regret,) * 3, (at.instability,) * 3, text, _GUARANTEED, False)]
