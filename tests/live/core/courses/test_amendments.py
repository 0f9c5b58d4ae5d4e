"""What amendments change in the moments of an arm's rewards."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.live.core.courses.amendments import Amendments
from steadyarm.model.moments import with_reward

REWARDS = st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=12)
CHANGES = st.lists(st.tuples(st.integers(0, 11), st.floats(-1.0, 1.0)), max_size=6)


def moments_of(rewards):
    kept = (0.0, 0.0, 0.0)
    for known, reward in enumerate(rewards):
        kept = with_reward(float(known), *kept, reward)
    return {name: [value] for name, value in zip(("sums", "squares", "deviations"), kept, strict=True)}


@given(REWARDS, CHANGES)
def test_sums_and_squares_are_those_of_the_amended_rewards_and_deviations_are_at_least_those(
    rewards, changes
):
    amendments, amended = Amendments.none(1), list(rewards)
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
    amendments = Amendments.none(1)
    amendments.add(0, 0.0, 1.0)
    bound = amendments.corrected(moments_of(rewards))["deviations"][0]
    true = moments_of([0.0, 1.0, *rewards[2:]])["deviations"][0]
    assert true <= bound <= 1.7 * true
    assert bound == pytest.approx(1.0 + math.pi**2 / 6.0)


def test_an_arm_without_amendments_keeps_its_moments_bit_for_bit():
    amendments, kept = (
        Amendments.none(2),
        {"sums": [0.1, 0.3], "squares": [0.01, 0.09], "deviations": [0.2, 0.7]},
    )
    amendments.add(1, 0.0, 1.0)
    found = amendments.corrected(kept)
    assert {name: values[0] for name, values in found.items()} == {
        name: each[0] for name, each in kept.items()
    }
