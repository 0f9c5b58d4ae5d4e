"""What else could be run: predicted worst cases of other policies, or none where a width is flat."""

import pytest

import steadyarm as sa
from steadyarm.planning.alternatives import ALTERNATIVES, alternatives
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases

GAUSSIAN = class_of("gaussian", noise_scale=2.0)


def test_they_are_the_worst_cases_of_the_policies_over_the_class():
    found = alternatives(3, 100_000, GAUSSIAN)
    assert tuple(each.policy for each in found) == ALTERNATIVES
    for each in found:
        policy = sa.all_policies()[each.policy](n_arms=3, horizon=100_000, noise_scale=2.0)
        assert each.title == policy.title
        if each.trusted:
            worst = worst_cases(policy.curves, 3, GAUSSIAN)
            assert (each.regret, each.instability) == (worst.regret.value, worst.deviation.value)


@pytest.mark.parametrize("horizon", [10_000, 10**7])
def test_a_flat_width_has_no_prediction(horizon):
    found = {each.policy: each for each in alternatives(3, horizon, GAUSSIAN)}
    assert not found["MOSS"].trusted
    assert (found["MOSS"].regret, found["MOSS"].instability) == (None, None)
    assert found["UCB"].trusted
