"""Goals that a theorem must meet: SLE-UCB with the β and the α whose guarantee is the cheapest."""

from __future__ import annotations

import math

from steadyarm.errors import CannotBeHad
from steadyarm.inference.validity import VALID_SPREAD
from steadyarm.planning.families import Family, Promises, size_of
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.guarantees.counts import least_count
from steadyarm.theory.guarantees.promises import Guarantee, guarantee
from steadyarm.theory.limit import limit_of
from steadyarm.words import amount, counted


def promised_spread(family: Promises, limit: float) -> SLEUCB:
    """Return the cheapest policy that guarantees a spread."""
    found = family.cheapest(max_instability=limit)
    if found is None:
        raise CannotBeHad(
            f"no theorem guarantees a standard deviation of at most {counted(limit, 'pull')} with {size_of(family)}; "
            f"{_smallest(family)} can be guaranteed. Allow more spread, or leave the guarantee out."
        )
    return found


def promised_regret(family: Promises, limit: float) -> SLEUCB:
    """Return the policy with the smallest guaranteed spread whose regret is guaranteed to stay below a limit."""
    found = family.cheapest(max_regret=limit)
    if found is None:
        nobody = limit_of(family.n_arms, family.horizon, family.reward_class).minimax
        instead = ", or leave the guarantee out" if limit >= nobody else ""
        raise CannotBeHad(
            f"no theorem guarantees a regret of at most {amount(limit)} with {size_of(family)}; {_cheapest(family)} "
            f"can be guaranteed. {reach_of_regret(family)} Allow more regret{instead}."
        )
    return found


def promised_intervals(family: Promises) -> SLEUCB:
    """Return the cheapest policy at hand whose counts are all guaranteed to spread by a tenth of themselves."""
    gap = family.reward_class.widest_gap
    for promise in family.promises:
        policy = family.policy_of(promise)
        if promise.instability <= VALID_SPREAD * least_count(policy, gap):
            return policy
    raise CannotBeHad(
        f"no theorem guarantees that every count spreads by at most {VALID_SPREAD:.0%} of itself with "
        f"{size_of(family)}. Plan more rounds, or leave the guarantee out."
    )


def _smallest(family: Promises) -> str:
    """Return in words the smallest spread that can be guaranteed."""
    return counted(rounded_up(_proved(family, max_regret=_all_regret(family)).instability), "pull")


def _cheapest(family: Promises) -> str:
    """Return in words the smallest regret that can be guaranteed."""
    return amount(rounded_up(_proved(family, max_instability=float(family.horizon)).regret))


def _proved(family: Promises, **anything: float) -> Guarantee:
    """Return the best guarantee for a goal that everybody meets."""
    found = family.cheapest(**anything)
    assert found is not None
    return guarantee(found, widest_gap=family.reward_class.widest_gap)


def _all_regret(family: Promises) -> float:
    return family.reward_class.widest_gap * family.horizon


def rounded_up(number: float) -> float:
    """Return a number that is at least as large, with three digits.

    >>> rounded_up(916.82), rounded_up(2.0616)
    (917.0, 2.07)
    """
    step = 10.0 ** (math.floor(math.log10(number)) - 2)
    return float(f"{math.ceil(number / step) * step:.3g}")


def reach_of_regret(family: Family | Promises) -> str:
    """Return a sentence about the regret that nobody is below."""
    least = limit_of(family.n_arms, family.horizon, family.reward_class).minimax
    return f"Every policy loses {amount(least)} or more on some instance (Theorem 1′)."
