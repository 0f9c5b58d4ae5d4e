"""Numbers on axes are written in one way."""

import re

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steadyarm.study.plotting.style import label_axis

PLAIN, POWER = r"[\d,.]+", r"\$(\d(\.\d+)?\\cdot)?10\^\{-?\d+\}\$"


@pytest.mark.parametrize(
    ("limits", "written"),
    [
        ((20, 9e5), PLAIN),
        ((0.002, 400), PLAIN),
        ((20, 3e6), POWER),
        ((1, 1e12), POWER),
        ((3e5, 2.5e6), POWER),  # with steps of 2 and 5
        ((1e-4, 10), POWER),
    ],
)
def test_an_axis_has_plain_numbers_or_powers_of_ten_and_never_both(limits, written):
    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.set(yscale="log", ylim=(limits[0] * 1e3, limits[1] * 1e3))
    label_axis(axes.yaxis)
    axes.set_ylim(*limits)  # afterwards: the words are those of what is drawn
    figure.draw_without_rendering()
    low, high = limits
    said = [tick.label1.get_text() for tick in axes.yaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    assert len(said) > 1
    assert all(re.fullmatch(written, words) for words in said), said
