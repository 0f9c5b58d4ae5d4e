"""Plans and simulations over HTTP."""

import math

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.live.analysis import plans
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.planning.trade_offs import trade_off
from steadyarm.theory.reward_class import class_of


@pytest.fixture
def api(sqlite_api):
    return sqlite_api


def test_a_plan_from_alpha_is_what_the_library_says(api):
    answer = api(
        "POST", "/v1/plan", {"arms": 4, "horizon": 100_000, "alpha": 2.0, "means": [0.0, -0.1, -0.1, -0.3]}
    )
    assert answer.status_code == 200
    found = answer.json()
    policy = sa.SLEUCB(n_arms=4, horizon=100_000, alpha=2.0, constants="sharp")
    predicted = sa.predict(policy, sa.Instance.gaussian([0.0, -0.1, -0.1, -0.3]))
    assert found["counts"] == predicted.counts.tolist()
    assert found["sd"] == predicted.sd.tolist()
    assert found["guarantee"]["regret"] == sa.theory.guarantee(policy).regret
    expected = trade_off(policy, class_of("gaussian"))
    assert found["expected"] == {"alpha": 2.0, "regret": expected.regret, "instability": expected.instability}


def test_a_plan_from_a_goal_is_that_of_plan(api):
    found = api(
        "POST", "/v1/plan", {"arms": 3, "horizon": 50_000, "rewards": "bernoulli", "max_sd_share": 0.01}
    ).json()
    made = api.create(
        arms=["a", "b", "c"], horizon=50_000, policy=None, alpha=None, plan={"max_sd_share": 0.01}
    )
    assert made["policy"] == found["policy"]  # an experiment from the same goal is the same too
    assert (
        found["policy"]
        == sa.plan(n_arms=3, horizon=50_000, rewards="bernoulli", max_sd_share=0.01).policy.to_dict()
    )


@pytest.mark.parametrize("known", [{"max_sd_share": 0.1}, {"baseline": 0.1, "smallest_difference": 0.05}])
def test_floors_and_caps_come_with_what_they_cost(known):
    found = plans.answer(
        {"arms": 3, "horizon": 1000, "at_least": [0.2, 0, 0], "at_most": [1, 1, 0.4]}
        | ({"rewards": "bernoulli"} if "max_sd_share" in known else {})
        | known
    )
    assert found["quotas"]["elsewhere"] == [0, 200, 600]
    assert any("at least 600 of 1,000 rounds elsewhere" in note for note in found["notes"])


def test_the_curve_falls_and_nobody_is_in_the_excluded_region():
    found = plans.answer({"arms": 3, "horizon": 1_000_000, "alpha": 1.0})
    regrets = [point["regret"] for point in found["curve"]]
    spreads = [point["instability"] for point in found["curve"]]
    assert regrets == sorted(regrets)
    assert spreads == sorted(spreads, reverse=True)
    edge = found["excluded"]
    regrets, spreads = ([math.log(place[name]) for place in edge] for name in ("regret", "instability"))
    for point in [*found["curve"], *(rival for rival in found["alternatives"] if rival["trusted"])]:
        assert np.interp(-math.log(point["instability"]), [-each for each in spreads], regrets) < math.log(
            point["regret"]
        )
    assert {rival["policy"]: rival["trusted"] for rival in found["alternatives"]}["MOSS"] is False
    assert all(rival["regret"] is None for rival in found["alternatives"] if not rival["trusted"])


@pytest.mark.parametrize("horizon", [100, 10**6, 10**12, 2**53])
def test_the_excluded_region_begins_beside_the_least_regret(horizon):
    found = plans.answer({"arms": 3, "horizon": horizon, "alpha": 1.0})
    regrets = [point["regret"] for point in [*found["curve"], *found["alternatives"]] if point["regret"]]
    edge = found["excluded"]
    assert edge[0]["regret"] <= min(regrets) / 3.0
    assert [place["regret"] for place in edge] == sorted(place["regret"] for place in edge)
    assert [place["instability"] for place in edge] == sorted(
        (place["instability"] for place in edge), reverse=True
    )


