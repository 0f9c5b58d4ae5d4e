"""Bundles of units: the numbers that one by one gives, where news is late, and only there."""

import math
from dataclasses import replace

import pytest

import steadyarm as sa
from steadyarm.planning.baseline.bundles import BundledBench, bench_for, bundle_of, bundled
from steadyarm.planning.baseline.designs import design_at
from steadyarm.planning.baseline.measured import Bench, nobody
from steadyarm.planning.baseline.recommendation import recommend
from steadyarm.planning.baseline.situation import describe

DAILY = describe(n_arms=3, baseline=0.05, smallest_difference=0.006, per_day=20_000, days=5, daily=True)
BUNDLED = (
    "lost",
    "lost_at_smallest",
    "lost_at_worst",
    "spread",
    "spread_at_worst",
    "best_share",
    "power",
    "width",
)


def apart(one, other):
    """How many of their standard errors two estimates are apart."""
    half = math.hypot(one.high - one.low, other.high - other.low) / 2.0
    return 1.96 * abs(one.value - other.value) / max(half, 1e-9)


@pytest.fixture(scope="module")
def one_by_one():
    return Bench(DAILY, 60, 1, 0.95, None).measure(design_at(DAILY, 3000.0), 60, nobody)


def test_bundled_designs_have_the_numbers_of_those_that_are_played_unit_by_unit(one_by_one):
    assert bundle_of(DAILY) == 10
    found = bench_for(DAILY, 60, 1, 0.95, None).measure(design_at(DAILY, 3000.0), 60, nobody)
    for name in BUNDLED:
        assert apart(getattr(found, name), getattr(one_by_one, name)) < 4.0, name
    assert found.design == one_by_one.design
    assert found.over_time.rounds[-1] == DAILY.horizon
    assert found.least_at_worst == pytest.approx(one_by_one.least_at_worst, rel=0.3)


def test_bundles_that_are_too_quiet_would_have_others(one_by_one):
    class Quiet(BundledBench):
        @property
        def _inner(self):
            return Bench(replace(bundled(self.situation), bundle=1000), 60, 1, 0.95, None)

    found = Quiet(DAILY, 60, 1, 0.95, None).measure(design_at(DAILY, 3000.0), 60, nobody)
    assert apart(found.spread, one_by_one.spread) > 4.0


def test_the_index_of_steady_is_the_same_function_of_the_share_of_all_units():
    play, bundles = (
        sa.Steady(n_arms=3, horizon=horizon, noise_scale=noise, spread=spread).start(priority=[0, 1, 2])
        for horizon, noise, spread in ((90_000, 0.3, 1200.0), (900, 0.03, 12.0))
    )
    for arm in range(3):
        for each, units in ((play, 100), (bundles, 1)):
            each._assigned[arm] = units * (50 + arm)
            each.tell_many([arm] * (units * (50 + arm)), [0.1 * arm] * (units * (50 + arm)))
    assert play.indices == pytest.approx(bundles.indices, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"per_day": 19_999.0}, 1),
        ({"daily": False}, 1),
        ({"daily": False, "delay_days": 2.0}, 20),
        ({"per_day": 1e6, "horizon": 14_000_000}, 500),
    ],
)
def test_units_are_bundled_only_where_news_is_late(change, expected):
    situation = replace(DAILY, **change)
    assert bundle_of(situation) == expected
    assert isinstance(bench_for(situation, 60, 1, 0.95, None), BundledBench) == (expected > 1)


def test_a_plan_for_a_million_impressions_a_day_has_designs_that_adapt():
    plan = sa.plan(
        n_arms=20,
        baseline=0.02,
        smallest_difference=0.001,
        per_day=1e6,
        days=14,
        daily=True,
        runs=40,
        progress=False,
    )
    assert {each["design"].split(",")[0] for each in plan.outline()["designs"] if each["runs"] == 40} == {
        "equal shares",
        "Steady",
        "Thompson sampling",
    }
    assert "bundles of 500 units" in " ".join(plan.notes)


def test_equal_shares_alone_are_not_said_to_find_out_more(one_by_one):
    equal = sa.plan(
        n_arms=3, baseline=0.05, smallest_difference=0.006, horizon=2000, runs=20, progress=False
    ).measured[0]
    assert "nothing that adapts could be simulated" in recommend(DAILY, [equal]).sentence
    assert "nothing that adapts" not in recommend(DAILY, [equal, one_by_one]).sentence
