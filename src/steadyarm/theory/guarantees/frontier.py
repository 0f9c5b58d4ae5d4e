"""The guaranteed frontier: the least that SLE-UCB is proved to lose for each spread that is proved, at a glance."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from steadyarm.theory.guarantees.instability import theorem_c
from steadyarm.theory.guarantees.parameters import Parameters
from steadyarm.theory.guarantees.regret import theorem_r

_BETAS, _TILTS_PER_DECADE = 12, 9
_LEAST_BETA, _MOST_BETA = 6.0, 60.0  # in σ; below, only the trivial bound on the spread is left
_MOST_SPREAD = 0.3  # of the rounds, at which the weakest stabilizer is aimed
_STRONGEST = 3.0  # stabilizer, in gaps: more of it makes shares equal


class Promise(NamedTuple):
    """A regret and an instability that an SLE-UCB with this β and α is proved not to exceed."""

    regret: float
    instability: float
    beta: float
    alpha: float


@lru_cache(maxsize=64)
def guaranteed_frontier(
    n_arms: int, horizon: int, widest_gap: float, noise_scale: float = 1.0, finer: int = 1
) -> tuple[Promise, ...]:
    """Return promises none of which is better than another in both, from the cheapest to the steadiest.

    They are Theorems R and C′ on a grid of β and λ, `finer` times as fine in both; `cheapest_guarantee` finds what lies
    between, and better ones.

    >>> found = guaranteed_frontier(2, 100_000, widest_gap=2.0)
    >>> steadier = [each for each in found if each.instability <= 1000.0]
    >>> round(steadier[0].regret, -2)
    8600.0
    """
    most = widest_gap * horizon
    betas = noise_scale * np.geomspace(_LEAST_BETA, _MOST_BETA, finer * _BETAS)
    weakest = noise_scale / (_MOST_SPREAD * math.sqrt(horizon))
    strongest = max(10.0 * weakest, _STRONGEST * widest_gap)
    tilts = np.geomspace(
        weakest, strongest, math.ceil(finer * _TILTS_PER_DECADE * math.log10(strongest / weakest))
    )
    found = []
    for beta in betas.tolist():
        for lam in tilts.tolist():
            parameters = Parameters(n_arms, float(horizon), beta, lam, noise_scale, 0.0)
            spread = theorem_c(parameters)
            if spread < parameters.most_instability:
                alpha = lam / (beta * math.sqrt(n_arms / horizon))
                found.append(Promise(min(most, theorem_r(parameters, widest_gap)), spread, beta, alpha))
    best, kept = math.inf, []
    for promise in sorted(found):
        if promise.instability < best and promise.regret < most:
            best = promise.instability
            kept.append(promise)
    return tuple(kept)
