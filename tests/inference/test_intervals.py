"""Intervals of the arms' means: formulas, what they take, and how often they cover."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.inference.mixtures import normal_half_widths


def played(policy, rounds, instance=None, seed=2):
    play = policy.start(seed=seed)
    table = sa.reward_table(instance or sa.equal_gap(policy.n_arms, 0.3), seed=seed, pulls=rounds)
    while play.round < rounds:
        arm = play.ask()
        play.tell(arm, float(table[arm, play.counts[arm] - 1]))
    return play, table


def test_wald_is_mean_and_quantile_times_noise_over_root_n():
    one, other = sa.intervals(
        counts=[400, 25], sums=[80.0, -5.0], noise_scale=[1.0, 2.0], level=0.9, method="wald"
    )
    assert (one.value, one.runs, one.level) == (0.2, 400, 0.9)
    assert one.high - one.value == pytest.approx(1.6448536269514722 / 20.0, rel=1e-12)
    assert other.value - other.low == pytest.approx(1.6448536269514722 * 2.0 / 5.0, rel=1e-12)


def test_anytime_is_the_normal_mixture():
    n, sigma, level, optimal_at = 700, 0.5, 0.95, 2500.0
    a = 0.025
    rho = sigma**2 * optimal_at / (2 * math.log(1 / a) + math.log(1 + 2 * math.log(1 / a)))
    v = n * sigma**2
    expected = math.sqrt((v + rho) * (math.log(1 + v / rho) + 2 * math.log(1 / a))) / n
    estimate = sa.intervals([n], [70.0], method="anytime", noise_scale=sigma, optimal_at=optimal_at)[0]
    assert estimate.value == pytest.approx(0.1)
    assert estimate.high - estimate.value == pytest.approx(expected, rel=1e-12)
    assert estimate.value - estimate.low == pytest.approx(expected, rel=1e-12)
    assert normal_half_widths(n, sigma, level, optimal_at) == pytest.approx(expected, rel=1e-12)


def test_the_anytime_interval_is_narrowest_about_where_it_was_tuned():
    widths = {at: float(normal_half_widths(1000, 1.0, 0.95, at)) for at in np.geomspace(10, 1e5, 81)}
    best = min(widths, key=widths.get)
    assert 700 < best < 1400


@pytest.mark.parametrize("policy", [sa.SLEUCB(n_arms=3, horizon=900), sa.UCB1(n_arms=3, horizon=900)])
def test_a_play_gives_the_intervals_of_its_told_rewards(policy):
    play, table = played(policy, 200)
    counts = play.counts
    sums = [table[arm, : counts[arm]].sum() for arm in range(3)]
    arm = play.ask()  # a pull whose reward is still to come does not count
    for method in ("wald", "anytime"):
        found = sa.intervals(play, method=method)
        expected = sa.intervals(counts, sums, method=method, optimal_at=300.0)
        assert [estimate.runs for estimate in found] == counts.tolist()
        for one, other in zip(found, expected, strict=True):
            assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))
    assert play.outstanding[arm] == 1


def test_an_arm_without_rewards_has_the_whole_line():
    play = sa.SLEUCB(n_arms=2, horizon=50).start()
    for method in ("wald", "anytime"):
        for estimate in sa.intervals(play, method=method):
            assert math.isnan(estimate.value)
            assert (estimate.low, estimate.high, estimate.runs) == (-math.inf, math.inf, 0)


REPEATS, LAST = 4000, 2000


def walks(seed):
    """Means of the first 1, 2, …, LAST standard normals, one row a repeat."""
    table = np.random.default_rng(seed).standard_normal((REPEATS, LAST))
    return np.cumsum(table, axis=1) / np.arange(1, LAST + 1)


def half_widths(method):
    counts = np.arange(1, LAST + 1)
    estimates = sa.intervals(counts, np.zeros(LAST), method=method, optimal_at=500.0)
    return np.array([estimate.high for estimate in estimates])


@pytest.mark.slow
def test_wald_covers_at_a_count_fixed_in_advance_and_not_at_all_counts_at_once():
    means, widths = np.abs(walks(1)), half_widths("wald")
    error = math.sqrt(0.95 * 0.05 / REPEATS)
    for n in (1, 10, 300, 2000):
        assert abs((means[:, n - 1] <= widths[n - 1]).mean() - 0.95) < 4.0 * error
    assert (means <= widths).all(axis=1).mean() < 0.70  # the negative control of the next test


@pytest.mark.slow
def test_anytime_covers_at_all_counts_at_once():
    means, widths = np.abs(walks(2)), half_widths("anytime")
    assert (means <= widths).all(axis=1).mean() >= 0.95
    # Half as wide, it would not.
    assert (means <= 0.5 * widths).all(axis=1).mean() < 0.95


@pytest.mark.slow
def test_anytime_covers_when_the_experimenter_stops_as_soon_as_the_mean_looks_high():
    """Stop when the Wald interval excludes zero: Wald misses often, anytime at most one time in twenty."""
    means = walks(3)
    for method, least, most in (("wald", 0.0, 0.70), ("anytime", 0.95, 1.0)):
        excluded = np.abs(means) > half_widths("wald")
        stop = np.where(excluded.any(axis=1), excluded.argmax(axis=1), LAST - 1)
        rows = np.arange(REPEATS)
        covered = (np.abs(means[rows, stop]) <= half_widths(method)[stop]).mean()
        assert least <= covered <= most


@pytest.mark.parametrize(
    ("ones", "trials"), [(0, 1), (1, 1), (0, 150), (1, 150), (75, 150), (149, 150), (3, 10**6)]
)
def test_the_exact_interval_is_clopper_and_pearsons(ones, trials):
    found = sa.intervals([trials], [ones], rewards="bernoulli", method="exact", level=0.9)[0]
    expected = binomtest(ones, trials).proportion_ci(0.9, method="exact")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-12)


def test_rewards_that_are_all_the_same_leave_everything_possible():
    """Student's interval would be a point, after two rewards or after rounding ate the variance."""
    two = {"squares": [0.02], "rewards": "bounded", "method": "wald"}
    found = sa.intervals([2], [0.2], **two)[0]
    assert (found.low, found.high) == (0.0, 1.0)
    far = np.random.default_rng(1).normal(1.7e9, 1.0, 100)
    given = {"squares": [float((far**2).sum())], "noise_scale": "estimated", "method": "wald"}
    found = sa.intervals([100], [float(far.sum())], **given)[0]
    assert (found.low, found.high) == (-math.inf, math.inf)


def test_simulated_intervals_need_replays_for_their_level():
    play = sa.RoundRobin(n_arms=2, horizon=10, noise_scale=0.5).start()
    for _ in range(10):
        play.tell(play.ask(), 1.0)
    with pytest.raises(
        InvalidInput, match=r"replays must be at least 2000; got 1000\. A level of 0\.999 needs that many"
    ):
        sa.intervals(play, method="simulated", rewards="bernoulli", level=0.999)


def test_after_an_arm_was_retired_only_intervals_that_hold_at_any_time_are_taken():
    play, whole = (sa.RoundRobin(n_arms=3, horizon=90).start(seed=1) for _ in range(2))
    for each in (play, whole):
        for turn in range(90):
            if each is play and turn == 40:
                each.retire(0)
            each.tell(each.ask(), 0.1)
    assert sa.intervals(whole).method == "wald"
    assert sa.intervals(play).method == "anytime"
