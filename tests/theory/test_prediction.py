"""The fluid prediction: closed forms, sums, doubt where there is reason for it."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.policies.tilted import Tilted

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported


@given(
    n_arms=st.integers(2, 40),
    horizon=st.integers(2000, 10**12),
    beta=st.floats(1, 500),
    alpha=st.floats(0.01, 50),
    noise=st.floats(0.1, 5),
)
@example(n_arms=2, horizon=2000, beta=1.0, alpha=0.125, noise=2.0)
def test_equal_arms_have_the_closed_form(n_arms, horizon, beta, alpha, noise):
    policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon, beta=beta, alpha=alpha, noise_scale=noise)
    found = sa.predict(policy, sa.equal_arms(n_arms, noise_scale=noise))
    share = horizon / n_arms
    expected = noise * share * math.sqrt(1 - 1 / n_arms) / (beta * (0.5 + alpha))
    assert found.counts == pytest.approx(np.full(n_arms, share), rel=1e-6)
    if expected > horizon:  # no count strays so far: nothing can be said
        assert math.isnan(found.instability)
    else:
        assert found.instability == pytest.approx(expected, rel=1e-6)
    assert found.regret == 0.0


@given(
    means=st.lists(st.floats(-1, 1), min_size=2, max_size=8),
    horizon=st.integers(500, 10**9),
    kind=st.sampled_from(["SLEUCB", "UCBf", "UCB", "MOSS", "SafeUCB", "KLUCBpp", "Steady"]),
)
def test_counts_add_up_and_better_arms_get_no_fewer(means, horizon, kind):
    instance = sa.Instance.gaussian(means)
    found = sa.predict(sa.all_policies()[kind](n_arms=len(means), horizon=horizon), instance)
    assert found.counts.sum() == pytest.approx(horizon, rel=1e-5)
    assert found.counts.min() >= 1.0
    order = np.argsort(means)
    assert (np.diff(found.counts[order]) >= -1e-6 * horizon).all()
    assert found.regret >= 0.0
    assert found.trusted == (found.reason == "")


def test_a_flat_width_is_doubted():
    found = sa.predict(sa.MOSS(n_arms=2, horizon=10_000), sa.equal_gap(2, 0.3))
    assert not found.trusted
    assert "flat" in found.reason


def test_a_bonus_that_ends_at_the_fluid_counts_predicts_no_spread():
    """MOSS's ends at T/K pulls, which is what equal arms get; played, their counts stray by a third."""
    for kind in (sa.MOSS, sa.KLUCBpp):
        found = sa.predict(kind(n_arms=4, horizon=10_000), sa.equal_arms(4))
        assert math.isnan(found.instability)
        assert "flat" in found.reason


def test_few_pulls_large_spreads_and_tiny_spreads_are_doubted():
    few = sa.predict(sa.UCB(n_arms=2, horizon=1000), sa.equal_gap(2, 30.0))
    assert "too few" in few.reason
    wide = sa.predict(sa.UCBf(n_arms=2, horizon=1000, f=1.0), sa.equal_arms(2))
    assert "too far for a first order" in wide.reason
    tiny = sa.predict(sa.SLEUCB(n_arms=2, horizon=200), sa.equal_arms(2))
    assert "rounding to whole pulls" in tiny.reason
    lagging = sa.predict(sa.SLEUCB(n_arms=2, horizon=10_000, beta=2.0, alpha=5.0), sa.equal_arms(2))
    assert "running minimum" in lagging.reason


@pytest.mark.parametrize("envelope", [False, True])
@pytest.mark.parametrize("gap", [0.0, 0.3])
def test_a_tilt_is_predicted_with_and_without_an_envelope(envelope, gap):
    width = 60.0 if envelope else 1.0  # under an envelope the running minimum must not lag behind
    policy = Tilted(n_arms=3, horizon=20_000, tilt=0.3, root=width, envelope=envelope)
    instance = sa.equal_gap(3, gap)
    found, played = sa.predict(policy, instance), sa.simulate(policy, instance, runs=1000, engine="prefix")
    assert found.trusted, found.reason
    assert found.counts == pytest.approx(played.mean_counts, rel=0.01)
    assert found.sd == pytest.approx(played.sd, rel=0.11)


