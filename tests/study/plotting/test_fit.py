"""Whatever stands in a picture fits its size, or the size is refused with one that would do."""

import re
from itertools import pairwise

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.study.plotting.figure import panels
from steadyarm.study.plotting.fit import legend_below, title

MOSS, INSTANCE = sa.MOSS(n_arms=3, horizon=5000), sa.equal_gap(3, 0.3)
DRIFTING = sa.Instance.drifting(sa.Drift.step([0.0, -0.3, -0.1], [-0.3, 0.0, -0.2], after=200))
NAMES = ["MOSS", "UCB", "UCB1", "KLUCB", "OCUCB", "GaussianThompson", "EpsilonGreedy", "SLEUCB"]
WORDS = "a title of so many words that one line of a narrow picture has never held them all"


def test_everything_written_lies_in_the_figure_at_every_size_that_is_taken(pictures):
    for name, draw in pictures.items():
        for size in (None, (8, 6), (5, 3.5), (5, 2.5), (3.4, 2.6)):
            try:
                figure = draw(size=size)
            except InvalidInput as error:
                assert size is not None, name
                width, height = map(float, re.search(r"about \(([\d.]+), ([\d.]+)\)", str(error)).groups())
                figure = draw(size=(width, height))
            assert outside(figure) == [], (name, size)
            for axes in figure.axes:
                box = axes.get_window_extent()
                assert not axes.get_visible() or min(box.width, box.height) >= 0.9 * figure.dpi, (name, size)


@pytest.fixture(scope="module")
def pictures():
    """Functions of a size, by names."""
    still = sa.compare(NAMES, INSTANCE, horizon=500, runs=10, at=10)
    moving = sa.compare(NAMES[:3], DRIFTING, horizon=500, runs=10)
    counts = sa.simulate(MOSS, INSTANCE, runs=20)
    return {
        "compare": still.plot,
        "where means move": moving.plot,
        "over time": still.plot_over_time,
        "counts": lambda size: sa.plot_counts(counts, size=size),
        "paths": lambda size: sa.plot_paths("MOSS", INSTANCE, horizon=20_000, repetitions=2, size=size),
        "coverage": sa.coverage("MOSS", INSTANCE, horizon=100, runs=8).plot,
        "trial": sa.trial(INSTANCE, ["MOSS"], horizon=100, runs=8).plot,
        "frontier": sa.frontier(n_arms=2, horizon=300, alphas=[1], spreads=[], rivals="none", runs=8).plot,
    }


def outside(figure):
    """The texts of a figure that reach beyond it, numbers along its axes aside."""
    renderer, whole = figure.canvas.get_renderer(), figure.bbox
    numbers = {
        id(text) for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)
        for text in (*axis.get_ticklabels(which="both"), axis.get_offset_text())
    }  # fmt: skip
    written = [text for text in figure.findobj(Text) if id(text) not in numbers and text.get_text()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in written if text.get_visible()]
    return [words for words, box in boxes
            if box.x0 < -1 or box.y0 < -1 or box.x1 > whole.width + 1 or box.y1 > whole.height + 1]  # fmt: skip


@pytest.mark.parametrize("horizon", [20_000, 50_000])
def test_numbers_along_an_axis_never_run_into_each_other(horizon):
    policies = ["MOSS", sa.Steady(n_arms=2, horizon=horizon, spread=400)]
    for size in (None, (6, 3)):
        figure = sa.plot_paths(policies, sa.equal_arms(2), repetitions=1, size=size)
        figure.draw_without_rendering()
        for axes in figure.axes:
            ticks = [tick for tick in axes.xaxis.get_major_ticks() if 1 <= tick.get_loc() <= horizon]
            boxes = [tick.label1.get_window_extent() for tick in ticks]
            assert len(boxes) >= 2
            assert all(left.x1 + 4 < right.x0 for left, right in pairwise(boxes))


def test_a_title_has_as_few_lines_as_hold_it_and_the_grey_line_below_keeps_clear_of_it():
    with panels(None, (4, 4), (8, 5)) as [axes]:
        title(axes, WORDS, WORDS)
    heading, below = axes.get_title(loc="left"), axes.texts[0]
    assert heading.replace("\n", " ") == below.get_text().replace("\n", " ") == WORDS
    assert 2 <= below.get_text().count("\n") + 1 <= heading.count("\n") + 1 <= 4
    assert below.get_window_extent().y1 < axes._left_title.get_window_extent().y0


def test_a_size_at_which_nothing_could_be_read_is_refused_with_one_that_will_do():
    found = sa.path(MOSS, INSTANCE)
    with pytest.raises(InvalidInput, match=r"size=\(1, 1\) is too small .* It can be read from about \(\d"):
        found.plot(size=(1, 1))


def test_a_legend_that_fits_stays_in_its_axes_and_one_that_does_not_stands_below():
    assert sa.path(MOSS, INSTANCE).plot().axes[0].get_legend() is not None
    many = sa.path(sa.MOSS(n_arms=12, horizon=500), sa.equal_gap(12, 0.1)).plot(size=(5, 3.5))
    assert many.axes[0].get_legend() is None
    assert len(many.legends[0].get_texts()) >= 7


def test_a_legend_below_has_fewer_columns_where_the_figure_is_narrow():
    for width, columns in ((10, 4), (2.5, 1)):
        figure = Figure(figsize=(width, 3), layout="constrained")
        lines = figure.subplots().plot([[1, 2, 3, 4], [2, 3, 4, 5]])
        legend_below(figure, lines, ["a name of some length"] * 4, 9.0)
        assert figure.legends[0]._ncols == columns
