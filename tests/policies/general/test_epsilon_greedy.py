"""ε-greedy: how often it explores."""

import math

from tests.policies.laws import Z

import steadyarm as sa


def test_epsilon_greedy_explores_a_share_of_the_rounds_and_is_greedy_otherwise():
    runs, rounds = 200, 100
    policy = sa.EpsilonGreedy(n_arms=4, horizon=4 + rounds, epsilon=0.2)
    others = 0
    for run in range(runs):
        play = policy.start(seed=1, run=run)
        for _ in range(policy.horizon):
            arm = play.ask()
            play.tell(arm, float(arm == 2))
        others += play.counts.sum() - play.counts[2] - 3
    expected = runs * rounds * 0.2 * 0.75
    error = math.sqrt(runs * rounds * 0.15 * 0.85)
    assert abs(others - expected) < Z * error
    assert abs(others - runs * rounds * 0.2) > Z * error
