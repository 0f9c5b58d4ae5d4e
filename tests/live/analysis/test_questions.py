"""What may be asked: a member that nobody knows is refused wherever it stands, and none reaches the library unseen."""

import pytest

from steadyarm.live.analysis import plans, simulations
from steadyarm.live.analysis.questions import PlanQuestion, SimulationQuestion
from steadyarm.live.core.problems import Problem

PLAN = {"arms": 2, "horizon": 10_000, "baseline": 0.1, "smallest_difference": 0.02}


@pytest.mark.parametrize("member", ["threads", "progress", "n_arms", "unheard_of"])
def test_a_member_that_no_plan_has_is_refused_by_plans_and_by_simulations_of_one(member):
    for ask, question in (
        (plans.answer, PLAN | {member: 1}),
        (simulations.check, {"plan": PLAN | {member: 1}}),
    ):
        with pytest.raises(
            Problem, match=f"a plan has no member '{member}'. It has arms, horizon"
        ) as refused:
            ask(question)
        assert refused.value.status == 422


@pytest.mark.parametrize("ask", [plans.answer, simulations.check, lambda no: simulations.check({"plan": no})])
@pytest.mark.parametrize("question", [None, [], "arms", 7])
def test_what_is_no_object_is_no_question(ask, question):
    with pytest.raises(Problem, match="is asked for by a JSON object; got"):
        ask(question)


def test_a_simulation_is_of_a_policy_or_of_a_plan():
    assert simulations.check({"plan": PLAN})["plan"] == PLAN
    with pytest.raises(Problem, match="a simulation has no member 'threads'"):
        simulations.check({"plan": PLAN, "threads": 8})
    with pytest.raises(Problem, match="Leave these out, or the plan"):
        simulations.check({"plan": PLAN, "instance": {}})
    assert {"plan", "policy"} < SimulationQuestion.model_fields.keys()
    assert PLAN.keys() < PlanQuestion.model_fields.keys()
