"""Averages over the plausible range: right on average, with errors that hold, and the luck of the draws taken out."""

import numpy as np
import pytest

from steadyarm.planning.baseline.over_range import equal_shares_lose, regressed
from steadyarm.planning.baseline.situation import describe
from steadyarm.theory.estimates import Estimate, mean_estimate

EXACT = Estimate(2.0, 2.0, 2.0, 10**6)


def samples(draws, slope, repetitions=2000):
    """What is lost on draws: a curve in what equal shares lose, whose average is 2, and noise."""
    random = np.random.default_rng(3)
    equal = random.gamma(4.0, 0.5, (repetitions, draws))
    return equal, slope * equal + random.normal(0.0, 0.3, equal.shape)


@pytest.mark.parametrize("slope", [0.0, 0.8])
def test_the_interval_holds_the_average_as_often_as_it_says(slope):
    found = [regressed(lost, equal, EXACT) for equal, lost in zip(*samples(12, slope), strict=True)]
    hits = np.mean([each.low <= 2.0 * slope <= each.high for each in found])
    assert hits == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / len(found)))


def test_what_is_known_of_equal_shares_takes_the_luck_of_the_draws_out():
    equal, lost = samples(30, 0.8)
    with_it = np.std([regressed(one, other, EXACT).value for one, other in zip(lost, equal, strict=True)])
    assert with_it < 0.5 * np.std(lost.mean(axis=1))


def test_few_draws_are_averaged_as_they_are():
    equal, lost = samples(9, 0.8, repetitions=1)
    assert regressed(lost[0], equal[0], EXACT) == mean_estimate(lost[0])
    assert regressed(np.arange(20.0), np.ones(20), EXACT) == mean_estimate(np.arange(20.0))


def test_equal_shares_lose_what_integration_says():
    test = describe(n_arms=3, horizon=900, baseline=0.3, smallest_difference=0.1, differences=(0.0, 0.2))
    found = equal_shares_lose(test, seed=0, level=0.99)
    assert (
        found.low <= 900 * 0.2 * (2 / 3 - 1 / 3) <= found.high
    )  # the larger of two uniforms, less their mean of three
    assert found.relative_half_width < 0.005
