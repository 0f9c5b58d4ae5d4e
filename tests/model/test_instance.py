"""Instances: what they know of themselves, their class, and clear errors for what is no instance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, OutsideClass
from steadyarm.model import Instance, equal_arms, equal_gap, ladder, one_better
from steadyarm.model.instance import coin_deviation, sub_gaussian_scale

means = st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6)


@given(means, st.floats(0.01, 10.0))
def test_every_instance_comes_back_from_its_dict(values, noise):
    for instance in (
        Instance.gaussian(values, noise),
        Instance.bernoulli(values),
        Instance.bounded(values, low=-noise, high=1.0 + noise),
    ):
        again = Instance.from_dict(instance.to_dict())
        assert again == instance
        assert hash(again) == hash(instance)


@given(means)
def test_gaps_are_never_negative_and_the_best_arm_has_none(values):
    instance = Instance.gaussian(values)
    assert min(instance.gaps) == 0.0
    assert instance.best_mean == max(values)


def test_numpy_arrays_and_integers_are_welcome():
    assert Instance.gaussian(np.array([0, 1])).means == (0.0, 1.0)
    assert Instance.gaussian((0, 1), noise_scale=np.array([1.0, 2.0])).noise_scales == (1.0, 2.0)


def test_gaps_of_a_hundred_thousand_arms_are_quick():
    assert sum(equal_gap(100_000, 1.0).gaps) == 99_999.0


def test_bounded_rewards_are_uniform_on_the_widest_interval_around_the_mean():
    nu = Instance.bounded([0.25, 0.5], low=0.0, high=1.0)
    assert nu.location.tolist() == [0.0, 0.0]
    assert nu.scale.tolist() == [0.5, 1.0]
    assert nu.noise_scales == (0.5, 0.5)


@pytest.mark.parametrize(
    ("build", "error", "words"),
    [
        (lambda: Instance.gaussian([0.0]), InvalidInput, "two arms or more; got 1"),
        (lambda: Instance.gaussian([]), InvalidInput, "two arms or more; got 0"),
        (lambda: Instance.gaussian("01"), InvalidType, "flat list of numbers; got '01'"),
        (lambda: Instance.gaussian(0.5), InvalidType, "flat list of numbers; got 0.5"),
        (lambda: Instance.gaussian({0: 1.0, 1: 2.0}), InvalidType, "flat list"),
        (lambda: Instance.gaussian([0.0, "1"]), InvalidType, r"means\[1\] must be a number; got '1'"),
        (lambda: Instance.gaussian([0.0, True]), InvalidType, r"means\[1\] must be a number; got True"),
        (lambda: Instance.gaussian([0.0, None]), InvalidType, r"means\[1\]"),
        (lambda: Instance.gaussian([0.0, math.nan]), InvalidInput, r"means\[1\] must be finite; got nan"),
        (lambda: Instance.gaussian([math.inf, 0.0]), InvalidInput, r"means\[0\] must be finite; got inf"),
        (lambda: Instance.gaussian(np.zeros((2, 2))), InvalidInput, r"got shape \(2, 2\)"),
        (lambda: Instance.gaussian([[0.0, 1.0], [1.0, 2.0]]), InvalidType, r"means\[0\] must be a number"),
        (lambda: Instance.gaussian([0.0, 1.0], noise_scale=0.0), InvalidInput, "arm 0 must be positive"),
        (
            lambda: Instance.gaussian([0.0, 1.0], noise_scale=[1.0, -1.0]),
            InvalidInput,
            "arm 1 must be positive",
        ),
        (lambda: Instance.gaussian([0.0, 1.0], noise_scale=[1.0] * 3), InvalidInput, "got 3 numbers"),
        (lambda: Instance.gaussian([0.0, 1.0], noise_scale="1"), InvalidType, "noise_scale must be a number"),
        (lambda: Instance.gaussian([0.0, 1.0], noise_scale=math.nan), InvalidInput, "finite"),
        (lambda: Instance.bernoulli([0.5, 1.5]), InvalidInput, r"means\[1\] must be at most 1.0; got 1.5"),
        (lambda: Instance.bernoulli([-0.1, 0.5]), InvalidInput, r"means\[0\] must be at least 0.0"),
        (lambda: Instance.bounded([0.5, 0.5], low=1.0, high=0.0), InvalidInput, "high must be above 1.0"),
        (lambda: Instance.bounded([0.5, 2.0]), InvalidInput, r"means\[1\] must be at most 1.0"),
        (lambda: Instance.from_dict({"rewards": "cauchy", "means": [0, 1]}), InvalidInput, "'gaussian'"),
        (lambda: Instance.from_dict({"means": [0, 1]}), InvalidType, "rewards must be one of"),
        (lambda: Instance.from_dict(5), InvalidType, "a saved instance must be a dict; got 5"),
        (lambda: Instance.from_dict({"rewards": "bernoulli"}), InvalidInput, "must have 'means'"),
        (
            lambda: Instance.from_dict({"rewards": "bernoulli", "means": [0, 1], "low": 0}),
            InvalidInput,
            "low",
        ),
        (lambda: Instance("poisson", (0.0, 1.0), (1.0, 1.0), 0.0, 1.0), InvalidInput, "rewards must be"),
        (lambda: Instance("gaussian", (math.nan, 0.0), (1.0, 1.0), 0.0, 1.0), InvalidInput, "means"),
        (lambda: Instance.bounded([0, 1], -1e308, 1e308), InvalidInput, "low must be at least"),
        (lambda: Instance.gaussian([0, 1], 1.7e308), InvalidInput, "noise_scale of arm 0 must be at most"),
        (lambda: equal_gap(1, 0.1), InvalidInput, "n_arms must be at least 2; got 1"),
        (lambda: equal_gap(2.5, 0.1), InvalidInput, "n_arms must be a whole number"),
        (lambda: equal_gap(True, 0.1), InvalidType, "n_arms must be a whole number; got True"),
        (lambda: equal_gap(3, -0.1), InvalidInput, "gap must be at least 0.0"),
        (lambda: equal_gap(3, math.inf), InvalidInput, "gap must be finite"),
        (lambda: equal_gap(3, 0.1, best_arm=3), InvalidInput, "best_arm must be at most 2; got 3"),
        (lambda: one_better(3, "0.1"), InvalidType, "gap must be a number; got '0.1'"),
        (lambda: ladder(3, math.nan), InvalidInput, "gap must be finite; got nan"),
        (lambda: equal_arms(2, math.nan), InvalidInput, "mean must be finite"),
        (lambda: equal_arms(2, 10**400), InvalidInput, "mean must fit a double"),
    ],
)
def test_what_is_no_instance_is_refused_in_words(build, error, words):
    with pytest.raises(error, match=words):
        build()


def test_an_instance_outside_the_class_names_the_arm_and_the_reason():
    nu = Instance.gaussian([0.0, -1.5], noise_scale=[1.0, 2.0])
    with pytest.raises(OutsideClass, match=r"arm 1 has mean -1.5, outside \[-M, M\].*mean_bound M = 1.0"):
        nu.check_class(1.0, 2.0)
    with pytest.raises(OutsideClass, match=r"arm 1 is 2.0-sub-Gaussian, noisier than .* 1.0"):
        nu.check_class(2.0, 1.0)
    nu.check_class(1.5, 2.0)
    nu.check_class(None, 2.0)


@pytest.mark.parametrize("rate", [1e-6, 0.03, 0.3, 0.499_999, 0.5, 0.7, 1.0])
def test_coins_are_sub_gaussian_with_kearns_and_sauls_scale_and_with_none_less(rate):
    scale = sub_gaussian_scale(rate)
    t = np.concatenate(
        [np.linspace(-60.0, 60.0, 2001), [2.0 * np.log((1.0 - rate) / rate) if rate < 1.0 else 0.0]]
    )
    log_moments = np.logaddexp(
        np.log(rate) + t * (1.0 - rate), np.log1p(-rate) - t * rate if rate < 1.0 else -np.inf
    )
    assert (log_moments <= 0.5 * (scale * t) ** 2 * (1.0 + 1e-9) + 1e-12).all()
    if 1e-6 < rate < 1.0:
        assert (log_moments > 0.5 * (0.99 * scale * t) ** 2 + 1e-12).any()


def test_a_theorem_needs_more_noise_in_the_class_than_a_first_order():
    rates = Instance.bernoulli([0.03, 0.04])
    rates.check_class(None, coin_deviation(0.04), for_theorems=False)
    with pytest.raises(OutsideClass, match=r"arm 0 is 0.367\d+-sub-Gaussian, noisier than"):
        rates.check_class(None, coin_deviation(0.04))
    with pytest.raises(OutsideClass, match=r"arm 1 has noise of 0.195\d+, noisier than"):
        rates.check_class(None, coin_deviation(0.03), for_theorems=False)
    rates.check_class(0.04, sub_gaussian_scale(0.04))


def test_bounded_rewards_with_a_reach_are_uniform_around_every_mean_alike():
    means = (0.9, 1.0, 1.1)
    instance = Instance.bounded(means, low=-0.1, high=2.1, reach=1.0)
    assert instance.variances == pytest.approx([1 / 3] * 3)
    assert Instance.from_dict(instance.to_dict()) == instance != Instance.bounded(means, low=-0.1, high=2.1)
    rewards = sa.reward_table(instance, seed=1, pulls=4000)
    for row, mean in zip(rewards, means, strict=True):
        assert mean - 1 <= row.min() < mean - 0.99 < mean + 0.99 < row.max() <= mean + 1
        assert abs(row.mean() - mean) < 4 * math.sqrt(1 / 3 / 4000)
    with pytest.raises(InvalidInput, match=r"reach must be at most 0\.9.*every arm"):
        Instance.bounded(means, low=0.0, high=2.1, reach=1.0)
