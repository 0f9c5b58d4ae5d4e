"""A plan checked by simulation."""

import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput


def test_a_plan_is_checked_on_both_of_its_worst_instances():
    plan = sa.plan(n_arms=3, horizon=20_000, max_sd=400)
    check = plan.check(runs=100, seed=3)
    assert check.regret == sa.simulate(plan.policy, plan.costliest, runs=100, seed=3).regret
    assert check.instability == sa.simulate(plan.policy, plan.unsteadiest, runs=100, seed=3).instability
    measured = plan.rows(check)[1]
    assert (measured.name, measured.regret) == ("measured, 100 runs", check.regret.value)
    assert plan.rows()[1].kind != "measured"
    with pytest.raises(InvalidInput, match="runs must be at least 6; got 5"):
        plan.check(runs=5)


def test_a_plan_for_coins_is_checked_on_coins():
    plan = sa.plan(n_arms=3, horizon=20_000, rewards="bernoulli", max_sd_share=0.01)
    assert plan.costliest.rewards == plan.unsteadiest.rewards == "bernoulli"
    measured = sa.simulate(plan.policy, plan.unsteadiest, runs=1000, seed=1).instability
    assert measured.low <= 200 <= 1.05 * measured.high
