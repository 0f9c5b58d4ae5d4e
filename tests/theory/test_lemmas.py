"""The lemmas with the paper's constants, and how they add up to the theorems."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.theory import lemmas

policies = st.builds(
    sa.SLEUCB,
    n_arms=st.integers(2, 1000),
    horizon=st.integers(1001, 10**12),
    mean_bound=st.floats(0.01, 100),
    noise_scale=st.floats(0.01, 100),
    alpha=st.floats(0.01, 1e6),
)


@given(policies)
def test_the_two_terms_of_the_regret_add_up_to_less_than_theorem_2(policy):
    total = lemmas.good_event_regret_bound(policy) + lemmas.bad_event_regret_bound(policy)
    tunable = (5 + policy.alpha * math.log(2 * policy.n_arms)) * policy.beta
    assert total <= tunable * math.sqrt(policy.n_arms * policy.horizon)


@given(policies)
def test_the_variances_add_up_to_theorem_2(policy):
    both = lemmas.PRIORITY_VARIANCE_BOUND + lemmas.conditional_variance_bound(policy)
    assert both <= lemmas.variance_bound(policy)
    root = math.sqrt(lemmas.variance_bound(policy))
    assert root == pytest.approx(sa.theory.instability_bound(policy), rel=1e-9)


@given(policies)
def test_the_squared_changes_of_all_rewards_add_up_to_twice_the_conditional_variance(policy):
    one = lemmas.squared_change_bound(policy, 1.0) * policy.horizon  # Σ P(m ≤ N_a) = T
    assert one / 2 <= lemmas.conditional_variance_bound(policy)


@given(policies)
def test_hoeffdings_union_at_the_algorithms_beta_is_the_lemma(policy):
    union = lemmas.union_failure_bound(policy.n_arms, policy.horizon, policy.clip, policy.beta)
    assert union == pytest.approx(lemmas.concentration_failure_bound(policy.n_arms, policy.horizon), rel=1e-9)


@given(policies, st.sampled_from(["paper", "sharp"]))
def test_the_tuning_range_ends_where_the_regret_bound_becomes_trivial(policy, constants):
    policy = policy.replace(constants=constants)
    largest = lemmas.tuning_range(policy)
    if largest > 1e-3:
        trivial = 2 * policy.mean_bound * policy.horizon
        assert sa.theory.regret_bound(policy.replace(alpha=largest * 0.99)) < trivial
        assert sa.theory.regret_bound(policy.replace(alpha=largest * 1.01)) == trivial


@given(policies)
def test_inside_the_range_both_bounds_are_below_their_simplified_forms(policy):
    largest = lemmas.tuning_range(policy)
    if largest >= 1.0:
        regret, instability = lemmas.simplified_constants(policy.mean_bound, policy.noise_scale)
        for alpha in np.geomspace(1.0, largest, 5):
            tuned = policy.replace(alpha=float(alpha))
            size = (policy.n_arms, policy.horizon, tuned.alpha)
            assert sa.theory.regret_bound(tuned) <= regret * lemmas.simplified_regret(*size) * (1 + 1e-9)
            spread = instability * lemmas.simplified_instability(*size)
            assert sa.theory.instability_bound(tuned) <= spread * (1 + 1e-9)


def test_a_beta_by_hand_has_no_tuning_range():
    with pytest.raises(NotSupported, match="a beta by hand has no regret bound"):
        lemmas.tuning_range(sa.SLEUCB(n_arms=2, horizon=100, beta=1.0))


@given(
    regret=st.floats(0.1, 1e6),
    horizon=st.integers(100, 10**9),
    noise_scale=st.floats(0.1, 10.0),
)
def test_the_product_form_is_regret_times_the_finite_time_bound(regret, horizon, noise_scale):
    bound = sa.theory.instability_lower_bound(regret, horizon, noise_scale)
    product = lemmas.product_at_regret_lower_bound(regret, horizon, noise_scale)
    assert product == pytest.approx(regret * bound, rel=1e-9)


def test_at_the_minimax_regret_of_two_arms_the_product_form_is_theorem_1():
    for mean_bound, noise in ((1.0, 1.0), (0.1, 2.0)):
        regret = sa.theory.minimax_regret_lower_bound(2, 10_000, mean_bound, noise)
        product = lemmas.product_at_regret_lower_bound(regret, 10_000, noise)
        theorem = sa.theory.product_lower_bound(10_000, mean_bound, noise)
        assert product == pytest.approx(theorem, rel=1e-12)


def test_the_chain_of_the_lower_bound():
    assert lemmas.chain_end(250.0, 2000) == 1.0
    assert lemmas.history_divergence(900.0, lemmas.chain_step(900.0, 0.5), 0.5) == pytest.approx(0.5)
    assert lemmas.chain_steps_bound(100.0, 10_000, 0.5) == 17.0
    fall = lemmas.chain_fall_bound(2000)
    forced = 3 * math.exp(-0.25) * 2000 / (32 * math.sqrt(2) * 17.0)
    assert sa.theory.bounds.forced_instability(fall / 17.0) == pytest.approx(forced)


def test_the_minimax_gap_gives_the_minimax_regret():
    for n_arms, mean_bound, noise in ((2, 1.0, 1.0), (10, 0.1, 1.0)):
        gap = lemmas.minimax_gap(n_arms, 10_000, mean_bound, noise)
        assert gap <= mean_bound
        least = sa.theory.minimax_regret_lower_bound(n_arms, 10_000, mean_bound, noise)
        assert least == pytest.approx(gap / 4 * 10_000)
