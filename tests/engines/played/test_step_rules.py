"""General policies round by round: step gives the counts of the reference, late rewards and mixing included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.played.test_step_late import COINS, feedbacks

import steadyarm as sa


@pytest.mark.parametrize("name", sa.all_policies())
@settings(max_examples=12)
@given(late=feedbacks, seed=st.integers(0, 2**64 - 1), share=st.sampled_from([0.0, 0.3]))
def test_step_equals_the_reference_for_every_policy_of_the_registry(name, late, seed, share):
    policy = sa.all_policies()[name](n_arms=3, horizon=120)
    if share and not policy.own_pulls_only:
        policy = sa.Mixed(policy, share)
    at = [1, 17, 100]
    step, reference = (
        sa.simulate(
            policy, COINS, runs=2, seed=seed, engine=engine, at=at, threads=1, outside_class=True, **late
        )
        for engine in ("step", "reference")
    )
    assert np.array_equal(step.counts_at, reference.counts_at)
    assert np.array_equal(step.counts, reference.counts)


@pytest.mark.parametrize("name", sa.all_policies())
def test_a_law_that_is_always_zero_rounds_changes_nothing(name):
    policy = sa.all_policies()[name](n_arms=3, horizon=300)
    at_once = sa.simulate(policy, COINS, runs=20, seed=1, engine="step", outside_class=True)
    for delay in (0, sa.Delay.of([1.0])):
        late = sa.simulate(policy, COINS, runs=20, seed=1, engine="step", outside_class=True, delay=delay)
        assert np.array_equal(late.counts, at_once.counts)
