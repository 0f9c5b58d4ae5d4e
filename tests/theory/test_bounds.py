"""Theorems 1 and 2 with the paper's constants, written out once more."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType

theory = sa.theory

policies = st.builds(
    sa.SLEUCB,
    n_arms=st.integers(2, 1000),
    horizon=st.integers(1001, 10**12),
    mean_bound=st.floats(0.01, 100),
    noise_scale=st.floats(0.01, 100),
    alpha=st.floats(0.01, 1e6),
)


@given(policies)
def test_theorem_2_with_the_papers_constants(policy):
    K, T, M, sigma, alpha = (
        policy.n_arms,
        policy.horizon,
        policy.mean_bound,
        policy.noise_scale,
        policy.alpha,
    )
    iota = math.sqrt(math.log(K * T))
    beta = 8 * (M + 4 * sigma * iota) * iota
    regret = min(2 * M * T, (5 + alpha * math.log(2 * K)) * beta * math.sqrt(K * T))
    instability = 2 * math.sqrt(T) + 18 * math.sqrt(2) * sigma * T / (alpha * beta * math.sqrt(K))
    product = 4 * M * T**1.5 + 18 * math.sqrt(2) * sigma * (5 / alpha + math.log(2 * K)) * T**1.5
    assert theory.regret_bound(policy) == pytest.approx(regret, rel=1e-12)
    assert theory.instability_bound(policy) == pytest.approx(instability, rel=1e-12)
    assert theory.product_bound(policy) == pytest.approx(product, rel=1e-12)
    assert theory.product_bound(policy) >= regret * instability * (1 - 1e-12)


@given(policies)
def test_theorem_2_with_sharp_constants(policy):
    policy = policy.replace(constants="sharp")
    K, T, M, sigma, alpha = (
        policy.n_arms,
        policy.horizon,
        policy.mean_bound,
        policy.noise_scale,
        policy.alpha,
    )
    beta = 8 * sigma * math.sqrt(math.log(K * T))
    tunable = (
        (1.5 + alpha * math.log(2 * K)) * beta * math.sqrt(K * T) + 2 * M * K + 4 * M * T * (K * T) ** -7
    )
    instability = 2 * math.sqrt(T) + 18 * math.sqrt(2) * sigma * T / (alpha * beta * math.sqrt(K))
    assert theory.regret_bound(policy) == pytest.approx(min(2 * M * T, tunable), rel=1e-12)
    assert theory.instability_bound(policy) == pytest.approx(instability, rel=1e-12)


@given(
    horizon=st.floats(100, 1e15),
    mean_bound=st.floats(0.01, 100),
    noise_scale=st.floats(0.01, 100),
    n_arms=st.integers(2, 99),
)
def test_theorem_1_and_the_minimax_bound(horizon, mean_bound, noise_scale, n_arms):
    c = min(1 / 8, mean_bound / (4 * noise_scale))
    product = 3 * math.exp(-0.25) * noise_scale * c / (256 * (1 + math.sqrt(2) * c)) * horizon**1.5
    assert theory.product_lower_bound(horizon, mean_bound, noise_scale) == pytest.approx(product, rel=1e-12)
    minimax = min(noise_scale / 8, mean_bound / 4) * math.sqrt(n_arms * horizon)
    assert theory.minimax_regret_lower_bound(n_arms, horizon, mean_bound, noise_scale) == pytest.approx(
        minimax
    )
    regret = minimax * 3
    least = (
        3
        * math.exp(-0.25)
        / (256 * math.sqrt(2))
        * horizon
        / (1 + regret / (noise_scale * math.sqrt(horizon)))
    )
    assert theory.instability_lower_bound(regret, horizon, noise_scale) == pytest.approx(least, rel=1e-12)
    assert theory.product_bound(
        sa.SLEUCB(
            n_arms=n_arms,
            horizon=max(n_arms + 1, int(horizon)),
            mean_bound=mean_bound,
            noise_scale=noise_scale,
        )
    ) > theory.product_lower_bound(max(n_arms + 1, int(horizon)), mean_bound, noise_scale)


def test_theorem_2_does_not_speak_of_a_beta_by_hand():
    policy = sa.SLEUCB(n_arms=2, horizon=10**9, beta=1.0)
    assert theory.regret_bound(policy) == 2 * 10**9
    assert theory.instability_bound(policy) == (10**9 - 2) / 2
    assert theory.product_bound(policy) == 10**9 * (10**9 - 2)


def test_bad_arguments_are_refused():
    with pytest.raises(InvalidType, match="policy must be a steadyarm Policy"):
        theory.regret_bound("SLEUCB")
    with pytest.raises(InvalidInput, match="horizon must be above"):
        theory.product_lower_bound(0)
    with pytest.raises(InvalidInput, match="mean_bound must be positive"):
        theory.product_lower_bound(100, mean_bound=-1)
    with pytest.raises(InvalidInput, match="regret must be at least"):
        theory.instability_lower_bound(-1.0, 100)
    with pytest.raises(InvalidInput, match="n_arms must be at least 2"):
        theory.minimax_regret_lower_bound(1, 100)
    with pytest.raises(InvalidInput, match=r"horizon must be above 5\.0; got 5\.0"):
        theory.minimax_regret_lower_bound(5, 5)
