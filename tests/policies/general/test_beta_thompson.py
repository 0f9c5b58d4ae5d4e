"""Thompson sampling of coins: its posterior, and rewards between nought and one."""

import math

import numpy as np
from scipy.stats import beta
from tests.policies.laws import KOLMOGOROV, Z, kolmogorov_statistic

import steadyarm as sa


def test_a_beta_posterior_counts_successes_and_failures():
    policy = sa.BetaThompson(n_arms=2, horizon=100)
    values = []
    for run in range(4000):
        state = policy.start(seed=5, run=run).to_dict()
        state |= {"counts": [6, 2], "observed": [6, 2], "totals": [4.0, 0.0], "state": [4.0, 0.0]}
        values.append(sa.play_from_dict(state).indices)
    values = np.array(values)
    assert kolmogorov_statistic(values[:, 0], beta(5, 3).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values[:, 1], beta(1, 3).cdf) < KOLMOGOROV
    assert kolmogorov_statistic(values[:, 0], beta(4, 2).cdf) > KOLMOGOROV


def test_a_reward_between_nought_and_one_is_a_success_with_that_probability():
    policy = sa.BetaThompson(n_arms=2, horizon=20_000)
    play = policy.start(seed=6)
    for _ in range(20_000):
        play.tell(play.ask(), 0.3)
    successes = sum(play.to_dict()["state"])
    error = math.sqrt(0.3 * 0.7 * 20_000)
    assert abs(successes - 6000) < Z * error
    assert abs(successes - 6500) > Z * error
    sure = policy.start(seed=6)
    for _ in range(200):
        arm = sure.ask()
        sure.tell(arm, float(arm))
    assert sure.to_dict()["state"] == [0.0, float(sure.counts[1])]
