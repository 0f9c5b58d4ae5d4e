"""A plan keeps its word, is the cheapest that does, and refuses the impossible with what is possible."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.planning.trade_offs import trade_off
from steadyarm.theory.reward_class import class_of


@settings(max_examples=15)
@given(n_arms=st.integers(2, 10), horizon=st.integers(5000, 10**9), share=st.floats(0.002, 0.02))
def test_the_spread_is_met_and_no_smaller_alpha_meets_it(n_arms, horizon, share):
    plan = sa.plan(n_arms=n_arms, horizon=horizon, max_sd_share=share)
    assert plan.expected.instability <= share * horizon * (1 + 1e-6)
    if plan.policy.alpha > 0.011:
        assert (
            trade_off(plan.policy, class_of("gaussian"), plan.policy.alpha * 0.99).instability
            > share * horizon
        )
    assert plan.policy.constants == "sharp"
    assert plan.policy.guaranteed


def test_absolute_and_relative_wishes_agree():
    one = sa.plan(n_arms=3, horizon=100_000, max_sd=500)
    other = sa.plan(n_arms=3, horizon=100_000, max_sd_share=0.005)
    assert one.policy == other.policy


def test_a_regret_is_the_same_goal_as_its_share_of_all_that_could_be_lost():
    one = sa.plan(n_arms=3, horizon=100_000, rewards="bernoulli", max_regret=4000)
    other = sa.plan(n_arms=3, horizon=100_000, rewards="bernoulli", max_regret_share=0.04)
    assert one.policy == other.policy
    with pytest.raises(InvalidInput, match=r"max_regret_share must be at most 1\.0"):
        sa.plan(n_arms=3, horizon=100_000, max_regret_share=4)


@settings(max_examples=10)
@given(alpha=st.floats(1e-3, 1e5))
def test_the_curve_surrounds_every_alpha_and_costs_more_along_it(alpha):
    plan = sa.plan(n_arms=3, horizon=10_000, alpha=alpha)
    assert plan.curve[0].alpha <= alpha * (1 + 1e-9)
    assert plan.curve[-1].alpha >= alpha * (1 - 1e-9)
    regrets = [point.regret for point in plan.curve]
    assert regrets == pytest.approx(sorted(regrets), rel=1e-4)  # as exact as the search for worst cases


def test_a_plan_is_checked_on_both_of_its_worst_instances():
    plan = sa.plan(n_arms=3, horizon=20_000, max_sd=400)
    check = plan.check(runs=100, seed=3)
    assert check.regret == sa.simulate(plan.policy, plan.costliest, runs=100, seed=3).regret
    assert check.instability == sa.simulate(plan.policy, plan.unsteadiest, runs=100, seed=3).instability
    measured = plan.rows(check)[1]
    assert (measured.name, measured.regret) == ("measured, 100 runs", check.regret.value)
    assert plan.rows()[1].kind != "measured"
    with pytest.raises(InvalidInput, match="runs must be at least 6; got 5"):
        plan.check(runs=5)


def test_its_table_has_the_plan_its_guarantee_the_least_possible_and_the_alternatives():
    plan = sa.plan(n_arms=2, horizon=200, max_sd=1)
    rows = {row.kind: row for row in plan.rows()}
    assert (rows["expected"].regret, rows["expected"].instability) == (
        plan.expected.regret,
        plan.expected.instability,
    )
    assert (rows["guaranteed"].regret, rows["guaranteed"].missing) == (None, "nothing")  # at its cap
    assert (rows["least"].instability, rows["least"].missing) == (None, "no bound")
    assert [row.name for row in plan.rows() if row.kind == "alternative"] == [
        each.title for each in plan.alternatives
    ]


def test_the_regret_is_met_and_no_larger_alpha_meets_it():
    plan = sa.plan(n_arms=4, horizon=10**6, max_regret=60_000)
    assert plan.expected.regret <= 60_000
    assert trade_off(plan.policy, class_of("gaussian"), plan.policy.alpha * 1.01).regret > 60_000


def test_half_the_spread_costs_more_regret():
    plan = sa.plan(n_arms=2, horizon=10**5, max_sd=800)
    assert plan.half.instability == pytest.approx(plan.expected.instability / 2, rel=1e-3)
    assert plan.half.regret > plan.expected.regret
    assert plan.half.alpha > plan.policy.alpha


def test_coins_need_less_noise_and_bounds_set_the_class():
    coins = sa.plan(n_arms=2, horizon=10**5, rewards="bernoulli", max_sd=500)
    assert (coins.policy.noise_scale, coins.policy.mean_bound) == (0.5, 1.0)
    wide = sa.plan(n_arms=2, horizon=10**5, rewards="bounded", low=-2.0, high=4.0, max_sd=500)
    assert (wide.policy.noise_scale, wide.policy.mean_bound) == (3.0, 4.0)


@pytest.mark.parametrize("rewards", ["gaussian", "bernoulli"])
def test_its_worst_instances_are_of_the_class_and_lose_and_spread_as_expected(rewards):
    plan = sa.plan(n_arms=3, horizon=10**7, rewards=rewards, alpha=3.0)
    assert plan.policy.alpha == 3.0
    for instance, quantity in ((plan.costliest, "regret"), (plan.unsteadiest, "instability")):
        plan.policy.check_instance(instance)
        predicted = getattr(sa.predict(plan.policy, instance), quantity)
        assert predicted == pytest.approx(
            getattr(plan.expected, quantity), rel=1e-5
        )  # half a pull of rounding
    assert sa.predict(plan.policy, plan.unsteadiest).regret < plan.expected.regret


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 4.0), (10.0, 11.0)])
def test_bounded_rewards_lose_no_more_than_their_range_a_round(low, high):
    plan = sa.plan(n_arms=10, horizon=200, rewards="bounded", low=low, high=high, max_sd_share=0.02)
    assert max(point.regret for point in plan.curve) <= 200 * (high - low)
    shifted = sa.plan(n_arms=10, horizon=200, rewards="bounded", low=-50.0, high=50.0, max_sd_share=0.02)
    assert max(point.regret for point in shifted.curve) > 200 * (high - low)  # the range is what limits it


def test_a_bound_on_the_means_narrows_the_gaps_and_one_outside_the_rewards_is_refused():
    assert class_of("bernoulli", mean_bound=0.25).widest_gap == 0.25
    assert class_of("bounded", mean_bound=1.0, low=-3.0, high=3.0).widest_gap == 2.0
    with pytest.raises(InvalidInput, match=r"means within ±3 cannot come from rewards between 5 and 10"):
        sa.plan(n_arms=2, horizon=1000, rewards="bounded", low=5, high=10, mean_bound=3, max_sd=5)


def test_valid_intervals_keep_every_relative_spread_below_a_tenth():
    plan = sa.plan(n_arms=5, horizon=10**5, valid_intervals=True)
    assert plan.expected.relative_spread <= 0.1 * (1 + 1e-6)


def test_the_lower_bound_stands_below_the_plan_where_it_applies():
    plan = sa.plan(n_arms=2, horizon=10**9, max_sd_share=0.01)
    assert 0 < plan.least_instability < plan.expected.instability
    assert plan.expected.regret < plan.guarantee.regret
    short = sa.plan(n_arms=2, horizon=1000, max_sd=5)
    assert short.least_instability is None  # its regret is above MT/8


def test_a_plan_is_fit_for_json():
    report = sa.plan(n_arms=2, horizon=10**5, max_sd=800).to_dict()
    assert json.loads(json.dumps(report)) == report
    assert report["expected"]["alpha"] == report["policy"]["alpha"]


@pytest.mark.parametrize(
    ("n_arms", "horizon", "wish"), [(10, 10**6, 10_000), (50, 10**6, 10_000), (3, 10**5, 2000)]
)
def test_played_runs_keep_the_plans_word_with_tied_best_arms_too(n_arms, horizon, wish):
    plan = sa.plan(n_arms=n_arms, horizon=horizon, max_sd=wish)
    for tied in (2, 3):
        arms = sa.Instance.gaussian([1.0] * tied + [-1.0] * (n_arms - tied))
        assert sa.simulate(plan.policy, arms, runs=300, seed=1, engine="leap").instability.low <= wish
    measured = sa.simulate(plan.policy, plan.unsteadiest, runs=300, seed=1, engine="leap").instability
    assert measured.low <= wish <= 1.05 * measured.high  # the cheapest that keeps it
    loose = plan.policy.replace(alpha=plan.policy.alpha / 3)  # the control
    assert sa.simulate(loose, plan.unsteadiest, runs=300, seed=1, engine="leap").instability.low > wish


def test_a_plan_for_coins_is_checked_on_coins():
    plan = sa.plan(n_arms=3, horizon=20_000, rewards="bernoulli", max_sd_share=0.01)
    assert plan.costliest.rewards == plan.unsteadiest.rewards == "bernoulli"
    measured = sa.simulate(plan.policy, plan.unsteadiest, runs=1000, seed=1).instability
    assert measured.low <= 200 <= 1.05 * measured.high


def test_less_noise_than_coins_have_is_refused_as_simulate_refuses_it():
    with pytest.raises(InvalidInput, match=r"noise_scale must be at least 0\.5 for 0/1 rewards; got 0\.17"):
        sa.plan(n_arms=3, horizon=10_000, rewards="bernoulli", noise_scale=0.17, max_sd=100)
    quiet = sa.plan(n_arms=3, horizon=10**5, rewards="bounded", noise_scale=0.17, max_sd=500)
    quiet.policy.check_instance(quiet.unsteadiest)  # rewards in a range may be quieter


@pytest.mark.parametrize("rewards", ["gaussian", "bernoulli"])
@pytest.mark.parametrize("horizon", [300, 10_000])
@pytest.mark.parametrize("alpha", [0.05, 2.0])
def test_nothing_is_guaranteed_beyond_what_can_happen(rewards, horizon, alpha):
    plan = sa.plan(n_arms=3, horizon=horizon, rewards=rewards, alpha=alpha)
    most = {"gaussian": 2.0, "bernoulli": 1.0}[rewards] * horizon
    assert plan.guarantee.regret <= most == plan.most_regret
    assert plan.guarantee.instability <= (horizon - 3) / 2
    assert plan.guarantee.product <= most * (horizon - 3) / 2
    if plan.guarantee.regret == most:
        assert any(f"{most:,.0f}, which no policy exceeds" in note for note in plan.notes)


def test_a_plan_that_is_nearly_uniform_says_so():
    uniform = sa.plan(n_arms=10, horizon=2000, alpha=5.0)
    assert any("nearly uniform" in note for note in uniform.notes)
    assert not any("nearly uniform" in note for note in sa.plan(n_arms=2, horizon=10**6, alpha=1.0).notes)


def test_counts_are_whole_numbers_in_a_plan_too():
    plan = sa.plan(n_arms=3, horizon=1000, max_sd=1.0)
    assert sa.simulate(plan.policy, sa.equal_arms(3), runs=2000, seed=1).instability.value <= 1.0
    with pytest.raises(InvalidInput, match="cannot be had"):  # one pull more or less of 1.2
        sa.plan(n_arms=50, horizon=60, valid_intervals=True)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ({}, "exactly one goal; got 0"),
        ({"max_sd": 5, "max_regret": 5}, "exactly one goal; got 2"),
        ({"max_sd": -1}, "max_sd must be positive; got -1.0"),
        ({"max_sd_share": 2}, "max_sd_share must be at most 1.0"),
        ({"max_regret": 1}, "cannot be had .* has 1,096 or more .* Allow more regret"),
        ({"max_sd": 1e-9}, "cannot be had .* the steadiest allocation"),
        ({"max_sd": 0.4}, r"cannot be had .* spreads by 0\.5 pulls"),
        ({"max_sd": 0.4}, r"0\.5 pulls .* Allow more spread\.$"),  # more rounds would spread more
        ({"max_sd_share": 1e-9}, "Allow more spread, or plan more rounds"),
        ({"max_sd": 5, "rewards": "bounded", "low": 1e300, "high": 1.5e300}, "low must be at most 1e"),
        ({"valid_intervals": "no"}, "valid_intervals must be True or False; got 'no'"),
        ({"max_sd": 5, "low": 0.0}, "low and high are for bounded rewards"),
        ({"max_sd": 5, "rewards": "poisson"}, "rewards must be one of"),
        ({"max_sd": 5, "rewards": "bounded", "low": 2.0}, "high must be above 2.0"),
    ],
)
def test_an_impossible_goal_is_refused_with_what_is_possible(goal, words):
    with pytest.raises(InvalidInput, match=words):
        sa.plan(n_arms=3, horizon=10_000, **goal)
