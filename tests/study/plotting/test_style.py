"""Numbers on axes are written in one way."""

import re

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from steadyarm.study.plotting.style import METHOD_LOOKS, label_axis, look, save_figure

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


def test_lines_and_points_are_told_apart_without_colour():
    looks = [look(place) for place in range(49)]
    assert len({each["marker"] for each in looks[:7]}) == len({each["linestyle"] for each in looks[:7]}) == 7
    assert len({(each["marker"], each["linestyle"]) for each in looks}) == len(looks)
    assert len({marker for _, marker in METHOD_LOOKS.values()}) == len(METHOD_LOOKS)


def test_a_figure_is_saved_as_png_svg_and_pdf_with_the_same_bytes_every_time(tmp_path):
    figure = Figure()
    figure.add_subplot().plot([1, 2])
    one, other = (save_figure(figure, tmp_path / name, "line") for name in ("one", "other"))
    assert [path.suffix for path in one] == [".png", ".svg", ".pdf"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]
    assert one[2].read_bytes().startswith(b"%PDF")
    assert b"CreationDate" not in one[2].read_bytes()
