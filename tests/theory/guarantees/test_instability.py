"""Theorems B and C′ against every reward path of short games; without any one of their terms they would be wrong."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.theory.guarantees.enumeration import every_path, two_arms

import steadyarm as sa
from steadyarm.theory.guarantees import cells, instability
from steadyarm.theory.guarantees.cells import theorem_e
from steadyarm.theory.guarantees.instability import theorem_b, theorem_c
from steadyarm.theory.guarantees.parameters import Parameters, parameters_of

parameters = st.builds(
    Parameters,
    n_arms=st.integers(2, 1000),
    horizon=st.floats(1001, 1e15),
    beta=st.floats(1e-3, 1e6),
    lam=st.floats(1e-6, 1e6),
    noise=st.floats(1e-2, 1e2),
    bias=st.just(0.0),
)
THEOREMS = [theorem_b, theorem_c, theorem_e]


def sharp(n_arms, horizon, beta, alpha):
    return sa.SLEUCB(n_arms=n_arms, horizon=horizon, beta=beta, alpha=alpha, constants="sharp")


@pytest.mark.parametrize("theorem", THEOREMS)
@pytest.mark.parametrize("beta", [0.5, 4.0, 8.0, 16.0])
@pytest.mark.parametrize("alpha", [0.05, 0.3, 3.0])
def test_no_short_game_of_two_arms_spreads_more(theorem, beta, alpha):
    for horizon in (3, 4, 20):
        policy = sharp(2, horizon, beta, alpha)
        bound = theorem(parameters_of(policy))
        assert max(two_arms(policy, gap)[1] for gap in (0.0, 0.3, 1.0)) <= bound * (1.0 + 1e-12)


@pytest.mark.parametrize("theorem", THEOREMS)
def test_no_short_game_of_three_arms_spreads_more(theorem):
    for beta, alpha, means in ((0.3, 0.5, (0.5, 0.5, -1.0)), (30.0, 0.3, (0.0, 0.0, 0.0))):
        policy = sharp(3, 5, beta, alpha)
        assert every_path(policy, means)[1] <= theorem(parameters_of(policy)) * (1.0 + 1e-12)


def measured(policy):
    """The spread between equal arms, in 300 runs, with its interval's lower end."""
    return sa.simulate(policy, sa.equal_arms(policy.n_arms), runs=300, seed=3).instability.low


def test_without_the_envelope_that_falls_too_low_they_would_be_wrong(monkeypatch):
    policy = sharp(2, 10**6, 0.3, 600.0)  # a width so narrow that a bad start is never forgotten
    found, spread = parameters_of(policy), measured(policy)
    assert spread <= min(theorem(found) for theorem in THEOREMS)
    monkeypatch.setattr(instability, "exceeded", lambda level, _sums: 0.0 * level)
    monkeypatch.setattr(instability, "_rare", lambda level, _rounds: 0.0 * level)
    monkeypatch.setattr(cells, "_rare", lambda level, last: 0.0 * level[:, None] * last)
    for theorem in (theorem_b, theorem_c, theorem_e.__wrapped__):
        assert spread > theorem(found)


@pytest.mark.parametrize("theorem", THEOREMS)
def test_without_the_pull_of_the_stabilizer_they_would_be_wrong(theorem):
    policy = sharp(2, 20_000, 12.0, 0.1)
    found = parameters_of(policy)
    assert measured(policy) <= theorem(found)
    assert measured(policy) > theorem(found._replace(lam=1e3 * found.lam, beta=1e3 * found.beta))


@given(parameters)
def test_they_are_capped_at_what_can_happen_and_never_below_a_half(found):
    for theorem in (theorem_b, theorem_c):
        assert 0.5 <= theorem(found) <= found.most_instability


@given(parameters, st.floats(1.01, 10.0))
def test_a_stronger_stabilizer_is_steadier(found, factor):
    for theorem in (theorem_b, theorem_c):
        assert theorem(found._replace(lam=factor * found.lam)) <= theorem(found)


def test_a_wide_band_leaves_the_leading_term_only():
    """S ≲ c·σT/(αβ√K) with c = max(√(8/27), 1 − 1/K), where the paper has 18√2."""
    for n_arms, c in ((2, math.sqrt(8 / 27)), (10, 0.9)):
        policy = sa.SLEUCB(n_arms=n_arms, horizon=10**14, beta=1000.0, alpha=10.0, constants="sharp")
        leading = 10**14 / (policy.alpha * policy.beta * math.sqrt(n_arms))
        assert theorem_c(parameters_of(policy)) / leading == pytest.approx(c, rel=0.02)


def test_a_single_reward_beyond_the_first_pulls_has_a_chance_to_exceed():
    assert instability.exceeded(np.array([2.0]), 1.0)[0] == pytest.approx(math.exp(-2.0))
