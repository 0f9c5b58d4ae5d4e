"""Policies with an envelope: two sequences of indices cut at a common level."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.exact.test_law import COINS, ends_of, enumerated, made

import steadyarm as sa
from steadyarm.engines.exact.cut import cut_weights


@settings(max_examples=15, deadline=None)
@given(
    width=st.floats(0.05, 4.0),
    alpha=st.floats(0.01, 3.0),
    horizon=st.integers(3, 7),
    clip=st.floats(0.02, 2.0),
)
def test_it_is_that_law_for_every_envelope(width, alpha, horizon, clip):
    policy = sa.SLEUCB(n_arms=2, horizon=horizon, mean_bound=clip, noise_scale=0.01, beta=width, alpha=alpha)
    assert ends_of(sa.exact(policy, COINS, outside_class=True)) == pytest.approx(
        enumerated(policy), abs=1e-12
    )


@pytest.mark.parametrize("horizon", [3, 12])
def test_all_sequences_are_counted_once_and_the_arms_are_alike(horizon):
    weights = cut_weights(made("SLEUCB", horizon=horizon, beta=0.5, alpha=0.2))
    assert sum(weight.sum() for weight in weights) == pytest.approx(2.0**horizon, rel=1e-12)
    for n in range(horizon + 1):
        assert weights[n] == pytest.approx(weights[horizon - n].T)
