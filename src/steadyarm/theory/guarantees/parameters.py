"""The numbers that the theorems about SLE-UCB need, and why clipping hardly changes them.

The theorems are about rewards that are not clipped. With the paper's constants they are, at B = M + 4σι. Then the
policy plays as if it were unclipped on the clipped rewards, and those belong to nearly the same class:

**Lemma.** Let X be σ-sub-Gaussian with mean μ in [−M, M], q = KT, L = 4ι ≥ 5 and Y = X clipped at ±B. Then
|E Y − μ| ≤ σq⁻⁸/L, and Y is σ√(1 + 2η)-sub-Gaussian with η = q⁻⁸(2 + e^{2L}(1/(L−2) + 2/(L−2)²)).

*Proof.* Take σ = 1 and ξ = X − μ. It is clipped at distances a, b ≥ L below and above; V = ξ − clip(ξ), m = E V,
ζ = Y − E Y = ξ − V + m. By the tails of ξ, |m| ≤ ∫_L^∞ e^{−u²/2} du ≤ e^{−L²/2}/L = q⁻⁸/L. Let θ > 0; the other sign
is the same. For θ ≥ 1: clip(ξ) ≤ ξ above −a, so E e^{θζ} ≤ e^{θ|m|}(e^{θ²/2} + P(ξ < −a)) ≤ e^{θ²/2 + θ|m| + q⁻⁸}, and
θ|m| + q⁻⁸ ≤ ηθ². For θ ≤ 1: h(u) = e^{θu} − 1 − θu has |h′(u)| ≤ θ²|u|e^{|u|} ≤ θ²e^{2|u|−1}, and ζ and ξ have mean 0,
so E e^{θζ} ≤ e^{θ²/2} + θ²·E(|m| + |V|)e^{2|ξ|+2|m|−1}. Here E e^{2|ξ|} ≤ 2e², and with P(|ξ| > u) ≤ 2e^{−u²/2}
E|V|e^{2|ξ|} ≤ ∫_L^∞ (1 + 2(u−L))e^{2u}·2e^{−u²/2} du ≤ 2q⁻⁸e^{2L}(1/(L−2) + 2/(L−2)²). With e^{2|m|−1} ≤ 1/2 the last
expectation is at most η. ∎
"""

import math
from typing import NamedTuple

from steadyarm.policies.own_history.sle_ucb import SLEUCB


class Parameters(NamedTuple):
    """K, T, β, λ, the σ for which (clipped) rewards are σ-sub-Gaussian, and how far clipping moves a mean."""

    n_arms: int
    horizon: float
    beta: float
    lam: float
    noise: float
    bias: float

    @property
    def most_pulls(self) -> float:
        """T′ = T − K + 1: what an arm gets at most."""
        return self.horizon - self.n_arms + 1.0

    @property
    def in_noise(self) -> tuple[float, float]:
        """β/σ and λ/σ, within the range of a double's fourth power.

        That is safe: larger ones only lower a bound on instability, and below 10⁻³⁰ no such bound says anything.
        """
        return min(max(self.beta / self.noise, 1e-30), 1e9), min(max(self.lam / self.noise, 1e-30), 1e9)

    @property
    def most_instability(self) -> float:
        """(T − K)/2: the standard deviation that no count exceeds."""
        return (self.horizon - self.n_arms) / 2.0


def parameters_of(policy: SLEUCB) -> Parameters:
    """Return what the theorems need to know of a policy.

    >>> sharp = SLEUCB(n_arms=2, horizon=3, constants="sharp")
    >>> parameters_of(sharp).noise, round(parameters_of(sharp.replace(constants="paper")).noise, 3)
    (1.0, 1.013)
    """
    noise, bias = policy.noise_scale, 0.0
    if math.isfinite(policy.clip):
        rare = math.pow(float(policy.n_arms) * float(policy.horizon), -8.0)
        level = 4.0 * policy.iota
        room = level - 2.0
        wider = rare * (2.0 + math.exp(2.0 * level) * (1.0 / room + 2.0 / room**2))
        bias = noise * rare / level
        noise *= math.sqrt(1.0 + 2.0 * wider)
    return Parameters(policy.n_arms, float(policy.horizon), policy.beta, policy.lam, noise, bias)
