"""Goals that a theorem must meet: SLE-UCB with the β and the α whose guarantee is the cheapest."""

from __future__ import annotations

import math
from functools import lru_cache

from steadyarm.errors import CannotBeHad
from steadyarm.planning.families import Family, Promises
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.guarantees.cheapest import cheapest_guarantee
from steadyarm.theory.guarantees.counts import least_count
from steadyarm.theory.guarantees.promises import guarantee
from steadyarm.theory.limit import limit_of
from steadyarm.words import amount

VALID_SPREAD = 0.1  # of a count, at which a Wald interval has lost next to nothing of its coverage
_CLOSE, _ROUGHLY = 1.01, 1.05  # how near a bisection ends


def promised_spread(family: Promises, limit: float) -> SLEUCB:
    """Return the cheapest policy that guarantees a spread."""
    found = family.policy(limit)
    if found is None:
        raise CannotBeHad(
            f"no theorem guarantees a standard deviation of at most {amount(limit)} pulls with {_size(family)}: the "
            f"smallest that is guaranteed is about {amount(smallest_promise(family))} pulls. Allow more spread, or "
            "leave the guarantee out."
        )
    return found


def promised_regret(family: Promises, limit: float) -> SLEUCB:
    """Return the policy with the smallest guaranteed spread whose regret is guaranteed to stay below a limit."""
    rewards = family.reward_class
    found = cheapest_guarantee(
        n_arms=family.n_arms,
        horizon=family.horizon,
        mean_bound=rewards.mean_bound,
        noise_scale=rewards.noise_scale,
        widest_gap=rewards.widest_gap,
        max_regret=limit,
    )
    if found is None:
        raise CannotBeHad(
            f"no theorem guarantees a regret of at most {amount(limit)} with {_size(family)}. "
            f"{reach_of_regret(family)} Allow more regret, or leave the guarantee out."
        )
    return found


def promised_intervals(family: Promises) -> SLEUCB:
    """Return the cheapest policy of the family whose counts are all guaranteed to spread by a tenth of themselves."""
    cheap = (
        VALID_SPREAD * family.horizon / family.n_arms
    )  # no count is larger than that of equal shares on all arms
    steady = 0.5 * cheap
    while not _valid(family, steady):
        cheap, steady = steady, 0.5 * steady
        if family.policy(steady) is None:
            raise CannotBeHad(
                f"no theorem guarantees that every count spreads by at most {VALID_SPREAD:.0%} of itself with "
                f"{_size(family)}. Plan more rounds, or leave the guarantee out."
            )
    while cheap > _CLOSE * steady:
        middle = math.sqrt(steady * cheap)
        steady, cheap = (middle, cheap) if _valid(family, middle) else (steady, middle)
    found = family.policy(steady)
    assert found is not None
    return found


def _valid(family: Promises, spread: float) -> bool:
    policy = family.policy(spread)
    if policy is None:
        return False
    gap = family.reward_class.widest_gap
    return guarantee(policy, widest_gap=gap).instability <= VALID_SPREAD * least_count(policy, gap)


@lru_cache(maxsize=64)
def smallest_promise(family: Promises) -> float:
    """Return about the smallest spread that any policy of the family guarantees."""
    some, none = 0.5 * family.horizon, 0.25 * family.horizon
    while family.policy(none) is not None:
        some, none = none, 0.5 * none
    while some > _ROUGHLY * none:
        middle = math.sqrt(none * some)
        none, some = (middle, some) if family.policy(middle) is None else (none, middle)
    return some


def reach_of_regret(family: Family) -> str:
    """Return a sentence about the regret that nobody is below."""
    least = limit_of(family.n_arms, family.horizon, family.reward_class).minimax
    return f"Every policy loses {amount(least)} or more on some instance (Theorem 1′)."


def _size(family: Family) -> str:
    return f"{family.n_arms} arms and {family.horizon:,} rounds"
