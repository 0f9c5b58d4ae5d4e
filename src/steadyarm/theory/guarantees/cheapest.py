"""The cheapest guarantee: β and α of the SLE-UCB that is proved to lose least for a goal, or to spread least."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.guarantees.cells import COARSE, theorem_e
from steadyarm.theory.guarantees.instability import theorem_c
from steadyarm.theory.guarantees.parameters import Parameters, parameters_of
from steadyarm.theory.guarantees.regret import theorem_r

Theorem = Callable[[Parameters], float]
Stage = tuple[Theorem, Theorem]  # what has to meet the goal, and what is to be least

_BETAS = np.geomspace(0.3, 40.0, 28)  # in units of σι, where the search looks first
_LAMBDAS = (1e-4, 1e8)  # in units of σ√(K/T)
_AROUND = (0.6, 1.5)  # how far from there Theorem E2's own best β may lie
_INSIDE = 1.0 - 1e-4  # a goal is aimed at from inside


def cheapest_guarantee(
    *,
    n_arms: int,
    horizon: int,
    mean_bound: float = 1.0,
    noise_scale: float = 1.0,
    widest_gap: float | None = None,
    max_instability: float | None = None,
    max_regret: float | None = None,
) -> SLEUCB | None:
    """Return the SLE-UCB with the least guaranteed regret at a guaranteed instability, or the other way round.

    Give one goal: `max_instability` or `max_regret`. None means that no β and α are proved to reach it. Closed
    forms find the neighbourhood, Theorem E2 the place; `guarantee` of the policy meets the goal.

    >>> from steadyarm.theory.guarantees import guarantee
    >>> found = cheapest_guarantee(n_arms=2, horizon=100_000, max_instability=1000.0)
    >>> round(found.beta), round(found.alpha), round(guarantee(found).regret, -2)
    (21, 2, 7200.0)
    """
    policy = SLEUCB(
        n_arms=n_arms, horizon=horizon, mean_bound=mean_bound, noise_scale=noise_scale, constants="sharp"
    )
    most = 2.0 * policy.mean_bound
    gap = most if widest_gap is None else checks.real(widest_gap, "widest_gap", above=0.0, at_most=most)
    if (max_instability is None) == (max_regret is None):
        raise InvalidInput("Give one goal, max_instability or max_regret, and not both.")

    def lost(parameters: Parameters) -> float:
        return theorem_r(parameters, gap)

    if max_instability is not None:
        goal = checks.real(max_instability, "max_instability", above=0.0)
        return _search(policy, _INSIDE * goal, (theorem_c, lost), (_rough, lost), (theorem_e, lost))
    goal = checks.real(max_regret, "max_regret", above=0.0)
    return _search(policy, _INSIDE * goal, (lost, theorem_c), (lost, _rough), (lost, theorem_e))


def _rough(parameters: Parameters) -> float:
    return theorem_e(parameters, COARSE)


def _search(policy: SLEUCB, goal: float, quick: Stage, rough: Stage, full: Stage) -> SLEUCB | None:
    """Return the policy whose first bound meets the goal and whose second is least, with better theorems each time."""
    from scipy.optimize import minimize_scalar  # here: servers start without it

    def at(beta: float, stage: Stage) -> tuple[float, float]:
        return _on_goal(parameters_of(policy)._replace(beta=beta), goal, *stage)

    betas = policy.noise_scale * policy.iota * _BETAS
    for stage in (quick, rough):
        costs = [at(beta, stage)[0] for beta in betas.tolist()]
        if min(costs) < math.inf:
            break
    else:
        return None
    near = math.log(betas[int(np.argmin(costs))])
    found = minimize_scalar(
        lambda log_beta: math.log(min(at(math.exp(log_beta), rough)[0], 1e300)),
        bounds=(near + math.log(_AROUND[0]), near + math.log(_AROUND[1])),
        method="bounded",
        options={"xatol": 0.01},
    )
    beta = math.exp(found.x)
    cost, lam = at(beta, full)
    alpha = lam / (beta * math.sqrt(policy.n_arms / policy.horizon))
    return policy.replace(beta=beta, alpha=alpha) if cost < math.inf else None


def _on_goal(start: Parameters, goal: float, bound: Theorem, cost: Theorem) -> tuple[float, float]:
    """Return the cost and the λ at which a bound that falls or rises with λ meets the goal; infinity if none does.

    Where λ of any size does, the better end of what is searched.
    """
    from scipy.optimize import brentq

    unit = start.noise * math.sqrt(start.n_arms / start.horizon)
    low, high = (math.log(unit * end) for end in _LAMBDAS)

    def beyond(log_lam: float) -> float:
        return math.log(bound(start._replace(lam=math.exp(log_lam))) / goal)

    ends = beyond(low), beyond(high)
    if min(ends) > 0.0:
        return math.inf, math.nan
    meet = (low, high) if max(ends) <= 0.0 else (brentq(beyond, low, high, xtol=1e-5, rtol=1e-7),)
    return min((cost(start._replace(lam=math.exp(log_lam))), math.exp(log_lam)) for log_lam in meet)
