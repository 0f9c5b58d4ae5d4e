"""Theorems B and C′: bounds on the worst-case instability of SLE-UCB in closed form, for every β and λ.

Theorem B clamps prefix means in the analysis and follows the paper's perturbation of one reward. Theorem C′ takes
Efron and Stein's inequality over arms instead of rewards; it is the sharper one. docs/guarantees.md has the proofs.
Both say the trivial (T − K)/2 where they have nothing better.
"""

import math

import numpy as np
import numpy.typing as npt

from steadyarm.theory.guarantees.parameters import Parameters

Floats = npt.NDArray[np.float64]

_UP = 1.0 + 1e-12  # a bound is rounded the safe way
_BELOW = np.linspace(0.2, 0.9, 15)[:, None]  # κ₁ of Theorem B
_ABOVE = np.geomspace(0.15, 1.5, 15)  # κ₂
_SPLIT = np.linspace(0.3, 0.8, 11)  # θ of Theorem C′
_ROOT_SHARE = np.array([0.0, 0.1, 0.2, 0.3, 0.45, 0.6])[:, None]  # its φ


def theorem_b(parameters: Parameters) -> float:
    """Return √(1/4 + (T/2)(1 + √2·Cσ/λ)²) + (T−K)·√(K[q(κ₁β/σ) + q(κ₂β/σ)]), C = ((1+κ₂)/(1−κ₁))², at good κ.

    q(u) bounds the probability that one of n = T − K prefix sums exceeds u standard deviations.

    >>> round(theorem_b(Parameters(n_arms=2, horizon=1e5, beta=27.95, lam=0.125, noise=1.0, bias=0.0)))
    6336
    """
    arms, rounds = parameters.n_arms, parameters.horizon
    beta, lam = parameters.in_noise
    recent = ((1.0 + _ABOVE) / (1.0 - _BELOW)) ** 2
    moves = 1.0 + math.sqrt(2.0) * recent / lam
    clamped = exceeded(_BELOW * beta, rounds - arms) + exceeded(_ABOVE * beta, rounds - arms)
    bounds = np.sqrt(0.25 + 0.5 * rounds * moves**2) + (rounds - arms) * np.sqrt(arms * clamped)
    return min(_UP * float(bounds.min()), parameters.most_instability)


def exceeded(level: Floats, sums: float) -> Floats:
    """Return q(u) of some levels u: how likely one of so many prefix sums exceeds u deviations, at the most."""
    level = np.minimum(level, 1e3)
    peels = np.maximum(1.0, np.ceil(0.25 * level * math.log(sums)))
    factor = np.where(level > 1.0, np.minimum(sums, math.sqrt(math.e) * peels), sums)
    return factor * np.exp(-0.5 * level**2)


def theorem_c(parameters: Parameters) -> float:
    """Return the best of Theorem C′ with the other arms' response and without, over a few θ and φ.

    >>> round(theorem_c(Parameters(n_arms=2, horizon=1e5, beta=27.95, lam=0.125, noise=1.0, bias=0.0)))
    1665
    """
    arms = parameters.n_arms
    answered = _theorem_c(parameters, max(math.sqrt(8.0 / 27.0), 1.0 - 1.0 / arms), arms - 2.0, np.zeros(1))
    alone = _theorem_c(parameters, 1.0, 0.0, _ROOT_SHARE)
    return min(_UP * answered, _UP * alone, parameters.most_instability)


def _theorem_c(parameters: Parameters, c: float, k: float, phi: Floats) -> float:
    """Return the smallest bound over θ, where the other arms respond (φ = 0), or do not (c = 1, k = 0)."""
    arms, rounds, most = parameters.n_arms, parameters.horizon, parameters.most_pulls
    (beta, lam), root_arms = parameters.in_noise, math.sqrt(arms)
    g = 1.0 / (lam + phi * beta / (2.0 * math.sqrt(rounds)))
    high = math.sqrt(2.0 + 2.0 * math.log(2.0 * rounds))
    kappa = math.sqrt(2.0) / ((1.0 - _SPLIT) * (1.0 - phi) * beta)
    a = (
        g * (1.0 + kappa + k / (2.0 * most))
        + np.sqrt(_rare(_SPLIT * (1.0 - phi) * beta, rounds) * rounds) / c
        + math.sqrt(2.0) * k / (c * math.sqrt(most))
    )
    b = root_arms * (math.sqrt(2.0) + g * high + 0.25 * g**2)
    b = b + g * arms * (1.0 + g * high) / (2.0 * c * math.sqrt(rounds))
    d = rounds if c == 1.0 else c**2 * rounds + arms
    square = a**2
    spread = b + 0.5 * square * root_arms
    spread = spread + np.sqrt(square * d + square * root_arms * b + 0.25 * square**2 * arms)
    return float(np.sqrt(0.25 + spread**2).min())


def _rare(level: Floats, rounds: float) -> Floats:
    """Return p: a bound on the probability that an arm's envelope falls too low."""
    unlikely = (1.0 + math.log(rounds)) * np.exp(-(np.minimum(level, 1e6) ** 2) / 8.6)
    return np.asarray(np.minimum(1.0, unlikely))
