"""Theorem R against every reward path of short games; without any one of its terms it would be wrong."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import lambertw
from tests.theory.guarantees.enumeration import every_path, two_arms

import steadyarm as sa
from steadyarm.theory.guarantees import regret
from steadyarm.theory.guarantees.parameters import Parameters, parameters_of
from steadyarm.theory.guarantees.regret import theorem_r


def sharp(n_arms, horizon, beta, alpha, mean_bound=1.0):
    return sa.SLEUCB(
        n_arms=n_arms, horizon=horizon, beta=beta, alpha=alpha, mean_bound=mean_bound, constants="sharp"
    )


def exact_over_bound(policy, gap, widest_gap=2.0):
    return two_arms(policy, gap)[0] / theorem_r(parameters_of(policy), widest_gap)


@pytest.mark.parametrize("horizon", [3, 4, 9, 20])
@pytest.mark.parametrize("beta", [0.05, 0.5, 2.0, 8.0])
@pytest.mark.parametrize("alpha", [0.01, 0.5, 3.0])
def test_no_short_game_of_two_arms_loses_more(horizon, beta, alpha):
    policy = sharp(2, horizon, beta, alpha)
    assert max(exact_over_bound(policy, gap) for gap in (0.1, 0.7, 2.0)) <= 1.0


def test_no_short_game_of_three_arms_loses_more():
    for beta, means in ((0.3, (0.5, 0.5, -1.0)), (2.0, (1.0, -1.0, -1.0)), (0.05, (0.3, 0.0, -0.3))):
        policy = sharp(3, 5, beta, 0.5)
        assert every_path(policy, means)[0] <= theorem_r(parameters_of(policy), 2.0)


def test_both_ways_of_counting_paths_agree():
    policy = sharp(2, 6, 0.7, 0.3)
    assert two_arms(policy, 0.4) == pytest.approx(every_path(policy, (0.2, -0.2)))


def test_without_the_shortfall_of_the_best_arm_it_would_be_wrong(monkeypatch):
    policy = sharp(2, 34, 0.05, 0.01)
    assert exact_over_bound(policy, 0.7) <= 1.0
    monkeypatch.setattr(regret, "_shortfall", lambda width: 0.0 * width)
    assert exact_over_bound(policy, 0.7) > 1.0


@pytest.mark.parametrize(("beta", "alpha", "dropped"), [(16.0, 0.01, "beta"), (1.0, 40.0, "lam")])
def test_without_the_cost_of_width_or_stabilizer_it_would_be_wrong(monkeypatch, beta, alpha, dropped):
    policy, whole = sharp(2, 20, beta, alpha), regret._steady_loss
    assert exact_over_bound(policy, 2.0) <= 1.0
    monkeypatch.setattr(regret, "_steady_loss", lambda found: whole(found._replace(**{dropped: 1e-9})))
    assert exact_over_bound(policy, 2.0) > 1.0


def test_without_the_first_pulls_it_would_be_wrong():
    policy = sharp(2, 20, 1.0, 0.1, mean_bound=50.0)
    assert exact_over_bound(policy, 100.0, widest_gap=100.0) <= 1.0
    assert exact_over_bound(policy, 100.0, widest_gap=0.0) > 1.0


parameters = st.builds(
    Parameters,
    n_arms=st.integers(2, 1000),
    horizon=st.floats(1001, 1e15),
    beta=st.floats(1e-3, 1e6),
    lam=st.floats(1e-6, 1e6),
    noise=st.floats(1e-2, 1e2),
    bias=st.just(0.0),
)


@given(parameters)
def test_it_is_never_above_the_closed_form(found):
    arms, rounds, beta, lam, noise, _ = found
    others, most, width = arms - 1.0, found.most_pulls, beta / noise
    shortfall = noise * (0.5 * math.exp(0.5 - 0.5 * width**2) if width >= 1.0 else 0.5 / width)
    first = others * (2.0 + noise * math.sqrt(2.0 * math.log((rounds - 1.0) / others)))
    steady = beta * math.sqrt(others * most) + lam * most * float(lambertw(others / math.e).real)
    assert theorem_r(found, 2.0) <= (first + most * shortfall + steady) * (1.0 + 1e-9)


@given(parameters)
def test_the_maximum_is_one(found):
    x = np.concatenate([np.linspace(1e-6, 1.0, 2000, endpoint=False), 1.0 - np.geomspace(1e-9, 0.1, 500)])
    x = x[x <= 1.0 - 1.0 / found.most_pulls]
    seen = regret._bracket(found, x).max(axis=1)
    cut = regret._steady_loss(found)
    assert (cut >= seen * (1.0 - 1e-12)).all()
    assert (cut <= seen * 1.01).all()


@given(parameters, st.floats(1.01, 10.0))
def test_more_rounds_cost_more(found, factor):
    bound = theorem_r(found, 2.0)
    assert theorem_r(found._replace(horizon=factor * found.horizon), 2.0) >= bound * (1.0 - 1e-6)
