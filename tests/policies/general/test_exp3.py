"""Exp3: with which chances it chooses."""

import numpy as np
import pytest
from tests.policies.laws import Z, first_choices, frequency_score

import steadyarm as sa
from steadyarm.policies.general.exp3 import fill_weights


def test_exp3_chooses_in_proportion_to_exponential_weights():
    policy = sa.Exp3(n_arms=3, horizon=100)
    log_weights = np.array([-700.0, -701.0, -699.5])
    expected = np.exp(log_weights + 700) / np.exp(log_weights + 700).sum()
    chosen = first_choices(policy, log_weights.tolist(), 10)
    assert frequency_score(chosen, expected) < Z
    assert frequency_score(chosen, np.array([0.3, 0.2, 0.5])) > Z


def test_weights_of_exp3_are_exponentials_and_zero_where_no_draw_would_find_them():
    state = np.array([[-3.0, 5.0], [-1.0, -700.0], [-2.5, 4.0]])
    weights = np.empty((3, 2))
    fill_weights(state.ravel(), weights)
    assert weights == pytest.approx(np.exp(state - state.max(axis=0)), rel=1e-15)
    assert weights[1, 1] == 0.0
