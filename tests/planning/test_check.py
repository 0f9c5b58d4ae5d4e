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
    assert (measured.name, measured.regret) == (check.words, check.regret.value)
    assert check.words == "measured, 100 runs with Gaussian rewards, 95% intervals"
    assert plan.rows()[1].kind != "measured"
    with pytest.raises(InvalidInput, match="runs must be at least 6; got 5"):
        plan.check(runs=5)


def test_the_progress_of_a_check_goes_on_over_both_instances_and_one_is_played_once():
    plan, shares = sa.plan(n_arms=3, horizon=2000, max_sd=100), []
    assert plan.costliest != plan.unsteadiest
    plan.check(runs=20, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


def test_a_plan_for_coins_is_checked_on_coins():
    plan = sa.plan(n_arms=3, horizon=20_000, rewards="bernoulli", max_sd_share=0.01)
    assert plan.costliest.rewards == plan.unsteadiest.rewards == "bernoulli"
    measured = sa.simulate(plan.policy, plan.unsteadiest, runs=1000, seed=1).instability
    assert measured.low <= 200 <= 1.05 * measured.high
