"""Plays by an index of an arm's own history: who comes first, and what late rewards do."""

import math

import numpy as np
import pytest
from tests.policies.own_history.test_sle_ucb import play_through

from steadyarm.policies import SLEUCB


def test_ties_go_to_the_smallest_rank():
    policy = SLEUCB(n_arms=3, horizon=6)
    table = np.zeros((3, 6))
    for priority in ([0, 1, 2], [2, 0, 1], [2, 3, 1]):
        chosen, _ = play_through(policy, table, priority)
        assert chosen == sorted(range(3), key=lambda arm: priority[arm])


def test_each_arm_is_pulled_once_first_in_order_of_priority():
    play = SLEUCB(n_arms=4, horizon=10).start(priority=[3, 1, 0, 2])
    first = []
    for _ in range(4):
        first.append(play.ask())
        play.tell(first[-1], 100.0)
    assert first == [2, 1, 3, 0]
    assert play.counts.tolist() == [1, 1, 1, 1]
    assert play.round == 4


def test_delayed_rewards_an_arm_without_one_comes_first_then_the_fewest_pulls():
    play = SLEUCB(n_arms=3, horizon=20).start(priority=[0, 1, 2])
    assert [play.ask() for _ in range(7)] == [0, 1, 2, 0, 1, 2, 0]
    play.tell(0, 1.0)
    assert [play.ask() for _ in range(2)] == [1, 2]
    assert play.counts.tolist() == [3, 3, 3]
    assert play.outstanding.tolist() == [2, 3, 3]
    assert play.indices[0] < math.inf
    assert play.indices[1] == math.inf


def test_outstanding_pulls_count_in_the_stabilizer_and_told_rewards_in_the_envelope():
    policy = SLEUCB(n_arms=2, horizon=50)
    play = policy.start(priority=[0, 1])
    play.tell(play.ask(), 0.3)
    play.tell(play.ask(), 0.3)
    before = play.indices[0]
    assert play.ask() == 0
    drop = before - play.indices[0]
    assert drop == pytest.approx(policy.lam * math.log(2.0), rel=1e-9)
    assert play.ask() == 1  # the outstanding pull alone moved arm 0 back


def test_late_rewards_lead_to_the_same_index_as_prompt_ones():
    policy = SLEUCB(n_arms=2, horizon=50, beta=2.0)
    prompt, late = policy.start(priority=[0, 1]), policy.start(priority=[0, 1])
    asked = [late.ask() for _ in range(6)]
    told = {0: 0, 1: 0}
    for arm in asked:
        late.tell(arm, 0.1 * told[arm])
        told[arm] += 1
    told = {0: 0, 1: 0}
    while prompt.round < 6:
        arm = prompt.ask()
        prompt.tell(arm, 0.1 * told[arm])
        told[arm] += 1
    assert late.counts.tolist() == prompt.counts.tolist() == [3, 3]
    assert late.indices.tolist() == prompt.indices.tolist()
