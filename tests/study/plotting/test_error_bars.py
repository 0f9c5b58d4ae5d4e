"""Error bars on logarithmic axes: a cap stands where an interval ends, and an arrow where it leaves the picture."""

import math

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.markers import CARETDOWN, CARETLEFT, CARETRIGHT, CARETUP

import steadyarm as sa
from steadyarm.study.plotting.error_bars import PointStyle, draw_estimate, held

STYLE = PointStyle("#0072B2", "o", 9.0)
CAPS, ARROWS = ("|", "_"), (CARETDOWN, CARETLEFT, CARETRIGHT, CARETUP)


def axes_with(x, y):
    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set(xscale="log", yscale="log", xlim=x, ylim=y)
    return axes


def marks(axes, kinds):
    """Where the caps or arrows of a picture are, as (marker, x, y)."""
    return [
        (line.get_marker(), line.get_xdata()[0], line.get_ydata()[0])
        for line in axes.lines
        if line.get_marker() in kinds
    ]


def test_ends_inside_have_caps_and_ends_outside_have_arrows_at_the_edge():
    axes = axes_with((1, 100), (1, 1000))
    x, y = draw_estimate(axes, (5, 10, 20), (0.0, 30, math.inf), STYLE)
    assert (x, y) == ((5, 10, 20), (1, 30, 1000))
    assert marks(axes, CAPS) == [("|", 5, 30), ("|", 20, 30)]
    assert marks(axes, ARROWS) == [(CARETDOWN, 10, 1), (CARETUP, 10, 1000)]
    assert axes.get_ylim() == (1, 1000)
    draw_estimate(axes, (-3.0, 50, 2000), (40, 40, 40), STYLE)
    assert marks(axes, ARROWS)[2:] == [(CARETLEFT, 1, 40), (CARETRIGHT, 100, 40)]
    assert len(marks(axes, CAPS)) == 2  # an interval without length has none


def test_limits_hold_what_is_near_the_value():
    assert held((-1.0, 8.0, 9.0)) == (2.0, 8.0, 9.0)
    assert held((7.0, 8.0, math.inf)) == (7.0, 8.0, 32.0)


def few_runs():
    """Pictures of estimates so rough that their intervals reach to 0, or to infinity."""
    steady = sa.SLEUCB(n_arms=2, horizon=500, constants="sharp")
    compared = sa.compare([steady, "MOSS", "RoundRobin"], sa.equal_gap(2, gap=0.3), runs=3, seed=1)
    yield compared.plot().axes[0], compared.table, ("regret", "instability")
    frontier = sa.frontier(
        n_arms=2, horizon=500, alphas=[1, 4], spreads=[], rivals=["MOSS", "RoundRobin"], runs=6, seed=1
    )
    yield frontier.plot().axes[0], frontier.table, ("regret", "instability")
    for of in ("regret", "instability"):
        found = sa.worst_case(
            sa.MOSS(n_arms=2, horizon=200), of, runs=6, steps=0, gaps=4, search_runs=4, seed=1
        )
        estimate = found.estimate
        table = {of: [estimate.value], f"{of}_low": [estimate.low], f"{of}_high": [estimate.high]}
        yield found.plot().axes[0], table, (of,)


def test_every_cap_of_a_picture_is_the_end_of_an_interval():
    arrows = 0
    for axes, table, quantities in few_runs():
        ends = {
            end
            for quantity in quantities
            for which in ("low", "high")
            for end in table[f"{quantity}_{which}"]
        }
        for marker, x, y in marks(axes, CAPS):
            assert (x if marker == "|" else y) in ends
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        for marker, x, y in marks(axes, ARROWS):
            edge = {CARETLEFT: (x, left), CARETRIGHT: (x, right), CARETDOWN: (y, low), CARETUP: (y, high)}[
                marker
            ]
            assert edge[0] == edge[1]
            arrows += 1
        pairs = [pair for each in quantities for pair in zip(table[f"{each}_low"], table[each], strict=True)]
        downwards = [marker for marker, _, _ in marks(axes, ARROWS) if marker in (CARETLEFT, CARETDOWN)]
        assert len(downwards) >= sum(low <= 0.0 < value for low, value in pairs)
    assert arrows > 5
