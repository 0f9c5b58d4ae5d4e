"""What a run costs, roughly, so that studies can share out their time without looking at a clock.

A clock would make the number of runs, and so the result, depend on the machine. These figures do not: they
were read off one machine once (K = 10, T from 10⁵ to 10¹²) and only their ratios matter.
"""

from __future__ import annotations

import math

from steadyarm.engines.leap import engine as leap
from steadyarm.engines.simulate import ENGINES
from steadyarm.model.instance import Instance
from steadyarm.policies.core.base import OwnHistoryPolicy, Policy

_NANOSECOND = 1e-9
# Nanoseconds a round and arm in the step engine, for rules whose cost is far from the usual.
_RULES = {
    "EpsilonGreedy": 9.0,
    "ExploreThenCommit": 6.0,
    "SuccessiveElimination": 13.0,
    "UCB1": 18.0,
    "AsymptoticUCB": 21.0,
    "KLUCB": 26.0,
    "AnytimeMOSS": 32.0,
}
_USUAL_RULE = 50.0
_SAMPLING_RULE = 85.0  # Thompson sampling: a fresh normal number an arm a round


def cheapest_engine(policy: Policy, instance: Instance) -> tuple[str, float]:
    """Return the engine that plays a run for the least, and about how many seconds of a core it takes.

    >>> import steadyarm as sa
    >>> cheapest_engine(sa.SLEUCB(n_arms=2, horizon=10**9), sa.equal_arms(2))[0]
    'leap'
    """
    able = [name for name, module in ENGINES.items() if module.supports(policy, instance)]
    if policy.horizon < max(10_000, leap.LEAST_PULLS * policy.n_arms) and "leap" in able:
        able.remove("leap")
    costs = {name: _seconds(name, policy) for name in able}
    best = min(costs, key=lambda name: costs[name])
    return best, costs[best]


def _seconds(engine: str, policy: Policy) -> float:
    rounds, arms = float(policy.horizon), float(policy.n_arms)
    if engine == "leap":
        return 1e-3 * arms * _leap_milliseconds(policy)
    if engine == "prefix":
        return 45.0 * _NANOSECOND * rounds
    if engine == "step":
        if isinstance(policy, OwnHistoryPolicy):
            return 60.0 * _NANOSECOND * rounds
        usual = _SAMPLING_RULE if "Thompson" in policy.name else _USUAL_RULE
        return (20.0 + arms * _RULES.get(policy.name, usual)) * _NANOSECOND * rounds
    return 2e-5 * rounds  # plain Python


def _leap_milliseconds(policy: Policy) -> float:
    """Milliseconds an arm: more on flat indices, whose walks have to be looked at closely."""
    assert isinstance(policy, OwnHistoryPolicy)
    decades = max(0.0, math.log10(policy.horizon) - 5.0)
    if policy.curves.tilt > 0.0:
        return 0.15 + 0.05 * decades
    if policy.curves.log_scale > 0.0:
        return 0.6 + 1.1 * decades
    return 0.4 + 0.2 * decades
