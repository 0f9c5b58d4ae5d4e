"""What amendments change in the moments of an arm's rewards."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.live.core.courses.test_updates import restarted
from tests.live.core.setup.test_traffic import AT, taken

from steadyarm.live.analysis.results import results_of
from steadyarm.live.core.courses.amendments import Amendments
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.first_entry import begin
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.model.moments import with_reward

REWARDS = st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=12)
CHANGES = st.lists(st.tuples(st.integers(0, 11), st.floats(-1.0, 1.0)), max_size=6)


def moments_of(rewards):
    kept = (0.0, 0.0, 0.0)
    for known, reward in enumerate(rewards):
        kept = with_reward(float(known), *kept, reward)
    return {name: [value] for name, value in zip(("sums", "squares", "deviations"), kept, strict=True)}


def told(*arms):
    """Amendments of arms that have such rewards."""
    found = Amendments.none(len(arms))
    for arm, rewards in enumerate(arms):
        for reward in rewards:
            found.reward(arm, reward)
    return found


@given(REWARDS, CHANGES)
def test_sums_and_squares_are_those_of_the_amended_rewards_and_deviations_are_at_least_those(
    rewards, changes
):
    amendments, amended = told(rewards), list(rewards)
    for place, reward in changes:
        place %= len(rewards)
        amendments.add(0, amended[place], reward)
        amended[place] = reward
    found, true = amendments.corrected(moments_of(rewards)), moments_of(amended)
    assert found["sums"] == pytest.approx(true["sums"], abs=1e-9)
    assert found["squares"] == pytest.approx(true["squares"], abs=1e-9)
    assert found["deviations"][0] >= true["deviations"][0] - 1e-9


def test_the_bound_on_the_deviations_is_of_the_right_size():
    rewards = [0.0] * 10_000
    amendments = told(rewards)
    amendments.add(0, 0.0, 1.0)
    bound = amendments.corrected(moments_of(rewards))["deviations"][0]
    true = moments_of([0.0, 1.0, *rewards[2:]])["deviations"][0]
    assert true <= bound <= 1.7 * true
    assert bound == pytest.approx(1.0 + math.pi**2 / 6.0)


def test_an_arm_without_amendments_keeps_its_moments_bit_for_bit():
    amendments, kept = (
        told([0.1], [0.0, 0.3]),
        {"sums": [0.1, 0.3], "squares": [0.01, 0.09], "deviations": [0.2, 0.7]},
    )
    amendments.add(1, 0.0, 1.0)
    found = amendments.corrected(kept)
    assert {name: values[0] for name, values in found.items()} == {
        name: each[0] for name, each in kept.items()
    }


@pytest.mark.parametrize("late", [{}, {"batch": 7}])
def test_a_reward_that_was_wrong_by_far_leaves_nothing_behind_once_it_is_amended(late):
    asked = {
        "arms": ["a", "b"],
        "horizon": 300,
        "rewards": "gaussian",
        "policy": "RoundRobin",
        "seed": 3,
    } | late
    experiment, first = Experiment.create(1, "e", resolve(requested(asked | {"holdout": 0.3})), AT)
    rows, right = [first, experiment.move("started", AT)], {"a": [], "b": [], "held": []}
    for number in range(200):
        row, unit = experiment.allocate(f"u{number}", AT)
        wrong, reward = number in (20, 21, 22, 40, 41, 42), 1.0 + number / 7
        rows.append(row)
        row, known = experiment.reward(f"u{number}", unit, 1.7e18 if wrong else reward, AT)
        rows.append(row)
        if wrong:
            rows.append(experiment.amend(f"u{number}", known, reward, "nanoseconds", AT)[0])
        right[unit.arm or "held"].append(reward)
        if number in (21, 100):
            experiment = restarted(experiment, first)
    assert taken(rows).summary() == experiment.summary()
    found = results_of(experiment.summary())
    means = [arm["mean"] for arm in found["arms"]] + [found["holdout"]["mean"]]
    assert means == [pytest.approx(math.fsum(each) / len(each), rel=1e-14) for each in right.values()]
    assert min(arm["amended"] for arm in [*found["arms"], found["holdout"]]) > 0


def test_a_snapshot_of_an_earlier_version_which_kept_plain_sums_is_not_taken_over():
    asked = {"arms": ["a", "b"], "horizon": 300, "rewards": "bernoulli", "seed": 3, "holdout": 0.3}
    experiment, first = Experiment.create(1, "e", resolve(requested(asked)), AT)
    state = json.loads(experiment.snapshot())
    begin(1, "e", first).restore(state, 1, first.hash)
    for part, name, plain in (("amendments", "sums", [0.0, 0.0]), ("holdout", "total", 0.0)):
        with pytest.raises(TypeError):
            begin(1, "e", first).restore(state | {part: state[part] | {name: plain}}, 1, first.hash)
