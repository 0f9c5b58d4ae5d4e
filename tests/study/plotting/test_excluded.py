"""The shade of Theorem 1′: its words stay inside, and labels of points keep off its edge."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steadyarm.study.plotting.excluded import draw_edge, name_shade, shade
from steadyarm.study.plotting.labels import Label, place_labels
from steadyarm.theory.limit import Limit

WORDS = ("no policy is here, however clever\n(Theorem 1′)", "Theorem 1′")
LIMIT = Limit(3, 10**6)


def picture(limit, x, y, draw=shade):
    figure = Figure(figsize=(10.5, 7.6))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set(xscale="log", yscale="log", xlim=x, ylim=y)
    draw(axes, limit)
    figure.draw_without_rendering()
    return axes


def corners(axes, text):
    """The lower left and the upper right corner of a text, in the units of the axes."""
    extent = text.get_window_extent(axes.figure.canvas.get_renderer())
    return axes.transData.inverted().transform([extent.min, extent.max])


@pytest.mark.parametrize(
    ("limit", "x", "y", "expected"),
    [
        (LIMIT, (1e3, 1e7), (10.0, 1e6), WORDS[:1]),
        (Limit(2, 10**12), (1e6, 1e13), (10.0, 1e12), WORDS[:1]),
        (Limit(3, 1000, rates=(0.0, 0.1)), (1.0, 200.0), (0.1, 1e3), WORDS[:1]),
        (LIMIT, (1e3, 1e7), (1.2e5, 1e6), WORDS[1:]),  # too low for more
        (LIMIT, (1e3, 1e12), (3.2e5, 1e6), ()),
    ],
)
def test_the_words_of_the_shade_are_inside_it_or_shorter_or_left_out(limit, x, y, expected):
    axes = picture(limit, x, y)
    name_shade(axes, limit, WORDS)
    assert tuple(text.get_text() for text in axes.texts) == expected
    for text in axes.texts:
        (left, low), (right, high) = corners(axes, text)
        assert (left, low) > (axes.get_xlim()[0], axes.get_ylim()[0])
        assert right < limit.least_regret(high)  # the edge falls: the upper right corner is the nearest


def test_the_shade_ends_where_a_policy_may_be_and_is_seen_at_the_left():
    axes = picture(LIMIT, (5e4, 1e7), (10.0, 1e6))
    (edge,) = axes.lines
    for regret, spread in edge.get_xydata()[::40]:
        assert LIMIT.least_instability(regret) == pytest.approx(min(spread, 5e5), rel=1e-3)
    assert axes.get_xlim()[0] < LIMIT.minimax
    (filled,) = axes.collections
    assert filled.get_datalim(axes.transData).x1 == pytest.approx(LIMIT.least_regret(10.0))


def test_an_edge_alone_shades_nothing_and_moves_no_axis():
    axes = picture(LIMIT, (5e4, 1e7), (10.0, 1e6), draw=draw_edge)
    assert len(axes.lines) == 1
    assert not axes.collections
    assert axes.get_xlim() == (5e4, 1e7)


def test_a_label_does_not_cross_the_edge_of_the_shade():
    axes = picture(LIMIT, (1e3, 5e6), (10.0, 1e6))
    place_labels(axes, [Label((1.4e6,) * 3, (20.0,) * 3, "a policy with a long name", "#0072B2", bold=False)])
    (left, low), (right, high) = corners(axes, axes.texts[0])
    assert right < LIMIT.least_regret(high) or left > LIMIT.least_regret(low)
