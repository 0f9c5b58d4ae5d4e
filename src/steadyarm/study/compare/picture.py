"""The picture of a comparison: regret against instability, each policy a labelled point.

On one instance a policy may do better than its worst cases can, so what Theorem 1′ excludes for those is a line here
and no shade.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.compare.tables import limit_around
from steadyarm.study.plotting.error_bars import Ends, PointStyle, draw_estimate, held
from steadyarm.study.plotting.excluded import draw_edge
from steadyarm.study.plotting.labels import Label, place_labels
from steadyarm.study.plotting.style import COLOURS, MARKERS, label_axis
from steadyarm.words import counted

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from steadyarm.policies.core.policy import Policy
    from steadyarm.study.compare.study import Comparison
    from steadyarm.study.plotting.figure import Size

_QUANTITIES = ("regret", "instability")
_OURS, _OTHERS = MARKERS[0], MARKERS[1:]
_WORST_CASES = "dashed: no policy has both worst cases below (Theorem 1′)"
_PANEL = (8.0, 5.8)  # inches
_ROOM = 0.2  # inches of the height for the label of a policy


def draw(comparison: Comparison, ax: Axes | None = None, size: Size | None = None) -> Figure:
    """Draw one panel for each instance."""
    from steadyarm.study.plotting.figure import figure_of, panels
    from steadyarm.study.plotting.fit import fit

    names = list(dict.fromkeys(comparison.table["instance"]))
    columns = 1 if len(names) == 1 else 2
    lines = -(-len(names) // columns)
    least = (2.0, max(1.2, _ROOM * comparison.table["policy"].nunique()))
    with panels(ax, size, (_PANEL[0] * columns, _PANEL[1] * lines), lines, columns, least=least) as places:
        for axes in places[len(names) :]:
            axes.set_visible(False)
        drawn = [_panel(axes, comparison, name) for axes, name in zip(places, names, strict=False)]
        fit(figure_of(places[0]), places)
        for axes, labels in zip(places, drawn, strict=False):
            place_labels(axes, labels)
    return figure_of(places[0])


def _panel(axes: Axes, comparison: Comparison, name: str) -> list[Label]:
    """Draw points and the limit; return what is to be labelled once the axes stand still."""
    from steadyarm.study.plotting.fit import title

    table = comparison.table
    chosen = [place for place, instance in enumerate(table["instance"]) if instance == name]
    rows = table.iloc[chosen]
    policies = [comparison.simulations[place].policy for place in chosen]
    axes.set_xscale("log")
    axes.set_yscale("log")
    lost = bool(rows["regret"].max() > 0.0)
    ends = [(_ends(rows, place, "regret"), _ends(rows, place, "instability")) for place in range(len(rows))]
    _settle(axes, ends)
    nu = comparison.simulations[chosen[0]].instance
    limit = limit_around(policies, nu) if lost else None
    seen = limit is not None and draw_edge(axes, limit)
    if lost:
        axes.set_xlabel(f"expected {nu.kind_of_regret}")
    else:
        axes.set_xlabel("expected regret: 0 for every policy, as all arms are alike")
        axes.xaxis.set_ticks([], minor=False)
        axes.xaxis.set_ticks([], minor=True)
    labels = []
    for style, (x, y), (_, row) in zip(_styles(policies), ends, rows.iterrows(), strict=True):
        nothing = [what for what in _QUANTITIES if not row[what] > 0.0 and (lost or what != "regret")]
        text = row["policy"] + (f" ({' and '.join(nothing)} 0)" if nothing else "")
        ours = style.marker == _OURS
        labels.append(
            Label(*draw_estimate(axes, x, y, style, 4.0 if ours else 3.0), text, style.colour, ours)
        )
    axes.set_ylabel("instability: largest standard deviation of an arm's pulls")
    horizon, runs = int(rows["horizon"].iloc[0]), int(rows["runs"].iloc[0])
    about = f"{name}; {horizon:,} rounds, {counted(runs, 'run')}; bars: {100 * comparison.study.level:.6g}% intervals"
    title(axes, _message(comparison, rows, name), about + (f"\n{_WORST_CASES}" if seen else ""))
    return labels


def _styles(policies: list[Policy]) -> Iterator[PointStyle]:
    """Yield a large disc for SLE-UCB, and colours and marks in turn for the others."""
    others = 0
    for policy in policies:
        if isinstance(policy, SLEUCB):
            yield PointStyle(COLOURS[0], _OURS, 9.0, 1.4)
        else:
            colour = COLOURS[1 + others % (len(COLOURS) - 1)]
            yield PointStyle(colour, _OTHERS[others % len(_OTHERS)], 6.0, 1.4)
            others += 1


def _ends(rows: pd.DataFrame, place: int, quantity: str) -> Ends:
    """Return an estimate; a zero is drawn below all others, since a logarithmic axis has none."""
    row = rows.iloc[place]
    if row[quantity] > 0.0:
        return float(row[f"{quantity}_low"]), float(row[quantity]), float(row[f"{quantity}_high"])
    positive = [value for value in rows[quantity] if value > 0.0]
    return (min(positive) / 4.0 if positive else 1.0,) * 3


def _settle(axes: Axes, ends: list[tuple[Ends, Ends]]) -> None:
    """Set limits with room for labels, a decade at least, and write numbers on the axes."""
    for axis, along in ((axes.xaxis, [x for x, _ in ends]), (axes.yaxis, [y for _, y in ends])):
        inside = [held(each) for each in along]
        low, high = min(end[0] for end in inside) / 1.6, max(end[2] for end in inside) * 1.6
        wider = max(1.0, np.sqrt(10.0 / (high / low)))
        axes.set(**{f"{axis.axis_name}lim": (low / wider, high * wider)})
        label_axis(axis)


def _message(comparison: Comparison, rows: pd.DataFrame, name: str) -> str:
    cheapest, steadiest = (_best(comparison, rows, name, what) for what in ("regret", "instability"))
    if not rows["regret"].max() > 0.0:
        return f"{_words(steadiest, 'is steadiest')}; there is no regret to lose"
    if cheapest == steadiest:
        return _words(cheapest, "loses least and is steadiest")
    return f"{_words(cheapest, 'loses least')}; {_words(steadiest, 'is steadiest')}"


def _best(comparison: Comparison, rows: pd.DataFrame, name: str, quantity: str) -> tuple[str, int]:
    """Return the policy with the least of a quantity, and how many others are not significantly worse."""
    first = str(rows.iloc[int(np.argmin(rows[quantity].to_numpy()))]["policy"])
    beaten = sum(
        row["better"] == first and (row["instance"], row["quantity"]) == (name, quantity)
        for _, row in comparison.differences.iterrows()
    )
    return first, len(rows) - 1 - beaten


def _words(best: tuple[str, int], what: str) -> str:
    policy, rivals = best
    within = f", {counted(rivals, 'other')} within error" if rivals else ""
    return f"{policy} {what}{within}"
