"""Plays of general policies: what a rule is shown, and what of a play is saved."""

import math

import numpy as np
import pytest
from tests.policies.own_rules import first_arm, last_arm, ruled

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported


def test_every_arm_comes_first_once_in_order_of_priority_and_late_rewards_leave_it_so():
    play = sa.UCB1(n_arms=3, horizon=20).start(priority=[2, 0, 1])
    assert [play.ask() for _ in range(5)] == [1, 2, 0, 1, 2]
    assert play.indices.tolist() == [math.inf] * 3


def test_a_rule_may_be_asked_from_the_first_round_on():
    for index, arm in ((first_arm, 0), (last_arm, 2)):
        policy, _ = ruled(index=index)
        assert policy.start(seed=1).ask() == arm


def test_a_rule_without_an_index_has_none():
    play = sa.EpsilonGreedy(n_arms=2, horizon=10).start(seed=1)
    assert np.isnan(play.indices).all()


def test_where_counts_and_totals_decide_the_chances_of_two_arms_are_those_of_the_indices():
    policy = sa.UCB1(n_arms=2, horizon=30)
    chances = policy.two_armed_chances((2, 3))
    for first in range(3):
        for second in range(4):
            state = policy.start(priority=[0, 1]).to_dict()
            state |= {"counts": [2, 3], "observed": [2, 3], "totals": [float(first), float(second)]}
            assert chances[first, second] == (sa.play_from_dict(state).ask() == 0)
    assert policy.two_armed_chances((0, 2)).tolist() == [[1.0, 1.0, 1.0]]
    assert policy.two_armed_chances((1, 0)).tolist() == [[0.0], [0.0]]
    with pytest.raises(NotSupported):
        sa.Exp3(n_arms=2, horizon=30).two_armed_chances((2, 3))


@pytest.mark.parametrize("name", ["totals", "state"])
def test_a_saved_play_of_another_length_is_refused(name):
    saved = sa.BetaThompson(n_arms=3, horizon=20).start(seed=1).to_dict()
    with pytest.raises(InvalidInput, match=f"must have 3 '{name}'; got 4"):
        sa.play_from_dict(saved | {name: [0.0] * 4})
