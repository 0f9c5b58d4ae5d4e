"""Claims 4 and 5: what clipping costs, and how rarely averages stray (Section concentration)."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erfcx

from steadyarm.model.families import equal_gap
from steadyarm.model.instance import Instance
from steadyarm.study.coverage.interval_coverage import share_estimate
from steadyarm.study.verify.claims.base import LEVEL, Finding, Setting, at_most, exactly, tightest
from steadyarm.study.verify.claims.sequences import Sequences, is_good, tables_of_runs
from steadyarm.theory.lemmas import clipping_bias_bound, concentration_failure_bound, union_failure_bound

_ARMS, _HORIZONS = (2, 10, 1000), (1e3, 1e6, 1e12)
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
    """Claim 5: P(Gᶜ) ≤ 2(KT)⁻⁷ with the algorithm's β, and Hoeffding's union bound with β scaled down.

    With the paper's β no run may leave the event. At a β whose union bound is ½, coins ±B, the most spread
    law between them, show how much room the bound leaves.
    """
    runs, findings = setting.size(400, 4000), []
    policy = setting.sle_ucb(n_arms=3, horizon=1000)
    lemma = concentration_failure_bound(3, 1000)
    union = union_failure_bound(3, 1000, policy.clip, policy.beta)
    findings.append(exactly(math.log10(union), math.log10(lemma), "log₁₀ of the union bound", slack=1e-9))
    gaussian = equal_gap(3, 0.5)
    tables = tables_of_runs(gaussian, setting.seed, runs, policy.horizon)
    outside = int((~is_good(policy, Sequences(policy, tables).mean, gaussian)).sum())
    findings.append(exactly(outside, 0, f"runs outside the event of {runs}, where P ≤ {lemma:.0e}"))

    coins = 2.0 * tables_of_runs(Instance.bernoulli([0.5] * 3), setting.seed, runs, policy.horizon) - 1.0
    pulls = np.arange(1, policy.horizon + 1)
    strays = np.abs(np.cumsum(coins, axis=-1)) / np.sqrt(pulls)  # in units of B/√n
    half = math.sqrt(2.0 * math.log(4.0 * 3 * policy.horizon))  # β/(2B) at which the union bound is ½
    left = int((strays > half).any(axis=(1, 2)).sum())
    findings.append(
        at_most(share_estimate(left, runs, LEVEL, "exact"), 0.5, "coins ±B at a β whose union bound is ½")
    )
    for n in (10, 100, 1000):
        far = int((strays[..., n - 1] > math.sqrt(2.0 * math.log(20.0))).sum())
        findings.append(
            at_most(
                share_estimate(far, 3 * runs, LEVEL, "exact"), 0.1, f"coins ±B at n = {n}, Hoeffding's 0.1"
            )
        )
    return tightest(findings, f"{outside} of {runs} runs left the event at the algorithm's β")
