"""Claim 25: Figure 1, the frontier along α between the excluded region and the guarantee."""

from __future__ import annotations

from itertools import pairwise

from steadyarm.study.verify.claims.base import Finding, Setting, at_least, at_most, not_below, tightest
from steadyarm.study.verify.claims.worst_found import worst_of_families
from steadyarm.study.worst_case.space import space_of

_ALPHAS = (1.0, 2.0, 4.0, 8.0)


def frontier(setting: Setting) -> Finding:
    """Claim 25: with α the measured regret rises and the instability falls, between the two curves.

    Each point lies below Theorem 2's guarantee and above what Theorem 1′ excludes.
    """
    runs = setting.size(200, 1000)
    findings, aside, found = [], [], []
    for alpha in _ALPHAS:
        policy = setting.sle_ucb(n_arms=4, horizon=20_000, constants="sharp", noise_scale=0.05, alpha=alpha)
        regret, instability = worst_of_families(setting, policy, runs)
        found.append((regret, instability))
        where = f"α = {alpha:g}"
        aside.append(at_most(regret, setting.regret_bound(policy), f"regret against its bound, {where}"))
        aside.append(at_most(instability, setting.instability_bound(policy), f"instability, {where}"))
        times = space_of(policy).limit(policy.horizon).times_least_regret(regret, instability)
        aside.append(not_below(times, 1.0, f"regret over the least at that instability, {where}"))
    for (less, alpha), (more, _) in pairwise(zip(found, _ALPHAS, strict=True)):
        where = f"from α = {alpha:g} to {2.0 * alpha:g}"
        findings.append(at_least(more[0], less[0].high, f"regret {where}"))
        findings.append(at_most(more[1], less[1].low, f"instability {where}"))
    return tightest(
        findings, f"{len(_ALPHAS)} points of the frontier, {len(aside)} bounds around them", aside
    )
