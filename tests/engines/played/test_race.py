"""Runs in turn give the counts of runs one by one, however many are abreast and whoever leads."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.choice import ENGINES
from steadyarm.engines.interface import Setting, Watch
from steadyarm.engines.played.game import game_of
from steadyarm.engines.played.race import empty_field, play_race, runs_abreast
from steadyarm.policies import OwnHistoryPolicy

OWN_HISTORY = [kind for kind in sa.all_policies().values() if issubclass(kind, OwnHistoryPolicy)]
RUNS = 11  # one group of eight and three more


def watch(stop=0):
    return Watch(np.full(1, stop), np.zeros(1, np.int64))


def raced(policy, instance, at, abreast=None, seed=4, first_run=20):
    counts, seen = np.zeros((RUNS, len(at), policy.n_arms), np.int64), watch()
    abreast = abreast or runs_abreast(policy.n_arms)
    field = empty_field(abreast, policy.n_arms)
    play_race(game_of(policy, instance, seed), np.array(at), field, first_run, counts, seen)
    assert seen.done[0] == RUNS * policy.horizon
    return counts


def by_engine(name, policy, instance, at, seed=4, first_run=20):
    counts = np.zeros((RUNS, len(at), policy.n_arms), np.int64)
    ENGINES[name].prepare(Setting(policy, instance, seed, np.array(at))).play(first_run, counts, watch())
    return counts


@pytest.mark.parametrize("kind", OWN_HISTORY, ids=lambda kind: kind.__name__)
def test_every_policy_is_played_as_the_reference_plays_it_from_the_first_round_on(kind):
    policy, at = kind(n_arms=5, horizon=400), [1, 3, 5, 6, 100, 399, 400]
    instance = sa.Instance.bernoulli([0.5, 0.5, 0.5, 0.3, 0.9])  # with ties
    assert np.array_equal(raced(policy, instance, at), by_engine("reference", policy, instance, at))


@pytest.mark.parametrize("kind", [sa.MOSS, sa.UCB, sa.Steady, sa.SLEUCB])
@pytest.mark.parametrize(("n_arms", "gap"), [(2, 0.0), (2, 2.0), (3, 0.3), (40, 1.0)])
def test_long_leads_are_taken_on_by_blocks_and_end_where_they_should(kind, n_arms, gap):
    policy, at = kind(n_arms=n_arms, horizon=30_000), [5_000, 5_001, 17_123, 30_000]
    instance = sa.equal_gap(n_arms, gap)
    assert np.array_equal(raced(policy, instance, at), by_engine("prefix", policy, instance, at))


def test_the_counts_do_not_depend_on_how_many_runs_are_abreast():
    policy, instance = sa.MOSS(n_arms=3, horizon=20_000), sa.equal_gap(3, 0.1)
    alone = raced(policy, instance, [9_000, 20_000], abreast=1)
    for abreast in (2, 7, 8, 16):
        assert np.array_equal(raced(policy, instance, [9_000, 20_000], abreast=abreast), alone)


def test_a_stopped_race_leaves_at_once():
    policy, stopped = sa.MOSS(n_arms=2, horizon=10**12), watch(stop=1)
    counts = np.zeros((3, 1, 2), np.int64)
    play_race(
        game_of(policy, sa.equal_arms(2), 0),
        np.array([policy.horizon]),
        empty_field(8, 2),
        0,
        counts,
        stopped,
    )
    assert stopped.done[0] == 0
    assert not counts.any()
