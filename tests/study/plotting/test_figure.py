"""Pictures show themselves, take a size, and go into axes of the caller where they have one panel."""

import subprocess
import sys

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.study.plotting.figure import Picture, figure_of, panels, renderer_of

INSTANCE = sa.equal_gap(2, 0.3)
ONE_PANEL = {
    "counts": lambda **how: sa.plot_counts(sa.simulate(POLICY, INSTANCE, runs=10), **how),
    "one run": lambda **how: sa.plot_counts(sa.simulate(POLICY, INSTANCE, runs=1), **how),
    "plan": lambda **how: sa.plot_plan(sa.plan(n_arms=2, horizon=10_000, max_sd_share=0.02), **how),
    "path": lambda **how: sa.path(POLICY, INSTANCE).plot(**how),
    "worst case": lambda **how: sa.worst_case(POLICY, runs=8, steps=1, search_runs=4).plot(**how),
    "compare": lambda **how: sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=100, runs=8).plot(**how),
    "coverage": lambda **how: sa.coverage("MOSS", INSTANCE, horizon=100, runs=8).plot(**how),
    "scaling": lambda **how: sa.scaling("MOSS", horizons=[100, 200], runs=8).plot(**how),
    "frontier": lambda **how: sa.frontier(
        n_arms=2, horizon=300, alphas=[1], spreads=[], rivals="none", runs=8
    ).plot(**how),
}
POLICY = sa.MOSS(n_arms=2, horizon=100)


@pytest.mark.parametrize("name", ONE_PANEL)
def test_a_picture_of_one_panel_goes_into_axes_and_has_the_size_that_is_asked_for(name):
    figure = Figure(figsize=(9, 4))
    FigureCanvasPdf(figure)  # which measures no texts by itself
    left, right = figure.subplots(1, 2)
    assert ONE_PANEL[name](ax=right) is figure
    assert isinstance(figure.canvas, FigureCanvasPdf)
    assert right.get_title(loc="left") or right.get_title()
    assert not left.has_data()
    sized = ONE_PANEL[name](size=(6, 5))
    assert sized.get_size_inches().tolist() == [6.0, 5.0]
    assert isinstance(sized, Picture)


def test_a_picture_of_several_panels_refuses_axes():
    axes = Figure().add_subplot()
    found = sa.compare(["MOSS", "UCB1"], [INSTANCE, sa.equal_arms(2)], horizon=100, runs=8)
    with pytest.raises(InvalidInput, match="ax= takes a picture of one panel, and this one has 2"):
        found.plot(ax=axes)
    with pytest.raises(InvalidInput, match="this one has 2"):
        sa.trial(INSTANCE, ["MOSS"], horizon=100, runs=8).plot(ax=axes)


def test_a_size_that_is_none_and_axes_that_are_none_are_refused():
    for size in ((4,), (0, 3), (4, 1e3)):
        with (
            pytest.raises(InvalidInput, match="size must be a width and a height in inches"),
            panels(None, size, (8, 5)),
        ):
            pass
    with pytest.raises(InvalidType, match="ax must be an Axes of Matplotlib; got 1"), panels(1, None, (8, 5)):
        pass
    axes = Figure().add_subplot()
    with pytest.raises(InvalidInput, match="is that of a new figure"), panels(axes, (4, 3), (8, 5)):
        pass


def test_names_of_axes_are_broken_where_a_small_picture_ends():
    found = ONE_PANEL["counts"]
    assert "\n" not in found().axes[0].get_xlabel()
    small = found(size=(4, 3.2)).axes[0].get_xlabel()
    assert "\n" in small
    assert small.replace("\n", " ") == found().axes[0].get_xlabel()


def test_axes_in_a_part_of_a_figure_belong_to_the_whole_one():
    whole = Figure()
    axes = whole.subfigures(1, 2)[0].add_subplot()
    assert figure_of(axes) is whole
    assert renderer_of(axes).points_to_pixels(72.0) == whole.dpi


def test_a_figure_is_a_png_for_a_notebook_and_leaves_the_settings_alone():
    before = dict(mpl.rcParams)
    shown = sa.path(POLICY, INSTANCE).plot()._repr_png_()
    assert shown.startswith(b"\x89PNG")
    assert dict(mpl.rcParams) == before


NOTEBOOK = """
from IPython.core.formatters import DisplayFormatter
import sys
import steadyarm as sa
figure = sa.path(sa.RoundRobin(n_arms=2, horizon=20), sa.equal_arms(2)).plot()
data, _ = DisplayFormatter().format(figure)
assert "matplotlib.pyplot" not in sys.modules
assert data["image/png"].startswith(b"\\x89PNG"), data
"""


@pytest.mark.slow
def test_ipython_shows_a_figure_without_pyplot_and_without_magic_words():
    subprocess.run([sys.executable, "-c", NOTEBOOK], check=True)
