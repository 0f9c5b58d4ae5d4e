"""The picture and the table over time say what the counts on the way say."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.study.plotting.allocations import save_simulation
from steadyarm.study.plotting.over_time import over_time_table

POLICY, INSTANCE = sa.MOSS(n_arms=2, horizon=400), sa.equal_gap(2, 0.5)


@pytest.fixture(scope="module")
def noted():
    return sa.simulate(POLICY, INSTANCE, runs=40, at=12)


def test_lines_go_through_the_estimates_and_bands_hold_their_intervals(noted):
    regret, instability = noted.plot_over_time().axes
    for axes, estimates in ((regret, noted.regret_at), (instability, noted.instability_at)):
        positive = [place for place, one in enumerate(estimates) if one.value > 0.0]
        x, y = axes.lines[0].get_data()
        assert x.tolist() == noted.at[positive].tolist()
        assert y.tolist() == [estimates[place].value for place in positive]
        corners = np.vstack([path.vertices for path in axes.collections[0].get_paths()])
        last = corners[corners[:, 0] == noted.at[-1], 1]
        assert (last.min(), last.max()) == pytest.approx((estimates[-1].low, estimates[-1].high))


def test_a_single_moment_is_a_point_with_its_interval():
    one = sa.simulate(POLICY, INSTANCE, runs=40, at=[400])
    for axes, [estimate] in zip(one.plot_over_time().axes, (one.regret_at, one.instability_at), strict=True):
        [point], bar = axes.lines, axes.collections[-1].get_segments()[0]
        assert point.get_marker() == "o"
        assert point.get_data()[1].tolist() == [estimate.value]
        assert bar[:, 1].tolist() == [estimate.low, estimate.high]


def test_several_policies_share_panels_and_every_instance_has_a_row(noted):
    other = sa.simulate(sa.UCB(n_arms=2, horizon=400), INSTANCE, runs=40, at=12)
    elsewhere = sa.simulate(POLICY, sa.equal_arms(2), runs=40, at=12)
    figure = sa.plot_over_time([noted, other, elsewhere])
    assert [len(axes.lines) for axes in figure.axes] == [2, 2, 1, 1]
    looks = {(line.get_color(), line.get_linestyle()) for line in figure.axes[0].lines}
    assert len({colour for colour, _ in looks}) == len({style for _, style in looks}) == 2
    assert figure.axes[2].get_yscale() == "linear"  # equal arms have no regret at all
    assert set(figure.axes[2].lines[0].get_ydata()) == {0.0}


def test_regret_over_time_is_called_dynamic_where_means_move(noted):
    moving = sa.Instance.drifting(sa.Drift.step([0.0, -0.3], [-0.3, 0.0], after=200))
    figure = sa.plot_over_time([noted, sa.simulate(POLICY, moving, runs=10, at=5)])
    assert figure.axes[0].get_ylabel() == "regret up to the round"
    assert figure.axes[2].get_ylabel() == "dynamic regret up to the round"


def labels_of(figure):
    [legend] = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def test_simulations_of_one_policy_are_called_by_what_differs_between_them():
    late = [sa.simulate(POLICY, INSTANCE, runs=10, at=5, delay=delay) for delay in (0, 100)]
    figure = sa.plot_over_time(late)
    assert labels_of(figure) == ["MOSS, told at once", "MOSS, 100 rounds late"]
    assert figure.axes[0].get_title(loc="left").replace("\n", " ").startswith("MOSS on 2 gaussian arms")
    seeds = [sa.simulate(POLICY, INSTANCE, runs=10, at=5, seed=seed) for seed in (3, 4)]
    assert labels_of(sa.plot_over_time(seeds)) == ["MOSS, seed 3", "MOSS, seed 4"]
    alone = late[1].plot_over_time().axes[0].get_title(loc="left").replace("\n", " ")
    assert alone.endswith("10 runs, rewards told 100 rounds late")


def test_simulations_have_the_labels_that_are_given(noted):
    both = [noted, sa.simulate(POLICY, INSTANCE, runs=10, at=5, seed=9)]
    assert labels_of(sa.plot_over_time(both, labels=["one", "other"])) == ["one", "other"]
    with pytest.raises(InvalidInput, match="labels must be one for each of 2 simulations, and differ"):
        sa.plot_over_time(both, labels=["one"])
    with pytest.raises(InvalidInput, match="and differ on one instance"):
        sa.plot_over_time(both, labels=["one", "one"])
    with pytest.raises(InvalidType, match="labels must be a list of words"):
        sa.plot_over_time(both, labels="ab")


def test_twelve_policies_are_told_apart_without_colour(noted):
    figure = sa.plot_over_time([noted] * 12)
    for axes in figure.axes:
        assert len({(line.get_marker(), str(line._dash_pattern)) for line in axes.lines}) == 12
        assert all(line.get_marker() for line in axes.lines)


def test_axes_are_refused_with_the_reason(noted):
    for draw in (
        noted.plot_over_time,
        sa.compare(["MOSS"], INSTANCE, horizon=50, runs=4, at=3).plot_over_time,
    ):
        with pytest.raises(InvalidInput, match="ax= takes a picture of one panel, and this one has 2"):
            draw(ax=Figure().add_subplot())


def test_a_comparison_without_moments_is_told_to_ask_compare_for_them():
    plain = sa.compare(["MOSS"], INSTANCE, horizon=50, runs=4)
    for ask in (plain.plot_over_time, lambda: plain.over_time):
        with pytest.raises(InvalidInput, match=r"this comparison noted none. Say compare\(…, at=50\)"):
            ask()


def test_a_notebook_shows_the_picture_without_magic_words(noted):
    for figure in (
        noted.plot_over_time(),
        sa.compare([POLICY, "UCB"], INSTANCE, runs=4, at=3).plot_over_time(),
    ):
        assert figure._repr_png_().startswith(b"\x89PNG")


def test_the_table_has_a_row_for_each_moment(noted):
    table = over_time_table(noted)
    assert table["round"].tolist() == noted.at.tolist()
    assert table["regret"].tolist() == [one.value for one in noted.regret_at]
    assert table["instability_high"].tolist() == [one.high for one in noted.instability_at]


def test_table_and_picture_are_saved_beside_the_counts(noted, tmp_path):
    written = {path.name for path in save_simulation(noted, tmp_path / "noted")}
    plain = save_simulation(sa.simulate(POLICY, INSTANCE, runs=40), tmp_path / "plain")
    added = written - {path.name for path in plain}
    assert {"over_time.csv", "over_time.png", "over_time.svg"} <= added
    once = save_simulation(sa.simulate(POLICY, INSTANCE, runs=1, at=3), tmp_path / "once")
    assert "over_time.csv" in {path.name for path in once}  # one run has no picture, but it has a table


def test_what_cannot_be_drawn_says_why():
    with pytest.raises(InvalidInput, match=r"of MOSS noted none. Say simulate\(…, at=50\)"):
        sa.simulate(POLICY, INSTANCE, runs=5).plot_over_time()
    with pytest.raises(InvalidInput, match=r"runs must be at least 2; got 1. A spread needs two runs"):
        sa.simulate(POLICY, INSTANCE, runs=1, at=5).plot_over_time()
    with pytest.raises(InvalidInput, match="at least one simulation"):
        sa.plot_over_time([])
    with pytest.raises(InvalidType, match="simulation must be a steadyarm Simulation"):
        sa.plot_over_time(["MOSS"])
