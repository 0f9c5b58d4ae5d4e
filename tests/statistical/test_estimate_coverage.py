"""Nominal 95 % intervals cover in 93 to 97 of 100 samples: for means, spreads, and the largest of several."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.theory.estimates import largest_sd_estimate, mean_estimate, sd_estimate

pytestmark = pytest.mark.slow

REPEATS = 3000  # standard error of a coverage of 95 %: 0.40 points
FEWER = 1000  # of what takes longer: 0.69 points


def gaussian(rng, runs):
    return 1000.0 + 30.0 * rng.standard_normal(runs)


def bimodal(rng, runs):
    """A count that lands near 200 in one run of five and near 800 otherwise."""
    low = rng.random(runs) < 0.2
    return np.where(low, 200.0, 800.0) + 40.0 * rng.standard_normal(runs)


def even_bimodal(rng, runs):
    return np.where(rng.random(runs) < 0.5, 300.0, 700.0) + 60.0 * rng.standard_normal(runs)


def skewed(rng, runs):
    return 100.0 + 50.0 * rng.gamma(4.0, size=runs)


TRUTH = {
    gaussian: (1000.0, 30.0),
    bimodal: (680.0, np.sqrt(0.16 * 600.0**2 + 40.0**2)),
    even_bimodal: (500.0, np.sqrt(200.0**2 + 60.0**2)),
    skewed: (300.0, 100.0),
}


def coverage(estimator, sample, truth, runs, seed, repeats=REPEATS):
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(repeats):
        estimate = estimator(sample(rng, runs))
        hits += estimate.low <= truth <= estimate.high
    return hits / repeats


@pytest.mark.parametrize("runs", [200, 2000])
@pytest.mark.parametrize("law", TRUTH, ids=lambda law: law.__name__)
def test_the_interval_of_a_standard_deviation_covers(law, runs):
    assert 0.93 <= coverage(sd_estimate, law, TRUTH[law][1], runs, seed=runs) <= 0.97


@pytest.mark.parametrize("law", TRUTH, ids=lambda law: law.__name__)
def test_the_interval_of_a_mean_covers(law):
    assert 0.93 <= coverage(mean_estimate, law, TRUTH[law][0], 200, seed=1) <= 0.97


def chi_square_interval(sample):
    """The textbook interval, which assumes a normal sample: the negative control."""
    from scipy.stats import chi2

    from steadyarm.theory import Estimate

    runs, variance = sample.size, sample.var(ddof=1)
    ends = [np.sqrt((runs - 1) * variance / chi2.ppf(p, runs - 1)) for p in (0.975, 0.025)]
    return Estimate(np.sqrt(variance), *ends, runs=runs)


def test_the_textbook_interval_fails_on_these_laws():
    assert coverage(chi_square_interval, gaussian, 30.0, 2000, seed=3) <= 0.97
    assert coverage(chi_square_interval, even_bimodal, TRUTH[even_bimodal][1], 2000, seed=3) > 0.97
    assert coverage(chi_square_interval, skewed, 100.0, 2000, seed=3) < 0.93


def two_mirrored_arms(rng, runs):
    one = bimodal(rng, runs)
    return np.column_stack([one, 1000.0 - one])


def one_dominating_arm(rng, runs):
    return np.column_stack([skewed(rng, runs), *(30.0 * rng.standard_normal((4, runs)))])


def five_equal_arms(rng, runs):
    noise = rng.standard_normal((runs, 5))
    return 30.0 * (noise - noise.mean(axis=1, keepdims=True)) / np.sqrt(0.8)


def winner_takes_all(rng, runs, arms=3):
    """Each run gives nearly everything to one arm at random: bimodal, tied and dependent."""
    table = 20.0 + 5.0 * rng.standard_normal((runs, arms))
    table[np.arange(runs), rng.integers(0, arms, runs)] += 500.0
    return table


@pytest.mark.parametrize(
    ("law", "truth"),
    [
        (two_mirrored_arms, TRUTH[bimodal][1]),
        (one_dominating_arm, 100.0),
        (five_equal_arms, 30.0),
        (winner_takes_all, np.sqrt(500.0**2 * 2 / 9 + 25.0)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_interval_of_the_largest_standard_deviation_covers(law, truth):
    covered = coverage(largest_sd_estimate, law, truth, 500, seed=8, repeats=FEWER)
    assert 0.93 <= covered <= 0.97


def test_the_interval_of_a_count_with_two_sharp_peaks_covers():
    """Equal arms, hardly any bonus: one arm takes nearly everything, in every run."""
    policy = sa.SLEUCB(n_arms=2, horizon=1000, beta=0.3, alpha=0.05)
    counts = sa.simulate(policy, sa.equal_arms(2), runs=1000 * 250, seed=12, engine="prefix").counts
    truth = counts[:, 0].std()
    found = [largest_sd_estimate(some) for some in np.split(counts, 1000)]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in found])
    assert 0.93 <= covered <= 0.98  # 1,000 repeats: a standard error of 0.7 points


def naive_largest(table):
    """The interval of whichever arm came out largest: the negative control."""
    return sd_estimate(table[:, table.std(axis=0).argmax()])


def test_ignoring_the_choice_of_the_largest_arm_undercovers():
    assert coverage(naive_largest, five_equal_arms, 30.0, 500, seed=8) < 0.93
