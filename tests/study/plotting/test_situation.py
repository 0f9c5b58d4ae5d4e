"""The picture of a plan from a baseline."""

import itertools

import pytest

import steadyarm as sa


@pytest.mark.slow
def test_it_has_the_frontier_of_the_class_and_the_traffic_over_time():
    plan = sa.plan(n_arms=2, horizon=400, baseline=0.3, smallest_difference=0.1, per_day=100, runs=20, seed=3)
    frontier, traffic = sa.plot_plan(plan).axes
    assert frontier.get_xlabel() == "conversions lost on the worst arms of the range"
    drawn = {line.get_label() for line in traffic.get_lines()}
    assert drawn == set(plan.table["design"])
    assert traffic.get_xlabel() == "days"
    assert len(traffic.collections) == 1  # one band: that of the recommended design


@pytest.mark.slow
def test_long_counts_of_units_have_commas_and_room():
    plan = sa.plan(n_arms=2, horizon=200_000, baseline=0.3, smallest_difference=0.1, runs=20, seed=3)
    figure = sa.plot_plan(plan)
    figure.canvas.draw()
    labels = [label for label in figure.axes[1].get_xticklabels() if 0 <= label.get_position()[0] <= 200_000]
    assert "200,000" in [label.get_text() for label in labels]
    boxes = [label.get_window_extent() for label in labels]
    assert all(left.x1 + 10 < right.x0 for left, right in itertools.pairwise(boxes))
