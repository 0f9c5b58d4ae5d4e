"""The picture of coverage: for each policy and arm how often an interval held the mean, beside the nominal level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steadyarm.study.plotting.style import COLOURS, METHOD_LOOKS, letter_size

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.study.coverage.study import Coverage
    from steadyarm.study.plotting.figure import Size

_WORDS = {
    "oracle": "oracle (true σ)",
    "wald": "Wald",
    "wilson": "Wilson",
    "exact": "Clopper and Pearson",
    "anytime": "anytime-valid",
    "auto": "taken by itself",
}
_APART = 0.26  # of two methods in a row
_MOST_ARMS = 6  # of a policy; the worst covered ones if there are more
_WIDTH = 8.6  # inches


def draw(found: Coverage, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw a row for each policy and arm, a mark with an interval for each method."""
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import title

    table, level = found.table, found.study.level
    rows = _rows(table)
    methods = [method for method in _WORDS if method in set(table["method"])]
    step = _APART * len(methods) + 0.4  # from row to row
    top = -0.75 * step
    smallest = (2.6, 0.16 * len(methods) * len(rows))
    with panels(ax, size, (_WIDTH, 1.9 + 0.46 * step * len(rows)), least=smallest) as [axes]:
        axes.axvline(level, color=COLOURS[6], linewidth=1.2, linestyle="--")
        for place, (policy, arm) in enumerate(rows):
            for number, method in enumerate(methods):
                colour, marker = METHOD_LOOKS[method]
                match = (table["policy"] == policy) & (table["arm"] == arm) & (table["method"] == method)
                row = table[match].iloc[0]
                below, above = row["coverage"] - row["low"], row["high"] - row["coverage"]
                height = step * place + _APART * (number - 0.5 * (len(methods) - 1))
                axes.errorbar(
                    row["coverage"], height, xerr=[[below], [above]], marker=marker, color=colour, capsize=2.5
                )
                text = (
                    f"{_WORDS[method]}, width {row['width']:#.3g}" if place == 0 else f"{row['width']:#.3g}"
                )
                axes.annotate(
                    text,
                    (row["low"], height),
                    (-7, 0),
                    textcoords="offset points",
                    color=colour,
                    fontsize=letter_size(9.0),
                    ha="right",
                    va="center",
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
                )
        axes.annotate(
            f"nominal, {100 * level:.6g}%",
            (level, top),
            (0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=letter_size(9.0),
        )
        names = [f"{policy}, arm {arm}" for policy, arm in rows]
        axes.set_yticks([step * place for place in range(len(rows))], names)
        axes.set_ylim(step * (len(rows) - 0.45), top)
        least = min(float(table["low"].min()), level)
        room = max(1.0 - least, 0.02)
        axes.set_xlim(least - 0.45 * room, min(1.0, 1.0 + 0.05 * room) + 0.03 * room)
        axes.xaxis.set_major_formatter(lambda share, _place: f"{share:.1%}" if share <= 1.0 + 1e-9 else "")
        axes.set_xlabel(
            f"share of {found.runs:,} runs whose interval held the arm's mean (bars: {100 * level:.6g}% intervals)"
        )
        axes.grid(visible=False, axis="y")
        title(axes, _message(found), pad=20.0)
    return figure_of(axes)


def _rows(table: pd.DataFrame) -> list[tuple[str, int]]:
    chosen = []
    for policy, rows in table.groupby("policy", sort=False):
        worst = rows.groupby("arm")["coverage"].min().sort_values(kind="stable").index[:_MOST_ARMS]
        chosen += [(str(policy), int(arm)) for arm in sorted(worst)]
    return chosen


def _message(found: Coverage) -> str:
    """Name the policy whose ordinary intervals miss most, and whether the others' hold."""
    table, level = found.table, found.study.level
    ordinary = next(
        (method for method in ("wald", "wilson", "oracle") if method in set(table["method"])), None
    )
    if ordinary is None:
        least = table["coverage"].min()
        return f"Anytime-valid intervals hold at least {least:.1%} of the time, {100 * level:.6g}% asked for"
    title, shown = _WORDS[ordinary], table[table["method"] == ordinary]
    least = shown.loc[shown.groupby("policy", sort=False)["coverage"].idxmin()]
    worst = least.loc[least["coverage"].idxmin()]
    if worst["high"] >= level:
        return f"{title} intervals hold as often as they say: {100 * level:.6g}%, within error"
    fine = [row["policy"] for _, row in least.iterrows() if row["high"] >= level]
    best = least.loc[least["coverage"].idxmax()]
    ending = (
        f"; {' and '.join(fine[:2])}: as they say" if fine else f"; {best['policy']}'s {best['coverage']:.1%}"
    )
    held = f"{title} intervals hold {worst['coverage']:.1%} of the time, not {100 * level:.6g}%"
    return f"{worst['policy']}: {held}{ending}"
