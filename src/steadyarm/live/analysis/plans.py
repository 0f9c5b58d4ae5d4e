"""A plan over HTTP: the plan itself answers; what a service decides is how much it simulates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.analysis.questions import MOST_PLANNED_ARMS, PlanQuestion, members
from steadyarm.live.analysis.results import finite
from steadyarm.live.analysis.simulations import MOST_ARMS, MOST_ROUNDS, affordable_runs
from steadyarm.live.analysis.situations import from_baseline, outline
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import check_scales
from steadyarm.model import checks
from steadyarm.planning.make_plan import plan
from steadyarm.planning.plan import Plan
from steadyarm.policies import Policy, policy_from_dict
from steadyarm.theory.estimates import FEWEST_FOR_AN_INTERVAL

_CHECK_SEED = 1
_OF_THE_CLASS = ("rewards", "low", "high", "mean_bound", "noise_scale")


def answer(question: Any) -> Any:
    """Plan from an α or a goal, or from a baseline.

    >>> found = answer({"arms": 3, "horizon": 100_000, "alpha": 2.0})
    >>> len(found["counts"]), found["expected"]["alpha"], found["alternatives"][0]["policy"]
    (3, 2.0, 'MOSS')
    """
    try:
        given = members(question, PlanQuestion, "a plan")
        asked = {name: value for name, value in given.items() if value is not None}
        if "seed" in asked:
            raise InvalidInput(
                "seed goes with runs, which simulate a plan from a baseline. Give them, or leave it out."
            )
        if from_baseline(asked):
            return finite(outline(asked, MOST_ROUNDS))
        means = asked.pop("means", None)
        found = planned(asked)
        told = {"experiment": _experiment(asked, found), "simulation": _simulation(asked, found)}
        return finite(_described(found, means) | told)
    except Problem:
        raise
    except SteadyarmError as refused:
        raise Problem("invalid", str(refused)) from None


def planned(asked: dict[str, Any]) -> Plan:
    """Return the plan of a question about a class of rewards."""
    known = {name: value for name, value in asked.items() if value is not None}
    if "spread" in known:
        raise InvalidInput("spread goes with a baseline. Leave it out, or give max_sd.")
    check_scales(known)
    n_arms = checks.integer(known.pop("arms", None), "arms", at_least=2, at_most=MOST_PLANNED_ARMS)
    if "policy" in known:
        known["policy"] = _policy(known["policy"])
    found = plan(n_arms=n_arms, **known)
    assert isinstance(found, Plan)
    scales = found.reward_class
    check_scales({"mean_bound": scales.mean_bound, "noise_scale": scales.noise_scale})
    return found


def _policy(state: Any) -> Policy:
    """Return the policy of an earlier plan."""
    if not isinstance(state, dict):
        raise InvalidInput("policy must be a JSON object, as a plan has it.")
    return policy_from_dict(state)


def _experiment(asked: dict[str, Any], found: Plan) -> dict[str, Any]:
    """Return the configuration of a live experiment that runs the plan; its arms are still to be named."""
    said = {name: asked[name] for name in _OF_THE_CLASS if name in asked}
    return said | {name: value for name, value in found.policy.to_dict().items() if name != "n_arms"}


def _described(plan: Plan, means: Any) -> dict[str, Any]:
    """Return the plan, and the counts predicted for the arms that were asked about."""
    predicted = plan.prediction(means)
    return plan.to_dict() | {
        "counts": predicted.counts.tolist(),
        "sd": predicted.sd.tolist(),
        "regret": predicted.regret,
        "instability": predicted.instability,
        "reason": predicted.reason,
    }


def _simulation(asked: dict[str, Any], found: Plan) -> dict[str, Any] | None:
    """Return what to ask `POST /v1/simulations` for the check of a plan; None if that is too much to ask."""
    runs = affordable_runs(found.policy, found.costliest)
    if runs < FEWEST_FOR_AN_INTERVAL or found.policy.n_arms > MOST_ARMS:
        return None
    return {"plan": asked, "runs": runs, "seed": _CHECK_SEED}


def checked(work: dict[str, Any], progress: Callable[[float], None]) -> dict[str, Any]:
    """Return a plan's check by simulation, in numbers and words."""
    found = planned(work["plan"]).check(work["runs"], work["seed"], progress)
    return found.to_dict() | {"runs": found.runs, "engine": found.costliest.engine, "words": found.words}
