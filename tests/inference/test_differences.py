"""Differences between arms: formulas, coverage together, decisions."""

import math

import numpy as np
import pytest
from scipy.stats import binom, ttest_ind

import steadyarm as sa
from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.inference.differences import difference_ends
from steadyarm.inference.methods import METHODS
from steadyarm.inference.mixtures import coin_evidence, concentration
from steadyarm.inference.sample import Sample


def coins(counts, ones):
    return Sample(np.array(counts), np.array(ones, dtype=float), None, None, "bernoulli", 0.0, 1.0, None)


@pytest.mark.parametrize(
    ("one", "other", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_wilsons_difference_is_newcombes(one, other, low, high):
    """Three rows of method 10 in the second table of Newcombe's paper."""
    sample = coins([one[1], other[1]], [one[0], other[0]])
    ends = difference_ends(sample, "wilson", 0.95, [(0, 1)], optimal_at=100)
    assert [float(end[0]) for end in ends] == pytest.approx([low, high], abs=5e-5)


def test_walds_difference_with_estimated_variances_is_welchs():
    rng = np.random.default_rng(3)
    one, other = rng.normal(1.0, 1.0, 9), rng.normal(0.0, 3.0, 40)
    found = sa.differences(
        [9, 40],
        [one.sum(), other.sum()],
        squares=[(one**2).sum(), (other**2).sum()],
        noise_scale="estimated",
        method="wald",
        control=1,
    )
    expected = ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    assert (found[0].low, found[0].high) == pytest.approx(tuple(expected))
    assert found[0].value == pytest.approx(one.mean() - other.mean())


@pytest.mark.parametrize("method", METHODS)
def test_the_difference_the_other_way_round_is_the_mirror_image(method):
    ends = difference_ends(coins([40, 90], [3, 30]), method, 0.9, [(0, 1), (1, 0)], optimal_at=60)
    assert ends[0][0] == pytest.approx(-ends[1][1], abs=1e-6)
    assert ends[0][1] == pytest.approx(-ends[1][0], abs=1e-6)


def test_bounded_rewards_have_the_difference_that_two_intervals_leave():
    data = {"squares": [16.0, 36.0], "deviations": [0.5, 0.5], "rewards": "bounded", "method": "anytime"}
    found = sa.differences([100, 100], [40.0, 60.0], level=0.9, **data)[0]
    one, other = sa.intervals([100, 100], [40.0, 60.0], level=0.95, **data)
    assert (found.low, found.high) == pytest.approx((other.low - one.high, other.high - one.low))


def test_the_difference_of_means_at_any_time_is_narrower_than_two_intervals_leave():
    for how in ({"rewards": "bernoulli"}, {"noise_scale": 0.5}):
        found = sa.differences([500, 500], [100, 150], method="anytime", **how)[0]
        one, other = sa.intervals([500, 500], [100, 150], level=0.975, method="anytime", **how)
        assert found.high - found.low < 0.85 * (one.high - one.low + other.high - other.low)


def test_power_of_a_trial_of_300_is_that_of_a_test_of_two_proportions():
    """0.05 against 0.13, 150 patients each, summed over all outcomes: with σ = ½ there was next to no power."""
    ones = np.stack(np.meshgrid(np.arange(60), np.arange(60), indexing="ij"), axis=-1).reshape(-1, 2)
    counts = np.full(ones.shape, 150)
    known = Sample(counts, 1.0 * ones, None, None, "gaussian", -np.inf, np.inf, np.array([0.5, 0.5]))
    learnt = coins(counts, ones)

    def power(sample, method, rates):
        low, high = difference_ends(sample, method, 0.95, [(1, 0)], optimal_at=150)
        chance = binom.pmf(ones[:, 0], 150, rates[0]) * binom.pmf(ones[:, 1], 150, rates[1])
        return chance @ ((low > 0.0) | (high < 0.0))[:, 0]

    assert power(learnt, "wald", (0.05, 0.13)) == pytest.approx(0.701, abs=0.001)
    assert power(learnt, "wilson", (0.05, 0.13)) == pytest.approx(0.677, abs=0.001)
    assert power(known, "wald", (0.05, 0.13)) == pytest.approx(0.179, abs=0.001)
    assert power(learnt, "wilson", (0.09, 0.09)) < 0.05


@pytest.mark.slow
def test_the_evidence_against_two_true_rates_is_rarely_large_at_any_time_under_a_policy_that_adapts():
    """Both arms' pulls are chosen greedily, and one looks after each of 400 rounds."""
    rng, rates, alpha, runs = np.random.default_rng(6), np.array([0.05, 0.1]), 0.1, 2000
    rho, rows = concentration(200, math.sqrt(alpha)), np.arange(runs)
    counts, ones = np.zeros((runs, 2), dtype=int), np.zeros((runs, 2))
    most = np.full(runs, -np.inf)
    for _ in range(400):
        arm = ((ones + 1.0) / (counts + 2.0)).argmax(axis=1)
        counts[rows, arm] += 1
        ones[rows, arm] += rng.random(runs) < rates[arm]
        most = np.maximum(most, coin_evidence(rates, counts, ones, rho).sum(axis=1))
    missed = (most >= math.log(1.0 / alpha)).mean()
    assert missed <= alpha + 3.0 * math.sqrt(alpha * (1.0 - alpha) / runs)
    assert (most >= 0.4 * math.log(1.0 / alpha)).mean() > alpha


@pytest.mark.slow
def test_intervals_of_all_pairs_hold_together():
    rng, runs, means = np.random.default_rng(7), 3000, np.array([0.0, 0.2, 0.2, 0.4])
    sums = rng.normal(50.0 * means, math.sqrt(50.0), (runs, 4))
    sample = Sample(np.full((runs, 4), 50), sums, None, None, "gaussian", -np.inf, np.inf, np.ones(4))
    pairs = [(arm, other) for arm in range(4) for other in range(arm)]
    true = np.array([means[arm] - means[other] for arm, other in pairs])

    def together(level):
        low, high = difference_ends(sample, "wald", level, pairs, optimal_at=50)
        return ((low <= true) & (true <= high)).all(axis=1).mean()

    assert together(1.0 - 0.05 / 6.0) >= 0.95 - 3.0 * math.sqrt(0.05 * 0.95 / runs)
    assert together(0.95) < 0.9  # without Bonferroni


def test_an_arm_without_rewards_decides_nothing():
    for how in ({"rewards": "bernoulli"}, {"noise_scale": 1.0}):
        found = sa.differences([100, 0, 100], [90, 0, 5], method="anytime", **how)
        assert [row.better for row in found] == [None, 0, None]
        assert (math.isnan(found[0].value), found.best) == (True, (0, 1))
        low, high = (-1.0, 1.0) if "rewards" in how else (-math.inf, math.inf)
        assert (found[0].low, found[0].high) == (low, high)


def test_against_a_control_each_other_arm_has_one_row():
    found = sa.differences(
        [50, 50, 50], [5, 6, 40], rewards="bernoulli", control="old", arms=["new", "old", "newer"]
    )
    assert [(row.arm, row.other) for row in found] == [("new", "old"), ("newer", "old")]


def test_a_control_is_named_or_numbered():
    data = {"rewards": "bernoulli", "arms": ["new", "old", "newer"]}
    one, other = (sa.differences([50, 50, 50], [5, 6, 40], control=which, **data) for which in ("old", 1))
    assert one.rows == other.rows


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"control": 3}, "control must be one of 0, 1; got 3"),
        ({"arms": ["A"]}, "arms must be 2 different names"),
        ({"arms": ["A", "A"]}, "arms must be 2 different names"),
        ({"level": 1.0}, "level must be below 1"),
        ({"method": "exact"}, "method must be one of"),
    ],
)
def test_bad_arguments_are_refused(how, words):
    with pytest.raises(InvalidInput, match=words):
        sa.differences([5, 5], [1.0, 2.0], **how)


