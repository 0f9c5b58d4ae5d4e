"""The picture of a trial: what each design decides in each scenario, and how it shares out the rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.inference.methods import TITLES
from steadyarm.study.plotting.style import COLOURS, METHOD_LOOKS, letter_size

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.plotting.figure import Size
    from steadyarm.study.trial.study import Trial


def draw(found: Trial, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw a row for each scenario and design: left how often something is declared, right the pulls."""
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import legend_below, whole_title

    rows = [(name, label) for name in found.study.scenarios for label in found.study.labels]
    usual = (11.0, 2.0 + 0.36 * len(rows))
    with panels(ax, size, usual, 1, 2, sharey=True, width_ratios=[1.15, 1.0]) as (decided, shares):
        figure = figure_of(decided)
        for place, (name, label) in enumerate(rows):
            for turn, method in enumerate(found.study.methods):
                height = place + 0.16 * (turn - 0.5 * (len(found.study.methods) - 1))
                _draw_decision(decided, found, (name, label, method), height, named=place == 0)
            _draw_pulls(shares, found, name, label, place)
        decided.set_yticks(range(len(rows)), [label for _, label in rows])
        decided.set_ylim(len(rows) - 0.5, -0.7)
        decided.set_xlim(-0.02, 1.02)
        decided.xaxis.set_major_formatter(lambda share, _place: f"{share:.0%}")
        decided.axvline(1.0 - found.study.level, color=COLOURS[6], linewidth=1.0, linestyle="--")
        decided.set_xlabel(f"a difference is declared (dashed: {100 * (1 - found.study.level):.6g}%)")
        shares.set_xlabel("pulls of the best arm: mean ± spread")
        for number, name in enumerate(found.study.scenarios):
            top = number * len(found.study.labels) - 0.5
            for axes in (decided, shares):
                axes.axhline(top, color="#999999", linewidth=0.8)
                axes.grid(visible=False, axis="y")
            shares.annotate(
                name, (1.0, top), (-2, -3), xycoords=("axes fraction", "data"), textcoords="offset points",
                ha="right", va="top", fontsize=letter_size(9.5), color="#444444",
            )  # fmt: skip
        legend_below(figure, *decided.get_legend_handles_labels(), letter_size(9.0))
        whole_title(figure, message(found))
    return figure


def message(found: Trial) -> str:
    """Return the first method's power in the last scenario that has one, design by design."""
    table = found.table[found.table["method"] == found.study.methods[0]]
    able = table[table["power"].notna()]
    quantity, rows = ("power", able) if len(able) else ("wrong", table)
    scenario = rows["scenario"].iloc[-1]
    rows = rows[rows["scenario"] == scenario].sort_values(quantity, ascending=False, kind="stable")
    words = [f"{row['design']} {row[quantity]:.0%}" for _, row in rows.iterrows()]
    return f"{'Power' if quantity == 'power' else 'Type I error'}, {scenario}: {', '.join(words)}"


def _draw_decision(axes: Axes, found: Trial, which: tuple[str, str, str], height: float, named: bool) -> None:
    name, label, method = which
    row = _row(found.table, scenario=name, design=label, method=method)
    quantity = "wrong" if np.isnan(row["power"]) else "power"
    value = row[quantity]
    reach = [[value - row[f"{quantity}_low"]], [row[f"{quantity}_high"] - value]]
    axes.errorbar(
        value,
        height,
        xerr=np.maximum(0.0, reach),
        marker=METHOD_LOOKS[method][1],
        color=METHOD_LOOKS[method][0],
        capsize=2.5,
        linestyle="none",
        label=f"{TITLES[method]} intervals" if named else None,
    )


def _draw_pulls(axes: Axes, found: Trial, name: str, label: str, place: int) -> None:
    best = found.best_arm(name)
    row = _row(found.arms, scenario=name, design=label, method=found.study.methods[0], arm=best)
    axes.errorbar(row["pulls"], place, xerr=row["spread"], marker="o", color=COLOURS[2], capsize=2.5)


def _row(table: Any, **where: Any) -> Any:
    for column, value in where.items():
        table = table[table[column] == value]
    return table.iloc[0]
