"""The cheapest guaranteed plan: it meets its goal, and nothing near it does so for less."""

import pytest

from steadyarm.errors import InvalidInput
from steadyarm.theory import cheapest_guarantee, guarantee, least_regret


@pytest.mark.parametrize(
    ("n_arms", "horizon", "share", "regret"),
    [
        (2, 10**5, 0.01, 0.0750),
        pytest.param(4, 10**6, 0.02, 0.0421, marks=pytest.mark.slow),
        pytest.param(10, 10**6, 0.005, 0.2840, marks=pytest.mark.slow),
    ],
)
def test_it_is_as_cheap_as_known_and_dearer_than_the_least_possible(n_arms, horizon, share, regret):
    goal = share * horizon
    policy = cheapest_guarantee(n_arms=n_arms, horizon=horizon, max_instability=goal)
    found = guarantee(policy)
    assert 0.999 * goal <= found.instability <= goal
    assert found.regret <= regret * horizon
    assert found.regret >= least_regret(goal, n_arms=n_arms, horizon=horizon)
    for factor in (0.85, 1.15):
        near = policy.replace(beta=factor * policy.beta, alpha=policy.alpha / factor)
        assert guarantee(near).instability > goal or guarantee(near).regret >= 0.999 * found.regret


@pytest.mark.slow
def test_a_regret_and_its_spread_lead_to_each_other():
    policy = cheapest_guarantee(n_arms=3, horizon=10**6, max_regret=50_000.0)
    found = guarantee(policy)
    assert 0.999 * 50_000 <= found.regret <= 50_000
    back = guarantee(cheapest_guarantee(n_arms=3, horizon=10**6, max_instability=found.instability))
    assert back.regret == pytest.approx(found.regret, rel=0.01)


@pytest.mark.slow
def test_units_do_not_matter():
    ours = cheapest_guarantee(n_arms=2, horizon=10**5, max_instability=2000.0)
    cents = cheapest_guarantee(
        n_arms=2, horizon=10**5, mean_bound=100.0, noise_scale=100.0, max_instability=2000.0
    )
    assert cents.beta == pytest.approx(100.0 * ours.beta, rel=1e-6)
    assert cents.alpha == pytest.approx(ours.alpha, rel=1e-3)


def test_a_goal_that_nothing_is_proved_to_reach_has_no_plan():
    assert cheapest_guarantee(n_arms=2, horizon=10**5, max_instability=1.0) is None
    assert cheapest_guarantee(n_arms=2, horizon=10**5, max_regret=50.0) is None


def test_a_goal_that_everything_reaches_costs_no_stabilizer():
    policy = cheapest_guarantee(n_arms=2, horizon=10**5, max_instability=10**5)
    assert policy.alpha < 1e-3
    assert guarantee(policy).regret < guarantee(policy.replace(alpha=0.1)).regret


def test_one_goal_is_given():
    for goals in ({}, {"max_instability": 1.0, "max_regret": 1.0}):
        with pytest.raises(InvalidInput, match="Give one goal, max_instability or max_regret"):
            cheapest_guarantee(n_arms=2, horizon=1000, **goals)
    with pytest.raises(InvalidInput, match="max_regret must be positive; got -1"):
        cheapest_guarantee(n_arms=2, horizon=1000, max_regret=-1.0)
