"""Noise within a range that is nearly as hard to see through as Gaussian noise, for what no policy can beat.

**Lemma.** Let f(x) ∝ e^{−x²/2s²}·cos²(πx/2L) on [−L, L]. Noise of this density is σ-sub-Gaussian with
1/σ² = 1/s² + π²/2L², and its mean can be told with a Fisher information of
I = 1/s² + (π²/2L²)·∫e^{−x²/2s²} dx / ∫e^{−x²/2s²}·cos²(πx/2L) dx, both over [−L, L].

*Proof.* V = −log f has V″ = 1/s² + (π²/2L²)/cos²(πx/2L) ≥ 1/σ². So Bakry and Émery's criterion gives a logarithmic
Sobolev inequality with the constant σ², and Herbst's argument E e^{θX} ≤ e^{θ²σ²/2}. As f′ vanishes at both ends,
I = E V′² = E V″. ∎

Theorem 1′ takes from Gaussian rewards only that the score of a mean is centred with a variance of I = 1/σ², and that
expected counts are continuously differentiable in the means. Both hold for rewards m + X with X of density f: √f has
a square-integrable derivative, so laws of T rewards of each arm are differentiable in quadratic mean, and a count is
bounded. So the theorem holds with 1/√I in the place of σ, for means that are L or more from the ends of the range.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

_UP = 1.0 + 1e-9  # an information is rounded the safe way
RATIOS = (1.5, 2.5, 4.0)  # L/s


class TrimmedNoise(NamedTuple):
    """L and 1/√I, both in units of σ."""

    reach: float
    hidden: float


@lru_cache(maxsize=16)
def trimmed_noise(ratio: float) -> TrimmedNoise:
    """Return the law with this L/s: the larger, the nearer to Gaussian noise and the farther its reach.

    >>> [f"{each.reach:.2f} {each.hidden:.3f}" for each in map(trimmed_noise, RATIOS)]
    ['2.68 0.831', '3.34 0.929', '4.58 0.982']
    """
    nodes, weights = np.polynomial.legendre.leggauss(64)
    bell = weights * np.exp(-0.5 * (ratio * nodes) ** 2)
    bend = math.pi**2 / (2.0 * ratio**2)
    kept = float(bell @ np.cos(0.5 * math.pi * nodes) ** 2 / bell.sum())
    noise = 1.0 / math.sqrt(1.0 + bend)  # σ/s
    return TrimmedNoise(ratio / noise, 1.0 / (noise * math.sqrt(_UP * (1.0 + bend / kept))))
