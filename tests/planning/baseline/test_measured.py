"""What designs come to, measured."""

import dataclasses

import numpy as np
import pytest
from scipy.stats import norm

import steadyarm as sa
from steadyarm.planning.baseline.designs import Design, designs_for
from steadyarm.planning.baseline.measured import FEWEST_RUNS, Bench, ends_of, nobody
from steadyarm.planning.baseline.over_range import equal_shares_lose, regressed
from steadyarm.planning.baseline.situation import describe
from steadyarm.theory.estimates import Estimate

SHOP = describe(n_arms=3, horizon=3000, baseline=0.2, smallest_difference=0.05)
BENCH = Bench(SHOP, 60, 7, 0.95)
EQUAL, STEADY = list(designs_for(SHOP))[:2]


def test_equal_shares_lose_what_arithmetic_says_and_find_out_what_a_textbook_says():
    bench = Bench(SHOP, 400, 7, 0.95)
    found = bench.measure(EQUAL, 400, nobody)
    assert found.lost_at_smallest.value == pytest.approx(0.05 * 2000)
    assert found.lost_at_worst.value == pytest.approx(SHOP.reward_class.widest_gap * 2000)
    assert (found.saved.value, found.best_share.value) == (0.0, pytest.approx(1 / 3))
    error = np.sqrt((0.2 * 0.8 + 0.25 * 0.75) / 1000)
    power = norm.cdf(0.05 / error - norm.ppf(1 - 0.05 / 2 / 2))  # two comparisons with the baseline
    assert found.power.value == pytest.approx(power, abs=4 * np.sqrt(power * (1 - power) / 400) + 0.01)
    assert found.width.value == pytest.approx(2 * norm.ppf(1 - 0.05 / 4) * error, rel=0.02)


def test_what_is_measured_is_what_simulations_say():
    found = BENCH.measure(STEADY, 60, nobody)
    usual = sa.simulate(STEADY.policy, SHOP.at_smallest, runs=60, seed=7)
    assert (found.lost_at_smallest, found.spread) == (usual.regret, usual.instability)
    assert found.best_share.value == pytest.approx(usual.mean_counts[-1] / 3000)
    over = found.over_time
    steps = np.diff(over.rounds, prepend=0)
    assert over.share @ steps == pytest.approx(usual.mean_counts[-1])
    assert (over.low <= over.share + 1e-12).all()
    assert found.lost_at_worst.value > found.lost.value
    draws = SHOP.plausible(30, seed=7)
    lost = [
        sa.simulate(STEADY.policy, draw, runs=1, first_run=place, seed=7).run_regrets[0]
        for place, draw in enumerate(draws)
    ]
    equal = np.array([3000 * np.mean(draw.gaps) for draw in draws])
    known = equal_shares_lose(SHOP, 7, 0.95)
    assert found.lost == regressed(np.array(lost), equal, known)
    assert found.saved.value == pytest.approx(known.value - found.lost.value)


def test_equal_shares_are_told_slice_by_slice_however_long_they_last():
    for horizon in (12_000, 12_000_000):
        long = dataclasses.replace(SHOP, horizon=horizon)
        equal = next(iter(designs_for(long)))
        over = Bench(long, 20, 7, 0.95).measure(equal, 20, nobody).over_time
        assert over.rounds.tolist() == np.linspace(horizon / 12, horizon, 12).tolist()


def test_a_delay_makes_the_same_design_lose_more():
    late = dataclasses.replace(SHOP, per_day=100.0, delay_days=20.0)
    at_once, later = (Bench(each, 60, 7, 0.95).measure(STEADY, 60, nobody) for each in (SHOP, late))
    assert later.lost_at_smallest.low > at_once.lost_at_smallest.high


def test_at_worst_a_late_design_loses_no_less_than_where_arms_differ_most():
    late = dataclasses.replace(SHOP, per_day=100.0, delay_days=20.0)
    found = Bench(late, 60, 7, 0.95).measure(STEADY, 60, nobody)
    low, high = late.mean_range
    widest = late.instance([high] + [low] * (late.n_arms - 1))
    played = sa.simulate(STEADY.policy, widest, runs=60, seed=11, delay=late.delay)
    assert found.lost_at_worst.high >= played.regret.low


def test_a_leapt_run_ends_like_a_played_one():
    policy = sa.all_policies()["Steady"](n_arms=2, horizon=50_000, noise_scale=0.5, spread=800)
    instance = sa.Instance.bernoulli([0.5, 0.48])
    played, leapt = (
        ends_of(sa.simulate(policy, instance, runs=300, seed=1, engine=e)) for e in ("prefix", "leap")
    )
    for arm in (0, 1):
        one, other = (each.sample.means[:, arm] for each in (played, leapt))
        assert one.mean() == pytest.approx(other.mean(), abs=5 * one.std() * np.sqrt(2 / 300))
        assert one.std() == pytest.approx(other.std(), rel=0.25)


def test_what_is_expensive_gets_fewer_runs_and_what_is_too_expensive_none():
    def runs(horizon, **more):
        shop = describe(n_arms=4, horizon=horizon, baseline=0.03, smallest_difference=0.003, **more)
        thompson = Design("Thompson sampling", sa.all_policies()["BetaThompson"](n_arms=4, horizon=horizon))
        return Bench(shop, 200, 0, 0.95).affordable_runs(thompson.policy)

    assert runs(10_000) == 200
    assert FEWEST_RUNS <= runs(200_000) < 200
    assert runs(10**7) < FEWEST_RUNS


def test_power_falls_where_the_interval_is_no_longer_an_ordinary_one():
    clinic = describe(n_arms=2, horizon=240, baseline=0.35, smallest_difference=0.15)
    bench = Bench(clinic, 60, 7, 0.95)
    equal, _, wide, narrow, *_, thompson = (
        bench.measure(design, 60, nobody) for design in designs_for(clinic)
    )
    found = [each.interval for each in (equal, wide, narrow, thompson)]
    assert found == ["ordinary", "anytime-valid", "ordinary", "anytime-valid"]
    assert narrow.power.low > wide.power.high
    assert wide.width.value > 1.5 * narrow.width.value
    assert wide.to_dict()["interval"] == "anytime-valid"
    assert dataclasses.replace(wide, ordinary=0.5).interval == "mixed"


def test_no_spread_is_said_to_be_possible_beyond_half_of_the_traffic():
    test = describe(n_arms=2, horizon=400, baseline=0.3, smallest_difference=0.1)
    thompson = designs_for(test).designs[-1]
    found = Bench(test, 20, 3, 0.95).measure(thompson, 20, nobody)
    assert max(found.spread.high, found.spread_at_worst.high) <= 200.0
    wild = Estimate(150.0, 0.0, 900.0, 6)
    assert BENCH._possible(wild) == wild
    assert Bench(test, 20, 3, 0.95)._possible(wild) == Estimate(150.0, 0.0, 200.0, 6)
