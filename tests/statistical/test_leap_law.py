"""The law of leap's counts is that of played rounds: Kolmogorov–Smirnov in 29 settings with controls."""

import numpy as np
import pytest
from scipy.stats import ks_2samp
from tests.engines.played.test_step import counts_at_by, counts_by
from tests.policies.tilted import Tilted

import steadyarm as sa

pytestmark = pytest.mark.slow

RUNS = 1200
LEAST_P = 0.001 / 29  # one false alarm in a thousand over all settings


def sle(n_arms, horizon, **parameters):
    return sa.SLEUCB(n_arms=n_arms, horizon=horizon, **parameters)


def coins(n_arms, gap):
    return sa.Instance.bernoulli([0.5] + [0.5 - gap] * (n_arms - 1))


SETTINGS = [
    (sle(2, 10_000, beta=2.0, alpha=0.1), sa.equal_arms(2)),
    (sle(2, 10_000, beta=3.4), sa.equal_gap(2, 0.1)),
    (sle(2, 10_000, beta=10.0, alpha=2.0), sa.equal_gap(2, 0.3)),
    (sle(2, 20_000, beta=418.0), sa.equal_gap(2, 0.9)),
    (sle(2, 20_000), sa.one_better(2, 0.5)),
    (sle(5, 25_000, beta=6.0), sa.ladder(5, 0.1)),
    (sle(10, 50_000, constants="sharp"), sa.equal_gap(10, 0.5)),
    (sle(2, 10_000, beta=3.0), coins(2, 0.05)),
    (sle(2, 10_000, beta=40.0), coins(2, 0.4)),
    (sle(8, 40_000, beta=2.0), coins(8, 0.1)),
    (sa.MOSS(n_arms=2, horizon=10_000), sa.equal_gap(2, 0.05)),
    (sa.MOSS(n_arms=3, horizon=15_000), coins(3, 0.05)),
    (sa.UCB(n_arms=3, horizon=15_000), sa.equal_gap(3, 0.2)),
    (sa.UCBf(n_arms=2, horizon=10_000), sa.equal_gap(2, 0.1)),
    (sa.UCBf(n_arms=2, horizon=20_000, f=0.3), coins(2, 0.05)),
    (sa.UCBf(n_arms=3, horizon=9_000, f=0.3), coins(3, 0.1)),
    (sa.UCB(n_arms=2, horizon=2_000, noise_scale=0.5, delta=0.8), coins(2, 0.05)),
    (sle(2, 500, beta=1.0, alpha=0.2), coins(2, 0.1)),
    # A tilt without an envelope: the running minimum of the whole index counts.
    (Tilted(n_arms=2, horizon=4_000, tilt=0.3), sa.equal_arms(2)),
    (Tilted(n_arms=2, horizon=20_000, tilt=0.1, log_scale=2.0, log_reach=400.0), sa.equal_gap(2, 0.1)),
    (Tilted(n_arms=3, horizon=9_000, tilt=0.05, root=1.0), sa.equal_gap(3, 0.05)),
    (Tilted(n_arms=8, horizon=40_000, tilt=0.2, log_scale=2.0, log_reach=100.0), sa.ladder(8, 0.1)),
    (Tilted(n_arms=2, horizon=2_000, tilt=0.15, log_scale=0.5, log_reach=50.0), coins(2, 0.05)),
    (Tilted(n_arms=5, horizon=25_000, tilt=0.05, log_scale=0.5, log_reach=400.0), coins(5, 0.1)),
    # A tilt with a kink, from spreads where first order holds to one where it does not.
    (sa.Steady(n_arms=2, horizon=20_000, spread=300.0), sa.equal_arms(2)),
    (sa.Steady(n_arms=2, horizon=20_000, spread=3_000.0), sa.equal_gap(2, 0.05)),
    (sa.Steady(n_arms=5, horizon=20_000, spread=400.0), sa.equal_gap(5, 0.2)),
    (sa.Steady(n_arms=20, horizon=40_000, spread=400.0), sa.ladder(20, 0.02)),
    (sa.Steady(n_arms=3, horizon=15_000, spread=700.0, noise_scale=0.5), coins(3, 0.05)),
]


def noisier(instance):
    """The control: the same setting with other noise, or for coins with another first mean."""
    if instance.rewards == "gaussian":
        return sa.Instance.gaussian(instance.means, 1.6)
    return sa.Instance.bernoulli([min(1.0, instance.means[0] + 0.1), *instance.means[1:]])


