"""The picture of a plan from a baseline: the frontier of its class with the designs, and traffic over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from steadyarm.planning.baseline.measured import BAND
from steadyarm.planning.baseline.situation_plan import SituationPlan
from steadyarm.study.plotting.excluded import name_shade, shade
from steadyarm.study.plotting.style import COLOURS, LINES, MARKERS, label_axis, letter_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size

_MOST_TICKS = 5  # of the time axis: a million units is a long word
_SMALLEST_SPREAD = 0.5  # pulls; equal shares spread by less, and are drawn there


def draw_situation(found: SituationPlan, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw what designs lose at worst against how far they spread, and the share of the best arm over time."""
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import fit, legend_below, whole_title

    with panels(ax, size, (12.0, 5.2), 1, 2) as (frontier, traffic):
        figure = figure_of(frontier)
        _draw_frontier(frontier, found)
        _draw_traffic(traffic, found)
        whole_title(figure, found.recommendation.sentence)
        legend_below(figure, *traffic.get_legend_handles_labels(), letter_size(9.0))
        fit(figure, [frontier, traffic])
        name_shade(frontier, found.limit, ("no design can be here (Theorem 1′)", "Theorem 1′"))
    return figure


def _draw_frontier(axes: Axes, found: SituationPlan) -> None:
    curve = np.array([(point.regret, point.instability) for point in found.curve])
    axes.loglog(curve[:, 0], curve[:, 1], color="#888888", linewidth=1.5)
    for place, each in enumerate(found.measured):
        lost, spread = each.lost_at_worst, each.spread_at_worst
        low = max(_SMALLEST_SPREAD, spread.low)
        at = max(_SMALLEST_SPREAD, spread.value)
        axes.errorbar(
            lost.value,
            at,
            xerr=[[lost.value - max(lost.low, 1e-9)], [lost.high - lost.value]],
            yerr=[[at - min(at, low)], [max(at, spread.high) - at]],
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
            capsize=2.5,
            linestyle="none",
            label=each.design.name,
        )
    axes.set_xlabel(f"{found.situation.thing} lost on the worst arms of the range")
    axes.set_ylabel("spread of an arm's traffic, in units")
    shade(axes, found.limit)
    label_axis(axes.xaxis)
    label_axis(axes.yaxis)


def _draw_traffic(axes: Axes, found: SituationPlan) -> None:
    from matplotlib.ticker import MaxNLocator

    per_day = found.situation.per_day or 1.0
    for place, each in enumerate(found.measured):
        over, colour = each.over_time, COLOURS[place % len(COLOURS)]
        at = over.rounds / per_day
        axes.plot(at, over.share, color=colour, linestyle=LINES[place % len(LINES)], label=each.design.name)
        if each.design is found.recommendation.design:
            axes.fill_between(at, over.low, over.high, color=colour, alpha=0.15, linewidth=0.0)
    axes.set_ylim(0.0, 1.0)
    axes.yaxis.set_major_formatter(lambda share, _place: f"{share:.0%}")
    axes.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS))
    axes.xaxis.set_major_formatter(lambda at, _place: f"{at:,.10g}")
    axes.set_xlabel("units so far" if found.situation.per_day is None else "days")
    axes.set_ylabel(f"traffic on the best arm (band: {BAND[1] - BAND[0]:.0%} of runs)")
