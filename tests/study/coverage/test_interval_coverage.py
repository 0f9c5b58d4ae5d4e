"""Whether an interval held its mean, run by run, and how sure a share of runs is."""

import math

import numpy as np
import pytest
from scipy.special import betaincinv, ndtri

import steadyarm as sa
from steadyarm.model.moments import Moments
from steadyarm.study.coverage.interval_coverage import covered, share_estimate
from steadyarm.study.runs.laboratory import Laboratory

STEADY = sa.SLEUCB(n_arms=2, horizon=1000, constants="sharp")


COINS = sa.Instance.bernoulli([0.5, 0.2])
BOUNDED = sa.Instance.bounded([0.2, 0.6], low=-1.0, high=1.0)
CASES = [
    *((sa.Instance.gaussian([0.0, -0.3]), method) for method in ("oracle", "wald", "anytime")),
    *((COINS, method) for method in ("oracle", "wald", "wilson", "anytime")),
    *((BOUNDED, method) for method in ("oracle", "wald", "anytime")),
]


@pytest.mark.parametrize(("instance", "method"), CASES)
def test_intervals_of_all_runs_at_once_are_those_of_the_library(instance, method):
    simulation = sa.simulate(STEADY, instance, runs=20, seed=5, level=0.8, engine="prefix")
    moments = Laboratory().reward_moments(simulation)
    held, width = covered(simulation, moments, method)
    told = {"rewards": instance.rewards}
    if instance.rewards == "bounded":
        told |= {"low": instance.low, "high": instance.high}
    if method == "oracle":
        told, method = {"noise_scale": np.sqrt(instance.variances)}, "wald"
    for run in range(20):
        estimates = sa.intervals(
            counts=simulation.counts[run],
            **{name: kept[run] for name, kept in zip(Moments._fields, moments, strict=True)},
            level=0.8,
            method=method,
            optimal_at=500.0,
            **told,
        )
        for arm, estimate in enumerate(estimates):
            assert held[run, arm] == (estimate.low <= instance.means[arm] <= estimate.high)
            assert width[run, arm] == pytest.approx(estimate.high - estimate.low)


def test_wilsons_interval_holds_a_rate_exactly_when_the_oracles_does():
    """Both ask whether the share is within z·√(p(1 − p)/n) of the true rate."""
    simulation = sa.simulate(sa.MOSS(n_arms=2, horizon=200, noise_scale=0.5), COINS, runs=500, seed=3)
    moments = Laboratory().reward_moments(simulation)
    held = {name: covered(simulation, moments, name).held for name in ("oracle", "wilson", "wald")}
    assert (held["oracle"] == held["wilson"]).all()
    assert (held["oracle"] != held["wald"]).any()


@pytest.mark.parametrize(("kind", "taken"), [(sa.RoundRobin, "wilson"), (sa.MOSS, "anytime")])
def test_auto_measures_what_is_taken_at_the_end_of_each_run(kind, taken):
    simulation = sa.simulate(kind(n_arms=2, horizon=200, noise_scale=0.5), COINS, runs=30, seed=3)
    moments = Laboratory().reward_moments(simulation)
    auto, same, other = (
        covered(simulation, moments, name).width
        for name in ("auto", taken, {"wilson", "anytime"}.difference([taken]).pop())
    )
    assert np.array_equal(auto, same)
    assert not np.array_equal(auto, other)


def test_wilsons_interval_covers_as_it_says():
    """A share near one, where Student's interval fails: 2,000 samples of 60."""
    draws = np.random.default_rng(1).random((2000, 60)) < 0.97
    ends = [share_estimate(int(row.sum()), 60, 0.95) for row in draws]
    held = np.mean([each.low <= 0.97 <= each.high for each in ends])
    assert abs(held - 0.95) < 0.03
    assert np.mean([each.low <= 0.90 <= each.high for each in ends]) < 0.8  # another share is found out


@pytest.mark.parametrize(("successes", "runs"), [(0, 40), (1, 40), (38, 40), (40, 40), (1234, 8000)])
def test_the_intervals_are_wilsons_and_clopper_and_pearsons(successes, runs):
    share, z = successes / runs, float(ndtri(0.975))
    wilson = share_estimate(successes, runs, 0.95)
    centre = (share + z * z / (2 * runs)) / (1 + z * z / runs)
    half = z * math.sqrt(share * (1 - share) / runs + (z / (2 * runs)) ** 2) / (1 + z * z / runs)
    assert (wilson.low, wilson.value, wilson.high) == pytest.approx(
        (centre - half, share, centre + half), abs=1e-14
    )
    exact = share_estimate(successes, runs, 0.999, "exact")
    assert exact.low == pytest.approx(
        betaincinv(successes, runs - successes + 1, 0.0005) if successes else 0.0
    )
    assert exact.high == pytest.approx(
        betaincinv(successes + 1, runs - successes, 0.9995) if successes < runs else 1.0
    )
    assert 0.0 <= wilson.low <= share <= wilson.high <= 1.0
