"""A plan keeps its word, is the cheapest that does, and refuses the impossible with what is possible."""

import json

import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.theory.reward_class import class_of


def test_half_the_spread_costs_more_regret():
    plan = sa.plan(n_arms=2, horizon=10**5, max_sd=800)
    assert plan.half.instability == pytest.approx(plan.expected.instability / 2, rel=1e-3)
    assert plan.half.regret > plan.expected.regret
    assert plan.half.policy.spread < plan.policy.spread


def test_coins_need_less_noise_and_bounds_set_the_class():
    coins = sa.plan(n_arms=2, horizon=10**5, rewards="bernoulli", max_sd=500)
    assert (coins.policy.noise_scale, coins.reward_class.mean_bound) == (0.5, 1.0)
    wide = sa.plan(n_arms=2, horizon=10**5, rewards="bounded", low=-2.0, high=4.0, max_sd=500)
    assert (wide.policy.noise_scale, wide.reward_class.mean_bound) == (3.0, 4.0)


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


def test_a_plan_is_fit_for_json():
    report = sa.plan(n_arms=2, horizon=10**5, max_sd=800).to_dict()
    assert json.loads(json.dumps(report)) == report
    assert report["expected"]["spread"] == report["policy"]["spread"] == report["setting"]
    assert report["distance"].endswith("loses on its worst instance (Theorem 1′).")


@pytest.mark.parametrize(
    ("n_arms", "horizon", "goal"), [(10, 10**6, 10_000), (50, 10**6, 4000), (3, 10**5, 2000)]
)
def test_played_runs_keep_the_plans_word_with_tied_best_arms_too(n_arms, horizon, goal):
    plan = sa.plan(n_arms=n_arms, horizon=horizon, max_sd=goal)
    for tied in (2, 3):
        arms = sa.Instance.gaussian([1.0] * tied + [-1.0] * (n_arms - tied))
        assert sa.simulate(plan.policy, arms, runs=300, seed=1, engine="leap").instability.low <= goal
    measured = sa.simulate(plan.policy, plan.unsteadiest, runs=300, seed=1, engine="leap").instability
    assert measured.low <= goal <= 1.05 * measured.high  # the cheapest that keeps it
    loose = sa.plan(n_arms=n_arms, horizon=horizon, max_sd=3 * goal)  # the control
    assert (
        sa.simulate(loose.policy, loose.unsteadiest, runs=300, seed=1, engine="leap").instability.low > goal
    )


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
    with pytest.raises(InvalidInput, match="is out of reach"):  # one pull more or less of 1.2
        sa.plan(n_arms=50, horizon=60, valid_intervals=True)


@pytest.mark.parametrize(("n_arms", "share"), [(2, 0.01), (10, 0.005), (50, 0.002)])
def test_a_plan_as_expected_is_near_the_least_possible_and_says_how_near(n_arms, share):
    plan = sa.plan(n_arms=n_arms, horizon=10**6, max_sd_share=share)
    assert 1.0 <= plan.times_least_regret < 1.08
    assert (
        f"{plan.times_least_regret - 1:.0%} more than the least" in plan.distance
        or plan.times_least_regret < 1.005
    )
    assert plan.least_regret == sa.theory.least_regret(
        plan.expected.instability, n_arms=n_arms, horizon=10**6
    )
    assert plan.least_instability <= plan.expected.instability


def test_at_low_rates_the_least_possible_is_that_of_coins():
    plan = sa.plan(n_arms=3, horizon=10**6, rewards="bernoulli", mean_bound=0.05, max_sd_share=0.01)
    coins = sa.theory.least_regret(plan.expected.instability, n_arms=3, horizon=10**6, rates=(0.0, 0.05))
    assert plan.least_regret == coins
    gaussian = sa.theory.least_regret(
        plan.expected.instability, n_arms=3, horizon=10**6, mean_bound=0.025, noise_scale=0.5
    )
    assert coins < gaussian  # with noise of ½ it would say too much


def test_steady_has_no_guarantee_and_a_plan_says_so():
    plan = sa.plan(n_arms=3, horizon=10**5, max_sd=1000)
    assert plan.guarantee is None
    assert any("Steady has no finite-time guarantee" in note for note in plan.notes)


def test_a_distance_from_a_bound_that_is_not_sharp_is_called_that():
    quiet = sa.plan(n_arms=2, horizon=10**5, rewards="bounded", noise_scale=0.01, max_sd=10)
    assert 1.0 <= quiet.times_least_regret < 1.1
    assert "4% more than what every policy of this spread is proved to lose" in quiet.distance
    noisy = sa.plan(n_arms=2, horizon=10**5, rewards="bounded", max_sd=1000)
    assert "the least that any policy of this spread loses" in noisy.distance
