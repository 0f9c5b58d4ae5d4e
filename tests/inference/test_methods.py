"""Intervals by name: against the formulas of the books, inside the range, and refused where they do not apply."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student

import steadyarm as sa
from steadyarm.errors import NotSupported
from steadyarm.inference.methods import METHODS, interval_ends
from steadyarm.inference.sample import Sample


def coins(counts, ones):
    return Sample(np.array(counts), np.array(ones, dtype=float), None, None, "bernoulli", 0.0, 1.0, None)


def sample_of(rewards, kind, low=-np.inf, high=np.inf):
    rewards = np.asarray(rewards, dtype=float)
    before = np.cumsum(rewards)[:-1] / np.arange(1, len(rewards))
    away = ((rewards[1:] - before) ** 2).sum()
    moments = (np.array([value]) for value in (rewards.sum(), (rewards**2).sum(), away))
    return Sample(np.array([len(rewards)]), *moments, kind, low, high, None)


@given(st.integers(1, 5000), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.999]))
def test_wilsons_ends_are_scipys(n, share, level):
    ones = round(share * n)
    low, high = interval_ends(coins([n], [ones]), "wilson", level, optimal_at=100)
    expected = binomtest(ones, n).proportion_ci(level, method="wilson")
    assert (low[0], high[0]) == pytest.approx(tuple(expected), abs=1e-12)


def test_an_estimated_variance_brings_students_quantile():
    rewards = np.random.default_rng(1).normal(3.0, 2.0, 12)
    low, high = interval_ends(sample_of(rewards, "gaussian"), "wald", 0.9, optimal_at=100)
    expected = student.interval(0.9, 11, rewards.mean(), rewards.std(ddof=1) / math.sqrt(12))
    assert (low[0], high[0]) == pytest.approx(expected)


def test_one_reward_says_nothing_of_a_variance():
    low, high = interval_ends(sample_of([0.4], "bounded", 0.0, 2.0), "wald", 0.9, optimal_at=100)
    assert (low[0], high[0]) == (0.0, 2.0)


@given(
    st.lists(st.tuples(st.integers(0, 400), st.floats(0, 1)), min_size=1, max_size=4),
    st.sampled_from(METHODS),
    st.sampled_from([0.5, 0.95, 1.0 - 1e-9]),
)
def test_ends_of_coins_lie_around_the_mean_and_inside_the_range(arms, method, level):
    counts = [n for n, _ in arms]
    sample = coins(counts, [round(share * n) for n, share in arms])
    low, high = interval_ends(sample, method, level, optimal_at=100)
    means = np.where(np.array(counts) > 0, sample.means, 0.5)
    assert (low >= 0.0).all()
    assert (high <= 1.0).all()
    assert (low <= means + 1e-12).all()
    assert (means <= high + 1e-12).all()
    assert [(low[arm], high[arm]) for arm, n in enumerate(counts) if n == 0] == [(0.0, 1.0)] * counts.count(0)


@given(st.lists(st.floats(2, 5), min_size=2, max_size=50), st.sampled_from(["wald", "anytime"]))
def test_ends_of_bounded_rewards_move_with_their_unit(rewards, method):
    plain = interval_ends(
        sample_of((np.array(rewards) - 2.0) / 3.0, "bounded", 0.0, 1.0), method, 0.95, optimal_at=50
    )
    moved = interval_ends(sample_of(rewards, "bounded", 2.0, 5.0), method, 0.95, optimal_at=50)
    for end, other in zip(plain, moved, strict=True):
        assert 2.0 + 3.0 * end == pytest.approx(other, abs=1e-5)
    assert moved[0] >= 2.0
    assert moved[1] <= 5.0


def test_many_runs_are_one_sample():
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 300, (20, 3))
    ones = rng.binomial(counts, 0.1)
    for method in METHODS:
        together = interval_ends(coins(counts, ones), method, 0.95, optimal_at=100)
        for run in range(20):
            alone = interval_ends(coins(counts[run], ones[run]), method, 0.95, optimal_at=100)
            for end, other in zip(together, alone, strict=True):
                assert end[run] == pytest.approx(other, abs=1e-12)


def test_at_three_in_a_hundred_an_interval_is_three_times_narrower_than_with_half_for_noise():
    for method, learnt in (("wald", "wilson"), ("anytime", "anytime")):
        half = sa.intervals([1000], [30], noise_scale=0.5, method=method)[0]
        coin = sa.intervals([1000], [30], rewards="bernoulli", method=learnt)[0]
        assert 2.8 < (half.high - half.low) / (coin.high - coin.low) < 3.3


def test_what_a_method_cannot_do_is_refused_with_what_to_give():
    blank = sample_of([0.2, 0.4], "gaussian")
    with pytest.raises(NotSupported, match="needs a known σ"):
        interval_ends(blank, "anytime", 0.95, optimal_at=100)
    with pytest.raises(NotSupported, match="Wilson's interval is for 0/1 rewards; these are gaussian"):
        interval_ends(blank, "wilson", 0.95, optimal_at=100)
    for method, words in (("wald", "Give squares="), ("anytime", "Give deviations=")):
        with pytest.raises(NotSupported, match=words):
            sa.intervals([10], [4.0], rewards="bounded", method=method)
