"""`guarantee`: the best that any theorem proves about an SLE-UCB, for whichever β and α it has.

| says | theorem | of |
|---|---|---|
| regret | Theorem 2, Theorem R | the constants' own β; every β |
| instability | Theorem 2; Theorems B, C′ and E2 | the constants' own β; every β |
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from steadyarm.errors import OutsideClass
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.bounds import (
    instability_bound,
    largest_instability,
    product_bound,
    regret_bound,
    sle_ucb,
)
from steadyarm.theory.guarantees.cells import theorem_e
from steadyarm.theory.guarantees.instability import theorem_b, theorem_c
from steadyarm.theory.guarantees.parameters import parameters_of
from steadyarm.theory.guarantees.regret import theorem_r

Bound = tuple[float, str]  # a number, and the theorem that proves it

TRIVIAL = "trivial"
"""What stands in place of a theorem where nothing is proved beyond what can happen."""


@dataclass(frozen=True)
class Guarantee:
    """What is proved about a policy, never more than can happen, and in words what that is worth.

    Attributes:
        theorem: which theorem proves which number, as in "regret: Theorem R; instability: Theorem E2"; "trivial"
            stands where none says more than what can happen.
    """

    regret: float
    instability: float
    product: float
    theorem: str
    policy: SLEUCB
    widest_gap: float

    @property
    def trivial(self) -> bool:
        """Whether neither number says more than what can happen."""
        return self.theorem == _theorems(TRIVIAL, TRIVIAL)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Plain sentences about each promise that says nothing, and about an allocation that hardly adapts."""
        from steadyarm.theory.guarantees.notes import notes_of

        return notes_of(self)

    def to_dict(self) -> dict[str, float | str]:
        """Return the numbers and their theorems, fit for JSON."""
        numbers = {"regret": self.regret, "instability": self.instability, "product": self.product}
        return {**numbers, "theorem": self.theorem}


def guarantee(policy: Policy, *, widest_gap: float | None = None, quick: bool = False) -> Guarantee:
    """Return the best that is proved, capped at what can happen.

    Args:
        policy: an SLE-UCB; `NotSupported` for others.
        widest_gap: how far apart two means can be: 2M, or less where rewards have a narrower range. No policy loses
            more than that a round, and no count between 1 and T − K + 1 has a standard deviation above (T − K)/2.
        quick: closed forms only, without Theorem E2: less than a millisecond, for a curve or a slider.

    >>> promise = guarantee(SLEUCB(n_arms=2, horizon=100_000, constants="sharp"))
    >>> round(promise.regret), round(promise.instability), promise.theorem
    (5780, 1434, 'regret: Theorem R; instability: Theorem E2')
    >>> guarantee(SLEUCB(n_arms=2, horizon=5_000)).notes[0]
    'The regret bound is trivial: it is 2MT = 10,000, which no policy exceeds; it starts to say ...
    """
    policy = sle_ucb(policy)
    most = 2.0 * policy.mean_bound
    gap = most if widest_gap is None else checks.real(widest_gap, "widest_gap", above=0.0, at_most=most)
    regret, of_regret = best_regret(policy, gap)
    instability, of_instability = min(
        _instabilities(policy, checks.boolean(quick, "quick")), key=itemgetter(0)
    )
    product = min(regret * instability, product_bound(policy))
    return Guarantee(regret, instability, product, _theorems(of_regret, of_instability), policy, gap)


def _theorems(of_regret: str, of_instability: str) -> str:
    return f"regret: {of_regret}; instability: {of_instability}"


def guarantee_on(policy: SLEUCB, instance: Instance) -> Guarantee:
    """Return what is promised for instances of the class whose rewards have the range that this one's have.

    >>> from steadyarm.model.instance import Instance
    >>> guarantee_on(SLEUCB(n_arms=2, horizon=1000, noise_scale=0.5), Instance.bernoulli([0.5, 0.6])).regret
    1000.0
    """
    return guarantee(policy, widest_gap=min(2.0 * policy.mean_bound, instance.high - instance.low))


def proved_on(policy: Policy, instance: Instance) -> Guarantee | None:
    """Return what a theorem proves of a policy on this instance; None where none does, or none says anything.

    >>> from steadyarm.model.families import equal_gap
    >>> policy = SLEUCB(n_arms=2, horizon=10**9)
    >>> proved_on(policy, equal_gap(2, gap=0.5)).theorem
    'regret: Theorem R; instability: Theorem E2'
    >>> proved_on(policy, equal_gap(2, gap=1.5)) is None     # outside of its class
    True
    """
    if not isinstance(policy, SLEUCB) or instance.moves:
        return None
    try:
        policy.check_instance(instance)
    except OutsideClass:
        return None
    promise = guarantee_on(policy, instance)
    return None if promise.trivial else promise


def best_regret(policy: SLEUCB, widest_gap: float) -> Bound:
    """Return the best bound on regret with its theorem, at most the widest gap in every round."""
    found = [
        (widest_gap * policy.horizon, TRIVIAL),
        (theorem_r(parameters_of(policy), widest_gap), "Theorem R"),
    ]
    if policy.guaranteed:
        found.append((regret_bound(policy), "Theorem 2"))
    return min(found, key=itemgetter(0))


def _instabilities(policy: SLEUCB, quick: bool) -> Iterator[Bound]:
    parameters = parameters_of(policy)
    yield largest_instability(policy), TRIVIAL
    yield theorem_c(parameters), "Theorem C′"
    yield theorem_b(parameters), "Theorem B"
    if policy.guaranteed:
        yield instability_bound(policy), "Theorem 2"
    if not quick:
        yield theorem_e(parameters), "Theorem E2"


def first_nontrivial_horizon(policy: SLEUCB, widest_gap: float | None = None) -> float:
    """Return about the horizon from which the best regret bound of such a policy says more than what can happen.

    >>> round(first_nontrivial_horizon(SLEUCB(n_arms=2, horizon=100)), -3)
    12000.0
    """
    gap = 2.0 * policy.mean_bound if widest_gap is None else widest_gap
    low, high = math.log(policy.n_arms + 1.0), math.log(checks.LARGEST_HORIZON)
    if _is_trivial(policy, gap, high):
        return math.inf
    while high - low > 1e-3:
        middle = (low + high) / 2.0
        low, high = (middle, high) if _is_trivial(policy, gap, middle) else (low, middle)
    return math.exp(high)


def _is_trivial(policy: SLEUCB, gap: float, log_horizon: float) -> bool:
    longer = policy.replace(horizon=max(policy.n_arms + 1, math.floor(math.exp(log_horizon))))
    return best_regret(longer, gap)[1] == TRIVIAL
