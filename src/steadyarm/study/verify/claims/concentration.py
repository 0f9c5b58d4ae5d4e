"""Claims 4 and 5: what clipping costs, and how rarely averages stray (Section concentration)."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erfcx

from steadyarm.model.families import equal_gap
from steadyarm.model.instance import Instance
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import LEVEL, Finding, Setting, at_least, at_most, exactly, tightest
from steadyarm.study.verify.claims.sequences import Sequences, is_good, tables_of_runs
from steadyarm.theory.estimates import share_estimate
from steadyarm.theory.lemmas import clipping_bias_bound, concentration_failure_bound, union_failure_bound

_ARMS, _HORIZONS = (2, 10, 1000), (1e3, 1e6, 1e12)
_FEW_ROUNDS, _FEW_PULLS = 30, (2, 4, 8)
_CLASSES = ((1.0, 1.0), (1.0, 0.01), (0.1, 2.0))


def clipping_bias(setting: Setting) -> Finding:
    """Claim 4: |θ − μ| ≤ σ(KT)⁻⁶, exactly, for Gaussian laws and for the two-point laws that stray furthest.

    The bias is largest at |μ| = M. All is computed in logarithms: the numbers reach 10⁻¹²⁰.
    """
    findings = []
    for n_arms in (n for n in _ARMS):
        for horizon in (h for h in _HORIZONS if h > n_arms):
            for mean_bound, noise in _CLASSES:
                policy = setting.sle_ucb(
                    n_arms=n_arms, horizon=int(horizon), mean_bound=mean_bound, noise_scale=noise
                )
                near = (policy.clip - mean_bound) / noise  # in standard deviations from a mean at M
                bound = math.log(clipping_bias_bound(n_arms, horizon, noise) / noise)
                where = f"K = {n_arms}, T = {horizon:.0e}, M = {mean_bound:g}, σ = {noise:g}"
                for law, bias in (("Gaussian", _gaussian_tail(near)), ("two-point", _two_point_tail(near))):
                    findings.append(at_most(bias / math.log(10.0), bound / math.log(10.0), f"{law}, {where}"))
    return tightest(findings, "log₁₀ of the bias over σ, at |μ| = M")


def _gaussian_tail(threshold: float) -> float:
    """Return log E(Z − a)⁺ = log(φ(a) − a·(1 − Φ(a))), without cancellation in the tail."""
    mills = math.sqrt(math.pi / 2.0) * float(erfcx(threshold / math.sqrt(2.0)))
    return -(threshold**2) / 2.0 - math.log(math.sqrt(2.0 * math.pi)) + math.log1p(-threshold * mills)


def _two_point_tail(threshold: float) -> float:
    """Return the largest log E(X − a)⁺ over the two-point laws of mean 0 that are 1-sub-Gaussian.

    A jump of height c with probability p is 1-sub-Gaussian if and only if
    c²(1 − 2p) ≤ 2·log((1 − p)/p) (Kearns & Saul); p is taken as large as that allows.
    """
    largest = -math.inf
    for beyond in np.geomspace(0.01, 2.0, 40):
        height = threshold + float(beyond)
        low, high = 0.0, height**2  # of log((1 − p)/p), where 1 − 2p is the tanh of its half
        for _ in range(60):
            log_odds = (low + high) / 2.0
            too_likely = height**2 * math.tanh(log_odds / 2.0) > 2.0 * log_odds
            low, high = (log_odds, high) if too_likely else (low, log_odds)
        log_odds = high
        probability = -log_odds - math.log1p(math.exp(-log_odds))
        jump = height * (1.0 - math.exp(probability)) - threshold
        if jump > 0.0:
            largest = max(largest, probability + math.log(jump))
    return largest


def concentration(setting: Setting) -> Finding:
    """Claim 5: P(Gᶜ) ≤ 2(KT)⁻⁷ with the algorithm's β, and what the lemma is made of at β where averages do stray.

    With the algorithm's β no run may leave the event. With β by hand so small that the union bound is ½, runs leave it
    now and then. And Hoeffding's bound at one n, with coins ±1 and the β that all heads just exceed: its tightest.
    """
    runs = setting.size(400, 4000)
    policy = setting.sle_ucb(n_arms=3, horizon=1000)
    lemma = concentration_failure_bound(3, 1000)
    union = union_failure_bound(3, 1000, policy.clip, policy.beta)
    outside = _leave(policy, equal_gap(3, 0.5), setting.seed, runs)
    aside = [
        exactly(math.log10(union), math.log10(lemma), "log₁₀ of the union bound", slack=1e-9),
        exactly(outside, 0, f"runs outside the event of {runs}, where P ≤ {lemma:.0e}"),
    ]
    beta = math.sqrt(8.0 * math.log(4.0 * 3 * _FEW_ROUNDS))  # where 2KT·exp(−β²/8) = ½
    small = setting.sle_ucb(n_arms=3, horizon=_FEW_ROUNDS, constants="sharp", beta=beta)
    left = _leave(small, equal_gap(3, 0.5), setting.seed, 10 * runs)
    words = f"runs that left the event at β = {beta:.3g}, where the union bound is ½"
    aside.append(at_most(share_estimate(left, 10 * runs, LEVEL, "exact"), 0.5, f"share of {words}"))
    aside.append(at_least(float(left), 1.0, words))
    findings = [_hoeffding(setting, n, 5 * runs) for n in _FEW_PULLS]
    detail = (
        f"{outside} of {runs} runs left the event at the algorithm's β, {left} of {10 * runs} at {beta:.3g}"
    )
    return tightest(findings, detail, aside)


def _leave(policy: SLEUCB, instance: Instance, seed: int, runs: int) -> int:
    """Return how many runs leave the concentration event."""
    tables = tables_of_runs(instance, seed, runs, policy.horizon)
    return int((~is_good(policy, Sequences(policy, tables).mean, instance)).sum())


def _hoeffding(setting: Setting, n: int, runs: int) -> Finding:
    """Claim P(|mean of n coins ±1| > β/(2√n)) ≤ 2·exp(−β²/8), at the β that only heads or tails throughout exceed."""
    beta = 2.0 * math.sqrt(n) * (1.0 - 1e-9)
    policy = setting.sle_ucb(n_arms=2, horizon=10, constants="sharp", beta=beta)
    coins = 2.0 * tables_of_runs(Instance.bernoulli([0.5] * 2), setting.seed, runs, n) - 1.0
    far = np.abs(coins.mean(axis=-1)) > policy.beta / (2.0 * math.sqrt(n))
    bound = 2.0 * math.exp(-(beta**2) / 8.0)
    words = f"averages of {n} coins that stray, Hoeffding's bound"
    return at_most(share_estimate(int(far.sum()), far.size, LEVEL, "exact"), bound, words)
