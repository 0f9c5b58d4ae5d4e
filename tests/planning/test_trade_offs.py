"""A curve surrounds its plan and lies beside what no policy can do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.planning.trade_offs import excluded_edge
from steadyarm.theory.limit import Limit


@settings(max_examples=10)
@given(alpha=st.floats(1e-3, 1e5))
def test_the_curve_surrounds_every_alpha_and_costs_more_along_it(alpha):
    plan = sa.plan(n_arms=3, horizon=10_000, alpha=alpha)
    assert plan.curve[0].setting <= alpha * (1 + 1e-9)
    assert plan.curve[-1].setting >= alpha * (1 - 1e-9)
    regrets = [point.regret for point in plan.curve]
    assert regrets == pytest.approx(sorted(regrets), rel=1e-4)  # as exact as the search for worst cases


@settings(max_examples=10)
@given(share=st.floats(1e-5, 0.1))
def test_the_curve_surrounds_every_spread_from_wide_to_narrow(share):
    plan = sa.plan(n_arms=3, horizon=10**7, max_sd_share=share)
    settings_along = [point.setting for point in plan.curve]
    assert settings_along[0] >= plan.setting * (1 - 1e-9)
    assert settings_along[-1] <= plan.setting * (1 + 1e-9)
    assert settings_along == sorted(settings_along, reverse=True)


@pytest.mark.parametrize("rewards", ["gaussian", "bernoulli"])
def test_no_policy_of_the_curve_lies_where_none_can(rewards):
    plan = sa.plan(n_arms=4, horizon=10**6, rewards=rewards, max_sd_share=0.01)
    for point in plan.curve:
        least = plan.limit.least_regret(point.instability)
        assert point.regret > 0.995 * least  # first order beside a theorem
        if point.guaranteed_regret is not None:
            assert point.guaranteed_regret > plan.limit.least_regret(point.guaranteed_instability)


def test_the_edge_ends_at_equal_shares():
    edge = excluded_edge(Limit(n_arms=4, horizon=10_000))
    assert edge[-1].regret == pytest.approx(2.0 * 10_000 * 0.75, rel=0.01)
    regrets = [point.regret for point in edge]
    assert regrets == sorted(regrets)
