"""Runs side by side give the counts of the reference, at every moment, for every general policy of the registry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm import UCB1, EpsilonGreedy, Exp3, GaussianThompson, Mixed, all_policies
from steadyarm.engines.interface import Setting, Watch
from steadyarm.engines.played.step import LanePlayer
from steadyarm.errors import InvalidInput
from steadyarm.model import Instance, equal_gap
from steadyarm.model.drift import Drift
from steadyarm.model.feedback import AT_ONCE, Delay, Feedback
from steadyarm.numerics.lanes import LANES, LED_AT_ONCE
from steadyarm.policies.rules.rule_policy import RulePolicy

GENERAL = [name for name, kind in all_policies().items() if issubclass(kind, RulePolicy)]
COINS = Instance.bernoulli([0.5, 0.5, 0.4, 0.9, 0.0])
SWITCHED = Instance.drifting(Drift.step([0.1, 0.2, 0.6], [0.7, 0.1, 0.3], after=50), rewards="bernoulli")
RUNS = LANES + 3
FEEDBACKS = {
    "at once": {},
    "fixed": {"delay": 12},
    "geometric": {"delay": Delay.geometric(9.0)},
    "own law, some never": {"delay": Delay.of([0.3, 0.0, 0.2, 0.3])},
    "batches": {"batch": 7},
    "late batches": {"delay": 5, "batch": 7},
    "geometric, in batches": {"delay": Delay.geometric(9.0), "batch": 7},
}


def step_and_reference(policy, instance, **how):
    return [
        sa.simulate(policy, instance, runs=RUNS, seed=3, engine=engine, threads=1, outside_class=True, **how)
        for engine in ("step", "reference")
    ]


def played(setting, runs, first_run=0):
    counts = np.zeros((runs, len(setting.at), setting.policy.n_arms), np.int64)
    watch = Watch(np.zeros(1, np.int64), np.zeros(1, np.int64))
    LanePlayer(setting, 1.0).play(first_run, counts, watch)
    return counts, watch


@pytest.mark.parametrize("name", GENERAL)
@pytest.mark.parametrize("told", FEEDBACKS)
def test_lanes_give_the_counts_of_the_reference_however_rewards_are_told(name, told):
    policy = all_policies()[name](n_arms=5, horizon=150, noise_scale=0.5)
    step, reference = step_and_reference(policy, COINS, at=[1, 5, 77, 150], **FEEDBACKS[told])
    assert np.array_equal(step.counts_at, reference.counts_at)


@pytest.mark.parametrize("told", ["at once", "geometric"])
@pytest.mark.parametrize("kind", [UCB1, EpsilonGreedy, Exp3])
def test_lanes_give_the_counts_of_the_reference_when_means_move(kind, told):
    step, reference = step_and_reference(kind(n_arms=3, horizon=120), SWITCHED, **FEEDBACKS[told])
    assert np.array_equal(step.counts, reference.counts)


@pytest.mark.parametrize("told", ["at once", "fixed", "geometric"])
@pytest.mark.parametrize("kind", [UCB1, EpsilonGreedy])
def test_lanes_give_the_counts_of_the_reference_when_rounds_are_given_at_random(kind, told):
    mixed = Mixed(kind(n_arms=5, horizon=120), share=0.3, decay=0.2)
    step, reference = step_and_reference(mixed, COINS, **FEEDBACKS[told])
    assert np.array_equal(step.counts, reference.counts)


@settings(max_examples=60)
@given(
    means=st.lists(st.sampled_from([0.0, 0.1, 0.5]), min_size=2, max_size=40),
    extra=st.integers(1, 150),
    runs=st.integers(1, 2 * LANES + 1),
    seed=st.integers(0, 2**64 - 1),
    feedback=st.sampled_from([AT_ONCE, Feedback(Delay.fixed(3)), Feedback(Delay.geometric(3.0))]),
)
def test_a_run_has_the_same_counts_whatever_is_played_beside_it(means, extra, runs, seed, feedback):
    policy = UCB1(n_arms=len(means), horizon=len(means) + extra)
    setting = Setting(policy, Instance.gaussian(means), seed, np.array([policy.horizon]), feedback)
    counts, watch = played(setting, runs, first_run=7)
    assert watch.done[0] == runs * policy.horizon
    for row in {0, runs // 2, runs - 1}:
        assert np.array_equal(played(setting, 1, first_run=7 + row)[0][0], counts[row])


def test_a_request_to_stop_is_heard():
    setting = Setting(UCB1(n_arms=2, horizon=100), equal_gap(2, gap=0.1), 0, np.array([100]))
    counts, watch = np.zeros((1, 1, 2), np.int64), Watch(np.ones(1, np.int64), np.zeros(1, np.int64))
    LanePlayer(setting, 1.0).play(0, counts, watch)
    assert counts.sum() == watch.done[0] == 0


def test_fewer_runs_are_side_by_side_where_rewards_that_wait_would_take_too_much_room():
    def lanes(delay):
        policy = GaussianThompson(n_arms=2, horizon=10**8)
        feedback = Feedback(Delay.fixed(delay))
        return LanePlayer(
            Setting(policy, equal_gap(2, gap=0.1), 0, np.array([10**8]), feedback), 1.0
        ).together

    assert lanes(30) == LANES
    assert lanes(4_000_000) == LED_AT_ONCE
    with pytest.raises(InvalidInput, match="would wait in 2,147,483,648 bytes a thread"):
        lanes(5_000_000)
