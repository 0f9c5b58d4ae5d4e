"""What quotas cost in a plan: no simulation within them loses less."""

import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput


def test_no_run_within_quotas_loses_less_than_the_plan_says():
    shares = {"at_least": [0.25, 0.1, 0], "at_most": [1, 1, 0.6]}
    cost = sa.plan(n_arms=3, horizon=600, max_sd_share=0.1, **shares).quotas
    assert cost.elsewhere == (60, 150, 240)
    for best in range(3):
        means = [0.5 * (arm == best) for arm in range(3)]
        policy = sa.Quotas(sa.MOSS(n_arms=3, horizon=600, noise_scale=0.1), **shares)
        counts = sa.simulate(policy, sa.Instance.gaussian(means, noise_scale=0.1), runs=3, seed=1).counts
        lost = 0.5 * (600 - counts[:, best])
        assert cost.least_lost(best=best, gap=0.5) <= lost.min() <= cost.least_lost(best=best, gap=0.5) + 10


def test_a_plan_says_what_its_quotas_cost_and_that_its_numbers_are_without_them():
    plan = sa.plan(n_arms=2, horizon=1000, max_sd_share=0.1, at_least=[0.2, 0])
    assert plan.quotas.words in plan.notes
    assert "200 of 1,000 rounds elsewhere if arm 1 is the best" in plan.quotas.words
    assert plan.to_dict()["quotas"]["elsewhere"] == [0, 200]
    team = sa.plan(n_arms=2, horizon=1000, baseline=0.1, smallest_difference=0.02, runs=20, at_least=[0.2, 0])
    assert "At a difference of 0.02 that is 4. The table is without quotas." in team.notes[-1]
    assert sa.plan(n_arms=2, horizon=1000, max_sd_share=0.1).quotas is None


def test_quotas_that_cannot_be_are_refused_by_the_plan_too():
    with pytest.raises(InvalidInput, match="floors must add up to 1 at most"):
        sa.plan(n_arms=2, horizon=1000, max_sd_share=0.1, at_least=[0.7, 0.7])
    with pytest.raises(InvalidInput, match="a share for each of 2 arms"):
        sa.plan(n_arms=2, horizon=1000, max_sd_share=0.1, at_most=[0.7])
