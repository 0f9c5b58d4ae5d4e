"""UCB-f: its exploration function."""

import math

import steadyarm as sa


def test_ucb_f_takes_an_exploration_function_or_its_value():
    assert sa.UCBf(n_arms=2, horizon=400, f=math.sqrt) == sa.UCBf(n_arms=2, horizon=400, f=20.0)
