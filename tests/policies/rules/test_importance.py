"""Draws in proportion to weights, and rewards weighted by the chance that their pulls had."""

import numpy as np
import pytest
from tests.policies.test_formulas import told

import steadyarm as sa
from steadyarm.policies.rules.importance import draw


def test_draws_come_in_proportion_to_the_weights():
    weights = np.array([0.0, 3.0, 1.0, 0.0, 4.0, 0.0])
    places, chances = np.empty(800, np.int64), np.empty(800)
    draw(np.repeat(weights[:, None], 800, axis=1), (np.arange(800) + 0.5) / 800, places, chances)
    assert np.bincount(places, minlength=6).tolist() == [0, 300, 100, 0, 400, 0]
    assert np.array_equal(chances, weights[places] / 8)


@pytest.mark.parametrize("name", ["Exp3", "TsallisINF"])
def test_a_loss_is_weighted_by_the_chance_its_pull_had_even_if_it_comes_late(name):
    policy = sa.all_policies()[name](n_arms=3, horizon=500)
    rate = -policy.eta if name == "Exp3" else 1.0
    play = policy.start(seed=1)
    asked = [play.ask() for _ in range(30)]  # nothing told yet, so every arm has its third
    state = np.reshape(play.to_dict()["state"], (3, 3))
    outstanding = np.bincount(asked, minlength=3)
    assert state[1] == pytest.approx(3.0 * outstanding)
    assert state[2].tolist() == outstanding.tolist()
    for arm in (0, 1, 2):
        play.tell(arm, 0.2 * arm)
    state = np.reshape(play.to_dict()["state"], (3, 3))
    assert state[0] == pytest.approx(rate * 3.0 * np.array([1.0, 0.8, 0.6]))

    asked += [play.ask() for _ in range(30)]  # now the chances differ
    mixed = np.reshape(play.to_dict()["state"], (3, 3))
    for arm in rest_of(asked):
        play.tell(arm, 0.5)
    final = np.reshape(play.to_dict()["state"], (3, 3))
    assert final[0] - mixed[0] == pytest.approx(rate * 0.5 * mixed[1])
    assert final[1:] == pytest.approx(0.0, abs=1e-9)


def rest_of(asked):
    """What was asked, less one pull of each arm."""
    left = sorted(asked)
    for arm in (0, 1, 2):
        left.remove(arm)
    return left


@pytest.mark.parametrize("name", ["Exp3", "TsallisINF"])
def test_rewards_that_come_at_once_leave_nothing_outstanding(name):
    play, _ = told(sa.all_policies()[name](n_arms=3, horizon=100), 50, seed=1)
    assert play.to_dict()["state"][3:] == [0.0] * 6
