"""Claims 19 to 23: what no policy can beat (Theorem 1), run against every policy that plays Gaussian rewards."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from steadyarm.errors import NotSupported
from steadyarm.model.families import equal_arms, one_better
from steadyarm.policies.core.policy import Policy
from steadyarm.study.adversary import Chain
from steadyarm.study.verify.claims.base import Finding, Setting, at_least, at_most, not_below, tightest
from steadyarm.theory.bounds import (
    instability_lower_bound,
    minimax_regret_lower_bound,
    product_lower_bound,
)
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.lemmas import chain_fall_bound, chain_steps_bound, history_divergence, minimax_gap

_ROUNDING = 1e-9


@lru_cache(maxsize=4)
def chains(setting: Setting) -> tuple[tuple[Chain, ...], tuple[str, ...]]:
    """Return Theorem 1's chain for each policy inside the theorem, and the names of those outside."""
    found, outside = [], []
    for policy in _gaussian(setting):
        runs = setting.runs or setting.size(100, 1000)
        try:
            bound = mean_bound_of(setting, policy)
            found.append(setting.adversary(policy, mean_bound=bound, runs=runs, seed=setting.seed))
        except NotSupported:
            if setting.policies:
                raise
            outside.append(policy.title)
    return tuple(found), tuple(outside)


def mean_bound_of(setting: Setting, policy: Policy) -> float:
    """Return the policy's M, or the setting's for a policy without one."""
    return policy.class_bound or setting.mean_bound


def _gaussian(setting: Setting) -> list[Policy]:
    """Return the policies that play Gaussian rewards."""
    found = []
    for policy in setting.every_policy():
        try:
            policy.check_instance(equal_arms(policy.n_arms, noise_scale=policy.noise_scale))
        except NotSupported:
            if setting.policies:
                raise
            continue
        found.append(policy)
    return found


def _words(setting: Setting) -> str:
    inside, outside = chains(setting)
    words = f"{len(inside)} polic{'y' if len(inside) == 1 else 'ies'}"
    return words + (f" (regret above MT/8, so outside the theorem: {', '.join(outside)})" if outside else "")


def product_lower(setting: Setting) -> Finding:
    """Claim 19: R ≤ MT/8 ⇒ R·S ≥ [3e^(−1/4)σc/(256(1 + √2c))]·T^1.5 with c = min{1/8, M/4σ}."""
    findings = []
    for chain in chains(setting)[0]:
        policy, spread = chain.policy, chain.instability
        value, low, high = (chain.regret * end for end in (spread.value, spread.low, spread.high))
        bound = product_lower_bound(policy.horizon, chain.mean_bound, policy.noise_scale)
        findings.append(at_least(Estimate(value, low, high, spread.runs, spread.level), bound, policy.title))
    return tightest(findings, f"R·S found, {_words(setting)}")


def finite_time(setting: Setting) -> Finding:
    """Claim 20: S ≥ 3e^(−1/4)/(256√2)·T/(1 + R/(σ√T))."""
    findings = []
    for chain in chains(setting)[0]:
        bound = instability_lower_bound(chain.regret, chain.policy.horizon, chain.policy.noise_scale)
        findings.append(at_least(chain.instability, bound, chain.policy.title))
    return tightest(findings, f"largest instability along the chain, {_words(setting)}")


def chain_facts(setting: Setting) -> Finding:
    """Claim 21: KL ≤ ½ a step, at most 1 + 8R/(σ√T) steps, and a fall of Σ|ΔG| ≥ 3T/8."""
    findings, aside = [], []
    for chain in chains(setting)[0]:
        policy, title = chain.policy, chain.policy.title
        for earlier, later in pairwise(chain.links):
            step = later.gap - earlier.gap
            divergence = history_divergence(earlier.suboptimal_pulls.value, step, policy.noise_scale)
            aside.append(at_most(divergence, 0.5, f"KL of a step, {title}", slack=_ROUNDING))
        steps = chain_steps_bound(chain.regret, policy.horizon, policy.noise_scale)
        aside.append(at_most(len(chain.links) - 1, steps, f"steps, {title}"))
        findings.append(at_least(chain.fall, chain_fall_bound(policy.horizon), title))
    return tightest(
        findings, f"Σ|ΔG| along the chain, and {len(aside)} steps and lengths, {_words(setting)}", aside
    )


def comparison(setting: Setting) -> Finding:
    """Claim 22: of two neighbours, one has S ≥ e^(−1/4)/(4√2)·|G(Δ′) − G(Δ)|.

    Held against the interval's upper end: the spread of some policies comes from a few runs of many.
    """
    findings: list[Finding] = []
    aside: list[Finding] = []
    for chain in chains(setting)[0]:
        for (earlier, later), forced in zip(pairwise(chain.links), chain.forced, strict=True):
            larger = max(earlier.instability, later.instability, key=lambda estimate: estimate.high)
            where = f"{chain.policy.title} at gaps {earlier.gap:.3g} and {later.gap:.3g}"
            finding = not_below(larger, forced, where)
            (findings if 10.0 * forced >= max(chain.forced) else aside).append(finding)
    count = len(findings) + len(aside)
    return tightest(findings, f"the larger instability of two neighbours, {count} steps", aside)


def minimax(setting: Setting) -> Finding:
    """Claim 23: R ≥ min{σ/8, M/4}·√(KT), on the instances with one arm better by δ."""
    findings, runs = [], setting.runs or setting.size(200, 1000)
    for policy in _gaussian(setting):
        mean_bound, noise = mean_bound_of(setting, policy), policy.noise_scale
        gap = minimax_gap(policy.n_arms, policy.horizon, mean_bound, noise)
        regrets = [
            setting.play(policy, one_better(policy.n_arms, gap, noise_scale=noise, best_arm=arm), runs).regret
            for arm in range(policy.n_arms)
        ]
        worst = max(regrets, key=lambda estimate: estimate.value)
        bound = minimax_regret_lower_bound(policy.n_arms, policy.horizon, mean_bound, noise)
        findings.append(at_least(worst, bound, policy.title))
    count = f"{len(findings)} polic{'y' if len(findings) == 1 else 'ies'}"
    return tightest(findings, f"largest regret on the δ-instances, {count}")
