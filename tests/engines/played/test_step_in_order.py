"""Rewards told in the order of their rounds: eight runs side by side give the counts of the reference, bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.played.test_step import instances
from tests.engines.played.test_step_late import OWN_HISTORY, both

import steadyarm as sa
from steadyarm.errors import InvalidInput


@settings(max_examples=100)
@given(
    instance=instances,
    extra=st.integers(1, 150),
    kind=st.sampled_from(OWN_HISTORY),
    late=st.fixed_dictionaries({"delay": st.integers(0, 150), "batch": st.sampled_from([1, 2, 7, 100])}),
    at=st.integers(1, 5),
    seed=st.integers(0, 2**64 - 1),
    run=st.integers(0, 2**32 - 10),
)
def test_step_equals_the_reference_for_every_own_history_policy(instance, extra, kind, late, at, seed, run):
    policy = kind(n_arms=instance.n_arms, horizon=instance.n_arms + extra)
    if policy.unit_rewards and instance.rewards == "gaussian":
        return
    step, reference = (
        sa.simulate(
            policy,
            instance,
            runs=3,
            first_run=run,
            seed=seed,
            at=at,
            engine=engine,
            outside_class=True,
            threads=1,
            **late,
        )
        for engine in ("step", "reference")
    )
    assert np.array_equal(step.counts_at, reference.counts_at)
    assert np.array_equal(step.counts, reference.counts)


@pytest.mark.parametrize("n_arms", [2, 5, 16, 32, 33, 100])
@pytest.mark.parametrize("late", [{"delay": 20}, {"batch": 30}, {"delay": 7, "batch": 3}])
def test_step_equals_the_reference_on_both_sides_of_a_tournament(n_arms, late):
    for policy in (sa.SLEUCB(n_arms=n_arms, horizon=1500, beta=1.0), sa.MOSS(n_arms=n_arms, horizon=1500)):
        for instance in (sa.equal_gap(n_arms, 0.5), sa.Instance.bernoulli([0.5] * n_arms)):
            step, reference = both(policy, instance, runs=2, seed=3, **late)
            assert np.array_equal(step, reference)


def test_runs_do_not_depend_on_those_beside_them():
    policy, instance = sa.Steady(n_arms=6, horizon=3000, spread=100.0), sa.equal_gap(6, 0.3)
    together = sa.simulate(policy, instance, runs=19, seed=5, delay=40, threads=1).counts
    alone = [
        sa.simulate(policy, instance, runs=1, first_run=r, seed=5, delay=40).counts[0] for r in range(19)
    ]
    assert np.array_equal(together, alone)


def test_an_arms_values_are_worked_out_over_many_blocks():
    """More pulls than the tables and than a look at the stop flag."""
    policy, instance = (
        sa.SLEUCB(n_arms=2, horizon=600_000, constants="sharp"),
        sa.Instance.gaussian([0.0, -1.0]),
    )
    late = sa.simulate(policy, instance, runs=2, seed=1, delay=3, engine="step", threads=1).counts
    listed = sa.simulate(
        policy, instance, runs=2, seed=1, delay=sa.Delay.of([0.0, 0.0, 0.0, 1.0]), engine="step", threads=1
    ).counts
    assert np.array_equal(late, listed)


def test_a_wait_that_memory_would_not_hold_is_refused_with_its_size():
    with pytest.raises(InvalidInput, match="would wait in 2,147,483,648 bytes a thread"):
        sa.simulate(
            sa.MOSS(n_arms=2, horizon=10**8), sa.equal_arms(2), runs=1, delay=5 * 10**7, engine="step"
        )
