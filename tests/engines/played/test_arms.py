"""One arm alone: where it comes to a level, against its indices written out one after the other."""

import numpy as np
import pytest
from tests.engines.played.test_descent import indices

import steadyarm as sa
from steadyarm.engines.played.arms import (
    advance,
    copy_arms,
    empty_arms,
    first_counts,
    pull_each_once,
    put_arm,
    reset_arm,
)
from steadyarm.engines.played.game import game_of

NEVER = np.zeros(1, np.int64)
KINDS = [sa.SLEUCB, sa.MOSS, sa.UCB, sa.Steady]


def begun(policy, instance, run=5):
    game, arms = game_of(policy, instance, seed=3), empty_arms(policy.n_arms)
    pull_each_once(game, run, arms, NEVER)
    return game, arms


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("quantile", [0.9, 0.5, 0.05, 0.0])
def test_an_arm_stops_at_the_first_index_that_is_not_above_the_level(kind, quantile):
    policy, instance = kind(n_arms=2, horizon=6000), sa.equal_gap(2, 0.2)
    _, _, index = indices(policy, instance, 5, 1, 3000)
    level = float(np.quantile(index, quantile))
    game, arms = begun(policy, instance)
    assert advance(game, 5, arms, 1, level, 3000, NEVER)
    first = int(np.argmax(index <= level)) + 1
    assert arms.count.tolist() == [1, first]
    assert arms.index[1] == index[first - 1]


def test_no_more_pulls_are_taken_than_allowed_and_none_after_a_stop():
    policy, instance = sa.MOSS(n_arms=2, horizon=6000), sa.equal_gap(2, 0.2)
    game, arms = begun(policy, instance)
    assert not advance(game, 5, arms, 0, -100.0, 777, NEVER)
    assert arms.count[0] == 777
    assert arms.index[0] == indices(policy, instance, 5, 0, 777)[2][-1]
    assert not advance(game, 5, arms, 1, -100.0, 777, np.ones(1, np.int64))
    assert arms.count[1] == 1


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_arm_put_somewhere_goes_on_as_if_it_had_come_there(kind):
    policy, instance = kind(n_arms=2, horizon=6000), sa.equal_gap(2, 0.2)
    sums, values, index = indices(policy, instance, 5, 0, 2000)
    game, arms = begun(policy, instance)
    put_arm(game, arms, 0, 400, sums[399], values[399])
    assert arms.index[0] == index[399]
    assert not advance(game, 5, arms, 0, -100.0, 2000, NEVER)
    assert arms.index[0] == index[-1]


def test_a_copy_goes_on_alone_and_an_arm_that_is_reset_begins_again():
    policy, instance = sa.SLEUCB(n_arms=3, horizon=6000), sa.equal_gap(3, 0.2)
    game, arms = begun(policy, instance)
    advance(game, 5, arms, 2, -100.0, 50, NEVER)
    other = empty_arms(3)
    copy_arms(arms, other)
    advance(game, 5, other, 2, -100.0, 300, NEVER)
    assert arms.count.tolist() == [1, 1, 50]
    assert other.count.tolist() == [1, 1, 300]
    advance(game, 5, arms, 2, -100.0, 300, NEVER)
    assert arms.index.tolist() == other.index.tolist()
    reset_arm(arms, 2)
    assert (arms.count[2], arms.index[2]) == (0, np.inf)
    advance(game, 5, arms, 2, -100.0, 300, NEVER)
    assert arms.index.tolist() == other.index.tolist()


def test_before_every_arm_was_pulled_once_counts_go_by_rank():
    counts = np.full(4, 9)
    first_counts(np.array([2, 0, 3, 1]), 3, counts)
    assert counts.tolist() == [1, 1, 0, 1]
