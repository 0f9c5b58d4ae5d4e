"""Successive elimination: when an arm is dropped."""

import math

from tests.policies.formulas import SIGMA

import steadyarm as sa


def test_successive_elimination_drops_an_arm_when_the_bounds_part_and_only_after_a_full_turn():
    delta = 0.1
    policy = sa.SuccessiveElimination(n_arms=3, horizon=200, noise_scale=SIGMA, delta=delta)
    play = policy.start(priority=[0, 1, 2])
    means = {0: 0.0, 1: 1.0, 2: 0.8}
    arms = []
    for _ in range(200):
        arms.append(play.ask())
        play.tell(arms[-1], means[arms[-1]])

    def last_turn(gap):
        """The first n at which twice the width is below the gap."""
        return next(n for n in range(1, 999) if 2 * SIGMA * math.sqrt(2 * math.log(1 / delta) / n) < gap)

    assert play.counts[0] == last_turn(1.0)
    assert arms[: 3 * play.counts[0]] == [0, 1, 2] * play.counts[0]
    rest = arms[3 * play.counts[0] :]
    assert play.counts[2] == min(last_turn(0.2), play.counts[0] + len(rest) // 2)
    assert rest[:4] == [1, 2, 1, 2]


def test_successive_elimination_ends_with_one_arm():
    play = sa.SuccessiveElimination(n_arms=3, horizon=100).start(priority=[0, 1, 2])
    arms = []
    for _ in range(100):
        arms.append(play.ask())
        play.tell(arms[-1], 50.0 * arms[-1])
    assert arms == [0, 1, 2] + [2] * 97
