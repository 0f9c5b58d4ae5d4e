"""A plan over HTTP: the plan itself answers; what a service decides is how much it simulates."""

from __future__ import annotations

from typing import Any

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.analysis.results import finite
from steadyarm.live.analysis.simulations import affordable_runs
from steadyarm.live.core.configuration import check_scales
from steadyarm.live.core.problems import Problem
from steadyarm.model import checks
from steadyarm.planning.goals import GOALS, goal_of_alpha, policy_for_goal
from steadyarm.planning.plan import Plan
from steadyarm.policies import SLEUCB
from steadyarm.theory.reward_class import class_of

MOST_ARMS = 10_000
_CHECK_SEED = 1
_MEMBERS = (
    "arms",
    "horizon",
    "mean_bound",
    "noise_scale",
    "rewards",
    "low",
    "high",
    "constants",
    "alpha",
    "means",
    *GOALS,
)


def answer(question: Any) -> Any:
    """Plan from an α or a goal.

    >>> found = answer({"arms": 3, "horizon": 100_000, "alpha": 2.0})
    >>> len(found["counts"]), found["expected"]["alpha"], found["alternatives"][0]["policy"]
    (3, 2.0, 'MOSS')
    """
    if not isinstance(question, dict):
        raise Problem("invalid", "a question must be a JSON object.")
    unknown = question.keys() - set(_MEMBERS)
    if unknown:
        raise Problem("invalid", f"a plan has no member {min(unknown)!r}. It has {', '.join(_MEMBERS)}.")
    asked = {name: value for name, value in question.items() if value is not None}
    try:
        return finite(_described(_plan(asked), asked.get("means")))
    except Problem:
        raise
    except SteadyarmError as refused:
        raise Problem("invalid", str(refused)) from None


def _plan(asked: dict[str, Any]) -> Plan:
    n_arms = checks.integer(asked.get("arms"), "arms", at_least=2, at_most=MOST_ARMS)
    horizon = checks.horizon(asked.get("horizon"), n_arms)
    goals = {name: asked[name] for name in GOALS if name in asked}
    if goals and asked.keys() & {"alpha", "constants"}:
        raise InvalidInput(
            "a goal finds alpha, with sharp constants. Leave alpha and constants out, or the goal."
        )
    reward_class = class_of(
        asked.get("rewards", "gaussian"),
        asked.get("mean_bound"),
        asked.get("noise_scale"),
        asked.get("low"),
        asked.get("high"),
    )
    scales = {"mean_bound": reward_class.mean_bound, "noise_scale": reward_class.noise_scale}
    check_scales(scales | asked)
    if goals:
        return Plan(*policy_for_goal(reward_class, n_arms=n_arms, horizon=horizon, **goals), reward_class)
    policy = SLEUCB(
        n_arms=n_arms,
        horizon=horizon,
        alpha=asked.get("alpha", 1.0),
        constants=asked.get("constants", "sharp"),
        **scales,
    )
    return Plan(policy, goal_of_alpha(policy), reward_class)


def _described(plan: Plan, means: Any) -> dict[str, Any]:
    """Return the plan, the counts predicted for the arms that were asked about, and how it would be checked here."""
    predicted = plan.prediction(means)
    return plan.to_dict() | {
        "counts": predicted.counts.tolist(),
        "sd": predicted.sd.tolist(),
        "regret": predicted.regret,
        "instability": predicted.instability,
        "trusted": predicted.trusted,
        "reason": predicted.reason,
        "check": {"runs": max(2, affordable_runs(plan.policy, plan.costliest)), "seed": _CHECK_SEED},
    }
