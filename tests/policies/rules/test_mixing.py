"""The draw that mixes a random arm into a policy's choices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.policies.laws import Z, frequency_score

import steadyarm as sa
from steadyarm.policies.rules.mixing import mixed_arm, share_in
from steadyarm.policies.rules.noise import Noise


@given(st.floats(0.01, 1.0), st.floats(0.0, 0.99), st.integers(1, 10**9))
def test_the_share_of_a_round_is_that_power_of_it(share, decay, number):
    policy = sa.Mixed(sa.MOSS(n_arms=2, horizon=10**9), share, decay)
    assert policy.share_in(number) == pytest.approx(share * number**-decay, rel=1e-13)
    assert policy.share_in(number) == share_in.py_func(policy.mixing, number)


def test_a_share_of_the_rounds_is_any_arm_and_the_others_are_the_choice():
    rounds, n_arms, share = 20_000, 4, 0.4
    arms = [mixed_arm(Noise(np.uint64(5), 0, number), share, n_arms, 2) for number in range(rounds)]
    expected = np.full(n_arms, share / n_arms)
    expected[2] += 1.0 - share
    chosen = np.bincount(arms, minlength=n_arms)
    assert frequency_score(chosen, expected) < Z
    assert frequency_score(chosen, np.array([0.09, 0.09, 0.73, 0.09])) > Z


def test_without_a_share_the_choice_stays_and_with_all_of_it_every_arm_comes():
    noises = [Noise(np.uint64(5), 0, number) for number in range(200)]
    assert {mixed_arm(noise, 0.0, 4, 3) for noise in noises} == {3}
    assert {mixed_arm(noise, 1.0, 4, 3) for noise in noises} == {0, 1, 2, 3}
