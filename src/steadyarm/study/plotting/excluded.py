"""What Theorem 1′ excludes, in a picture of worst-case regret and instability: a shade, and words that stay in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from steadyarm.study.plotting.style import COLOURS, letter_size
from steadyarm.theory.limit import Limit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BESIDE = 1.25  # the axis reaches this factor left of the edge, so that something can be seen of the shade
_MARGIN = 7.0  # pixels between words and the edges
_POINTS = 200

Floats = npt.NDArray[np.float64]


def shade(axes: Axes, limit: Limit) -> None:
    """Draw the edge and what is left of it and below, and widen the axis to show it."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    spreads, regrets = _edge(limit, low, high)
    left = min(left, float(regrets.min()) / _BESIDE)
    axes.plot(regrets, spreads, color=COLOURS[6], linewidth=1.2)
    axes.fill_betweenx(spreads, left, regrets, color=COLOURS[6], alpha=0.09, linewidth=0.0)
    axes.set(xlim=(left, right), ylim=(low, high))


def draw_edge(axes: Axes, limit: Limit) -> bool:
    """Draw the edge as a thin line and leave the axes alone, for points that are no worst cases; say if it is seen."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    spreads, regrets = _edge(limit, low, high)
    axes.plot(regrets, spreads, color=COLOURS[6], linewidth=0.9, linestyle="--")
    axes.set(xlim=(left, right), ylim=(low, high))
    return bool(((left < regrets) & (regrets < right)).any())


def _edge(limit: Limit, low: float, high: float) -> tuple[Floats, Floats]:
    spreads = np.geomspace(low, high, _POINTS)
    return spreads, np.array([limit.least_regret(spread) for spread in spreads.tolist()])


def name_shade(axes: Axes, limit: Limit, words: Sequence[str]) -> None:
    """Write the first of some words that fits inside the shade, in its corner; nothing where none does.

    Limits and size of the axes must be settled.
    """
    from steadyarm.study.plotting.figure import renderer_of

    renderer = renderer_of(axes)
    frame, to_data = axes.get_window_extent(renderer), axes.transData.inverted()
    at = to_data.transform([frame.x0 + _MARGIN, frame.y0 + _MARGIN])
    for each in words:
        text = axes.text(at[0], at[1], each, fontsize=letter_size(10.0), color="#333333", va="bottom")
        extent = text.get_window_extent(renderer)
        regret, height = to_data.transform([extent.x1 + _MARGIN, extent.y1 + _MARGIN])
        if regret <= limit.least_regret(height):
            return
        text.remove()
