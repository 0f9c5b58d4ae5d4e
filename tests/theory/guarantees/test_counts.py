"""Every arm gets as many pulls as Theorem N says, in expectation, and hardly a policy many more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.theory.guarantees.counts import least_count


def sharp(n_arms, horizon, alpha, beta=None):
    return sa.SLEUCB(n_arms=n_arms, horizon=horizon, constants="sharp", alpha=alpha, beta=beta)


@pytest.mark.parametrize(
    ("n_arms", "horizon", "alpha"), [(2, 10**5, 5.0), (2, 10**5, 20.0), (5, 10**6, 20.0), (3, 2000, 3.0)]
)
def test_no_arm_gets_less_with_arms_as_far_apart_as_the_class_allows(n_arms, horizon, alpha):
    policy = sharp(n_arms, horizon, alpha)
    farthest = sa.Instance.gaussian([1.0] + [-1.0] * (n_arms - 1))
    played = sa.simulate(policy, farthest, runs=100, seed=1).mean_counts.min()
    assert least_count(policy, 2.0) <= played
    if n_arms == 2:  # the control: half the gap promises what does not happen
        assert least_count(policy, 1.0) > played


@given(
    n_arms=st.integers(2, 50),
    rounds=st.integers(1, 10**9),
    alpha=st.floats(0.01, 100.0),
    beta=st.floats(0.1, 100.0),
    gap=st.floats(0.01, 2.0),
)
def test_it_lies_between_one_pull_and_the_fair_share_and_falls_with_the_gap(n_arms, rounds, alpha, beta, gap):
    policy = sharp(n_arms, n_arms + rounds, alpha, beta)
    least = least_count(policy, gap)
    assert 1.0 <= least <= max(1.0, policy.horizon / n_arms)
    assert least_count(policy, min(2.0, 1.5 * gap)) <= least