def test_the_curve_carries_the_guarantee_of_every_alpha():
    found = plans.answer({"arms": 3, "horizon": 100_000, "alpha": 1.0})
    for point in found["curve"]:
        policy = sa.SLEUCB(n_arms=3, horizon=100_000, alpha=point["setting"], constants="sharp")
        assert point["guaranteed_regret"] == sa.theory.guarantee(policy, quick=True).regret
        assert point["guaranteed_instability"] == sa.theory.guarantee(policy, quick=True).instability


def test_no_guarantee_is_beyond_what_can_happen():
    found = plans.answer({"arms": 3, "horizon": 500, "alpha": 2.0, "rewards": "bernoulli"})
    assert found["most"] == {"regret": 500, "instability": (500 - 3) / 2}
    assert found["guarantee"]["regret"] == 500
    for point in found["curve"]:
        assert point["guaranteed_regret"] <= 500
        assert point["guaranteed_instability"] <= (500 - 3) / 2


@pytest.mark.parametrize("rewards", ["bernoulli", "bounded", "gaussian"])
def test_arms_may_be_asked_about_by_their_differences(rewards):
    found = plans.answer(
        {"arms": 3, "horizon": 10_000, "rewards": rewards, "alpha": 1.0, "means": [0.0, -0.2, -0.2]}
    )
    moved = plans.answer(
        {"arms": 3, "horizon": 10_000, "rewards": rewards, "alpha": 1.0, "means": [0.7, 0.5, 0.5]}
    )
    assert found["counts"] == pytest.approx(moved["counts"], rel=1e-9)
    assert min(found["sd"]) > 0.0


def test_the_worst_arms_have_the_rewards_that_were_asked_about():
    found = plans.answer({"arms": 3, "horizon": 10_000, "alpha": 1.0, "rewards": "bernoulli"})
    assert {arms["rewards"] for arms in found["worst_instances"].values()} == {"bernoulli"}


def test_the_worst_instances_are_those_of_the_expected_worst_cases():
    found = plans.answer({"arms": 2, "horizon": 10_000, "alpha": 3.3})
    policy = sa.policy_from_dict(found["policy"])
    costliest, widest = (
        sa.Instance.from_dict(found["worst_instances"][what]) for what in ("regret", "instability")
    )
    assert sa.predict(policy, costliest).regret == pytest.approx(found["expected"]["regret"], rel=1e-9)
    rounded = np.hypot(sa.predict(policy, widest).instability, 0.5)  # counts are whole numbers
    assert rounded == pytest.approx(found["expected"]["instability"], rel=1e-9)
    assert found["worst_instances"]["regret"] != found["worst_instances"]["instability"]


def test_a_rival_with_a_flat_index_somewhere_has_no_prediction():
    found = plans.answer(
        {"arms": 10, "horizon": 10**9, "alpha": 1.0, "rewards": "bounded", "low": -1, "high": 4}
    )
    trusted = {rival["policy"]: rival["trusted"] for rival in found["alternatives"]}
    assert not trusted["MOSS"]
    assert trusted["UCB"]


def test_the_service_trusts_a_plan_as_python_does():
    plan = sa.plan(n_arms=10, horizon=200, max_sd=4)
    found = plans.answer({"arms": 10, "horizon": 200, "max_sd": 4})
    assert found["trusted"] is plan.trusted is False
    assert found["reason"] == plan.prediction().reason  # of the counts that it predicts


@pytest.mark.parametrize(
    "asked",
    [
        {"alpha": 2.0},
        {"rewards": "bernoulli", "max_sd_share": 0.02},
        {"rewards": "bounded", "low": -1.0, "high": 3.0, "alpha": 1.0, "constants": "paper"},
        {
            "rewards": "gaussian",
            "mean_bound": 2.0,
            "noise_scale": 3.0,
            "max_sd_share": 0.02,
            "guaranteed": True,
        },
    ],
    ids=str,
)
def test_an_experiment_of_the_configuration_of_a_plan_runs_its_policy(asked):
    found = plans.answer({"arms": 3, "horizon": 10_000} | asked)
    setup = resolve(requested(found["experiment"] | {"arms": ["a", "b", "c"]}))
    assert setup.policy.to_dict() == found["policy"]
    declared = {name: asked[name] for name in ("rewards", "low", "high", "mean_bound") if name in asked}
    assert declared.items() <= setup.configuration.items()
