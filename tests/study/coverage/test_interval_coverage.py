"""Whether an interval held its mean, run by run."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.model.moments import Moments
from steadyarm.study.coverage.interval_coverage import covered
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
