"""The leap engine: a pure function, counts that add up, and nothing that runs out silently."""

import math

import numpy as np
import pytest
from tests.engines.played.test_step import counts_by
from tests.policies.tilted import Tilted

import steadyarm as sa
from steadyarm.engines.interface import Setting
from steadyarm.engines.leap import engine as leap
from steadyarm.engines.leap.engine import Leap
from steadyarm.errors import NotSupported

GAUSSIAN = sa.equal_gap(2, 0.2)
COINS = sa.Instance.bernoulli([0.6, 0.4])
POLICIES = [
    sa.SLEUCB(n_arms=2, horizon=10**7),
    sa.SLEUCB(n_arms=2, horizon=10**7, beta=2.0, alpha=0.1),
    sa.MOSS(n_arms=2, horizon=10**7),
    sa.UCB(n_arms=2, horizon=10**7),
]


def counts_by_leap(policy, instance, runs=3, first_run=0):
    return counts_by("leap", policy, instance, seed=0, runs=runs, first_run=first_run)


@pytest.mark.parametrize("instance", [GAUSSIAN, COINS], ids=["gaussian", "coins"])
@pytest.mark.parametrize(
    "policy", POLICIES, ids=lambda policy: f"{policy.title} {getattr(policy, 'beta', '')}"
)
def test_counts_add_up_to_the_horizon_and_do_not_depend_on_the_split(policy, instance):
    whole = counts_by_leap(policy, instance, runs=6)
    assert (whole.sum(axis=1) == policy.horizon).all()
    assert (whole >= 1).all()
    assert np.array_equal(counts_by_leap(policy, instance, runs=2, first_run=3), whole[3:5])
    result = sa.simulate(policy, instance, runs=6, threads=2)
    assert result.engine == "leap"
    assert np.array_equal(result.counts, whole)
    assert 0.0 < result.total_variation < 1e-9


def test_up_to_a_million_rounds_the_counts_are_exact_to_the_pull():
    assert (
        Leap().prepare(Setting(sa.SLEUCB(n_arms=2, horizon=10**6), GAUSSIAN, 0, np.array([10**6]))).tolerance
        == 1
    )
    coarse = Leap().prepare(
        Setting(sa.SLEUCB(n_arms=2, horizon=10**12), sa.equal_gap(2, 1e-3), 0, np.array([10**12]))
    )
    spread = sa.simulate(sa.SLEUCB(n_arms=2, horizon=10**12), sa.equal_gap(2, 1e-3), runs=50).sd.max()
    assert 1 < coarse.tolerance <= 2e-3 * spread


def test_too_little_room_is_mended_and_changes_nothing(monkeypatch):
    policy = sa.MOSS(n_arms=2, horizon=10**8)
    expected = counts_by_leap(policy, GAUSSIAN, runs=4)
    monkeypatch.setattr(leap, "_FIRST_ROOM", 16)
    assert np.array_equal(counts_by_leap(policy, GAUSSIAN, runs=4), expected)
    monkeypatch.setattr(leap, "_MOST_ROOM", 1024)
    with pytest.raises(sa.SteadyarmError, match="needs more than 1,024 blocks"):
        counts_by_leap(policy, GAUSSIAN, runs=4)


def test_means_at_the_ends_of_the_class_and_a_thousand_arms():
    ends = sa.Instance.gaussian([1.0, -1.0])
    counts = counts_by_leap(sa.SLEUCB(n_arms=2, horizon=10**10), ends)
    assert (counts[:, 0] > counts[:, 1]).all()
    certain = sa.Instance.bernoulli([1.0, 0.0])
    assert len(np.unique(counts_by_leap(sa.SLEUCB(n_arms=2, horizon=10**8), certain), axis=0)) == 1
    many = counts_by_leap(sa.SLEUCB(n_arms=1000, horizon=10**10), sa.equal_gap(1000, 0.01), runs=1)
    assert many.sum() == 10**10


def test_a_quadrillion_rounds_are_no_trouble():
    counts = counts_by_leap(sa.SLEUCB(n_arms=3, horizon=10**15), sa.equal_gap(3, 1e-4), runs=2)
    assert (counts.sum(axis=1) == 10**15).all()


