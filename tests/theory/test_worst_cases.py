"""The searched worst cases are the worst of all ways to share out the pulls, for any number of tied best arms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.theory.fluid import bonus, fluid_spread
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases


def policy_with(n_arms, horizon, alpha, noise_scale=1.0):
    return sa.SLEUCB(n_arms=n_arms, horizon=horizon, alpha=alpha, noise_scale=noise_scale, constants="sharp")


@settings(max_examples=60)
@given(
    weights=st.lists(st.floats(1e-4, 1.0), min_size=2, max_size=7),
    horizon=st.sampled_from([10**4, 10**6, 10**9]),
    alpha=st.floats(0.02, 30.0),
    mean_bound=st.sampled_from([0.05, 1.0]),
)
def test_no_shares_of_any_instance_of_the_class_are_worse(weights, horizon, alpha, mean_bound):
    n_arms = len(weights)
    curves = policy_with(n_arms, horizon, alpha).curves
    counts = 1.0 + np.array(weights) / sum(weights) * (horizon - n_arms)
    gaps = np.array([bonus(curves, count) for count in counts])
    gaps -= gaps.min()
    spread = np.empty(n_arms)
    fluid_spread(curves, np.ones(n_arms), np.ones(n_arms), counts, spread)
    found = worst_cases(curves, n_arms, class_of("gaussian", mean_bound=mean_bound))
    if gaps.max() <= 2.0 * mean_bound:  # where these counts come to rest is an instance of the class
        assert counts @ gaps <= found.regret.value * 1.002
        assert spread.max() <= found.deviation.value * 1.002
        assert (spread / counts).max() <= found.relative_deviation.value * 1.002


@settings(max_examples=60)
@given(
    weights=st.lists(st.floats(1e-3, 1.0), min_size=2, max_size=12),
    horizon=st.sampled_from([10**6, 10**9]),
    share=st.sampled_from([0.01, 0.05, 0.1]),
)
def test_no_shares_are_worse_for_steady_than_what_was_asked(weights, horizon, share):
    n_arms = len(weights)
    policy = sa.Steady(n_arms=n_arms, horizon=horizon, spread=share * horizon / n_arms, noise_scale=0.1)
    counts = np.array(weights) / sum(weights) * horizon
    gaps = np.array([bonus(policy.curves, count) for count in counts])
    spread = np.empty(n_arms)
    fluid_spread(policy.curves, np.full(n_arms, 0.01), np.ones(n_arms), counts, spread)
    found = worst_cases(policy.curves, n_arms, class_of("gaussian", mean_bound=10.0, noise_scale=0.1))
    assert found.deviation.value == pytest.approx(policy.spread, rel=0.005)
    assert spread.max() <= 1.005 * policy.spread
    assert counts @ (gaps - gaps.min()) <= 1.005 * found.regret.value


@pytest.mark.parametrize("rewards", ["gaussian", "bernoulli", "bounded"])
@pytest.mark.parametrize(("n_arms", "alpha"), [(2, 1.0), (5, 0.2), (5, 8.0), (40, 1.0)])
def test_the_worst_arms_are_predicted_to_be_that_bad(rewards, n_arms, alpha):
    described = class_of(rewards, low=-2.0, high=4.0) if rewards == "bounded" else class_of(rewards)
    policy = sa.SLEUCB(
        n_arms=n_arms,
        horizon=10**7,
        alpha=alpha,
        mean_bound=described.mean_bound,
        noise_scale=described.noise_scale,
        constants="sharp",
    )
    found = worst_cases(policy.curves, n_arms, described)
    costliest, unsteadiest = (
        described.instance(extreme.means) for extreme in (found.regret, found.deviation)
    )
    policy.check_instance(costliest)
    assert sa.predict(policy, costliest).regret == pytest.approx(found.regret.value, rel=1e-5)
    assert sa.predict(policy, unsteadiest).instability == pytest.approx(found.deviation.value, rel=1e-4)


@settings(max_examples=60)
@given(
    n_arms=st.integers(2, 30),
    horizon=st.integers(100, 10**9),
    alpha=st.floats(0.01, 100.0),
    ends=st.tuples(st.floats(-3.0, 3.0), st.floats(0.01, 7.0)),
    rewards=st.sampled_from(["gaussian", "bernoulli", "bounded"]),
)
def test_the_worst_arms_are_of_the_class_whatever_it_is(n_arms, horizon, alpha, ends, rewards):
    given = (
        {"low": ends[0], "high": ends[0] + ends[1]} if rewards == "bounded" else {"mean_bound": ends[1] / 7.0}
    )
    described = class_of(rewards, **given)
    scales = {"mean_bound": described.mean_bound, "noise_scale": described.noise_scale}
    policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon, alpha=alpha, constants="sharp", **scales)
    for extreme in worst_cases(policy.curves, n_arms, described):
        policy.check_instance(described.instance(extreme.means))


def test_two_tied_best_arms_are_less_steady_than_one_best_or_all_equal():
    policy = policy_with(10, 10**6, 0.5)
    found = worst_cases(policy.curves, 10, class_of("gaussian"))
    gaps = [0.0, *np.geomspace(1e-3, 2.0, 40)]
    one_best = max(
        sa.predict(policy, sa.one_better(10, gap)).instability for gap in gaps if gap <= policy.mean_bound
    )
    assert found.deviation.value > 1.2 * one_best
    best = max(found.deviation.means)
    assert sum(mean == best for mean in found.deviation.means) == 2


def test_coins_are_put_where_they_are_noisiest():
    policy = policy_with(4, 10**6, 1.0, noise_scale=0.5)
    means = worst_cases(policy.curves, 4, class_of("bernoulli")).deviation.means
    here = sa.predict(policy, sa.Instance.bernoulli(means)).instability
    for shift in (-0.05, 0.05):
        moved = np.clip(np.array(means) + shift, 0.0, 1.0)
        assert sa.predict(policy, sa.Instance.bernoulli(moved.tolist())).instability < here
    rare = worst_cases(policy.curves, 4, class_of("bernoulli", mean_bound=0.03)).deviation
    assert max(rare.means) == pytest.approx(0.03)  # as near to one half as the class allows


@pytest.mark.parametrize(("n_arms", "horizon"), [(2, 3), (10, 20), (3, 50)])
def test_nothing_is_predicted_beyond_what_can_happen(n_arms, horizon):
    for beta in (0.05, 0.8, 20.0):
        policy = sa.SLEUCB(n_arms=n_arms, horizon=horizon, constants="sharp", beta=beta, alpha=0.05)
        found = worst_cases(policy.curves, n_arms, class_of("gaussian"))
        assert found.deviation.value <= (horizon - n_arms) / 2
        assert found.regret.value <= 2.0 * horizon
