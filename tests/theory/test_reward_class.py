"""What an experimenter says of the rewards: where means may lie, how noisy they are, and what cannot be."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.theory.reward_class import class_of, class_of_means, class_of_rates


@given(
    st.tuples(st.floats(0.001, 0.999), st.floats(0.001, 0.999))
    .map(sorted)
    .filter(lambda ends: ends[0] < ends[1])
)
def test_rates_are_as_noisy_as_the_one_that_is_nearest_to_a_half(ends):
    low, high = ends
    found = class_of_rates(low, high)
    inside = [low, high] + [0.5] * (low < 0.5 < high)
    assert found.noise_scale == pytest.approx(max(math.sqrt(rate * (1.0 - rate)) for rate in inside))
    assert found.proof_scale >= found.noise_scale * (1.0 - 1e-12)
    assert found.widest_gap == high - low
    policy = sa.SLEUCB(n_arms=2, horizon=10, mean_bound=found.mean_bound, noise_scale=found.proof_scale)
    policy.check_instance(found.instance([low, high]))


def test_means_between_two_ends_bring_their_noise():
    found = class_of_means(-3.0, 1.0, 7.0)
    assert (found.mean_bound, found.widest_gap, found.noise_scale, found.proof_scale) == (3.0, 4.0, 7.0, 7.0)
    assert found.instance([0.5, -1.0]).noise_scales == (7.0, 7.0)


def test_rewards_in_a_range_are_noisiest_at_its_ends_and_quiet_where_the_mean_is_one():
    found = class_of("bounded", low=-1.0, high=3.0)
    scales = found.instance([1.0, 3.0, -1.0]).noise_scales
    assert scales[0] == found.noise_scale == 2.0
    assert scales[1] == scales[2] == pytest.approx(4e-9)
    assert class_of("bounded", low=-1.0, high=3.0, noise_scale=0.5).instance([1.0, 0.0]).noise_scales == (
        0.5,
        0.5,
    )


def test_a_bound_on_the_means_narrows_what_the_rewards_allow():
    assert class_of("bernoulli", mean_bound=0.2).mean_range[:2] == (0.0, 0.2)
    assert class_of("gaussian", mean_bound=0.5).widest_gap == 1.0
    assert class_of("bounded", mean_bound=2.0, low=1.0, high=5.0).mean_range[:2] == (1.0, 2.0)


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        ({"rewards": "poisson"}, InvalidInput, "rewards must be one of 'gaussian', 'bernoulli', 'bounded'"),
        (
            {"rewards": "gaussian", "low": 0.0},
            InvalidInput,
            "low and high are for bounded rewards; these are gaussian",
        ),
        ({"rewards": "bounded", "low": 2.0, "high": 2.0}, InvalidInput, "high must be above 2.0; got 2.0"),
        (
            {"rewards": "bernoulli", "noise_scale": 0.4},
            InvalidInput,
            "noise_scale must be at least 0.5 for 0/1",
        ),
        (
            {"rewards": "bounded", "low": 5.0, "high": 6.0, "mean_bound": 4.0},
            InvalidInput,
            "means within ±4 cannot",
        ),
        ({"rewards": "gaussian", "mean_bound": "1"}, InvalidType, "mean_bound must be a number"),
        ({"rewards": "gaussian", "noise_scale": 0.0}, InvalidInput, "noise_scale must be positive"),
    ],
)
def test_what_cannot_be_is_refused_with_rule_and_value(said, error, words):
    with pytest.raises(error, match=words):
        class_of(**said)
