"""Runs side by side give the counts of runs one by one, at every moment, for every index of the registry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadyarm import UCB1, EpsilonGreedy, GaussianThompson, Mixed, all_policies
from steadyarm.engines.interface import Setting, Watch
from steadyarm.engines.played.step import LanePlayer, RulePlayer
from steadyarm.model import Instance, equal_gap
from steadyarm.model.drift import Drift
from steadyarm.model.feedback import AT_ONCE, Delay, Feedback
from steadyarm.model.lanes import LANES
from steadyarm.policies.rules.rule import has_index
from steadyarm.policies.rules.rule_policy import RulePolicy

INDICES = {
    name: kind
    for name, kind in all_policies().items()
    if issubclass(kind, RulePolicy) and has_index(kind(n_arms=2, horizon=10).parameters)
}


def played(player, runs, moments, n_arms, first_run=0):
    counts = np.zeros((runs, moments, n_arms), np.int64)
    watch = Watch(np.zeros(1, np.int64), np.zeros(1, np.int64))
    player.play(first_run, counts, watch)
    return counts, watch


def both(policy, instance, seed, at):
    setting = Setting(policy, instance, seed, np.array(at))
    return LanePlayer(setting, 1.0), RulePlayer(setting, AT_ONCE.lateness(policy.horizon), 1.0)


@pytest.mark.parametrize("name", INDICES)
def test_lanes_give_the_counts_of_runs_one_by_one(name):
    policy = INDICES[name](n_arms=5, horizon=400, noise_scale=0.5)
    at = [1, 5, 77, 400]
    lanes, one_by_one = both(policy, Instance.bernoulli([0.5, 0.5, 0.4, 0.9, 0.0]), 3, at)
    runs = LANES + 3
    found, watch = played(lanes, runs, len(at), 5, first_run=7)
    assert np.array_equal(found, played(one_by_one, runs, len(at), 5, first_run=7)[0])
    assert watch.done[0] == runs * policy.horizon


@settings(max_examples=60)
@given(
    means=st.lists(st.sampled_from([0.0, 0.1, 0.5]), min_size=2, max_size=40),
    extra=st.integers(1, 150),
    runs=st.integers(1, 2 * LANES + 1),
    seed=st.integers(0, 2**64 - 1),
)
def test_lanes_give_the_same_counts_for_any_number_of_arms_rounds_and_runs(means, extra, runs, seed):
    policy = UCB1(n_arms=len(means), horizon=len(means) + extra)
    lanes, one_by_one = both(policy, Instance.gaussian(means), seed, [policy.horizon])
    expected, _ = played(one_by_one, runs, 1, len(means))
    assert np.array_equal(played(lanes, runs, 1, len(means))[0], expected)


def test_a_request_to_stop_is_heard():
    lanes, _ = both(UCB1(n_arms=2, horizon=100), equal_gap(2, gap=0.1), 0, [100])
    counts, watch = np.zeros((1, 1, 2), np.int64), Watch(np.ones(1, np.int64), np.zeros(1, np.int64))
    lanes.play(0, counts, watch)
    assert counts.sum() == watch.done[0] == 0


def test_only_indices_without_delay_drift_and_mixing_are_played_in_lanes():
    still = equal_gap(2, gap=0.1)

    def in_lanes(policy, instance=still, feedback=AT_ONCE):
        return LanePlayer.can_play(Setting(policy, instance, 0, np.array([10]), feedback))

    ucb1 = UCB1(n_arms=2, horizon=10)
    moving = Instance.drifting(Drift.step([0.1, 0.2], [0.2, 0.1], after=5))
    assert in_lanes(ucb1)
    assert in_lanes(GaussianThompson(n_arms=2, horizon=10))
    assert not in_lanes(ucb1, instance=moving)
    assert not in_lanes(ucb1, feedback=Feedback(Delay.fixed(3)))
    assert not in_lanes(Mixed(ucb1, share=0.5))
    assert not in_lanes(EpsilonGreedy(n_arms=2, horizon=10))
