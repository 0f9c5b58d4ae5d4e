"""Claims 19 to 23: what no policy can beat (Theorem 1, and 1′ beside it), with every policy for Gaussian rewards."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

from steadyarm.errors import NotSupported
from steadyarm.model.families import equal_arms, one_better
from steadyarm.policies.core.policy import Policy
from steadyarm.study.adversary import Chain, Link
from steadyarm.study.verify.claims.base import Finding, Setting, at_least, at_most, not_below, tightest
from steadyarm.theory.bounds import (
    instability_lower_bound,
    minimax_regret_lower_bound,
    product_lower_bound,
)
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.lemmas import (
    chain_fall_bound,
    chain_steps_bound,
    history_divergence,
    minimax_gap,
    product_at_regret_lower_bound,
)
from steadyarm.theory.limit import Limit
from steadyarm.theory.optimum import product_constant

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
    """Claim 19: R ≤ MT/8 ⇒ R·S ≥ [3e^(−1/4)σc/(256(1 + √2c))]·T^1.5 with c = min{1/8, M/4σ}.

    Theorem 1′ has c_K·σT^1.5 instead, more than a hundred times as much, and is what decides.
    """
    findings, aside = [], []
    for chain in chains(setting)[0]:
        policy, spread = chain.policy, chain.instability
        value, low, high = (chain.regret * end for end in (spread.value, spread.low, spread.high))
        product = Estimate(value, low, high, spread.runs, spread.level)
        bound = product_lower_bound(policy.horizon, chain.mean_bound, policy.noise_scale)
        aside.append(at_least(product, bound, f"the paper's constant, {policy.title}"))
        bound = product_at_regret_lower_bound(chain.regret, policy.horizon, policy.noise_scale)
        aside.append(at_least(product, bound, f"the paper's form with R in it, {policy.title}"))
        sharp = product_constant(policy.n_arms) * policy.noise_scale * float(policy.horizon) ** 1.5
        findings.append(not_below(product, sharp, policy.title))
    return tightest(findings, f"R·S found against Theorem 1′, {_words(setting)}", aside)


def finite_time(setting: Setting) -> Finding:
    """Claim 20: S ≥ 3e^(−1/4)/(256√2)·T/(1 + R/(σ√T)); Theorem 1′'s least instability decides."""
    findings, aside = [], []
    for chain in chains(setting)[0]:
        policy = chain.policy
        bound = instability_lower_bound(chain.regret, policy.horizon, policy.noise_scale)
        aside.append(at_least(chain.instability, bound, f"the paper's constant, {policy.title}"))
        limit = Limit(policy.n_arms, policy.horizon, chain.mean_bound, policy.noise_scale)
        findings.append(not_below(chain.instability, limit.least_instability(chain.regret), policy.title))
    return tightest(
        findings, f"largest instability along the chain against Theorem 1′, {_words(setting)}", aside
    )


def chain_facts(setting: Setting) -> Finding:
    """Claim 21: KL ≤ ½ a step, at most 1 + 8R/(σ√T) steps, and a fall of Σ|ΔG| ≥ 3T/8.

    What the chain's steps do not make true by themselves: G cannot fall faster than its spread allows. In the family
    of the chain that is √G(Δ) ≥ √G(0) − SΔ/(2σ), with the largest spread S up to Δ.
    """
    findings, aside = [], []
    for chain in chains(setting)[0]:
        policy, title = chain.policy, chain.policy.title
        start, widest = math.sqrt(chain.links[0].suboptimal_pulls.low), 0.0
        for earlier, later in pairwise(chain.links):
            step = later.gap - earlier.gap
            divergence = history_divergence(earlier.suboptimal_pulls.value, step, policy.noise_scale)
            aside.append(at_most(divergence, 0.5, f"KL of a step, {title}", slack=_ROUNDING))
            widest = max(widest, earlier.instability.high, later.instability.high)
            least = max(0.0, start - widest * later.gap / (2.0 * policy.noise_scale)) ** 2
            if least > 0.0:
                findings.append(not_below(later.suboptimal_pulls, least, f"{title} at gap {later.gap:.3g}"))
        steps = chain_steps_bound(chain.regret, policy.horizon, policy.noise_scale)
        aside.append(at_most(len(chain.links) - 1, steps, f"steps, {title}"))
        aside.append(at_least(chain.fall, chain_fall_bound(policy.horizon), f"Σ|ΔG|, {title}"))
    words = f"suboptimal pulls against how fast they can fall, {len(findings)} links"
    return tightest(findings, f"{words}, and {len(aside)} falls, steps and lengths, {_words(setting)}", aside)


def comparison(setting: Setting) -> Finding:
    """Claim 22: of two neighbours, one has S ≥ e^(−1/4)/(4√2)·|G(Δ′) − G(Δ)|.

    By the local form of Theorem 1′ somebody on the step has S ≥ |ΔG|·σ/(√G·step), seven times as much, which decides.
    Upper ends of intervals are held against lower ones: the spread of some policies comes from a few runs of many.
    """
    findings: list[Finding] = []
    aside: list[Finding] = []
    for chain in chains(setting)[0]:
        for (earlier, later), forced in zip(pairwise(chain.links), chain.forced, strict=True):
            larger = max(earlier.instability, later.instability, key=lambda estimate: estimate.high)
            where = f"{chain.policy.title} at gaps {earlier.gap:.3g} and {later.gap:.3g}"
            aside.append(not_below(larger, forced, f"the paper's constant, {where}"))
            least = _forced(earlier, later, chain.policy.noise_scale)
            (findings if 10.0 * forced >= max(chain.forced) else aside).append(
                not_below(larger, least, where)
            )
    return tightest(
        findings, f"the larger instability of two neighbours against Theorem 1′, {len(findings)} steps", aside
    )


def _forced(earlier: Link, later: Link, noise_scale: float) -> float:
    """Return the spread without which suboptimal pulls cannot fall as far as they do from one link to the next."""
    one, other = earlier.suboptimal_pulls, later.suboptimal_pulls
    change = abs(other.value - one.value) - math.hypot(one.high - one.value, other.high - other.value)
    information = max(one.value, other.value) / noise_scale**2
    return max(0.0, change) / (math.sqrt(information) * (later.gap - earlier.gap))


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
