"""A situation says what a team knows, fills in what it leaves open, and refuses what cannot be."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.engines.simulate import simulate
from steadyarm.errors import InvalidInput
from steadyarm.model.instance import coin_deviation, sub_gaussian_scale
from steadyarm.planning.baseline.situation import describe
from steadyarm.policies.own_history.steady import Steady

KNOWN = {"n_arms": 4, "horizon": 200_000, "baseline": 0.03, "smallest_difference": 0.003}


def test_the_class_is_the_range_and_its_noise_that_of_its_noisiest_rate():
    found = describe(**KNOWN, differences=(-0.005, 0.01)).reward_class
    assert found.mean_range[:4] == pytest.approx((0.025, 0.04, 0.0, 1.0))
    assert found.noise_scale == coin_deviation(0.04)
    assert found.proof_scale == sub_gaussian_scale(0.04) > found.noise_scale
    assert found.widest_gap == pytest.approx(0.015)


def test_other_outcomes_than_rates_bring_their_own_noise():
    found = describe(n_arms=2, horizon=100, baseline=(8.0, 50.0), smallest_difference=1.0).reward_class
    assert (found.rewards, found.noise_scale, found.proof_scale) == ("gaussian", 50.0, 50.0)
    assert (found.mean_range.low, found.mean_range.high) == (5.0, 11.0)


def test_where_better_outcomes_may_be_larger_in_proportion_the_larger_deviation_is_named():
    known = {"n_arms": 2, "horizon": 40_000}
    shop = describe(**known, baseline=(3.2, 40.0), smallest_difference=1.2)
    assert "they vary by 55 at the smallest difference" in shop.noise_words
    for baseline, smallest in (((100.0, 40.0), 1.2), ((-3.2, 40.0), 1.2), (0.03, 0.01)):
        other = describe(**known, baseline=baseline, smallest_difference=smallest)
        assert "larger in proportion" not in other.noise_words


def test_outcomes_that_come_after_the_experiment_are_as_late_as_its_end():
    late = describe(
        n_arms=2, per_day=100, days=10, baseline=0.3, smallest_difference=0.1, delay_days=1e9, daily=True
    )
    assert (late.horizon, late.delay, late.batch) == (1000, 1000, 100)
    rare = describe(n_arms=2, horizon=50, per_day=100, baseline=0.3, smallest_difference=0.1, daily=True)
    assert rare.batch == 50


@pytest.mark.parametrize(
    ("delay_days", "daily", "too_late"),
    [
        (0.0, False, False),
        (9.0, False, False),
        (9.99, False, True),
        (8.5, True, False),
        (9.0, True, True),
        (99.0, True, True),
    ],
)
def test_nothing_can_adapt_where_the_last_unit_has_its_arm_before_the_first_outcome(
    delay_days, daily, too_late
):
    known = {"n_arms": 2, "baseline": 0.3, "smallest_difference": 0.1, "per_day": 100, "days": 10}
    found = describe(**known, delay_days=delay_days, daily=daily)
    assert found.too_late == too_late
    policy = Steady(n_arms=2, horizon=1000, noise_scale=0.5, spread=100)
    counts = simulate(policy, found.instance([0.0, 1.0]), runs=3, delay=found.delay, batch=found.batch).counts
    assert (np.ptp(counts) <= 1) == too_late


@given(rate=st.floats(0.001, 0.999), share=st.floats(0.01, 1.0), seed=st.integers(0, 100))
def test_every_plausible_arm_can_be_played_by_a_policy_of_the_class(rate, share, seed):
    smallest = share * min(rate, 1.0 - rate)
    found = describe(n_arms=3, horizon=100, baseline=rate, smallest_difference=smallest)
    for instance in (found.at_smallest, *found.plausible(5, seed)):
        assert instance.means[0] == rate
        instance.check_class(found.reward_class.mean_bound, found.reward_class.proof_scale)
        instance.check_class(None, found.reward_class.noise_scale, for_theorems=False)


def test_plausible_arms_are_drawn_uniformly_from_the_range():
    found = describe(**KNOWN, differences=(-0.005, 0.01))
    others = np.array([instance.means[1:] for instance in found.plausible(2000, seed=1)]) - 0.03
    assert -0.005 <= others.min() < -0.0049
    assert 0.0099 < others.max() <= 0.01
    assert others.mean() == pytest.approx(0.0025, abs=4 * 0.015 / math.sqrt(12 * others.size))
    assert others.std() == pytest.approx(0.015 / math.sqrt(12), rel=0.03)


def test_days_and_traffic_give_the_rounds_and_the_delay():
    found = describe(
        n_arms=3, baseline=0.05, smallest_difference=0.01, per_day=2000, days=14, delay_days=3, daily=True
    )
    assert (found.horizon, found.delay, found.batch, found.days) == (28_000, 6000, 2000, 14.0)
    assert "in 14 days, and 3 more until the last outcomes" in found.words
    assert describe(**KNOWN).delay == 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"baseline": 3},
            r"must be a rate above 0% and below 100%; got 300% \(3 is 300%, 0.03 is 3% in Python and JSON\)",
        ),
        ({"baseline": (1.0, 0.0)}, "the sd of baseline must be positive; got 0.0"),
        (
            {"baseline": [8.0, 50.0]},
            r"baseline must be a number; got \[8.0, 50.0\]. Give a rate like 0.03, \(mean, sd\)",
        ),
        (
            {"baseline": (1.0,)},
            r"a rate, or \(mean, sd\); got \(1.0,\). Give two numbers, like \(8.0, 50.0\)",
        ),
        ({"smallest_difference": 0}, "smallest_difference must be positive; got 0"),
        (
            {"smallest_difference": 0.98},
            r"must leave a rate of 100% at most; got 3% \+ 98 pp \(0.3 pp is 0.003 in Python and JSON\)",
        ),
        ({"per_day": -5}, "per_day must be positive; got -5.0. It is how many units come in a day."),
        ({"per_day": 5, "days": 0}, "days must be positive; got 0.0. It is how long new units come"),
        ({"differences": (0.01, -0.01)}, "must leave some room; from 1 pp to -1 pp there is none"),
        ({"differences": (-0.5, -0.1)}, "some room; from -3 pp to -10 pp"),
        (
            {"differences": (-0.01, 0.001)},
            "must include the smallest one that matters; got -1 pp to 0.1 pp, and 0.3 pp",
        ),
        ({"differences": (0.01,)}, r"the lowest and the highest; got \(0.01,\). Give two numbers"),
        ({"delay_days": -1}, "delay_days must be at least 0.0; got -1.0"),
        ({"delay_days": 2}, "delay_days= and daily= need per_day=, the number of units a day"),
        ({"per_day": 1000, "days": 3}, "1000 × 3 = 3,000 units, and horizon is 200,000"),
        ({"days": 3}, "to turn days into units a plan needs per_day="),
        ({"horizon": None}, "give horizon=, or per_day= and days="),
        ({"horizon": 4}, "horizon must be at least 5"),
        (
            {"n_arms": 1001},
            "n_arms must be at most 1000; got 1001. From a baseline 1,000 are planned at most",
        ),
        ({"n_arms": 1}, "n_arms must be at least 2; got 1"),
        ({"column": "x"}, "column='x' is for past data"),
    ],
)
def test_what_cannot_be_is_refused_with_the_rule_the_value_and_the_remedy(changed, message):
    with pytest.raises(InvalidInput, match=message):
        describe(**KNOWN | changed)


@pytest.mark.parametrize(("baseline", "smallest"), [(0.35, 0.15), (0.1, 0.2), (0.7, 0.1), (0.07, 0.01)])
def test_arms_at_the_ends_of_the_stated_range_can_be_played(baseline, smallest):
    found = describe(n_arms=2, horizon=300, baseline=baseline, smallest_difference=smallest)
    ends = [float(f"{min(1.0, max(0.0, baseline + sign * 3 * smallest)):.10g}") for sign in (-1, 1)]
    scales = found.reward_class
    for end in ends:
        found.instance([baseline, end]).check_class(scales.mean_bound, scales.proof_scale)
