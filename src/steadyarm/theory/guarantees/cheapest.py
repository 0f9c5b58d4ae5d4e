"""The cheapest guarantee: β and α of the SLE-UCB that is proved to lose least for a goal, or to spread least."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.guarantees.cells import COARSE, FINE, theorem_e
from steadyarm.theory.guarantees.instability import theorem_b, theorem_c
from steadyarm.theory.guarantees.parameters import Parameters, parameters_of
from steadyarm.theory.guarantees.regret import theorem_r

Found = tuple[float, float]  # what is to be least, and the logarithm of the λ where it is
Search = Callable[[float, float | None, float], Found]

_LEAST_BETA, _BETA_STEP = 0.3, 1.4  # the narrowest β that is looked at, in σι, and from one to the next
_LEAST_LAMBDA, _MOST_LAMBDA = 1e-4, 1e8  # in σ√(K/T) and in σ
_NEAR = math.log(4.0)  # how far a λ that meets a goal is from one that does not, at first
_EXACT = 1e-5  # relative, of a λ
_INSIDE = 1.0 - 1e-12  # a policy keeps α, and λ is rounded once more
_AROUND = 2.0  # beside the best β of a few the cost is at most so many times the least
_NOTHING = (math.inf, math.nan)


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

    bounds = _Bounds(policy, gap)
    if max_instability is not None:
        spread = _INSIDE * checks.real(max_instability, "max_instability", above=0.0)
        return _best(bounds, partial(bounds.for_spread, spread))
    regret = _INSIDE * checks.real(max_regret, "max_regret", above=0.0)
    found = _best(bounds, partial(bounds.for_regret, regret))
    if found is not None:
        return found
    cheapest = _best(
        bounds, partial(bounds.for_spread, math.inf)
    )  # its β lies between two that were looked at
    return cheapest if cheapest and bounds.regret(cheapest.beta, math.log(cheapest.lam)) <= regret else None


class _Bounds(NamedTuple):
    """The bounds on regret and spread of SLE-UCB as functions of β and log λ, and how a λ meets a goal."""

    policy: SLEUCB
    gap: float

    def parameters(self, beta: float, log_lam: float) -> Parameters:
        return parameters_of(self.policy)._replace(beta=beta, lam=math.exp(log_lam))

    def regret(self, beta: float, log_lam: float) -> float:
        return theorem_r(self.parameters(beta, log_lam), self.gap)

    def spread(self, beta: float, log_lam: float, width: float | None) -> float:
        """Return the best bound in closed form, or with Theorem E2 on cells of this width."""
        parameters = self.parameters(beta, log_lam)
        closed = min(theorem_b(parameters), theorem_c(parameters))
        return closed if width is None else min(closed, theorem_e(parameters, width))

    @property
    def betas(self) -> list[float]:
        """The β that are looked at, up to where a wider one only costs regret."""
        noise, most = self.policy.noise_scale, 0.5 * self.gap * math.sqrt(self.policy.horizon)
        narrow = _LEAST_BETA * self.policy.iota
        wide = max(100.0 * narrow, 10.0 * math.sqrt(most / noise))
        steps = math.ceil(math.log(wide / narrow) / math.log(_BETA_STEP))
        return [noise * narrow * _BETA_STEP**step for step in range(steps + 1)]

    @property
    def ends(self) -> tuple[float, float]:
        """The logarithms of the weakest and of the strongest λ."""
        size, noise = math.sqrt(self.policy.n_arms / self.policy.horizon), self.policy.noise_scale
        return math.log(_LEAST_LAMBDA * size * noise), math.log(_MOST_LAMBDA * noise)

    def for_spread(self, goal: float, beta: float, width: float | None, below: float) -> Found:
        """Return the least regret at a spread, if it is below something."""
        weakest, strongest = self.ends
        if goal >= _INSIDE * parameters_of(self.policy).most_instability:
            best = self._cheapest_lambda(beta, weakest)
            return self.regret(beta, best), best
        if below < math.inf:
            strongest = self._strongest_lambda(beta, below)
        if math.isnan(strongest) or self.spread(beta, strongest, width) > goal:
            return _NOTHING
        least = _last(lambda log_lam: math.log(self.spread(beta, log_lam, width) / goal), strongest, weakest)
        best = self._cheapest_lambda(beta, least)
        return self.regret(beta, best), best

    def for_regret(self, goal: float, beta: float, width: float | None, _below: float) -> Found:
        """Return the least spread at a regret: it falls with λ."""
        anything = goal >= _INSIDE * self.gap * self.policy.horizon
        best = self.ends[1] if anything else self._strongest_lambda(beta, goal)
        return _NOTHING if math.isnan(best) else (self.spread(beta, best, width), best)

    def _strongest_lambda(self, beta: float, limit: float) -> float:
        """Return the largest λ at which the regret is proved to stay within a limit, or nan."""
        weakest, strongest = self.ends
        cheapest = weakest
        if self.regret(beta, weakest) > limit:
            cheapest = self._cheapest_lambda(beta, weakest)
            if self.regret(beta, cheapest) > limit:
                return math.nan
        return _last(lambda log_lam: math.log(self.regret(beta, log_lam) / limit), cheapest, strongest)

    def _cheapest_lambda(self, beta: float, least: float) -> float:
        """Return the λ of the least regret from some λ on: the bound may fall before it rises."""
        from scipy.optimize import minimize_scalar  # here: servers start without it

        if self.regret(beta, least + _EXACT) >= self.regret(beta, least):
            return least
        found = minimize_scalar(
            lambda log_lam: math.log(self.regret(beta, log_lam)),
            bounds=(least, self.ends[1]),
            method="bounded",
            options={"xatol": 1e-4},
        )
        return float(found.x)


def _last(beyond: Callable[[float], float], good: float, bad: float) -> float:
    """Return the last point from a good one towards a bad one up to which something is not beyond 0."""
    from scipy.optimize import brentq

    way, step = math.copysign(1.0, bad - good), _NEAR
    while True:
        there = good + way * min(step, abs(bad - good))
        if beyond(there) > 0.0:
            break
        if there == bad:
            return bad
        good, step = there, 2.0 * step
    found = brentq(beyond, good, there, xtol=_EXACT)
    back = _EXACT
    while beyond(found) > 0.0:  # by a little, or where the bound jumps
        found, back = (found - way * back if abs(found - good) > back else good), 2.0 * back
    return float(found)


def _best(bounds: _Bounds, search: Search) -> SLEUCB | None:
    """Return the policy of least cost: closed forms say where Theorem E2 has to be better, and it goes from there."""
    from scipy.optimize import minimize_scalar

    betas = bounds.betas
    least, place = math.inf, -1
    for width in (None, COARSE):
        for number, beta in enumerate(betas):
            cost = search(beta, width, least)[0]
            if cost < least:
                least, place = cost, number
    if place < 0:
        return None
    around = betas[max(0, place - 1)], betas[min(len(betas) - 1, place + 1)]
    found = minimize_scalar(
        lambda log_beta: math.log(min(search(math.exp(log_beta), COARSE, _AROUND * least)[0], 1e300)),
        bounds=(math.log(around[0]), math.log(around[1])),
        method="bounded",
        options={"xatol": 0.02},
    )
    cost, log_lam, beta = min(
        (*search(beta, FINE, _AROUND * least), beta) for beta in (math.exp(found.x), betas[place])
    )
    alpha = math.exp(log_lam) / (beta * math.sqrt(bounds.policy.n_arms / bounds.policy.horizon))
    return bounds.policy.replace(beta=beta, alpha=alpha) if cost < math.inf else None