@pytest.mark.parametrize("place", range(len(SETTINGS)))
def test_leap_has_the_law_of_played_rounds_and_a_wrong_law_is_rejected(place):
    policy, instance = SETTINGS[place]
    played = counts_by("step", policy, instance, seed=10 + place, runs=RUNS)
    leapt = counts_by("leap", policy, instance, seed=50 + place, runs=RUNS)
    wrong = counts_by("prefix", policy, noisier(instance), seed=50 + place, runs=RUNS)
    for arm in (0, policy.n_arms - 1):
        assert ks_2samp(played[:, arm], leapt[:, arm]).pvalue > LEAST_P
    assert min(ks_2samp(played[:, arm], wrong[:, arm]).pvalue for arm in (0, policy.n_arms - 1)) < LEAST_P


def test_an_envelope_around_the_same_curves_is_another_law():
    """The control for tilts: leap reads the flag, and so do the engines that play."""
    policy, instance = (
        Tilted(n_arms=2, horizon=4_000, tilt=0.3, log_scale=2.0, log_reach=50.0),
        sa.equal_arms(2),
    )
    enveloped = policy.replace(envelope=True)
    counts = {
        (engine, kind.envelope): counts_by(engine, kind, instance, seed=5, runs=RUNS)[:, 0]
        for engine in ("leap", "prefix")
        for kind in (policy, enveloped)
    }
    assert ks_2samp(counts["leap", False], counts["prefix", False]).pvalue > LEAST_P
    assert ks_2samp(counts["leap", True], counts["prefix", True]).pvalue > LEAST_P
    assert ks_2samp(counts["leap", False], counts["prefix", True]).pvalue < LEAST_P


def test_fifty_arms_have_the_law_of_played_rounds():
    policy, instance = sle(50, 4096 * 50, beta=8.0), sa.equal_gap(50, 0.2)
    played = counts_by("prefix", policy, instance, seed=1, runs=400)[:, 0]
    leapt = counts_by("leap", policy, instance, seed=2, runs=400)[:, 0]
    assert ks_2samp(played, leapt).pvalue > LEAST_P


def test_the_law_at_a_hundred_million_rounds_is_that_of_prefix_runs():
    policy, instance = sle(2, 10**8), sa.equal_gap(2, 0.1)
    played = sa.simulate(policy, instance, runs=12, seed=3, engine="prefix").counts[:, 1]
    leapt = sa.simulate(policy, instance, runs=2000, seed=4, engine="leap").counts[:, 1]
    assert ks_2samp(played, leapt).pvalue > LEAST_P
    assert abs(played.mean() - leapt.mean()) < 4.5 * leapt.std() / np.sqrt(12)
    shifted = leapt + 5 * leapt.std()
    assert ks_2samp(played, shifted).pvalue < LEAST_P  # the control


ON_THE_WAY = [
    (sle(2, 4_000, beta=3.4), sa.equal_gap(2, 0.1)),
    (sle(3, 3_000, beta=2.0), coins(3, 0.1)),
    (sa.MOSS(n_arms=3, horizon=3_000), sa.equal_gap(3, 0.05)),
    (sa.UCB(n_arms=2, horizon=2_000), sa.equal_arms(2)),
]


@pytest.mark.parametrize("place", range(len(ON_THE_WAY)))
def test_counts_on_the_way_have_the_joint_law_of_played_rounds(place):
    policy, instance = ON_THE_WAY[place]
    at = [5 * policy.n_arms, policy.horizon // 2, policy.horizon]
    played = counts_at_by("prefix", policy, instance, 10 + place, at, runs=RUNS)[:, :, 0]
    leapt = counts_at_by("leap", policy, instance, 50 + place, at, runs=RUNS)[:, :, 0]
    least_p = 0.001 / (len(ON_THE_WAY) * (len(at) + 1))
    for moment in range(len(at)):
        assert ks_2samp(played[:, moment], leapt[:, moment]).pvalue > least_p
    later_half = played[:, 2] - 2 * played[:, 1]  # how much more than the first it took: a joint quantity
    assert ks_2samp(later_half, leapt[:, 2] - 2 * leapt[:, 1]).pvalue > least_p
    another_run = np.roll(leapt[:, 1], 1)  # the control: both laws are right, but it is not one path
    assert ks_2samp(later_half, leapt[:, 2] - 2 * another_run).pvalue < least_p
