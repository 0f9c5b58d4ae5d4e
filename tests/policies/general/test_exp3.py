"""Exp3: with which chances it chooses."""

import numpy as np
from tests.policies.laws import Z, first_choices, frequency_score

import steadyarm as sa


def test_exp3_chooses_in_proportion_to_exponential_weights():
    policy = sa.Exp3(n_arms=3, horizon=100)
    log_weights = np.array([-700.0, -701.0, -699.5])
    expected = np.exp(log_weights + 700) / np.exp(log_weights + 700).sum()
    chosen = first_choices(policy, log_weights.tolist(), 10)
    assert frequency_score(chosen, expected) < Z
    assert frequency_score(chosen, np.array([0.3, 0.2, 0.5])) > Z
