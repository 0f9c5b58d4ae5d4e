"""The shade of Theorem 1: its words stay inside, and labels of points keep off its edges."""

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steadyarm.study.plotting.excluded import Excluded, name_shade, shade
from steadyarm.study.plotting.labels import Label, place_labels

WORDS = ("no policy is here (Theorem 1,\nworst-case regret up to MT/8 = 125,000)", "Theorem 1")


def picture(excluded, x, y):
    figure = Figure(figsize=(10.5, 7.6))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set(xscale="log", yscale="log", xlim=x, ylim=y)
    shade(axes, excluded)
    figure.draw_without_rendering()
    return axes


def corners(axes, text):
    """The lower left and the upper right corner of a text, in the units of the axes."""
    extent = text.get_window_extent(axes.figure.canvas.get_renderer())
    return axes.transData.inverted().transform([extent.min, extent.max])


@pytest.mark.parametrize(
    ("excluded", "x", "expected"),
    [
        (Excluded(10**6, 1.0, 1.0), (1e3, 1e7), WORDS[:1]),
        (Excluded(10**12, 1.0, 1.0), (1e6, 1e13), WORDS[:1]),
        (Excluded(10**6, 1.0, 1.0), (6e4, 1e7), WORDS[1:]),  # too narrow for more
        (Excluded(10**6, 1.0, 1.0), (1.2e5, 1e7), ()),
        (Excluded(10**6, 1.0, 1.0), (2e5, 1e7), ()),  # it begins to the right of the shade
    ],
)
def test_the_words_of_the_shade_are_inside_it_or_shorter_or_left_out(excluded, x, expected):
    axes = picture(excluded, x, (10.0, 1e6))
    name_shade(axes, excluded, WORDS)
    assert tuple(text.get_text() for text in axes.texts) == expected
    for text in axes.texts:
        (left, low), (right, high) = corners(axes, text)
        assert (left, low) > (axes.get_xlim()[0], axes.get_ylim()[0])
        assert right < excluded.end
        assert high < excluded.edge(right)  # the edge falls: it is lowest at the right


def test_a_label_does_not_cross_the_side_of_the_shade():
    excluded = Excluded(10**6, 1.0, 1.0)
    axes = picture(excluded, (1e3, 2.2e5), (10.0, 1e6))  # no room to the right of the point
    place_labels(axes, [Label((1.6e5,) * 3, (20.0,) * 3, "a policy with a long name", "#0072B2", bold=False)])
    (left, low), (right, _) = corners(axes, axes.texts[0])
    beside = excluded.end < left or right < excluded.end
    assert beside or low > excluded.edge(excluded.end)
