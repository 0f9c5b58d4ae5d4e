"""What is predicted of designs before they are simulated."""

import pytest

import steadyarm as sa
from steadyarm.planning.baseline.predicted import predicted


@pytest.fixture(scope="module")
def plan():
    return sa.plan(n_arms=3, horizon=3000, baseline=0.3, smallest_difference=0.1, runs=40, progress=False)


def test_equal_shares_are_known_and_thompson_sampling_is_not(plan):
    found = {design.name: predicted(plan.situation, design.policy) for design in plan.designs}
    equal = found["equal shares"]
    widest = plan.reward_class.widest_gap
    assert equal.lost_at_worst == pytest.approx(widest * 3000 * 2 / 3)
    assert equal.spread_at_worst < 1.0
    assert found["Thompson sampling"] is None


def test_the_least_is_that_of_the_predicted_spread_and_nobody_is_predicted_to_beat_it_by_far(plan):
    for design in plan.designs:
        found = predicted(plan.situation, design.policy)
        if found is not None:
            assert found.least_at_worst == plan.limit.least_regret(found.spread_at_worst)
            assert found.least_at_worst <= 1.05 * found.lost_at_worst


def test_a_spread_of_ones_own_is_measured_as_the_designs_of_the_table_are(plan):
    steady = plan.measured[2]
    assert steady.design.name.startswith("Steady")
    assert plan.measured_at(steady.design.policy.spread).to_dict() == steady.to_dict()


def test_each_design_is_told_when_it_is_measured():
    told = []
    known = {"n_arms": 2, "horizon": 300, "baseline": 0.4, "smallest_difference": 0.15}
    plan = sa.plan(**known, runs=20, progress=False)
    from dataclasses import replace

    found = replace(plan, told=told.append)
    assert tuple(told) == ()
    assert tuple(told) != found.measured == tuple(told)


@pytest.mark.parametrize("spread", [0.0, -1.0, 1501.0, "wide", float("nan")])
def test_a_spread_that_cannot_be_is_refused(plan, spread):
    with pytest.raises(sa.SteadyarmError, match="spread must be"):
        plan.measured_at(spread)
