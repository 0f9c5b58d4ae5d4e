"""A plan over HTTP: the plan itself answers; what a service decides is how much it simulates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.analysis.questions import MOST_PLANNED_ARMS, PlanQuestion, members
from steadyarm.live.analysis.results import finite
from steadyarm.live.analysis.simulations import MOST_ROUNDS, affordable_runs
from steadyarm.live.analysis.situations import SITUATION, outline
from steadyarm.live.core.configuration import check_scales
from steadyarm.live.core.problems import Problem
from steadyarm.model import checks
from steadyarm.planning.families import Alphas
from steadyarm.planning.goals import GOALS, goal_of_alpha, policy_for_goal
from steadyarm.planning.plan import Plan
from steadyarm.planning.quota_cost import quota_cost
from steadyarm.planning.table import settings_in_words
from steadyarm.policies import SLEUCB, Steady, policy_from_dict
from steadyarm.theory.reward_class import RewardClass, class_of

_CHECK_SEED = 1


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
        if asked.keys() & set(SITUATION):
            return finite(outline(asked, MOST_ROUNDS))
        if "spread" in asked:
            raise InvalidInput("spread goes with a baseline. Leave it out, or give max_sd.")
        found = _plan(asked)
        cost = quota_cost(
            found.policy.n_arms, found.policy.horizon, asked.get("at_least"), asked.get("at_most")
        )
        return finite(_described(replace(found, quotas=cost), asked.get("means")))
    except Problem:
        raise
    except SteadyarmError as refused:
        raise Problem("invalid", str(refused)) from None


def _plan(asked: dict[str, Any]) -> Plan:
    n_arms = checks.integer(asked.get("arms"), "arms", at_least=2, at_most=MOST_PLANNED_ARMS)
    horizon = checks.horizon(asked.get("horizon"), n_arms)
    goals = {name: asked[name] for name in GOALS if name in asked}
    chosen = asked.keys() & {"alpha", "constants", "policy"}
    if chosen and goals:
        raise InvalidInput(f"a goal finds the policy. Leave {' and '.join(sorted(chosen))} out, or the goal.")
    reward_class = class_of(
        asked.get("rewards", "gaussian"),
        asked.get("mean_bound"),
        asked.get("noise_scale"),
        asked.get("low"),
        asked.get("high"),
    )
    scales = {"mean_bound": reward_class.mean_bound, "noise_scale": reward_class.noise_scale}
    check_scales(scales | asked)
    guaranteed = checks.boolean(asked.get("guaranteed", False), "guaranteed")
    if goals or not asked.keys() & {"alpha", "policy"}:
        policy, goal = policy_for_goal(
            reward_class, n_arms=n_arms, horizon=horizon, guaranteed=guaranteed, **goals
        )
        return Plan(policy, goal, reward_class, guaranteed)
    if guaranteed:
        raise InvalidInput(f"guaranteed is about a goal. Give one of {', '.join(GOALS)}, or leave it out.")
    if "policy" in asked:
        return _plan_of(asked["policy"], n_arms, horizon, reward_class)
    policy = Alphas(n_arms, horizon, reward_class, asked.get("constants", "sharp")).policy(asked["alpha"])
    return Plan(policy, goal_of_alpha(policy), reward_class)


def _plan_of(state: Any, n_arms: int, horizon: int, reward_class: RewardClass) -> Plan:
    """Return the plan that a policy, as an earlier plan gave it, comes to."""
    if not isinstance(state, dict):
        raise InvalidInput("policy must be a JSON object, as a plan has it.")
    policy = policy_from_dict(state)
    if not isinstance(policy, SLEUCB | Steady):
        raise InvalidInput(f"a plan is about SLEUCB or Steady; got {policy.name}.")
    if (policy.n_arms, policy.horizon) != (n_arms, horizon):
        raise InvalidInput(
            f"the policy is for {policy.n_arms} arms and {policy.horizon:,} rounds, the question for {n_arms} and "
            f"{horizon:,}. Give the same."
        )
    return Plan(policy, settings_in_words(policy), reward_class)


def _described(plan: Plan, means: Any) -> dict[str, Any]:
    """Return the plan, the counts predicted for the arms that were asked about, and how it would be checked here."""
    predicted = plan.prediction(means)
    return plan.to_dict() | {
        "counts": predicted.counts.tolist(),
        "sd": predicted.sd.tolist(),
        "regret": predicted.regret,
        "instability": predicted.instability,
        "reason": predicted.reason,
        "check": {"runs": max(2, affordable_runs(plan.policy, plan.costliest)), "seed": _CHECK_SEED},
    }