@pytest.mark.parametrize("instance", [sa.equal_arms(2), sa.equal_gap(2, 0.2), COINS], ids=str)
def test_a_tilt_without_an_envelope_spreads_as_in_played_rounds(instance):
    policy = Tilted(n_arms=2, horizon=4_000, tilt=0.3, log_scale=2.0, log_reach=50.0)
    played = sa.simulate(policy, instance, runs=400, engine="prefix")
    leapt = sa.simulate(policy, instance, runs=400, engine="leap")
    assert leapt.engine == "leap"
    assert leapt.sd == pytest.approx(played.sd, rel=4.5 / math.sqrt(400))  # the standard error is 1/√800 each
    errors = 4.5 * np.hypot(played.sd, leapt.sd) / math.sqrt(400)
    assert (np.abs(leapt.mean_counts - played.mean_counts) < errors).all()
    assert (
        sa.simulate(policy.replace(envelope=True), instance, runs=400, engine="leap").sd[0] > 2 * leapt.sd[0]
    )


@pytest.mark.parametrize("means", [[30.0, -30.0], [20.0, 14.0], [0.0, 9.0]])
def test_rewards_that_clipping_may_change_are_left_to_the_engines_that_clip(means):
    policy, instance = sa.SLEUCB(n_arms=2, horizon=4_000), sa.Instance.gaussian(means)
    with pytest.raises(
        NotSupported, match=r"leap engine cannot .* clipped to \[-12\.99, 12\.99\].*arm [01] has mean"
    ):
        sa.simulate(policy, instance, engine="leap", outside_class=True)
    longer = policy.replace(horizon=10**6)
    assert (
        sa.simulate(longer, sa.Instance.gaussian([30.0, 0.0]), runs=1, outside_class=True).engine == "prefix"
    )
    with pytest.raises(NotSupported, match="round by round, because rewards are clipped"):
        sa.simulate(policy.replace(horizon=10**12), sa.Instance.gaussian([60.0, 0.0]), outside_class=True)


def test_noise_beyond_the_class_is_clipped_too_and_far_clipping_is_part_of_the_bound():
    policy = sa.SLEUCB(n_arms=2, horizon=10**6)
    assert Leap().refusal(policy, sa.Instance.gaussian([0.0, 0.0], noise_scale=4.0))
    near = sa.Instance.gaussian([0.0, 7.5])  # 8.5 standard deviations below the clip
    bound = sa.simulate(policy, near, runs=5, engine="leap", outside_class=True).total_variation
    assert 10**6 * 0.5 * math.erfc((policy.clip - 7.5) / math.sqrt(2.0)) < bound < 1e-9


def test_coins_are_clipped_by_less_than_one_only():
    def leaps(clip):
        return not Leap().refusal(Tilted(n_arms=2, horizon=10**6, tilt=0.1, clip=clip), COINS)

    assert (leaps(0.9), leaps(1.0), leaps(5.0)) == (False, True, True)


def test_rewards_that_are_ignored_leave_nothing_to_chance():
    result = sa.simulate(sa.RoundRobin(n_arms=3, horizon=10**12), sa.equal_arms(3), runs=20)
    assert result.engine == "leap"
    assert set(np.unique(result.counts)) == {10**12 // 3, 10**12 // 3 + 1}
    assert set(result.counts.argmax(axis=1)) == {0, 1, 2}  # the round that is left over goes by priority


def test_different_alphas_see_the_same_walks():
    """Common random numbers: the difference of two policies varies less than independent ones would."""
    instance = sa.equal_arms(2)
    one = sa.simulate(sa.SLEUCB(n_arms=2, horizon=10**9, alpha=1.0), instance, runs=200).counts[:, 0]
    other = sa.simulate(sa.SLEUCB(n_arms=2, horizon=10**9, alpha=1.2), instance, runs=200).counts[:, 0]
    assert np.corrcoef(one, other)[0, 1] > 0.9
    assert math.isclose(one.mean(), other.mean(), rel_tol=1e-3)
