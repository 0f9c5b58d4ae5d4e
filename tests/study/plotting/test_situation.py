"""The picture of a plan from a baseline."""

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
