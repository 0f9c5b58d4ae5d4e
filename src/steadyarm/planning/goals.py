"""From a goal to the policy that meets it most cheaply.

SLE-UCB with sharp constants is planned: its guarantee holds for every α > 0. The worst cases behind a goal are
first-order predictions, searched over instances of up to three levels with any number of tied best arms
(`theory.worst_cases`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from steadyarm.errors import CannotBeHad, InvalidInput
from steadyarm.model import checks
from steadyarm.planning.trade_offs import TradeOff, trade_off
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.reward_class import RewardClass
from steadyarm.words import amount

GOALS = ("max_sd", "max_sd_share", "max_regret", "max_regret_share", "valid_intervals")
SMALLEST_ALPHA, LARGEST_ALPHA = 0.01, 1e4
VALID_SPREAD = 0.1  # of a count, at which a Wald interval has lost next to nothing of its coverage
_STEPS = 60  # of the bisection for alpha

Along = Callable[[float], TradeOff]  # the worst cases at an alpha


def policy_for_goal(
    reward_class: RewardClass,
    *,
    n_arms: int,
    horizon: int,
    max_sd: float | None = None,
    max_sd_share: float | None = None,
    max_regret: float | None = None,
    max_regret_share: float | None = None,
    valid_intervals: bool = False,
    alpha: float | None = None,
) -> tuple[SLEUCB, str]:
    """Return the policy that meets one goal, and the goal in words; `plan` says what it comes to."""
    base = SLEUCB(
        n_arms=n_arms,
        horizon=horizon,
        mean_bound=reward_class.mean_bound,
        noise_scale=reward_class.noise_scale,
        constants="sharp",
    )
    along = partial(trade_off, base, reward_class)
    given = [value is not None for value in (max_sd, max_sd_share, max_regret, max_regret_share, alpha)]
    goals = sum([*given, checks.boolean(valid_intervals, "valid_intervals")])
    if goals != 1:
        raise InvalidInput(
            f"a plan needs exactly one goal; got {goals}. Give one of {', '.join(GOALS)} or alpha."
        )
    if alpha is not None:
        policy = base.replace(alpha=alpha)
        return policy, goal_of_alpha(policy)
    if max_sd_share is not None:
        max_sd = base.horizon * checks.real(max_sd_share, "max_sd_share", above=0.0, at_most=1.0)
    if max_regret_share is not None:
        share = checks.real(max_regret_share, "max_regret_share", above=0.0, at_most=1.0)
        max_regret = reward_class.widest_gap * base.horizon * share
    if valid_intervals:
        goal = "the cheapest allocation after which ordinary intervals are valid"
        alpha = _smallest_alpha(along, base, lambda point: point.relative_spread <= VALID_SPREAD, goal)
    elif max_sd is not None:
        limit = checks.real(max_sd, "max_sd", above=0.0)
        goal = f"a standard deviation of at most {amount(limit)} pulls"
        remedy = (
            ", or plan more rounds" if max_sd_share is not None else ""
        )  # a number of pulls is harder to keep
        alpha = _smallest_alpha(along, base, lambda point: point.instability <= limit, goal, remedy)
    else:
        limit = checks.real(max_regret, "max_regret", above=0.0)
        goal = f"an expected regret of at most {amount(limit)}"
        alpha = _largest_alpha(along, base, limit)
    return base.replace(alpha=alpha), goal


def goal_of_alpha(policy: SLEUCB) -> str:
    """Return the goal of somebody who has chosen α."""
    return f"alpha = {policy.alpha:g}"


def recommended(
    reward_class: RewardClass, *, n_arms: int, horizon: int
) -> tuple[SLEUCB, dict[str, bool] | None]:
    """Return the policy for somebody without a goal, and the goal that stands behind it.

    That is the cheapest after which ordinary intervals are valid. With a few rounds an arm there is none; then α
    is 1, and no goal stands behind it.

    >>> from steadyarm.theory.reward_class import class_of
    >>> policy, goal = recommended(class_of("bernoulli"), n_arms=2, horizon=1000)
    >>> policy.constants, goal
    ('sharp', {'valid_intervals': True})
    """
    goal = {"valid_intervals": True}
    try:
        return policy_for_goal(reward_class, n_arms=n_arms, horizon=horizon, **goal)[0], goal
    except CannotBeHad:
        return policy_for_goal(reward_class, n_arms=n_arms, horizon=horizon, alpha=1.0)[0], None


def alpha_of_half(policy: SLEUCB, reward_class: RewardClass, instability: float) -> float | None:
    """Return the smallest α at which a spread is halved, or None if no α reaches that."""
    along = partial(trade_off, policy, reward_class)

    def halved(point: TradeOff) -> bool:
        return point.instability <= instability / 2.0

    return _bisect(along, halved) if halved(along(LARGEST_ALPHA)) else None


def _bisect(along: Along, wanted: Callable[[TradeOff], bool]) -> float:
    """Return the smallest alpha at which something wanted, monotone in alpha, is so."""
    low, high = math.log(SMALLEST_ALPHA), math.log(LARGEST_ALPHA)
    if wanted(along(SMALLEST_ALPHA)):
        return SMALLEST_ALPHA
    for _ in range(_STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if wanted(along(math.exp(middle))) else (middle, high)
        if high - low < 1e-6:
            break
    return math.exp(high)


def _smallest_alpha(
    along: Along,
    policy: SLEUCB,
    wanted: Callable[[TradeOff], bool],
    goal: str,
    remedy: str = ", or plan more rounds",
) -> float:
    steadiest = along(LARGEST_ALPHA)
    if not wanted(steadiest):
        raise CannotBeHad(
            f"{goal} cannot be had with {policy.n_arms} arms and {policy.horizon:,} rounds: the steadiest "
            f"allocation (alpha = {LARGEST_ALPHA:g}) spreads by {steadiest.instability:,.1f} pulls "
            f"({steadiest.instability / policy.horizon:.2g} of the rounds) at a regret of "
            f"{steadiest.regret:,.0f}. Allow more spread{remedy}."
        )
    return _bisect(along, wanted)


def _largest_alpha(along: Along, policy: SLEUCB, limit: float) -> float:
    cheapest = along(SMALLEST_ALPHA)
    if cheapest.regret > limit:
        raise CannotBeHad(
            f"an expected regret of at most {amount(limit)} cannot be had with {policy.n_arms} arms and "
            f"{policy.horizon:,} rounds: SLE-UCB with its guarantee has {cheapest.regret:,.0f} or more on its "
            f"worst instance (alpha = {SMALLEST_ALPHA:g}). Allow more regret, or set beta by hand."
        )
    if along(LARGEST_ALPHA).regret <= limit:
        return LARGEST_ALPHA
    above = _bisect(along, lambda point: point.regret > limit)
    return above * (1.0 - 2e-6)
