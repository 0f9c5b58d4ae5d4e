"""A goal is met by the cheapest policy that meets it, or refused with what is possible."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.errors import CannotBeHad, InvalidInput
from steadyarm.planning.families import Spreads
from steadyarm.planning.goals import recommended
from steadyarm.planning.trade_offs import trade_off
from steadyarm.theory.reward_class import class_of


@settings(max_examples=15)
@given(n_arms=st.integers(2, 10), horizon=st.integers(5000, 10**9), share=st.floats(0.002, 0.02))
def test_the_spread_is_met_and_no_wider_one_meets_it(n_arms, horizon, share):
    plan = sa.plan(n_arms=n_arms, horizon=horizon, max_sd_share=share)
    assert isinstance(plan.policy, sa.Steady)
    assert plan.expected.instability <= share * horizon * (1 + 1e-6)
    wider = plan.policy.replace(spread=1.01 * plan.policy.spread)
    assert trade_off(wider, class_of("gaussian")).instability > share * horizon


def test_absolute_and_relative_goals_agree():
    one = sa.plan(n_arms=3, horizon=100_000, max_sd=500)
    other = sa.plan(n_arms=3, horizon=100_000, max_sd_share=0.005)
    assert one.policy == other.policy


def test_a_regret_is_the_same_goal_as_its_share_of_all_that_could_be_lost():
    one = sa.plan(n_arms=3, horizon=100_000, rewards="bernoulli", max_regret=4000)
    other = sa.plan(n_arms=3, horizon=100_000, rewards="bernoulli", max_regret_share=0.04)
    assert one.policy == other.policy
    with pytest.raises(InvalidInput, match=r"max_regret_share must be at most 1\.0"):
        sa.plan(n_arms=3, horizon=100_000, max_regret_share=4)


def test_the_regret_is_met_and_nothing_steadier_meets_it():
    plan = sa.plan(n_arms=4, horizon=10**6, max_regret=20_000)
    assert plan.expected.regret <= 20_000
    steadier = plan.policy.replace(spread=0.99 * plan.policy.spread)
    assert trade_off(steadier, class_of("gaussian")).regret > 20_000


def test_valid_intervals_keep_every_relative_spread_below_a_tenth():
    plan = sa.plan(n_arms=5, horizon=10**5, valid_intervals=True)
    assert plan.expected.relative_spread <= 0.1 * (1 + 1e-6)
    narrower = plan.policy.replace(beta=0.99 * plan.policy.beta)
    assert trade_off(narrower, class_of("gaussian")).relative_spread > 0.1
    steady = Spreads(5, 10**5, class_of("gaussian"))
    for spread in (100.0, 300.0, 1000.0, 3000.0):  # whoever is cheaper keeps no such share of each count
        other = trade_off(steady.policy(spread), class_of("gaussian"))
        assert other.regret > plan.expected.regret or other.relative_spread > 0.1


def test_a_regret_that_no_policy_has_is_refused_with_the_theorem():
    nobody = sa.theory.sharp_minimax_regret(3, 10_000)
    with pytest.raises(CannotBeHad, match=rf"Every policy loses {nobody:,.6g} or more .*Theorem 1′"):
        sa.plan(n_arms=3, horizon=10_000, max_regret=0.9 * nobody)


def test_somebody_without_a_goal_gets_valid_intervals_or_sle_ucb_where_there_are_none():
    policy, goal = recommended(class_of("bernoulli"), n_arms=3, horizon=20_000)
    assert (policy.title, policy.guaranteed, goal) == ("SLE-UCB", False, {"valid_intervals": True})
    policy, goal = recommended(class_of("gaussian"), n_arms=50, horizon=60)
    assert (policy.title, policy.alpha, goal) == ("SLE-UCB", 1.0, None)


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ({}, "exactly one goal; got 0"),
        ({"max_sd": 5, "max_regret": 5}, "exactly one goal; got 2"),
        ({"max_sd": -1}, "max_sd must be positive; got -1.0"),
        ({"max_sd_share": 2}, "max_sd_share must be at most 1.0"),
        ({"max_regret": 1}, "cannot be had .* Steady is expected to lose .* or more. Allow more regret"),
        (
            {"max_regret": 100},
            r"cannot be planned .* Steady .* \(Theorem 1′\)\. .* measure MOSS with `worst_case`",
        ),
        ({"max_sd": 1e-9}, "cannot be planned .* Steady at its steadiest"),
        ({"max_sd": 0.4}, r"cannot be planned .* spreads by 0\.5 pulls"),
        ({"max_sd": 0.4}, r"Equal shares \(RoundRobin\) do not adapt, and spread by 0\.47\."),
        ({"max_sd": 0.4}, r"0\.5 pulls .* Allow more spread\.$"),  # more rounds would spread more
        ({"max_sd_share": 1e-9}, "Allow more spread, or plan more rounds"),
        ({"max_sd": 5, "rewards": "bounded", "low": 1e300, "high": 1.5e300}, "low must be at most 1e"),
        ({"valid_intervals": "no"}, "valid_intervals must be True or False; got 'no'"),
        ({"max_sd": 5, "guaranteed": "yes"}, "guaranteed must be True or False; got 'yes'"),
        ({"alpha": 1.0, "guaranteed": True}, "guaranteed=True chooses alpha itself"),
        ({"max_sd": 5, "low": 0.0}, "low and high are for bounded rewards"),
        ({"max_sd": 5, "rewards": "poisson"}, "rewards must be one of"),
        ({"max_sd": 5, "rewards": "bounded", "low": 2.0}, "high must be above 2.0"),
    ],
)
def test_an_impossible_goal_is_refused_with_what_is_possible(goal, words):
    with pytest.raises(InvalidInput, match=words):
        sa.plan(n_arms=3, horizon=10_000, **goal)


@pytest.mark.parametrize(("n_arms", "horizon", "spread"), [(2, 1000, "0"), (3, 1000, "0.47")])
def test_equal_shares_spread_as_a_refusal_says(n_arms, horizon, spread):
    with pytest.raises(CannotBeHad, match=rf"spread by {spread}\. Allow more spread"):
        sa.plan(n_arms=n_arms, horizon=horizon, max_sd=0.4)
    shares = sa.simulate(
        sa.RoundRobin(n_arms=n_arms, horizon=horizon), sa.equal_arms(n_arms), runs=2000, seed=1
    )
    assert shares.instability.value == pytest.approx(float(spread), abs=0.02)


def test_a_refusal_names_only_knobs_that_the_goal_has():
    with pytest.raises(CannotBeHad, match=r"at the steadiest one spreads by \d+%\. Plan more rounds\.$"):
        sa.plan(n_arms=50, horizon=60, valid_intervals=True)
    assert sa.plan(n_arms=3, horizon=10_000, max_sd=1).goal == "a standard deviation of at most 1 pull"
