"""Tsallis-INF: its probabilities, and that it goes by them."""

import math

import numpy as np
import pytest
from tests.policies.laws import Z, first_choices, frequency_score

import steadyarm as sa
from steadyarm.policies.general.tsallis_inf import fill_probabilities


@pytest.mark.parametrize("eta", [2.0, 0.1, 0.002])
@pytest.mark.parametrize("n_arms", [2, 5, 1000])
def test_tsallis_probabilities_add_up_to_one_and_solve_their_equation(n_arms, eta):
    rng = np.random.default_rng(n_arms)
    for spread in (0.0, 1.0, 1e3, 1e7):
        losses = 1e4 + spread * rng.random(n_arms)
        probabilities = np.empty(n_arms)
        fill_probabilities(losses, eta, probabilities.reshape(n_arms, 1))
        assert math.fsum(probabilities) == pytest.approx(1.0, abs=1e-12)
        x = losses - 2 / (eta * np.sqrt(probabilities))  # the same for all arms
        assert x == pytest.approx(np.full(n_arms, x[losses.argmin()]), rel=1e-9)
        assert (np.argsort(losses, kind="stable") == np.argsort(-probabilities, kind="stable")).all()


def test_tsallis_inf_chooses_with_its_probabilities_at_the_rounds_learning_rate():
    policy = sa.TsallisINF(n_arms=3, horizon=100)
    losses = np.array([4.0, 0.5, 2.0])
    expected, stale = np.empty(3), np.empty(3)
    fill_probabilities(losses, 2 / math.sqrt(26), expected.reshape(3, 1))
    fill_probabilities(losses, 2 / math.sqrt(10), stale.reshape(3, 1))
    chosen = first_choices(policy, losses.tolist(), 25)
    assert frequency_score(chosen, expected) < Z
    assert frequency_score(chosen, stale) > Z


@pytest.mark.parametrize("lanes", [1, 8, 16])
def test_lanes_that_arrive_at_different_steps_get_the_probabilities_of_one_lane_bit_for_bit(lanes):
    rng = np.random.default_rng(lanes)
    losses = rng.random((5, lanes)) * 10.0 ** rng.integers(-2, 6, lanes)
    together, alone = np.empty((5, lanes)), np.empty((5, 1))
    fill_probabilities(losses.ravel(), 0.1, together)
    for lane in range(lanes):
        fill_probabilities(losses[:, lane].copy(), 0.1, alone)
        assert np.array_equal(together[:, lane], alone[:, 0])
