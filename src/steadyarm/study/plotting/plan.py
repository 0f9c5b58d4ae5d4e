"""The picture of a plan: the trade-off along its family with the chosen point on it, and where no policy is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from steadyarm.planning.baseline.situation_plan import SituationPlan
from steadyarm.planning.check import PlanCheck
from steadyarm.planning.plan import Plan
from steadyarm.planning.trade_offs import TradeOff
from steadyarm.study.plotting.situation import draw_situation
from steadyarm.study.plotting.style import COLOURS, letter_size, save_figure
from steadyarm.study.runs.tables import save_json, save_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size


def plot_plan(plan: Plan | SituationPlan, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw predicted worst-case instability against worst-case regret along the policies of a plan.

    A plan from a baseline has its designs in that picture, and beside it the traffic on the best arm over time.

    >>> import steadyarm as sa
    >>> figure = sa.plot_plan(sa.plan(n_arms=2, horizon=10_000, max_sd_share=0.02))
    >>> figure.axes[0].get_ylabel()
    "spread: standard deviation of an arm's pulls"
    """
    from steadyarm.study.plotting.figure import figure_of, panels

    if isinstance(plan, SituationPlan):
        return draw_situation(plan, ax, size)
    regret = np.array([point.regret for point in plan.curve])
    spread = np.array([point.instability for point in plan.curve])
    horizon = plan.policy.horizon
    with panels(ax, size, (8.0, 5.0)) as [axes]:
        axes.loglog(regret, spread, color=COLOURS[0], linewidth=2.0)
        axes.plot(plan.expected.regret, plan.expected.instability, "o", color=COLOURS[1], markersize=10)
        _label(axes, plan.expected, f"this plan: {plan.policy.title}", COLOURS[1])
        if plan.half is not None:
            axes.plot(plan.half.regret, plan.half.instability, "s", color=COLOURS[2], markersize=7)
            _label(axes, plan.half, "half the spread", COLOURS[2])
        _guaranteed(axes, plan)
        low, high = 0.4 * spread.min(), 2.0 * spread.max()
        edge = np.array([(point.regret, point.instability) for point in plan.excluded])
        axes.fill_betweenx(
            edge[:, 1], regret.min() / 1e3, edge[:, 0], color=COLOURS[6], alpha=0.15, linewidth=0
        )
        axes.plot(edge[:, 0], edge[:, 1], color=COLOURS[6], linewidth=1.2)
        axes.annotate(
            "no policy can be here (Theorem 1′)", (0.02, 0.03), xycoords="axes fraction", fontsize=9
        )
        axes.set_xlim(0.6 * min(regret.min(), edge[0, 0]), None)
        axes.set_ylim(low, high)
        axes.set_xlabel("expected regret on the worst instance")
        axes.set_ylabel("spread: standard deviation of an arm's pulls")
        axes.xaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")
        axes.yaxis.set_major_formatter(lambda value, _place: f"{value:,.0f}")
        axes.xaxis.set_minor_formatter(lambda _value, _place: "")
        axes.yaxis.set_minor_formatter(lambda _value, _place: "")
        cost = plan.expected.regret / plan.most_regret
        axes.set_title(
            f"{plan.expected.instability:,.0f} pulls of spread ({plan.expected.instability / horizon:.2%}) cost "
            f"{plan.expected.regret:,.0f} of regret,\n{cost:.1%} of the most that could be lost"
        )
    return figure_of(axes)


def save_plan(plan: Plan | SituationPlan, folder: str | Path, check: PlanCheck | None = None) -> list[Path]:
    """Write the picture and all of a plan as JSON into a folder; one from a baseline has its table too."""
    folder = Path(folder)
    data = plan.to_dict() if isinstance(plan, SituationPlan) else plan.to_dict(check)
    written = [*save_figure(plan.plot(), folder, "plan"), save_json(data, folder, "plan")]
    return [*written, *save_table(plan.table, folder, "plan")] if isinstance(plan, SituationPlan) else written


def _guaranteed(axes: Axes, plan: Plan) -> None:
    """Draw what can be guaranteed, where that says more than what can happen."""
    told = [
        (point.guaranteed_regret, point.guaranteed_instability)
        for point in plan.curve
        if point.guaranteed_regret is not None and point.guaranteed_regret < plan.most_regret
    ]
    if len(told) > 1:
        lost, spreads = zip(*told, strict=True)
        axes.plot(lost, spreads, color=COLOURS[0], linewidth=1.2, linestyle="--")
        axes.annotate(
            "guaranteed", told[len(told) // 2], (6, 6), textcoords="offset points", fontsize=letter_size(9.0)
        )


def _label(axes: Axes, point: TradeOff, text: str, colour: str) -> None:
    axes.annotate(
        text,
        (point.regret, point.instability),
        (-10, -12),
        textcoords="offset points",
        color=colour,
        fontweight="bold",
        ha="right",
    )
