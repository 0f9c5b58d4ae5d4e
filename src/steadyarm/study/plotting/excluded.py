"""What Theorem 1 excludes, in a picture of worst-case regret and instability: a shade, and words that stay in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from steadyarm.study.plotting.style import COLOURS
from steadyarm.theory.bounds import instability_lower_bound, largest_regret

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BELOW = 2.5  # the axis reaches this factor below the edge, so that something can be seen of the shade
_MARGIN = 7.0  # pixels between words and the edges


class Excluded(NamedTuple):
    """Policies whose worst-case regret is at most MT/8 have at least the instability of Theorem 1."""

    horizon: int
    mean_bound: float
    noise_scale: float

    @property
    def end(self) -> float:
        """The largest regret of which the theorem speaks."""
        return largest_regret(self.horizon, self.mean_bound)

    def edge(self, regret: float) -> float:
        """Return the least instability at a regret."""
        return instability_lower_bound(regret, self.horizon, self.noise_scale)


def shade(axes: Axes, excluded: Excluded) -> None:
    """Draw the edge and what is below it, and lower the axis to show it."""
    left, right = axes.get_xlim()
    low, high = axes.get_ylim()
    if left >= excluded.end:
        return
    regrets = np.geomspace(left, min(right, excluded.end), 200)
    edge = np.array([excluded.edge(regret) for regret in regrets])
    low, high = min(low, edge.min() / _BELOW), max(high, edge.max() * 1.6)
    axes.plot(regrets, edge, color=COLOURS[6], linewidth=1.2)
    axes.fill_between(regrets, low, edge, color=COLOURS[6], alpha=0.09, linewidth=0.0)
    if excluded.end < right:
        side = np.geomspace(low, edge[-1], 20)  # a curve, which labels keep off
        axes.plot([excluded.end] * 20, side, color=COLOURS[6], linewidth=1.0, linestyle=":")
    axes.set(xlim=(left, right), ylim=(low, high))


def name_shade(axes: Axes, excluded: Excluded, words: Sequence[str]) -> None:
    """Write the first of some words that fits inside the shade, in its corner; nothing where none does.

    Limits and size of the axes must be settled.
    """
    renderer = axes.figure.canvas.get_renderer()  # type: ignore[attr-defined]
    frame, to_data = axes.get_window_extent(renderer), axes.transData.inverted()
    at = to_data.transform([frame.x0 + _MARGIN, frame.y0 + _MARGIN])
    for each in words:
        text = axes.text(at[0], at[1], each, fontsize=9, color="#333333", va="bottom")
        extent = text.get_window_extent(renderer)
        regret, height = to_data.transform([extent.x1 + _MARGIN, extent.y1 + _MARGIN])
        if regret <= excluded.end and height <= excluded.edge(regret):
            return
        text.remove()
