"""Plans over HTTP: what the library says, and what is refused."""

import json

import pytest
from tests.live.conftest import problem

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.live.analysis import plans, simulations
from steadyarm.live.core.problems import Problem


@pytest.fixture
def api(sqlite_api):
    return sqlite_api


def test_the_service_prints_the_plan_of_the_library():
    found = plans.answer({"arms": 3, "horizon": 50_000, "rewards": "bernoulli", "max_regret_share": 0.04})
    plan = sa.plan(n_arms=3, horizon=50_000, rewards="bernoulli", max_regret_share=0.04)
    assert {name: found[name] for name in plan.to_dict()} == plans.finite(plan.to_dict())
    asked = {"arms": 3, "horizon": 50_000, "rewards": "bernoulli", "max_regret_share": 0.04}
    assert found["simulation"] == {"plan": asked, "runs": 1000, "seed": 1}
    long = plans.answer({"arms": 3, "horizon": 10**12, "alpha": 1.0})
    assert long["simulation"]["runs"] == 1000  # it is leapt over
    played = sa.UCB1(n_arms=2, horizon=10**9)
    assert simulations.affordable_runs(played, sa.equal_arms(2)) == 20


@pytest.mark.parametrize(
    "question",
    [
        [],
        {},
        {"arms": 1, "horizon": 100},
        {"arms": 2, "horizon": 2},
        {"arms": 2, "horizon": 100, "alpha": -1},
        {"arms": 2, "horizon": 100, "alpha": 1, "max_sd": 5},
        {"arms": 2, "horizon": 100, "max_sd": 5, "max_regret": 5},
        {"arms": 2, "horizon": 100, "goal": 1},
        {"arms": 2, "horizon": 100, "rewards": "gaussian", "low": 0},
        {"arms": 2, "horizon": 100, "alpha": 1, "means": [1.0]},
        {"arms": 2, "horizon": 100, "max_sd_share": True},
        {"arms": 2, "horizon": 100, "valid_intervals": "yes"},
    ],
    ids=str,
)
def test_a_bad_question_is_refused(api, question):
    problem(api("POST", "/v1/plan", question), 422, "invalid")


def test_with_runs_one_call_gives_the_whole_plan_of_the_library(api):
    question = {"arms": 2, "horizon": 400, "baseline": 0.3, "smallest_difference": 0.1}
    outline = api("POST", "/v1/plan", question).json()
    found = api("POST", "/v1/plan", question | {"runs": 20, "seed": 5}).json()
    plan = sa.plan(n_arms=2, horizon=400, baseline=0.3, smallest_difference=0.1, runs=20, seed=5)
    own = plans.finite(json.loads(json.dumps(plan.to_dict())))
    for name in ("policy", "recommendation", "table"):
        assert found.pop(name) == own[name]
        assert outline.pop(name) is None
    assert found == outline


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"runs": 3}, "runs must be at least 20; got 3"),
        ({"runs": True}, "runs must be"),
        (
            {"runs": 20, "baseline": None, "smallest_difference": None, "alpha": 1.0},
            "runs goes with a baseline",
        ),
        ({"runs": 20, "baseline": 3}, "above 0% and below 100%; got 300%"),
        ({"runs": 20, "seed": -1}, "seed must be"),
        ({"runs": 100_000, "horizon": 100_000}, "too much for a shared service"),
    ],
)
def test_runs_that_cannot_be_are_refused(api, changed, words):
    question = {"arms": 2, "horizon": 400, "baseline": 0.3, "smallest_difference": 0.1} | changed
    assert words in problem(api("POST", "/v1/plan", question), 422, "invalid")["detail"]


@pytest.mark.parametrize("question", [{}, {"constants": "paper"}])
def test_a_plan_needs_a_goal_as_in_python(api, question):
    told = problem(api("POST", "/v1/plan", {"arms": 2, "horizon": 100} | question), 422, "invalid")["detail"]
    with pytest.raises(InvalidInput) as refused:
        sa.plan(n_arms=2, horizon=100)
    assert told == str(refused.value)


@pytest.mark.parametrize(
    "asked",
    [
        {"alpha": 1.0, "max_sd": 5},
        {"alpha": 1.0, "guaranteed": True},
        {"max_sd": 20, "constants": "paper"},
        {"policy": sa.Steady(n_arms=2, horizon=200), "alpha": 1.0},
        {"policy": sa.Steady(n_arms=2, horizon=200), "guaranteed": True},
        {"policy": sa.Steady(n_arms=2, horizon=200)},
        {"policy": sa.MOSS(n_arms=2, horizon=100)},
        {"guaranteed": True},
        {"rewards": "gaussian", "low": 0, "alpha": 1.0},
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused_in_the_words_of_the_library(asked):
    with pytest.raises(InvalidInput) as refused:
        sa.plan(n_arms=2, horizon=100, **asked)
    sent = asked | ({"policy": asked["policy"].to_dict()} if "policy" in asked else {})
    with pytest.raises(Problem) as told:
        plans.answer({"arms": 2, "horizon": 100} | sent)
    assert told.value.detail == str(refused.value)


@pytest.mark.parametrize(
    "asked",
    [
        {"alpha": 2.0, "constants": "paper"},
        {"policy": sa.Steady(n_arms=2, horizon=10_000, spread=300.0)},
        {
            "policy": sa.SLEUCB(n_arms=2, horizon=10_000, beta=20.0),
            "rewards": "bernoulli",
            "at_least": [0.1, 0],
        },
    ],
    ids=str,
)
def test_whatever_the_service_plans_python_plans(asked):
    plan = sa.plan(n_arms=2, horizon=10_000, **asked)
    sent = asked | ({"policy": asked["policy"].to_dict()} if "policy" in asked else {})
    found = plans.answer({"arms": 2, "horizon": 10_000} | sent)
    assert {name: found[name] for name in plan.to_dict()} == plans.finite(plan.to_dict())
