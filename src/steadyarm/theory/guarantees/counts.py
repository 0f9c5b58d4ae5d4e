"""Theorem N: how few pulls an arm of SLE-UCB gets at the least, in expectation, for every β and λ.

With Δ the widest gap of the class, m = T/K − 1 and any κ > 0, every arm of every instance has

    E N ≥ (1 − K[q(β/σ) + q(κβ/σ)]) · m·exp(−(Δ + (1 + κ)β/√m)/λ),

where q(u) bounds the probability that one of T − K + 1 prefix sums of an arm exceeds u standard deviations.

*Proof.* Unless one of those sums does, every arm i has mean(s) + β/√s ≥ μ_i for all s, so its index after n pulls is
at least μ_i + λ·log(T/n), and at most μ_i + (1 + κ)β/√n + λ·log(T/n). Some arm a gets T/K pulls or more. Before its
last one it had n ≥ m, and its index was not below that of arm i, which only falls from there on:
μ_i + λ·log(T/N_i) ≤ μ_a + (1 + κ)β/√n + λ·log(T/n). Solve for N_i; what comes out grows with n. ∎
"""

import math

import numpy as np

from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.guarantees.instability import exceeded
from steadyarm.theory.guarantees.parameters import parameters_of

_DOWN = 1.0 - 1e-12  # a bound is rounded the safe way
_ABOVE = np.geomspace(0.1, 2.0, 25)  # κ


def least_count(policy: SLEUCB, widest_gap: float) -> float:
    """Return what every arm gets in expectation on every instance, at the least.

    >>> round(least_count(SLEUCB(n_arms=2, horizon=100_000, constants="sharp", alpha=10.0), widest_gap=2.0))
    8974
    """
    arms, rounds, beta, lam, noise, bias = parameters_of(policy)
    pulls = rounds / arms - 1.0
    if pulls < 1.0:
        return 1.0
    sums = rounds - arms + 1.0
    below = exceeded(np.array([beta / noise]), sums)
    above = exceeded(_ABOVE * (beta / noise), sums)
    likely = np.maximum(0.0, 1.0 - arms * (below + above))
    behind = (widest_gap + 2.0 * bias + (1.0 + _ABOVE) * beta / math.sqrt(pulls)) / lam
    return max(1.0, _DOWN * float((likely * pulls * np.exp(-behind)).max()))
