"""The picture of a plan: the trade-off along α with the chosen point on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from steadyarm.planning.plan import Plan
from steadyarm.planning.trade_offs import TradeOff
from steadyarm.study.plotting.style import COLOURS, house_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_plan(plan: Plan) -> Figure:
    """Draw predicted worst-case instability against worst-case regret along α.

    >>> import steadyarm as sa
    >>> figure = sa.plot_plan(sa.plan(n_arms=2, horizon=10_000, max_sd_share=0.02))
    >>> figure.axes[0].get_ylabel()
    "spread: standard deviation of an arm's pulls"
    """
    from matplotlib.figure import Figure

    regret = np.array([point.regret for point in plan.curve])
    spread = np.array([point.instability for point in plan.curve])
    horizon = plan.policy.horizon
    with house_style():
        figure = Figure(figsize=(8.0, 5.0), layout="constrained")
        axes = figure.add_subplot()
        axes.loglog(regret, spread, color=COLOURS[0], linewidth=2.0)
        axes.plot(plan.expected.regret, plan.expected.instability, "o", color=COLOURS[1], markersize=10)
        _label(axes, plan.expected, f"this plan, α = {plan.expected.alpha:.3g}", COLOURS[1])
        if plan.half is not None:
            axes.plot(plan.half.regret, plan.half.instability, "o", color=COLOURS[2], markersize=7)
            _label(axes, plan.half, f"half the spread, α = {plan.half.alpha:.3g}", COLOURS[2])
        edge = [(point.regret, point.instability) for point in plan.excluded if point.regret >= regret.min()]
        if len(edge) > 1:
            covered, least = zip(*edge, strict=True)
            axes.plot(covered, least, color=COLOURS[6], linestyle="--", linewidth=1.2)
            axes.annotate(
                "no policy gets below the dashed line",
                (covered[0], least[0]),
                (4, 6),
                textcoords="offset points",
                fontsize=9,
            )
        axes.margins(x=0.08)
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
    return figure


def _label(axes: Axes, point: TradeOff, text: str, colour: str) -> None:
    axes.annotate(
        text,
        (point.regret, point.instability),
        (10, 8),
        textcoords="offset points",
        color=colour,
        fontweight="bold",
    )
