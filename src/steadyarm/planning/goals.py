"""From a goal to the policy that meets it most cheaply.

A goal is met as expected or as guaranteed. Expected: Steady for a spread or a regret, SLE-UCB along β for valid
intervals; their worst cases are first-order predictions, searched over instances of up to three levels with any number
of tied best arms (`theory.worst_cases`). Guaranteed: SLE-UCB with the β and the α whose guarantee is best
(`theory.guarantees`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from steadyarm.errors import CannotBeHad, InvalidInput
from steadyarm.inference.validity import VALID_SPREAD
from steadyarm.model import checks
from steadyarm.planning.families import Alphas, Family, Promises, Spreads, Widths, settings_of, size_of
from steadyarm.planning.promised import (
    promised_intervals,
    promised_regret,
    promised_spread,
    reach_of_regret,
)
from steadyarm.planning.trade_offs import TradeOff, trade_off
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.theory.limit import limit_of
from steadyarm.theory.reward_class import RewardClass
from steadyarm.words import amount, counted

_VALID = "the cheapest allocation after which ordinary intervals are valid"
GOALS = ("max_sd", "max_sd_share", "max_regret", "max_regret_share", "valid_intervals")
CONSTANTS_ALONE = "constants go with alpha. Give alpha, or leave constants out."
_STEPS = 60  # of the bisection for a setting


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
    constants: str | None = None,
    guaranteed: bool = False,
) -> tuple[OwnHistoryPolicy, str]:
    """Return the policy that meets one goal, and the goal in words; `plan` says what it comes to."""
    n_arms = checks.n_arms(n_arms)
    horizon = checks.horizon(horizon, n_arms)
    size = (n_arms, horizon, reward_class)
    given = [value is not None for value in (max_sd, max_sd_share, max_regret, max_regret_share, alpha)]
    goals = sum([*given, checks.boolean(valid_intervals, "valid_intervals")])
    if goals != 1:
        raise InvalidInput(
            f"a plan needs exactly one goal; got {goals}. Give one of {', '.join(GOALS)} or alpha."
        )
    checks.boolean(guaranteed, "guaranteed")
    if alpha is not None:
        if guaranteed:
            raise InvalidInput("guaranteed=True chooses alpha itself. Leave one of the two out.")
        along = Alphas(*size) if constants is None else Alphas(*size, constants)
        policy = along.policy(alpha)
        return policy, f"alpha = {policy.alpha:g}"
    if constants is not None:
        raise InvalidInput(CONSTANTS_ALONE)
    goal = goal_of(
        reward_class,
        horizon,
        max_sd=max_sd,
        max_sd_share=max_sd_share,
        max_regret=max_regret,
        max_regret_share=max_regret_share,
        valid_intervals=valid_intervals,
        guaranteed=guaranteed,
    )
    if guaranteed:
        return _promised(Promises(*size), goal), goal.words
    if goal.limit is None:
        return _valid(Widths(*size)), goal.words
    family = Spreads(*size)
    if goal.about == "spread":
        # A number of pulls is harder to keep over more rounds.
        remedy = ", or plan more rounds" if max_sd_share is not None else ""
        return _steady_enough(family, goal.limit, goal.words, remedy), goal.words
    return _steadiest(family, goal.limit, goal.words), goal.words


class Goal(NamedTuple):
    """What a plan is to keep: a limit in pulls or in reward, or valid intervals.

    Attributes:
        about: "spread", "regret" or "intervals".
        limit: at most this; None of intervals.
        guaranteed: whether a theorem must promise it.
    """

    about: str
    limit: float | None
    guaranteed: bool

    @property
    def words(self) -> str:
        """The goal as people read it."""
        if self.limit is None:
            return f"{_VALID}, guaranteed" if self.guaranteed else _VALID
        if self.about == "spread":
            kind = "guaranteed standard deviation" if self.guaranteed else "standard deviation"
            return f"a {kind} of at most {counted(self.limit, 'pull')}"
        kind = "a guaranteed" if self.guaranteed else "an expected"
        return f"{kind} regret of at most {amount(self.limit)}"


def goal_of(
    reward_class: RewardClass,
    horizon: int,
    *,
    max_sd: float | None = None,
    max_sd_share: float | None = None,
    max_regret: float | None = None,
    max_regret_share: float | None = None,
    valid_intervals: bool = False,
    guaranteed: bool = False,
) -> Goal:
    """Return the goal that was asked for, with a share as what it comes to.

    >>> from steadyarm.theory.reward_class import class_of
    >>> goal_of(class_of("gaussian"), 5000, max_sd_share=0.02).words
    'a standard deviation of at most 100 pulls'
    """
    if max_sd_share is not None:
        max_sd = horizon * checks.real(max_sd_share, "max_sd_share", above=0.0, at_most=1.0)
    if max_regret_share is not None:
        share = checks.real(max_regret_share, "max_regret_share", above=0.0, at_most=1.0)
        max_regret = reward_class.widest_gap * horizon * share
    if valid_intervals:
        return Goal("intervals", None, guaranteed)
    if max_sd is not None:
        return Goal("spread", checks.real(max_sd, "max_sd", above=0.0), guaranteed)
    return Goal("regret", checks.real(max_regret, "max_regret", above=0.0), guaranteed)


def _promised(promises: Promises, goal: Goal) -> OwnHistoryPolicy:
    """Return the policy whose theorem promises a goal most cheaply."""
    if goal.limit is None:
        return promised_intervals(promises)
    promised = promised_spread if goal.about == "spread" else promised_regret
    return promised(promises, goal.limit)


def recommended(
    reward_class: RewardClass, *, n_arms: int, horizon: int
) -> tuple[OwnHistoryPolicy, dict[str, bool] | None]:
    """Return the policy for somebody without a goal, and the goal that stands behind it.

    That is the cheapest after which ordinary intervals are valid. With a few rounds an arm there is none; then it is
    SLE-UCB with α = 1, and no goal stands behind it.

    >>> from steadyarm.theory.reward_class import class_of
    >>> policy, goal = recommended(class_of("bernoulli"), n_arms=2, horizon=1000)
    >>> policy.title, goal
    ('SLE-UCB', {'valid_intervals': True})
    """
    try:
        policy, _ = policy_for_goal(reward_class, n_arms=n_arms, horizon=horizon, valid_intervals=True)
        return policy, {"valid_intervals": True}
    except CannotBeHad:
        return policy_for_goal(reward_class, n_arms=n_arms, horizon=horizon, alpha=1.0)[0], None


def halved(family: Family | Promises, setting: float, instability: float) -> OwnHistoryPolicy | None:
    """Return the cheapest policy of a family with half the spread, or None if there is none."""
    if isinstance(family, Promises):
        return family.cheapest(max_instability=0.5 * setting)

    def wanted(point: TradeOff) -> bool:
        return point.instability <= 0.5 * instability

    return _first(family, wanted) if wanted(_at(family, family.ends[1])) else None


def _at(family: Family, setting: float) -> TradeOff:
    return trade_off(family.policy(setting), family.reward_class)


def _first(family: Family, wanted: Callable[[TradeOff], bool]) -> OwnHistoryPolicy:
    """Return the first policy, from the cheapest to the steadiest, at which something is so and stays so."""
    cheap, steady = map(math.log, family.ends)
    if wanted(_at(family, family.ends[0])):
        steady = cheap
    for _ in range(_STEPS):
        middle = 0.5 * (cheap + steady)
        cheap, steady = (cheap, middle) if wanted(_at(family, math.exp(middle))) else (middle, steady)
        if abs(steady - cheap) < 1e-7:
            break
    return _at(family, math.exp(steady)).policy


def _steady_enough(family: Family, limit: float, goal: str, remedy: str) -> OwnHistoryPolicy:
    """Return the cheapest policy of a family that is expected to spread by no more than a limit."""
    steadiest = _at(family, family.ends[1])
    if steadiest.instability > limit:
        raise CannotBeHad(
            f"{goal} cannot be planned with {size_of(family)}: {steadiest.policy.title} at its steadiest spreads by "
            f"{steadiest.instability:,.1f} pulls ({steadiest.instability / family.horizon:.2g} of the rounds): a count "
            f"that adapts wavers between two whole numbers. Equal shares (RoundRobin) do not adapt, and spread by "
            f"{spread_of_equal_shares(family.n_arms, family.horizon):.2g}. Allow more spread{remedy}."
        )
    return _first(family, lambda point: point.instability <= limit)


def spread_of_equal_shares(n_arms: int, horizon: int) -> float:
    """Return how far a count spreads if the rounds are shared out in turn, from an arm that chance chooses on.

    >>> spread_of_equal_shares(2, 301)
    0.5
    """
    one_more = horizon % n_arms / n_arms
    return math.sqrt(one_more * (1.0 - one_more))


def _valid(family: Family) -> OwnHistoryPolicy:
    """Return the cheapest policy of a family whose counts are all expected to spread by a tenth of themselves."""
    steadiest = _at(family, family.ends[1])
    if steadiest.relative_spread > VALID_SPREAD:
        raise CannotBeHad(
            f"{_VALID} is out of reach with {size_of(family)}: every count may spread by at most {VALID_SPREAD:.0%} of "
            f"itself, and at the steadiest one spreads by {steadiest.relative_spread:.0%}. Plan more rounds."
        )
    return _first(family, lambda point: point.relative_spread <= VALID_SPREAD)


def _steadiest(family: Family, limit: float, goal: str) -> OwnHistoryPolicy:
    """Return the steadiest policy of a family that is expected to lose no more than a limit."""
    cheapest = _at(family, family.ends[0])
    if cheapest.regret > limit:
        raise _too_little_regret(family, cheapest, limit, goal)
    steadiest = _at(family, family.ends[1])
    if steadiest.regret <= limit:
        return steadiest.policy
    above = _first(family, lambda point: point.regret > limit)
    return _at(family, settings_of(above)[family.knob] * (1.0 + 2e-7)).policy


def _too_little_regret(family: Family, cheapest: TradeOff, limit: float, goal: str) -> CannotBeHad:
    """Return why a regret is refused: by the theorem where nobody has it, else because nothing is predicted there."""
    size = size_of(family)
    nobody = limit_of(family.n_arms, family.horizon, family.reward_class).minimax
    least = f"{cheapest.policy.title} is expected to lose {amount(cheapest.regret)} or more"
    if limit < nobody:
        return CannotBeHad(
            f"{goal} cannot be had with {size}. {reach_of_regret(family)} {least}. Allow more regret."
        )
    return CannotBeHad(
        f"{goal} cannot be planned with {size}: {least}. {reach_of_regret(family)} A policy between the two has no "
        "prediction to plan with, and spreads widely: measure MOSS with `worst_case`. Or allow more regret."
    )
