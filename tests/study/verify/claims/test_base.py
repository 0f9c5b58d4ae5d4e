"""How a finding decides: from the interval's end, with the room that is left."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.study.verify.claims.base import agrees, at_least, at_most, exactly, not_below, tightest
from steadyarm.study.verify.claims.sequences import Sequences, prefix_counts, top_prefix
from steadyarm.theory.estimates import Estimate

BETWEEN = Estimate(5.0, 4.0, 6.0, runs=100)


def test_an_upper_bound_is_held_against_the_upper_end_and_a_lower_bound_against_the_lower():
    assert at_most(BETWEEN, 6.0).holds
    assert not at_most(BETWEEN, 5.5).holds
    assert at_least(BETWEEN, 4.0).holds
    assert not at_least(BETWEEN, 4.5).holds
    assert not_below(BETWEEN, 5.5).holds
    assert not not_below(BETWEEN, 6.5).holds


def test_two_numbers_agree_if_their_intervals_meet():
    assert agrees(BETWEEN, 7.0, error=1.5).holds
    assert not agrees(BETWEEN, 7.0, error=0.5).holds


def test_the_margin_is_the_share_of_the_prediction_that_is_left():
    assert at_most(BETWEEN, 8.0).margin == pytest.approx(0.25)
    assert at_least(3.0, 2.0).margin == pytest.approx(0.5)
    assert at_most(3.0, 2.0).margin < 0
    assert exactly(3, 0).margin == -3.0


def test_rounding_is_forgiven_only_where_it_is_allowed():
    assert not at_most(1.0 + 1e-12, 1.0).holds
    forgiven = at_most(1.0 + 1e-12, 1.0, slack=1e-9)
    assert (forgiven.holds, forgiven.measured, forgiven.margin) == (True, 1.0, 0.0)


def test_what_is_not_a_number_fails():
    assert not at_most(math.nan, 1.0).holds
    assert not at_least(math.nan, 1.0).holds
    assert not exactly(math.nan, 0.0).holds


def test_the_tightest_holds_only_if_all_do():
    loose, tight, broken = at_most(1.0, 10.0), at_most(9.0, 10.0, "tight"), at_most(11.0, 10.0, "broken")
    assert tightest([loose, tight], "of all").detail == "of all; tight"
    assert not tightest([loose, broken], "").holds
    aside = tightest([loose], "of all", aside=[tight, broken])
    assert (aside.holds, aside.detail) == (False, "of all; broken")
    assert tightest([loose], "", aside=[tight]).margin == loose.margin


def test_the_sequences_are_the_indices_of_a_play_bit_for_bit():
    policy = sa.SLEUCB(n_arms=2, horizon=50, beta=2.0)
    table = sa.reward_table(sa.equal_gap(2, 0.5), seed=3, pulls=50)
    index = Sequences(policy, table).index
    play = policy.start(priority=[0, 1])
    for _ in range(50):
        arm = play.ask()
        n = play.counts[arm]
        play.tell(arm, table[arm, n - 1])
        assert play.indices[arm] == index[arm, n - 1]


@given(rewards=st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40))
def test_the_minimizer_is_the_shortest_prefix_that_makes_the_envelope(rewards):
    policy = sa.SLEUCB(n_arms=2, horizon=100, beta=1.0)
    found = Sequences(policy, np.array([rewards]))
    upper = found.mean[0] + 1.0 / np.sqrt(np.arange(1, len(rewards) + 1))
    for n in range(1, len(rewards) + 1):
        assert found.minimizer[0, n - 1] == 1 + int(np.argmin(upper[:n]))
        assert found.value[0, n - 1] == upper[:n].min()


def test_the_offline_rule_takes_every_arm_once_and_ties_by_rank():
    index = np.array([[3.0, 1.0], [3.0, 2.0]])
    arms, pulls = top_prefix(index, [1, 0], 4)
    assert list(zip(arms.tolist(), pulls.tolist(), strict=True)) == [(1, 1), (0, 1), (1, 2), (0, 2)]
    assert prefix_counts(arms, pulls, 2).tolist() == [2, 2]
    assert prefix_counts(np.array([0, 0]), np.array([1, 3]), 2) is None
