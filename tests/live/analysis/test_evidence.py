"""Evidence is 1 on average, or less, while nothing is wrong; so it seldom is large, however often one looks."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from steadyarm.live.analysis.evidence import Ratio, Steadiness, stepped_rates, two_rates

RUNS = 4000


def averages(logs):
    """Return the average of E and its standard error."""
    values = np.exp(logs)
    return values.mean(), values.std() / math.sqrt(len(values))


@pytest.mark.parametrize("mean", [0.02, 0.3, 0.5])
@pytest.mark.parametrize("evidence", [two_rates, stepped_rates])
def test_evidence_of_two_rates_is_one_on_average_or_less(evidence, mean):
    draw = np.random.default_rng(1)
    first, second = draw.binomial(40, mean, RUNS), draw.binomial(60, mean, RUNS)
    found = [
        evidence(np.array([40.0]), np.array([one]), 100.0, one + two)[0]
        for one, two in zip(first, second, strict=True)
    ]
    average, error = averages(found)
    assert average <= 1.0 + 3.0 * error


def test_evidence_against_one_rate_is_more_than_one_on_average_if_there_are_two():
    draw = np.random.default_rng(1)
    first, second = draw.binomial(40, 0.1, 200), draw.binomial(60, 0.5, 200)
    found = [
        two_rates(np.array([40.0]), np.array([one]), 100.0, one + two)[0]
        for one, two in zip(first, second, strict=True)
    ]
    assert np.median(found) > 3.0


def run(rewards, low=0.0, scale=1.0):
    """Return the largest evidence along a run of rewards, looked at after each of them."""
    steadiness, largest = Steadiness(len(rewards), low, scale), 0.0
    for reward in rewards:
        steadiness.take(float(reward))
        largest = max(largest, steadiness.evidence())
    return largest


KINDS = {
    "coins": (lambda draw, n: draw.random(n) < 0.1, 0.0, 1.0),
    "fractions": (lambda draw, n: draw.beta(1, 9, n), 0.0, 1.0),
    "Gaussian": (lambda draw, n: draw.normal(7.0, 2.0, n), None, 2.0),
    "two values as noisy as σ": (lambda draw, n: draw.choice([-1.0, 1.0], n), None, 1.0),
}


@pytest.mark.parametrize("kind", KINDS)
def test_steady_rewards_seldom_seem_to_change_whenever_one_looks(kind):
    rewards, low, scale = KINDS[kind]
    draw = np.random.default_rng(3)
    largest = [run(rewards(draw, 120), low, scale) for _ in range(40)]
    assert np.mean(np.array(largest) >= math.log(20)) <= 0.05


def test_an_ordinary_test_at_the_same_looks_raises_many_more_alarms():
    draw = np.random.default_rng(3)
    counts = np.arange(20, 121)
    paths = draw.normal(size=(200, 120)).cumsum(axis=1)[:, 19:] / np.sqrt(counts)
    assert np.mean(np.abs(paths).max(axis=1) > norm.ppf(0.975)) > 0.15


def test_a_step_in_the_mean_is_found_up_or_down():
    draw = np.random.default_rng(4)
    for before, after in ((0.1, 0.6), (0.6, 0.1)):
        coins = np.concatenate([draw.random(300) < before, draw.random(300) < after])
        assert run(coins) > math.log(1000)
        noise = np.concatenate([draw.normal(before, 0.5, 300), draw.normal(after, 0.5, 300)])
        assert run(noise, None, 0.5) > math.log(1000)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=60), st.floats(-1e6, 1e6))
def test_the_place_of_rewards_without_a_range_does_not_matter(rewards, shift):
    moved = [reward + shift for reward in rewards]
    assert run(moved, None, 1.0) == pytest.approx(run(rewards, None, 1.0), abs=1e-6)


@given(st.lists(st.floats(0, 1), max_size=100))
def test_evidence_is_a_number_whatever_the_rewards(rewards):
    assert math.isfinite(run(rewards))


def test_evidence_of_a_ratio_is_one_on_average():
    draw, found = np.random.default_rng(5), []
    for _ in range(1500):
        ratio = Ratio(2, least=0.1)
        for probability in (0.9, 0.1, 0.5) * 10:
            arm = int(draw.random() >= probability)
            ratio.take(arm, probability if arm == 0 else 1.0 - probability)
        found.append(ratio.evidence())
    for arm in (0, 1):
        average, error = averages(np.array(found)[:, arm])
        assert abs(average - 1.0) <= 4.0 * error


def test_shares_that_are_off_are_found():
    draw, ratio = np.random.default_rng(6), Ratio(3, least=1 / 3)
    for arm in draw.choice(3, 2000, p=[0.25, 0.375, 0.375]):
        ratio.take(int(arm), 1 / 3)
    assert ratio.evidence().argmax() == 0
    assert ratio.evidence().max() > math.log(180)
