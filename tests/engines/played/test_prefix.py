"""The prefix engine gives the counts of step and reference, bit for bit, wherever it cuts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.played.test_step import counts_by, instances
from tests.policies.tilted import Tilted

import steadyarm as sa
from steadyarm.policies import OwnHistoryPolicy

OWN_HISTORY = [kind for kind in sa.all_policies().values() if issubclass(kind, OwnHistoryPolicy)]


@settings(max_examples=300)
@given(
    instance=instances,
    extra=st.integers(1, 300),
    alpha=st.sampled_from([0.01, 1.0, 5.0]),
    beta=st.none() | st.sampled_from([0.05, 0.5, 2.0, 8.0]),
    seed=st.integers(0, 2**64 - 1),
    run=st.integers(0, 2**32 - 12),
)
def test_prefix_equals_step_for_sle_ucb(instance, extra, alpha, beta, seed, run):
    policy = sa.SLEUCB(n_arms=instance.n_arms, horizon=instance.n_arms + extra, alpha=alpha, beta=beta)
    expected = counts_by("step", policy, instance, seed, runs=11, first_run=run)
    assert np.array_equal(counts_by("prefix", policy, instance, seed, runs=11, first_run=run), expected)


@pytest.mark.parametrize("kind", OWN_HISTORY, ids=lambda kind: kind.__name__)
@settings(max_examples=80)
@given(instance=instances, extra=st.integers(1, 400), seed=st.integers(0, 2**64 - 1))
def test_prefix_equals_step_for_every_own_history_policy(kind, instance, extra, seed):
    policy = kind(n_arms=instance.n_arms, horizon=instance.n_arms + extra)
    expected = counts_by("step", policy, instance, seed, runs=11)
    assert np.array_equal(counts_by("prefix", policy, instance, seed, runs=11), expected)


@pytest.mark.parametrize("kind", OWN_HISTORY, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(("n_arms", "horizon"), [(2, 3), (10, 11), (1000, 1001), (1000, 5000), (3, 20_000)])
def test_prefix_equals_step_from_two_to_a_thousand_arms(kind, n_arms, horizon):
    policy = kind(n_arms=n_arms, horizon=horizon)
    for instance in (sa.ladder(n_arms, 0.9 / n_arms), sa.Instance.bernoulli([0.5] * n_arms)):
        expected = counts_by("step", policy, instance, seed=3, runs=10)
        assert np.array_equal(counts_by("prefix", policy, instance, seed=3, runs=10), expected)


@pytest.mark.parametrize("kind", OWN_HISTORY, ids=lambda kind: kind.__name__)
def test_prefix_equals_the_reference(kind):
    policy = kind(n_arms=4, horizon=600)
    coins = sa.Instance.bernoulli([0.5, 0.5, 0.4, 0.6])
    for instance in (coins,) if policy.unit_rewards else (coins, sa.equal_gap(4, 0.3)):
        expected = counts_by("reference", policy, instance, seed=8, runs=2)
        assert np.array_equal(counts_by("prefix", policy, instance, seed=8, runs=2), expected)


@pytest.mark.parametrize("envelope", [False, True])
@given(
    tilt=st.floats(0, 2),
    root=st.floats(0, 3),
    log_scale=st.floats(0, 4),
    kink=st.floats(1, 300),
    bend=st.sampled_from([0.0, 0.05, 0.9]),
    seed=st.integers(0, 10**6),
)
def test_any_tilted_curve_gives_the_same_counts_in_every_engine_that_plays(
    envelope, tilt, root, log_scale, kink, bend, seed
):
    bent = {"kink": kink, "bend": bend}
    policy = Tilted(n_arms=3, horizon=300, tilt=tilt, root=root, log_scale=log_scale, log_reach=40.0, **bent)
    policy = policy.replace(envelope=envelope)
    for instance in (sa.equal_gap(3, 0.3), sa.Instance.bernoulli([0.5, 0.5, 0.6])):
        expected = counts_by("reference", policy, instance, seed=seed)
        assert np.array_equal(counts_by("prefix", policy, instance, seed=seed), expected)
        assert np.array_equal(counts_by("step", policy, instance, seed=seed), expected)


def test_a_policy_outside_the_class_is_refused():
    with pytest.raises(sa.errors.NotSupported, match="the prefix engine cannot play UCB1"):
        sa.simulate(sa.UCB1(n_arms=2, horizon=100), sa.equal_arms(2), engine="prefix")
