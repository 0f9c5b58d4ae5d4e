"""Claim 25: Figure 1, the frontier along α between the excluded region and the guarantee."""

from __future__ import annotations

from itertools import pairwise

from steadyarm.study.verify.claims.base import Finding, Setting, at_least, at_most, tightest
from steadyarm.study.verify.claims.guarantees import worst_found
from steadyarm.theory.bounds import instability_lower_bound, largest_regret

_ALPHAS = (1.0, 2.0, 4.0, 8.0)


def frontier(setting: Setting) -> Finding:
    """Claim 25: with α the measured regret rises and the instability falls, between the two curves.

    Each point lies below Theorem 2's guarantee and above what Theorem 1 excludes, where R ≤ MT/8.
    """
    runs = setting.size(200, 1000)
    findings, aside, found = [], [], []
    for alpha in _ALPHAS:
        policy = setting.sle_ucb(n_arms=4, horizon=20_000, constants="sharp", noise_scale=0.05, alpha=alpha)
        regret, instability = worst_found(setting, policy, runs)
        found.append((regret, instability))
        where = f"α = {alpha:g}"
        aside.append(at_most(regret, setting.regret_bound(policy), f"regret against its bound, {where}"))
        aside.append(at_most(instability, setting.instability_bound(policy), f"instability, {where}"))
        if regret.high <= largest_regret(policy.horizon, policy.mean_bound):
            floor = instability_lower_bound(regret.value, policy.horizon, policy.noise_scale)
            aside.append(at_least(instability, floor, f"instability above the excluded region, {where}"))
    for (less, alpha), (more, _) in pairwise(zip(found, _ALPHAS, strict=True)):
        where = f"from α = {alpha:g} to {2.0 * alpha:g}"
        findings.append(at_least(more[0], less[0].high, f"regret {where}"))
        findings.append(at_most(more[1], less[1].low, f"instability {where}"))
    return tightest(
        findings, f"{len(_ALPHAS)} points of the frontier, {len(aside)} bounds around them", aside
    )
