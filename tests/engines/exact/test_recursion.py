"""Forward over the rounds: how many reward sequences lead to each end."""

from itertools import product
from math import comb

import numpy as np
import pytest
from tests.engines.exact.test_law import made

from steadyarm.engines.exact.recursion import recursion_weights


@pytest.mark.parametrize("name", ["UCB1", "MOSS", "EpsilonGreedy", "GaussianThompson"])
@pytest.mark.parametrize("horizon", [3, 8])
def test_all_reward_sequences_are_counted_once(name, horizon):
    weights = recursion_weights(made(name, horizon=horizon))
    assert [weight.shape for weight in weights] == [(n + 1, horizon - n + 1) for n in range(horizon + 1)]
    assert sum(weight.sum() for weight in weights) == pytest.approx(2.0**horizon, rel=1e-12)
    assert all((weight >= 0.0).all() for weight in weights)


def test_taking_turns_leads_to_binomial_numbers_of_sequences():
    weights = recursion_weights(made("RoundRobin", horizon=10))
    assert [n for n in range(11) if weights[n].any()] == [5]
    assert weights[5].tolist() == [[comb(5, s) * comb(5, r) for r in range(6)] for s in range(6)]


def test_the_ends_are_those_of_plays_in_which_arm_0_wins_ties():
    policy = made("UCB1", horizon=7)
    expected = [np.zeros((n + 1, 8 - n)) for n in range(8)]
    for rewards in product((0, 1), repeat=7):
        play, successes = policy.start(priority=[0, 1]), [0, 0]
        for reward in rewards:
            arm = play.ask()
            play.tell(arm, float(reward))
            successes[arm] += reward
        expected[play.counts[0]][tuple(successes)] += 1
    for found, known in zip(recursion_weights(policy), expected, strict=True):
        assert found == pytest.approx(known, abs=1e-12)