def test_a_narrow_width_under_an_envelope_is_doubted_and_without_one_is_not():
    policy = Tilted(n_arms=2, horizon=4_000, tilt=0.3, root=1.0)
    assert sa.predict(policy, sa.equal_arms(2)).trusted
    assert "running minimum" in sa.predict(policy.replace(envelope=True), sa.equal_arms(2)).reason


@pytest.mark.parametrize(
    "instance",
    [
        sa.Instance.gaussian([2.0, 1.0, -0.5]),
        sa.Instance.gaussian([9.0, 0.9, 0.0], noise_scale=2.0),
        sa.Instance.bounded([0.3, 1.5, 2.0], low=-1.0, high=4.0),
        sa.Instance.bernoulli([0.8, 0.5, 0.6]),
    ],
    ids=str,
)
def test_clipped_rewards_are_predicted_with_the_moments_that_they_have(instance):
    policy = Tilted(n_arms=3, horizon=20_000, tilt=0.05, root=6.0, clip=0.9)
    found, played = sa.predict(policy, instance), sa.simulate(policy, instance, runs=800, outside_class=True)
    assert found.counts == pytest.approx(played.mean_counts, rel=0.01, abs=1.0)
    assert found.sd == pytest.approx(played.sd, rel=0.15)


def test_lists_give_lists():
    policies = [sa.SLEUCB(n_arms=2, horizon=10_000, alpha=alpha) for alpha in (1.0, 2.0, 4.0)]
    found = sa.predict(policies, sa.equal_arms(2))
    spreads = [each.instability for each in found]
    assert spreads == sorted(spreads, reverse=True)
    instances = [sa.equal_gap(2, gap) for gap in (0.1, 0.2, 0.3)]
    assert len(sa.predict(policies[0], instances)) == len(sa.predict(policies, instances)) == 3
    with pytest.raises(InvalidInput, match="3 policies and 2 instances"):
        sa.predict(policies, instances[:2])


def test_a_hundred_thousand_arms_are_predicted():
    found = sa.predict(sa.SLEUCB(n_arms=100_000, horizon=10**9), sa.ladder(100_000, 1e-5))
    assert found.counts.sum() == pytest.approx(10**9, rel=1e-6)


def test_what_has_no_width_is_refused():
    with pytest.raises(NotSupported, match="that of UCB1 is not"):
        sa.predict(sa.UCB1(n_arms=2, horizon=100), sa.equal_arms(2))
    coins = sa.KLUCBpp(n_arms=2, horizon=100, rewards="bernoulli")
    with pytest.raises(NotSupported, match="Use simulate"):
        sa.predict(coins, sa.Instance.bernoulli([0.5, 0.5]))


@pytest.mark.parametrize(("gap", "pulls"), [(0.05, 1927.1), (0.1, 876.9), (0.2, 310.4), (0.5, 62.5)])
def test_the_worse_arm_of_ucb_gets_the_pulls_that_the_literature_says_to_first_order(gap, pulls):
    """n = (φ + Δ/√(2·log T))⁻² with φ from n₁ + n₂ = T; two arms, T = 10⁴."""
    found = sa.predict(sa.UCB(n_arms=2, horizon=10_000, delta=1e-4), sa.equal_gap(2, gap))
    assert found.counts[1] == pytest.approx(pulls, abs=0.05)


@pytest.mark.parametrize("horizon", [10**4, 10**9])
@pytest.mark.parametrize(("theta", "share"), [(1, 0.719), (2, 0.780), (4, 0.841), (8, 0.893)])
def test_the_best_arm_of_ucb_has_its_share_at_gaps_of_the_critical_order(theta, share, horizon):
    """Δ = √(θ·log T/T): the share depends on θ alone."""
    gap = math.sqrt(theta * math.log(horizon) / horizon)
    found = sa.predict(sa.UCB(n_arms=2, horizon=horizon, delta=1 / horizon), sa.equal_gap(2, gap))
    assert found.counts[0] / horizon == pytest.approx(share, abs=5e-4)
