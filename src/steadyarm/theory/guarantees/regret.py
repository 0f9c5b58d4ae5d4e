"""Theorem R: a bound on the worst-case regret of SLE-UCB for every β and λ.

For every κ in [0, 1), with T′ = T − K + 1,

    R ≤ (K−1)[Δ + σ√(2·log((T−1)/(K−1)))] + T′ζ((1−κ)β)
        + T′·max over x of [ β√((K−1)x/T′) − κβx/√(T′(1−x)) + λx·log((K−1)(1−x)/x) ]

where Δ is the widest gap of the class and ζ bounds the expectation of max over s of (−W(s)/s − b/√s)⁺ for a centred
σ-sub-Gaussian walk W. docs/guarantees.md has the proof.
"""

import math

import numpy as np
import numpy.typing as npt

from steadyarm.theory.guarantees.parameters import Parameters

Floats = npt.NDArray[np.float64]

_UP = 1.0 + 1e-12  # a bound is rounded the safe way
_KAPPAS = np.array([0.0, 0.5, 0.7, 0.8, 0.86, 0.9, 0.94, 0.97, 0.985])[:, None]
_SECTIONS = np.linspace(0.0, 1.0, 33)
_LEFT = 0.05  # every maximum lies beyond: the slope of the bracket is positive here


def theorem_r(parameters: Parameters, widest_gap: float) -> float:
    """Return the bound at the best κ of a few.

    >>> round(theorem_r(Parameters(n_arms=2, horizon=1e5, beta=27.95, lam=0.125, noise=1.0, bias=0.0), 2.0))
    5780
    """
    arms, rounds, beta, _, noise, bias = parameters
    others, most = arms - 1.0, parameters.most_pulls
    first = others * (widest_gap + noise * math.sqrt(2.0 * math.log((rounds - 1.0) / others)))
    shortfall = noise * _shortfall((1.0 - _KAPPAS[:, 0]) * (beta / noise))
    # A clipped mean is off by the bias, on both sides of a gap.
    bounds = first + most * (shortfall + _steady_loss(parameters) + 2.0 * bias)
    return _UP * float(bounds.min())


def _shortfall(width: Floats) -> Floats:
    """Return ζ for σ = 1: how far below its mean an arm's envelope lies, in expectation, at the most."""
    far = 0.5 * np.exp(0.5 - 0.5 * np.minimum(width, 1e3) ** 2)
    return np.where(width >= 1.0, far, 0.5 / np.minimum(width, 1.0))


def _steady_loss(parameters: Parameters) -> Floats:
    """Return the maximum over x for each κ, rounded up.

    The bracket is concave in x. So the maximum lies where its slope changes sign, and below both tangents there.
    """
    low = np.full_like(_KAPPAS, _LEFT)
    high = np.full_like(_KAPPAS, 1.0 - 1.0 / parameters.most_pulls)
    rows = np.arange(len(_KAPPAS))
    for _ in range(4):
        x = low + (high - low) * _SECTIONS
        rising = (_slope(parameters, x) > 0.0).sum(axis=1)
        last = np.clip(rising, 1, x.shape[1] - 1)
        low, high = x[rows, last - 1][:, None], x[rows, last][:, None]
    width = high - low
    from_low = _bracket(parameters, low) + np.maximum(_slope(parameters, low), 0.0) * width
    from_high = _bracket(parameters, high) + np.maximum(-_slope(parameters, high), 0.0) * width
    return np.asarray(np.minimum(from_low, from_high)[:, 0])


def _bracket(parameters: Parameters, x: Floats) -> Floats:
    arms, _, beta, lam, _, _ = parameters
    scale, others, left = beta / math.sqrt(parameters.most_pulls), arms - 1.0, 1.0 - x
    return scale * (np.sqrt(others * x) - _KAPPAS * x / np.sqrt(left)) + lam * x * np.log(others * left / x)


def _slope(parameters: Parameters, x: Floats) -> Floats:
    arms, _, beta, lam, _, _ = parameters
    scale, others, left = beta / math.sqrt(parameters.most_pulls), arms - 1.0, 1.0 - x
    steep = (1.0 + 0.5 * x / left) / np.sqrt(left)
    falls = np.log(others * left / x) - 1.0 / left
    return scale * (0.5 * np.sqrt(others / x) - _KAPPAS * steep) + lam * falls
