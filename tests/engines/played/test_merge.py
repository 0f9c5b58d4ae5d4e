"""Rounds one by one: the largest index each time, ties by rank, in however many pieces they are played."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.engines.interface import Watch
from steadyarm.engines.played.arms import empty_arms, pull_each_once
from steadyarm.engines.played.game import game_of
from steadyarm.engines.played.merge import play_on


def begun(policy, instance, rank, run=4):
    game, arms = game_of(policy, instance, seed=3), empty_arms(policy.n_arms)
    arms.rank[:] = rank
    pull_each_once(game, run, arms, np.zeros(1, np.int64))
    return game, arms


def watch(stop=0):
    return Watch(np.full(1, stop, np.int64), np.zeros(1, np.int64))


@given(st.permutations(range(5)), st.sampled_from([sa.MOSS, sa.SLEUCB, sa.UCB, sa.Steady]))
def test_it_plays_as_ask_and_tell_do_under_any_ranks(rank, kind):
    policy, instance = kind(n_arms=5, horizon=200), sa.Instance.bernoulli([0.5, 0.5, 0.5, 0.4, 0.6])
    game, arms = begun(policy, instance, rank)
    assert play_on(game, 4, arms, 5, 200, watch())
    play, table = policy.start(priority=list(rank)), sa.reward_table(instance, seed=3, run=4, pulls=200)
    while play.round < 200:
        arm = play.ask()
        play.tell(arm, table[arm, play.counts[arm] - 1])
    assert arms.count.tolist() == play.counts.tolist()
    assert arms.index.tolist() == play.indices.tolist()


@pytest.mark.parametrize("n_arms", [2, 7, 100])
def test_pieces_come_to_where_one_go_comes(n_arms):
    policy, instance = sa.MOSS(n_arms=n_arms, horizon=5000), sa.ladder(n_arms, 1.0 / n_arms)
    counts = []
    for ends in ([5000], [n_arms + 1, 500, 501, 4999, 5000]):
        game, arms = begun(policy, instance, np.arange(n_arms)[::-1])
        played, seen = n_arms, watch()
        for end in ends:
            assert play_on(game, 4, arms, played, end, seen)
            assert arms.count.sum() == end
            played = end
        assert seen.done[0] == 5000 - n_arms
        counts.append(arms.count.tolist())
    assert counts[0] == counts[1]


def test_a_request_to_stop_is_heard_before_any_round():
    game, arms = begun(sa.MOSS(n_arms=2, horizon=5000), sa.equal_arms(2), [0, 1])
    seen = watch(stop=1)
    assert not play_on(game, 4, arms, 2, 5000, seen)
    assert seen.done[0] == 0
