"""What was declared of the rewards, and which rewards are taken."""

import math

import pytest

from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import requested, resolve


def setup(**configuration):
    return resolve(requested({"arms": ["a", "b"], "horizon": 100} | configuration))


@pytest.mark.parametrize(
    ("declared", "means", "rewards"),
    [
        ({"policy": "SLEUCB", "rewards": "bernoulli"}, (0.0, 1.0), (0.0, 1.0)),
        ({"policy": "SLEUCB", "rewards": "gaussian", "mean_bound": 3.0}, (-3.0, 3.0), (-math.inf, math.inf)),
        (
            {"policy": "SLEUCB", "rewards": "bounded", "low": -1, "high": 4, "mean_bound": 0.5},
            (-0.5, 0.5),
            (-1.0, 4.0),
        ),
        ({"policy": "UCB1", "rewards": "gaussian"}, (-math.inf, math.inf), (-math.inf, math.inf)),
        ({"policy": "UCB1", "rewards": "bounded", "low": 2, "high": 5}, (2.0, 5.0), (2.0, 5.0)),
    ],
)
def test_means_lie_within_mean_bound_or_without_one_wherever_rewards_can(declared, means, rewards):
    found = setup(**declared).reward_class.mean_range
    assert (found.low, found.high) == means
    assert (found.start, found.end) == rewards


def test_a_reward_that_the_declared_class_cannot_give_is_refused_with_a_remedy():
    gaussian = setup(rewards="gaussian", mean_bound=1.0, noise_scale=0.5)
    gaussian.check_possible(20.9)
    with pytest.raises(Problem, match=r"within ±21.*got 21.5.*larger mean_bound or noise_scale"):
        gaussian.check_possible(21.5)


def test_a_negative_zero_is_written_as_zero():
    assert math.copysign(1.0, setup(rewards="gaussian").check_reward(-0.0)) == 1.0
