"""A policy that takes rewards for quieter than their range allows says for which ones it is set up."""

import pytest

import steadyarm as sa
from steadyarm.live.analysis.noise import noise_words
from steadyarm.planning.baseline.designs import designs_for
from steadyarm.planning.baseline.situation import describe

CLINIC = describe(n_arms=2, horizon=3000, baseline=0.2, smallest_difference=0.1, differences=(-0.05, 0.1))


@pytest.mark.parametrize("name", ["Steady, spread 300", "SLE-UCB, guaranteed"])
def test_designs_of_a_plan_are_set_up_for_the_rates_of_the_plan(name):
    policy = {design.name: design.policy for design in designs_for(CLINIC)}[name]
    words = noise_words(policy, "bernoulli", 0.5)
    assert words.startswith(
        "The policy is set up for rates of at most 0.3, or at least 0.7, as its noise_scale"
    )
    assert "sub-Gaussian" not in words


def test_rewards_between_two_ends_are_told_by_their_range():
    words = noise_words(sa.all_policies()["UCB"](n_arms=2, horizon=100, noise_scale=0.2), "bounded", 0.5)
    assert "half of which is 0.5: noise_scale is 0.2" in words
