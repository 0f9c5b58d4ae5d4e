"""MOSS: the original form is among its parameters."""

import math

import pytest
from tests.policies.formulas import K, T, log_plus
from tests.policies.test_formulas import told

import steadyarm as sa


def test_moss_at_half_the_noise_is_audibert_and_bubecks_on_rewards_between_zero_and_one():
    play, rewards = told(sa.MOSS(n_arms=K, horizon=T, noise_scale=0.5), 40)
    original = [
        math.fsum(seen) / len(seen) + math.sqrt(log_plus(T / (K * len(seen))) / len(seen)) for seen in rewards
    ]
    assert play.indices.tolist() == pytest.approx(original, rel=1e-12)
