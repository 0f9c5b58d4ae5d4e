"""Estimates on logarithmic axes: a point with error bars, each with a cap, or an arrow where it leaves the picture.

An interval may reach down to 0 or up to infinity, where no such axis ends; a cap would say that it ended there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Ends = tuple[float, float, float]  # low end, value, high end

_HELD = 4.0  # an end within this factor of the value is inside the picture
_CAP = 5.0  # points


class PointStyle(NamedTuple):
    """How an estimate is drawn."""

    colour: str
    marker: str
    size: float
    width: float = 1.2


def held(ends: Ends) -> Ends:
    """Return the part of an interval that the limits of an axis have to hold.

    >>> held((0.0, 8.0, 9.0))
    (2.0, 8.0, 9.0)
    """
    low, value, high = ends
    return max(low, value / _HELD), value, min(high, _HELD * value)


def draw_estimate(axes: Axes, x: Ends, y: Ends, style: PointStyle, zorder: float = 4.0) -> tuple[Ends, Ends]:
    """Draw a point with its bars into axes whose limits are settled; return the ends that are seen."""
    from matplotlib.markers import CARETDOWN, CARETLEFT, CARETRIGHT, CARETUP

    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # from now on what is drawn moves them no more
    axes.plot([x[1]], [y[1]], style.marker, color=style.colour, markersize=style.size, zorder=zorder)
    seen = []
    for ends, limits, along, cap, arrows in (
        (x, axes.get_xlim(), lambda at: (at, [y[1]] * len(at)), "|", (CARETLEFT, CARETRIGHT)),
        (y, axes.get_ylim(), lambda at: ([x[1]] * len(at), at), "_", (CARETDOWN, CARETUP)),
    ):
        low, high = max(ends[0], limits[0]), min(ends[2], limits[1])
        paint: dict[str, Any] = {"color": style.colour, "zorder": zorder}
        axes.plot(*along([low, high]), linewidth=style.width, **paint)
        for end, inside, arrow in ((low, low == ends[0], arrows[0]), (high, high == ends[2], arrows[1])):
            if end != ends[1]:
                axes.plot(
                    *along([end]), marker=cap if inside else arrow, markersize=_CAP, clip_on=inside, **paint
                )
        seen.append((low, ends[1], high))
    return seen[0], seen[1]
