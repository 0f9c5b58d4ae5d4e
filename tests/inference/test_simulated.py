"""Simulated intervals: where the law is known they are the known ones, and they cover under an adaptive policy."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest, norm

import steadyarm as sa
from steadyarm.engines.sums import reward_moments
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.inference.sample import Sample
from steadyarm.inference.simulated import SEED, simulated_ends, tails

TURNS = sa.RoundRobin(n_arms=2, horizon=100, noise_scale=0.5)


def coins(counts, sums):
    return Sample(np.array(counts), np.array(sums, dtype=float), None, None, "bernoulli", 0.0, 1.0, None)


def played(policy, means, seed):
    """A play to its end on coins with these means."""
    play, table = (
        policy.start(seed=seed),
        sa.reward_table(sa.Instance.bernoulli(means), seed=seed, pulls=policy.horizon),
    )
    while play.round < policy.horizon:
        arm = play.ask()
        play.tell(arm, float(table[arm, play.counts[arm] - 1]))
    return play


@pytest.mark.parametrize("mean", [0.2, 0.3, 0.45])
def test_with_counts_fixed_in_advance_the_tails_are_binomial(mean):
    found = tails(TURNS, coins([50, 50], [15, 25]), 0, mean, 4000, seed=3)
    exact = binom.cdf(15, 50, mean), binom.sf(14, 50, mean)
    for tail, truth in zip(found, exact, strict=True):
        assert abs(tail - truth) < 4 * np.sqrt(truth * (1 - truth) / 4000) + 1 / 4000


def test_with_counts_fixed_in_advance_the_interval_is_clopper_and_pearsons():
    low, high, _ = simulated_ends(TURNS, coins([50, 50], [15, 0]), 0.95, replays=2000, seed=5)
    for arm, successes in enumerate((15, 0)):
        exact = binomtest(successes, 50).proportion_ci(0.95, "exact")
        assert (low[arm], high[arm]) == pytest.approx((exact.low, exact.high), abs=0.02)
    assert low[1] == 0.0


def test_with_gaussian_rewards_and_fixed_counts_the_interval_is_walds():
    sample = Sample(
        np.array([50, 50]), np.array([5.0, -20.0]), None, None, "gaussian", -np.inf, np.inf, np.full(2, 0.5)
    )
    low, high, _ = simulated_ends(TURNS, sample, 0.9, replays=2000, seed=5)
    half = norm.ppf(0.95) * 0.5 / np.sqrt(50)
    assert np.allclose([low, high], [sample.means - half, sample.means + half], atol=0.1 * half)


def test_intervals_takes_a_play_at_its_end_says_its_cost_and_is_the_same_for_a_seed():
    play = played(sa.MOSS(n_arms=2, horizon=200, noise_scale=0.5), [0.3, 0.5], seed=4)
    shares = []
    found = sa.intervals(play, method="simulated", rewards="bernoulli", replays=200, progress=shares.append)
    assert found.words.startswith("Simulated intervals, because you asked for them; ")
    assert found.words.endswith("00 replays of MOSS were played.")
    assert shares[-1] == 1.0 == max(shares)
    assert all(0.0 <= each.low < each.value < each.high <= 1.0 for each in found)
    again = sa.intervals(play, method="simulated", rewards="bernoulli", replays=200, seed=SEED)
    assert list(again) == list(found)
    assert list(sa.intervals(play, method="simulated", rewards="bernoulli", replays=200, seed=1)) != list(
        found
    )


def test_a_mean_is_outside_the_interval_when_its_test_rejects_it():
    policy = sa.Mixed(sa.MOSS(n_arms=2, horizon=100, noise_scale=0.5), 0.2)
    play = played(policy, [0.3, 0.6], seed=2)
    sample = coins(play.counts, play.moments.sums)
    low, high, _ = simulated_ends(policy, sample, 0.9, replays=300)
    for arm in range(2):
        kept = tails(policy, sample, arm, float(low[arm] + high[arm]) / 2, 300, SEED)
        beyond = tails(policy, sample, arm, float(high[arm]), 300, SEED)
        assert min(kept) >= 0.05 > min(beyond)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rewards": "bounded"}, "for 0/1 rewards, or Gaussian ones of known noise_scale"),
        ({"noise_scale": "estimated"}, "of known noise_scale"),
    ],
)
def test_rewards_that_cannot_be_drawn_again_are_refused(options, words):
    play = played(TURNS, [0.3, 0.5], seed=1)
    with pytest.raises(NotSupported, match=words):
        sa.intervals(play, method="simulated", **options)


def test_a_play_that_is_not_over_and_counts_without_a_policy_are_refused():
    play = TURNS.start(seed=1)
    for _ in range(10):
        play.tell(play.ask(), 1.0)
    with pytest.raises(NotSupported, match="all 100 rewards known, because replays end there; 10 are"):
        sa.intervals(play, method="simulated", rewards="bernoulli")
    with pytest.raises(NotSupported, match="give a play and not counts"):
        sa.intervals([5, 5], [1, 2], method="simulated", rewards="bernoulli")
    with pytest.raises(InvalidInput, match="replays must be at least 100; got 5"):
        sa.intervals(played(TURNS, [0.3, 0.5], seed=1), method="simulated", rewards="bernoulli", replays=5)


@pytest.mark.slow
def test_the_upper_end_misses_as_often_as_it_says_where_walds_misses_twice_as_often():
    policy, means, experiments = sa.MOSS(n_arms=2, horizon=300), (0.0, 0.2), 500
    instance = sa.Instance.gaussian(means)
    counts = sa.simulate(policy, instance, runs=experiments, seed=1).counts
    sums = reward_moments(instance, counts, seed=1).sums
    below = []
    for place in range(
        experiments
    ):  # replays of its own for every experiment: a common seed is a common error
        sample = Sample(counts[place], sums[place], None, None, "gaussian", -np.inf, np.inf, np.ones(2))
        below.append(tails(policy, sample, 0, means[0], 200, SEED + place).below)
    walds = sums[:, 0] / np.sqrt(counts[:, 0]) < norm.ppf(0.025)
    most = 0.025 + 3 * np.sqrt(0.025 * 0.975 / experiments)
    assert np.mean(np.array(below) < 0.025) < most < walds.mean()
