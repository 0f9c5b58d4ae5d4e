"""`plan`: from a goal over a class of rewards, or from what a team knows, to a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from steadyarm.defaults import ARMS
from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.planning.baseline.situation import Situation, describe
from steadyarm.planning.baseline.situation_plan import USUAL_RUNS, SituationPlan, check_runs, refuse_class
from steadyarm.planning.goals import CONSTANTS_ALONE, GOALS, policy_for_goal
from steadyarm.planning.plan import Plan
from steadyarm.planning.quota_cost import quota_cost
from steadyarm.planning.table import settings_in_words
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady
from steadyarm.theory.reward_class import class_of


def plan(
    *,
    n_arms: int = ARMS,
    horizon: int | None = None,
    baseline: Any = None,
    smallest_difference: float | None = None,
    differences: Sequence[float] | None = None,
    per_day: float | None = None,
    days: float | None = None,
    delay_days: float = 0.0,
    daily: bool = False,
    column: str | None = None,
    mean_bound: float | None = None,
    noise_scale: float | None = None,
    rewards: str | None = None,
    low: float | None = None,
    high: float | None = None,
    max_sd: float | None = None,
    max_sd_share: float | None = None,
    max_regret: float | None = None,
    max_regret_share: float | None = None,
    valid_intervals: bool = False,
    alpha: float | None = None,
    constants: str | None = None,
    policy: OwnHistoryPolicy | None = None,
    guaranteed: bool = False,
    at_least: Sequence[float] | None = None,
    at_most: Sequence[float] | None = None,
    runs: int = USUAL_RUNS,
    seed: int = 0,
    progress: bool | Callable[[float], None] | None = None,
    threads: int | None = None,
) -> Plan | SituationPlan:
    """Plan an experiment from what you know of it, from one goal over a class of rewards, or from both.

    With a `baseline` the plan is a `SituationPlan`: designs side by side in your own units, simulated when you first
    look, and one of them recommended. Without one it is a `Plan` for one goal.

    Args:
        n_arms: how many arms; arm 0 is the baseline, if there is one.
        horizon: how many rounds; with a baseline `per_day` and `days` will do.
        baseline: what arm 0 gives: a rate of 0/1 outcomes like 0.03, or (mean, sd) of others, or past outcomes: the
            path of a CSV file, or a column of pandas. Outcomes that are all 0 or 1 are a rate.
        smallest_difference: the smallest difference from the baseline that matters, in the baseline's unit.
        differences: the lowest and highest plausible difference of another arm; three times the smallest either way.
        per_day: units a day.
        days: how many days.
        delay_days: after how many days an outcome is known.
        daily: whether the policy learns once a day, and not after every outcome.
        column: the column of past outcomes.
        mean_bound: M; the means lie in [−M, M]. Default: 1, or what low and high say.
        noise_scale: σ; default 1 for Gaussian rewards, half the range for others.
        rewards: "gaussian" (by default), "bernoulli" (0 or 1), or "bounded" (between low and high).
        low: smallest bounded reward, 0 by default.
        high: largest bounded reward, 1 by default.
        max_sd: the goal: at most this standard deviation of an arm's pulls, on every instance.
        max_sd_share: the same as a share of the rounds.
        max_regret: or: at most this expected regret, and then as steady as that allows.
        max_regret_share: the same as a share of all that could be lost.
        valid_intervals: or: the cheapest at which ordinary intervals are valid afterwards (every count
            spreads by at most a tenth of itself).
        alpha: or no goal: what this α of SLE-UCB comes to.
        constants: of SLE-UCB with this α: "sharp" (by default) or "paper".
        policy: or no goal: what this SLE-UCB or Steady comes to, over the class.
        guaranteed: whether a theorem must say that the goal is met. As expected, the plan is Steady, and for valid
            intervals SLE-UCB along β; as guaranteed, it is SLE-UCB with the β and α whose guarantee is the cheapest.
        at_least: quotas, as of `Quotas`: the least share of the rounds for each arm. What they cost stands in `.quotas`
            and in the notes; all other numbers are without them.
        at_most: likewise the largest share.
        runs: of each design with a baseline; expensive ones get fewer.
        seed: of the simulations with a baseline.
        progress: of them: True or False for a bar, a function of the finished share, or None: a bar on a terminal.
        threads: that they take; all cores by default.

    >>> found = plan(n_arms=2, horizon=100_000, max_sd_share=0.01)
    >>> found.policy.title, found.expected.instability <= 1000.0 * 1.001
    ('Steady', True)
    >>> sure = plan(n_arms=2, horizon=100_000, max_sd_share=0.01, guaranteed=True)
    >>> sure.policy.title, sure.guarantee.instability <= 1000.0
    ('SLE-UCB', True)
    >>> print(sure)
    Goal: a guaranteed standard deviation of at most 1,000 pulls (2 arms, 100,000 rounds).
    <BLANKLINE>
    Run SLE-UCB with alpha = ...
    >>> team = plan(n_arms=2, horizon=20_000, baseline=0.1, smallest_difference=0.02, runs=20)
    >>> [design.name for design in team.designs][:2]
    ['equal shares', 'Steady, spread 2,000']
    >>> print(team)
    2 arms, 20,000 units; baseline 10%, differences from 2 pp on matter, plausible from -6 to +6 pp. At the baseline ...
    SLE-UCB, guaranteed: it loses about ... fewer conversions than equal shares over your plausible range ...
    """
    goals: dict[str, Any] = {
        "max_sd": max_sd,
        "max_sd_share": max_sd_share,
        "max_regret": max_regret,
        "max_regret_share": max_regret_share,
        "alpha": alpha,
    }
    options: dict[str, Any] = {
        "valid_intervals": valid_intervals,
        "guaranteed": guaranteed,
        "constants": constants,
    }
    if policy is not None:
        _check_alone(policy, goals | options | {"baseline": baseline})
    if baseline is not None:
        refuse_class(rewards=rewards, mean_bound=mean_bound, noise_scale=noise_scale, low=low, high=high)
        if smallest_difference is None:
            raise InvalidInput(
                "a plan with a baseline needs smallest_difference, the smallest difference from it that matters, in "
                "the baseline's unit: 0.003 is 0.3 pp."
            )
        situation = describe(
            n_arms=n_arms,
            horizon=horizon,
            baseline=baseline,
            smallest_difference=smallest_difference,
            differences=differences,
            per_day=per_day,
            days=days,
            delay_days=delay_days,
            daily=daily,
            column=column,
        )
        by_goal = _by_goal(situation, goals, options)
        cost = quota_cost(situation.n_arms, situation.horizon, at_least, at_most)
        options_of_runs = (check_runs(runs), checks.seed(seed), progress)
        return SituationPlan(situation, by_goal, *options_of_runs, threads=threads, quotas=cost)
    given = (smallest_difference, differences, per_day, days, column, delay_days or None, daily or None)
    if any(value is not None for value in given) or horizon is None:
        raise InvalidInput(
            "a plan needs horizon and one goal, or a baseline and the smallest difference that matters. Give baseline= "
            "(0.03 for a rate of 3%), or horizon= and leave out what is about a baseline."
        )
    reward_class = class_of(rewards, mean_bound, noise_scale, low, high)
    if policy is not None:
        _check_size(policy, checks.n_arms(n_arms), checks.horizon(horizon, n_arms))
        goal = settings_in_words(policy)
    else:
        policy, goal = policy_for_goal(reward_class, n_arms=n_arms, horizon=horizon, **goals, **options)
    cost = quota_cost(policy.n_arms, policy.horizon, at_least, at_most)
    return Plan(policy, goal, reward_class, guaranteed, cost)


def _check_alone(policy: Any, others: dict[str, Any]) -> None:
    """Refuse what cannot be planned, and whatever would choose another policy."""
    given = [name for name, value in others.items() if value is not None and value is not False]
    if given:
        raise InvalidInput(f"policy is planned as it is. Leave {' and '.join(given)} out, or policy.")
    if not isinstance(policy, SLEUCB | Steady):
        name = policy.name if isinstance(policy, Policy) else repr(policy)
        raise InvalidInput(f"policy must be SLEUCB or Steady, which can be planned; got {name}.")


def _check_size(policy: OwnHistoryPolicy, n_arms: int, horizon: int) -> None:
    if (policy.n_arms, policy.horizon) != (n_arms, horizon):
        raise InvalidInput(
            f"policy is for {policy.n_arms:,} arms and {policy.horizon:,} rounds, the plan for {n_arms:,} and "
            f"{horizon:,}. Give the same."
        )


def _by_goal(situation: Situation, goals: dict[str, Any], options: dict[str, Any]) -> Plan | None:
    """Return the plan for a goal over the class of a situation, or None without a goal."""
    if all(value is None for value in goals.values()) and not options["valid_intervals"]:
        if options["guaranteed"]:
            raise InvalidInput(
                f"guaranteed is about a goal. Give one of {', '.join(GOALS)}, or leave it out."
            )
        if options["constants"] is not None:
            raise InvalidInput(CONSTANTS_ALONE)
        return None
    policy, goal = policy_for_goal(
        situation.reward_class, n_arms=situation.n_arms, horizon=situation.horizon, **goals, **options
    )
    return Plan(policy, goal, situation.reward_class, options["guaranteed"])
