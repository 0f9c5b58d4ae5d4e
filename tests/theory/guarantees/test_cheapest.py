"""The cheapest guaranteed plan: it meets its goal, and nothing near it does so for less."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from steadyarm.errors import InvalidInput
from steadyarm.policies import SLEUCB
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
    assert cents.beta == pytest.approx(100.0 * ours.beta, rel=1e-3)
    assert cents.alpha == pytest.approx(ours.alpha, rel=1e-3)


def promises(size, betas, lambdas):
    """Return the guarantees in closed form on a grid of β and λ, in σι and on a scale from next to nothing to σ."""
    plain = SLEUCB(**size, constants="sharp")
    unit = plain.noise_scale * math.sqrt(plain.n_arms / plain.horizon)
    for beta in plain.noise_scale * plain.iota * betas:
        for lam in unit * (100.0 * plain.noise_scale / unit) ** lambdas:
            policy = plain.replace(beta=beta, alpha=lam / (beta * math.sqrt(plain.n_arms / plain.horizon)))
            yield guarantee(policy, quick=True)


@given(
    n_arms=st.sampled_from([2, 3, 10, 100]),
    rounds=st.floats(1.5, 1e9),
    noise_scale=st.sampled_from([1e-3, 0.1, 1.0]),
    place=st.floats(0.0, 1.0),
)
@settings(max_examples=3)
@example(n_arms=10, rounds=10.0, noise_scale=1.0, place=0.0)
@example(n_arms=2, rounds=5e11, noise_scale=1e-3, place=0.9)
@example(n_arms=2, rounds=5e4, noise_scale=1.0, place=0.0)
@pytest.mark.slow
def test_nobody_on_a_grid_meets_the_goal_with_a_better_guarantee(n_arms, rounds, noise_scale, place):
    size = {"n_arms": n_arms, "horizon": max(n_arms + 1, round(n_arms * rounds)), "noise_scale": noise_scale}
    grid = list(promises(size, np.geomspace(0.3, 100.0, 9), np.linspace(0.0, 1.0, 9)))
    chosen = sorted(grid, key=lambda each: each.regret)[round(place * (len(grid) - 1))]
    steady = [each.regret for each in grid if each.instability <= chosen.instability]
    found = guarantee(cheapest_guarantee(**size, max_instability=chosen.instability))
    assert found.instability <= chosen.instability
    assert found.regret <= 1.001 * min(steady)
    cheap = [each.instability for each in grid if each.regret <= chosen.regret]
    found = guarantee(cheapest_guarantee(**size, max_regret=chosen.regret))
    assert found.regret <= chosen.regret
    assert found.instability <= 1.001 * min(cheap)


@pytest.mark.parametrize(
    ("n_arms", "horizon", "noise_scale", "goal", "beta", "lam"),
    [
        (2, 10**10, 1e-3, 20.0, 28.0, 3.1),  # Theorem C′ is the tighter one there
        (2, 10**12, 1.0, 1000.0, 1e8, 1e8),  # a λ of many σ
    ],
)
def test_a_spread_is_not_refused_where_a_policy_is_proved_to_keep_it(
    n_arms, horizon, noise_scale, goal, beta, lam
):
    size = {"n_arms": n_arms, "horizon": horizon, "noise_scale": noise_scale}
    known = guarantee(
        SLEUCB(**size, constants="sharp", beta=beta, alpha=lam / (beta * math.sqrt(n_arms / horizon)))
    )
    assert known.instability <= goal
    found = guarantee(cheapest_guarantee(**size, max_instability=goal))
    assert found.instability <= goal
    assert found.regret <= 1.001 * known.regret


@pytest.mark.parametrize(
    ("n_arms", "horizon", "beta", "alpha"), [(2, 10**5, 3.67, 0.272), (10, 10**4, 3.013, 0.05244)]
)
def test_a_regret_that_falls_with_the_stabilizer_before_it_rises_is_found(n_arms, horizon, beta, alpha):
    size = {"n_arms": n_arms, "horizon": horizon}
    known = SLEUCB(**size, constants="sharp", beta=beta, alpha=alpha)
    proved = guarantee(known, quick=True).regret
    for factor in (1e-3, 1e3):
        assert guarantee(known.replace(alpha=factor * alpha), quick=True).regret > 1.02 * proved
    assert guarantee(cheapest_guarantee(**size, max_regret=1.02 * proved)).regret <= 1.02 * proved
    assert guarantee(cheapest_guarantee(**size, max_instability=horizon)).regret <= proved


def test_what_always_holds_is_a_goal_that_everybody_meets():
    assert cheapest_guarantee(n_arms=2, horizon=4, max_instability=1.0) is not None
    cheapest = [
        guarantee(cheapest_guarantee(n_arms=10, horizon=100, max_instability=goal)) for goal in (45, 46)
    ]
    assert cheapest[0].regret == cheapest[1].regret < 110.0
    steadiest = guarantee(cheapest_guarantee(n_arms=10, horizon=100, max_regret=200.0))
    assert steadiest.instability <= 4.55


def test_a_goal_that_nothing_is_proved_to_reach_has_no_plan():
    assert cheapest_guarantee(n_arms=2, horizon=10**5, max_instability=1.0) is None
    assert cheapest_guarantee(n_arms=2, horizon=10**5, max_regret=50.0) is None


def test_a_goal_that_everything_reaches_costs_next_to_no_stabilizer():
    policy = cheapest_guarantee(n_arms=2, horizon=10**5, max_instability=10**5)
    assert policy.alpha < 0.5
    for alpha in (0.01, 1.0):
        assert guarantee(policy).regret < guarantee(policy.replace(alpha=alpha)).regret


def test_one_goal_is_given():
    for goals in ({}, {"max_instability": 1.0, "max_regret": 1.0}):
        with pytest.raises(InvalidInput, match="Give one goal, max_instability or max_regret"):
            cheapest_guarantee(n_arms=2, horizon=1000, **goals)
    with pytest.raises(InvalidInput, match="max_regret must be positive; got -1"):
        cheapest_guarantee(n_arms=2, horizon=1000, max_regret=-1.0)
