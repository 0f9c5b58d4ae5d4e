"""Which designs a team compares: equal shares, Steady along the frontier, a guaranteed SLE-UCB, Thompson sampling."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from steadyarm.planning.baseline.situation import Situation
from steadyarm.planning.families import Promises, Spreads
from steadyarm.planning.plan import Plan
from steadyarm.planning.promised import rounded_up
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.general.beta_thompson import BetaThompson
from steadyarm.policies.general.gaussian_thompson import GaussianThompson
from steadyarm.policies.own_history.round_robin import RoundRobin
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.guarantees.promises import Guarantee, guarantee
from steadyarm.words import amount

EQUAL_SHARES = "equal shares"
_ALONG = (1.0, 0.5, 0.25, 0.1)  # of the widest spread that Steady keeps to first order, or nearly
_WIDEST = 1.0 / 3.0  # of the fair share: wider spreads are not what was asked for
_PROMISED = 0.25  # of the fair share: the spread that SLE-UCB is to guarantee


@dataclass(frozen=True)
class Design:
    """A policy that could be run, and what a table calls it."""

    name: str
    policy: Policy


@dataclass(frozen=True)
class Designs:
    """The designs of a situation, and why others are not among them."""

    designs: tuple[Design, ...]
    notes: tuple[str, ...]

    def __iter__(self) -> Iterator[Design]:
        return iter(self.designs)


def designs_for(situation: Situation, by_goal: Plan | None = None) -> Designs:
    """Return the designs, equal shares first.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> trial = describe(n_arms=2, horizon=300, baseline=0.4, smallest_difference=0.15)
    >>> for design in designs_for(trial):
    ...     print(design.name)
    equal shares
    Steady, spread 30
    Steady, spread 15
    Steady, spread 7.5
    Steady, spread 3
    SLE-UCB, guaranteed
    Thompson sampling
    """
    reward_class = situation.reward_class
    size = {"n_arms": situation.n_arms, "horizon": situation.horizon}
    noise = reward_class.noise_scale
    family = _steady(situation)
    widest = _two_digits(min(family.ends[0], _WIDEST * situation.horizon / situation.n_arms))
    spreads = [share * widest for share in _ALONG]
    found = [
        Design(EQUAL_SHARES, RoundRobin(**size, noise_scale=noise)),
        *(design_at(situation, spread) for spread in spreads),
    ]
    promised, why = _promised(situation)
    if promised is not None:
        found.append(Design("SLE-UCB, guaranteed", promised.policy))
    thompson = BetaThompson if situation.is_rate else GaussianThompson
    found.append(Design("Thompson sampling", thompson(**size, noise_scale=noise)))
    if by_goal is not None:
        found.append(Design(f"planned: {by_goal.policy.title}", by_goal.policy))
    return Designs(tuple(found), (why,))


def design_at(situation: Situation, spread: float) -> Design:
    """Return Steady with a spread in units: a place on the frontier."""
    return Design(f"Steady, spread {amount(spread)}", _steady(situation).policy(spread))


def _steady(situation: Situation) -> Spreads:
    return Spreads(situation.n_arms, situation.horizon, situation.reward_class)


@lru_cache(maxsize=64)
def _promised(situation: Situation) -> tuple[Guarantee | None, str]:
    """Return the cheapest guarantee, if it is worth more than equal shares, and a sentence about it."""
    reward_class, horizon = situation.reward_class, situation.horizon
    if situation.delay or situation.batch > 1:
        return None, (
            "SLE-UCB with a guarantee is left out: the theorems take every outcome to be known before the next unit."
        )
    widest = _PROMISED * horizon / situation.n_arms
    policy: SLEUCB | None = Promises(situation.n_arms, horizon, reward_class).cheapest(max_instability=widest)
    best = None if policy is None else guarantee(policy, widest_gap=reward_class.widest_gap)
    worst = equal_loss(situation)
    if best is None or best.regret >= worst:
        return None, (
            "SLE-UCB with a guarantee is left out: no theorem promises here that, wherever in the plausible range all "
            f"arms lie, arm 0 too, it spreads by at most {amount(_two_digits(widest))} units and loses less than the "
            f"{amount(worst)} that equal shares lose at worst."
        )
    tails = (
        "" if situation.is_rate else ", if outcomes far from their mean are no likelier than Gaussian ones"
    )
    lost, spread = (amount(rounded_up(each)) for each in (best.regret, best.instability))
    return best, (
        f"SLE-UCB, guaranteed: it loses at most {lost} {situation.thing} and no arm's traffic spreads by more than "
        f"{spread} units, wherever all arms lie in the range{tails}: a theorem."
    )


def equal_loss(situation: Situation) -> float:
    """Return what equal shares lose at worst: all arms but the best are as bad as the range allows."""
    return situation.reward_class.widest_gap * situation.horizon * (1.0 - 1.0 / situation.n_arms)


def equal_loss_today(situation: Situation) -> float:
    """Return what equal shares lose at worst if arm 0 stays at the baseline.

    The best arm is another one, as good as can be, and the rest are as bad as can be; or arm 0 is the best.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> trial = describe(n_arms=2, horizon=240, baseline=0.35, smallest_difference=0.15)
    >>> round(equal_loss(trial)), round(equal_loss_today(trial))
    (96, 54)
    """
    low, high = situation.mean_range
    others = situation.n_arms - 1
    ahead = (high - situation.baseline) + (others - 1) * (high - low)
    behind = others * (situation.baseline - low)
    return max(ahead, behind) * situation.horizon / situation.n_arms


def _two_digits(number: float) -> float:
    """Return a number with two digits that is no larger.

    >>> _two_digits(16_669.6), _two_digits(30.35)
    (16000.0, 30.0)
    """
    step = 10.0 ** (math.floor(math.log10(number)) - 1)
    return float(f"{math.floor(number / step * (1.0 + 1e-9)) * step:.2g}")
