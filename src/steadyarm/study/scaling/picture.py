"""The picture of exponents: regret, instability and their product against each size, with fitted lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.study.plotting.style import COLOURS, label_axis, letter_size, look

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size
    from steadyarm.study.scaling.study import Scaling

_STYLES = {"regret": 1, "instability": 0, "product": 2}  # the place of its look
_ROOM = 0.15  # of the axis, for the name of a size
_NAMES = {"horizon": ("horizon T (rounds)", "T"), "n_arms": ("number of arms K", "K")}


def draw(found: Scaling, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw a panel for each size, all quantities over their value at the smallest size."""
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import title, whole_title

    sizes = list(dict.fromkeys(found.exponents["size"]))
    with panels(ax, size, (8.2 if len(sizes) == 1 else 13.0, 5.2), 1, len(sizes)) as places:
        for axes, of in zip(places, sizes, strict=True):
            _panel(axes, found, of)
        if ax is None:
            whole_title(figure_of(places[0]), _message(found))
        else:
            title(ax, _message(found))
    return figure_of(places[0])


def _panel(axes: Axes, found: Scaling, size: str) -> None:
    other = "n_arms" if size == "horizon" else "horizon"
    table = found.table
    axes.set_xscale("log")
    axes.set_yscale("log")
    words, letter = _NAMES[size]
    ends = []
    for quantity, place in _STYLES.items():
        row = found.exponents[
            (found.exponents["size"] == size) & (found.exponents["quantity"] == quantity)
        ].iloc[0]
        if not np.isfinite(row["exponent"]):
            continue
        for _, points in table.groupby(other, sort=True):
            _line(axes, points.sort_values(size), size, quantity, look(place))
        last, first = (table[table[size] == end][quantity] for end in (table[size].max(), table[size].min()))
        ends.append(
            (float(np.exp(np.log(last).mean() - np.log(first).mean())), row, COLOURS[place], quantity)
        )
    _label_sizes(axes, np.unique(table[size]))
    axes.set_xlim(table[size].min() / 1.3, table[size].max() * 1.15)
    _label_lines(axes, ends, float(table[size].max()), letter)
    label_axis(axes.yaxis)
    axes.set_xlabel(words)
    axes.set_ylabel(f"over the value at the smallest {letter}")


def _label_sizes(axes: Axes, sizes: Any) -> None:
    """Name the sizes that were measured, as many of them as there is room for."""
    from matplotlib.ticker import FixedLocator, NullLocator

    named = [float(sizes[0])]
    for size in map(float, sizes):
        if np.log(size / named[-1]) >= _ROOM * np.log(sizes[-1] / sizes[0]):
            named.append(size)
    label_axis(axes.xaxis)
    axes.xaxis.set_major_locator(FixedLocator(named))
    axes.xaxis.set_minor_locator(NullLocator())


def _line(axes: Axes, points: pd.DataFrame, size: str, quantity: str, style: dict[str, Any]) -> None:
    first = float(points[quantity].iloc[0])
    below = points[quantity] - points[f"{quantity}_low"]
    above = points[f"{quantity}_high"] - points[quantity]
    axes.errorbar(
        points[size],
        points[quantity] / first,
        yerr=np.array([below, above]) / first,
        markersize=5,
        linewidth=1.3,
        capsize=2.5,
        **style,
    )


def _label_lines(axes: Axes, ends: list[Any], right: float, letter: str) -> None:
    """Write each exponent beside the end of its line, moved apart where lines end close together."""
    low, high = np.log(axes.get_ylim())
    least = 0.075 * (high - low)
    heights: list[float] = []
    for height, row, colour, quantity in sorted(ends, key=lambda end: end[0]):
        place = max(np.log(height), heights[-1] + least) if heights else np.log(height)
        heights.append(float(place))
        axes.annotate(
            f"{quantity} ∝ {letter}$^{{{row['exponent']:.3f}}}$  [{row['low']:.3f}, {row['high']:.3f}]",
            (right, float(np.exp(place))),
            (9, 0),
            textcoords="offset points",
            color=colour,
            fontsize=letter_size(9.5),
            va="center",
            annotation_clip=False,
        )


def _message(found: Scaling) -> str:
    powers = found.exponents.set_index(["size", "quantity"])["exponent"].dropna()
    title = found.study.policy_class.title
    parts = []
    if ("horizon", "product") in powers:
        parts.append(f"grows like T$^{{{powers['horizon', 'product']:.2f}}}$")
    if ("n_arms", "product_over_log") in powers:
        parts.append(f"beyond log K like K$^{{{powers['n_arms', 'product_over_log']:.2f}}}$")
    if not parts:
        return f"{title}: {found.why_no_exponent('product')}, so there is no exponent"
    return f"{title}: worst regret times worst instability {', '.join(parts)}"
