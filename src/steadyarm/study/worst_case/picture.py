"""The picture of a search for a worst case: what each family gave at each gap, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steadyarm.study.plotting.error_bars import PointStyle, draw_estimate, held
from steadyarm.study.plotting.labels import Label, place_labels
from steadyarm.study.plotting.style import COLOURS, label_axis, look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size
    from steadyarm.study.worst_case.study import WorstCase

_SIZE = (8.0, 5.2)
_WORDS = {"regret": "expected regret", "instability": "instability: largest sd of an arm's pulls"}


def draw(found: WorstCase, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw the values of the families along the gap, and the walk's best measured afresh."""
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import fit

    of, tried = found.study.of, found.tried
    with panels(ax, size, _SIZE) as [axes]:
        axes.set_xscale("log")
        axes.set_yscale("log")
        labels = []
        grid = tried[(tried["stage"] == "family") & (tried["gap"] > 0.0) & (tried[of] > 0.0)]
        for place, (name, rows) in enumerate(grid.groupby("family", sort=False), start=1):
            rows, style = rows.sort_values("gap"), look(place)
            axes.plot(rows["gap"], rows[of], linewidth=1.3, markersize=4, **style)
            top = rows.loc[rows[of].idxmax()]
            at = (top["gap"],) * 3, (top[of],) * 3
            labels.append(Label(*at, str(name), style["color"], False))
        estimate, gap = found.estimate, float(tried["gap"].iloc[-1])
        gap = gap if gap > 0.0 or grid.empty else float(grid["gap"].min())
        if estimate.value > 0.0:
            ends = (estimate.low, estimate.value, estimate.high)
            axes.plot([gap] * 3, held(ends), linestyle="none")  # so that the limits hold it
            axes.margins(0.08)
            x, y = draw_estimate(axes, (gap,) * 3, ends, PointStyle(COLOURS[0], "o", 9.0, 1.4), 5.0)
            labels.append(Label(x, y, f"found: {estimate.value:,.4g}", COLOURS[0], True))
        axes.set_xlabel("smallest gap between a worse arm and the best")
        axes.set_ylabel(_WORDS[of])
        label_axis(axes.xaxis)
        label_axis(axes.yaxis)
        policy = found.study.policy
        axes.set_title(
            f"{policy.title}: the worst {of} found is {estimate.value:,.4g}\n"
            f"with {policy.n_arms} arms and {policy.horizon:,} rounds"
        )
        fit(figure_of(axes), [axes])
        if labels:
            place_labels(axes, labels)
    return figure_of(axes)
