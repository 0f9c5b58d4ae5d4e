"""What no policy can beat over a class, and how far a policy is from it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.theory import least_instability, least_regret
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.limit import Limit, limit_of
from steadyarm.theory.reward_class import class_of, class_of_means, class_of_rates

LIMIT = Limit(n_arms=10, horizon=100_000)


def exact(value):
    return Estimate(value, value, value, 100)


def test_it_is_the_theory_with_the_class_filled_in():
    assert LIMIT.least_regret(1000.0) == least_regret(1000.0, n_arms=10, horizon=100_000)
    assert LIMIT.least_instability(3000.0) == least_instability(3000.0, n_arms=10, horizon=100_000)
    coins = limit_of(10, 100_000, class_of("bernoulli", mean_bound=0.03))
    rates = {"n_arms": 10, "horizon": 100_000, "rates": (0.0, 0.03)}
    assert coins.least_regret(100.0) == least_regret(100.0, **rates)


def test_equal_shares_are_exactly_at_the_limit():
    shares = exact(2.0 * 100_000 * 0.9)
    assert LIMIT.times_least_regret(shares, exact(0.0)).value == pytest.approx(1.0, abs=1e-9)
    assert LIMIT.equal_shares == pytest.approx(180_000.0)


def test_more_noise_or_wider_means_never_lower_the_limit():
    narrow = limit_of(3, 1000, class_of("bounded", low=0.0, high=4.0, noise_scale=0.5))
    wide = limit_of(3, 1000, class_of("bounded", low=0.0, high=4.0))
    for spread in (1.0, 20.0, 300.0):
        assert narrow.least_regret(spread) < wide.least_regret(spread)
    assert narrow.unit == 1.0  # coins that differ by more would not be ½-sub-Gaussian


@pytest.mark.parametrize(("noise_scale", "near"), [(0.001, 0.98), (0.01, 0.85), (0.05, 0.5)])
def test_quiet_rewards_in_a_range_are_nearly_as_hard_as_gaussian_ones(noise_scale, near):
    bounded = limit_of(2, 10**5, class_of("bounded", noise_scale=noise_scale))
    gaussian = Limit(2, 10**5, mean_bound=0.5, noise_scale=noise_scale)
    for spread in (10.0, 100.0, 3000.0):
        assert near < bounded.least_regret(spread) / gaussian.least_regret(spread) <= 1.0
    lost = bounded.least_regret(100.0)
    assert bounded.least_instability(lost) == pytest.approx(100.0, rel=1e-3)
    assert bounded._replace(others=()).least_regret(10.0) < 0.5 * bounded.least_regret(10.0)  # coins alone


@given(
    regret=st.floats(500.0, 2e5),
    spread=st.floats(1.0, 5e4),
    errors=st.tuples(st.floats(0.0, 0.5), st.floats(0.0, 0.5)),
)
def test_the_interval_holds_the_ratio_and_is_that_of_the_regret_where_the_instability_is_known(
    regret, spread, errors
):
    lost = Estimate(regret, regret * (1.0 - errors[0]), regret * (1.0 + errors[0]), 100)
    found = LIMIT.times_least_regret(lost, exact(spread))
    assert found.low == pytest.approx(lost.low / LIMIT.least_regret(spread))
    assert found.high == pytest.approx(lost.high / LIMIT.least_regret(spread))
    spreads = Estimate(spread, spread * (1.0 - errors[1]), spread * (1.0 + errors[1]), 100)
    both = LIMIT.times_least_regret(lost, spreads)
    assert both.low <= found.low * (1 + 1e-12)
    assert both.high >= found.high * (1 - 1e-12)
    assert both.low <= both.value <= both.high


def test_an_interval_without_an_end_gives_one_that_says_so():
    open_ended = Estimate(1000.0, 0.0, math.inf, 3)
    found = LIMIT.times_least_regret(exact(20_000.0), open_ended)
    assert found.low == pytest.approx(20_000.0 / LIMIT.equal_shares)
    assert found.high == pytest.approx(20_000.0 / LIMIT.minimax)
    assert LIMIT.times_least_regret(Estimate(5.0, -1.0, 11.0, 3), open_ended).low == 0.0
    assert LIMIT.times_least_regret(exact(0.0), open_ended).value == 0.0


def test_a_range_of_rates_or_of_means_is_what_the_limit_is_about():
    rates = limit_of(4, 200_000, class_of_rates(0.021, 0.039))
    size = {"n_arms": 4, "horizon": 200_000}
    assert rates.least_regret(4000.0) == least_regret(4000.0, rates=(0.021, 0.039), **size)
    assert rates.equal_shares == pytest.approx(0.018 * 200_000 * 0.75)
    means, shifted = (limit_of(4, 200_000, class_of_means(low, low + 3.0, 50.0)) for low in (-1.5, 9.0))
    assert means == shifted  # only differences matter
    assert means.least_regret(4000.0) == least_regret(4000.0, mean_bound=1.5, noise_scale=50.0, **size)