def test_one_arm_has_no_difference():
    with pytest.raises(InvalidInput, match="two arms or more"):
        sa.differences([5], [1.0])


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"control": True}, "control must be one of 0, 1; got True"),
        ({"level": 95}, r"level must be at most 1\.0; got 95\.0\. 95 % is 0\.95"),
        ({"noise_scale": "estimated", "squares": [9.0, 9.0]}, "one look at the planned end .* method='wald'"),
    ],
)
def test_what_is_typed_wrong_is_refused_with_a_remedy(how, words):
    with pytest.raises((InvalidInput, NotSupported), match=words):
        sa.differences([10, 10], [1.0, 2.0], **how)
    with pytest.raises(TypeError, match=r"differences\(\) got an unexpected keyword argument 'sigma'"):
        sa.differences([10, 10], [1.0, 2.0], sigma=1.0)


def test_after_an_arm_was_retired_the_reason_says_so_and_nothing_is_replayed():
    play = sa.RoundRobin(n_arms=3, horizon=30).start(seed=1)
    for number in range(30):
        if number == 15:
            play.retire(2)
        play.tell(play.ask(), 0.5)
    assert "an arm was retired" in sa.differences(play).words
    assert "an arm was retired" in sa.intervals(play).words
    for find in (sa.differences, sa.intervals):
        with pytest.raises(NotSupported, match="was retired, which no replay would know"):
            find(play, method="simulated")
