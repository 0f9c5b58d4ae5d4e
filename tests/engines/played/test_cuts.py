"""Cuts: wherever the first one is made the counts are the same, and it takes nearly all rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.played.test_prefix import OWN_HISTORY
from tests.engines.played.test_step import counts_by

import steadyarm as sa
from steadyarm.engines.interface import Watch
from steadyarm.engines.played.arms import empty_arms, pull_each_once
from steadyarm.engines.played.cuts import Level, cut_all, expected_level
from steadyarm.engines.played.descent import empty_descent
from steadyarm.engines.played.game import game_of
from steadyarm.engines.played.merge import play_on
from steadyarm.model.priority import fill_priority


def counts_cut_at(policy, instance, seed, level):
    """One run's counts with the first cut at a level of our choice, and how many pulls that cut took."""
    arms, game = empty_arms(policy.n_arms), game_of(policy, instance, seed)
    descent = empty_descent(1, policy.n_arms, policy.horizon)
    watch = Watch(np.zeros(1, np.int64), np.zeros(1, np.int64))
    fill_priority(np.uint64(seed), 0, arms.rank)
    pull_each_once(game, 0, arms, watch.stop)
    taken = cut_all(game, 0, arms, descent, level, policy.horizon, watch.stop)
    play_on(game, 0, arms, taken, policy.horizon, watch)
    return arms.count.copy(), taken


@pytest.mark.parametrize("kind", OWN_HISTORY, ids=lambda kind: kind.__name__)
@given(level=st.floats(-2, 30), spread=st.floats(0, 3))
def test_it_does_not_matter_where_the_first_cut_is_made(kind, level, spread):
    policy, instance = kind(n_arms=3, horizon=500), sa.Instance.bernoulli([0.5, 0.5, 0.3])
    expected = counts_by("step", policy, instance, seed=2)[0]
    counts, taken = counts_cut_at(policy, instance, 2, Level(level, spread))
    assert np.array_equal(counts, expected)
    assert taken <= 500


def test_nearly_all_rounds_are_taken_by_the_cut():
    policy, instance = sa.SLEUCB(n_arms=10, horizon=100_000), sa.equal_gap(10, 0.1)
    _, taken = counts_cut_at(policy, instance, 1, expected_level(policy.curves, instance, policy.horizon))
    assert 0.98 * policy.horizon < taken <= policy.horizon
