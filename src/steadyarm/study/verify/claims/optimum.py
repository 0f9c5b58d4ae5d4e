"""Claims 27, 28 and 33: Theorem 1′, against every policy of the registry; those for 0/1 rewards play coins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.study.verify.claims.base import (
    LEVEL,
    Finding,
    Setting,
    at_least,
    not_above,
    not_below,
    tightest,
)
from steadyarm.study.verify.claims.lower_bound import mean_bound_of
from steadyarm.study.verify.claims.sequences import Integers
from steadyarm.study.verify.claims.worst_found import worst_of_space
from steadyarm.study.worst_case.space import Space, space_of
from steadyarm.theory.estimates import Estimate, mean_estimate, sd_estimate

Found = tuple[Policy, Space, Estimate, Estimate]  # the largest regret and instability, in that space

_HALF_STEP = 1.0  # along the path
_SIMPSON = (1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0)
_STEPS = 2
_HORIZON, _NOISE = 200, 0.5  # of the registry's policies here; coins are so noisy too


def local_form(setting: Setting) -> Finding:
    """Claim 27: |dE N/dτ| ≤ sd(N)·√information, integrated over pieces of the path on which one arm rises.

    One arm rises by γ = 1 − 1/K of the gap and the others fall by the rest; for coins in their angles arcsin √rate.
    Counts at neighbouring places come from the same rewards, so their difference is known far better than either; the
    integral is Simpson's.
    """
    runs, findings = setting.runs or setting.size(1200, 10_000), []
    for policy in everybody(setting):
        along = [step * _HALF_STEP for step in range(2 * _STEPS + 1)]
        counts = [setting.play(policy, on_path(policy, place), runs).counts[:, 0] for place in along]
        for first in range(0, 2 * _STEPS, 2):
            ratio = _speed(policy, counts[first : first + 3])
            words = f"{policy.title}, {along[first]:g} to {along[first + 2]:g}"
            findings.append(not_above(ratio, 1.0, words))
    words = f"change of E N over sd(N)·√information, {len(findings)} pieces of paths, {runs} runs at each end"
    return tightest(findings, words)


def on_path(policy: Policy, place: float) -> Instance:
    """Return the instance of the path with a gap of `place` times σ/√T, in angles ½/√T."""
    rise, way = 1.0 - 1.0 / policy.n_arms, place / math.sqrt(policy.horizon)
    moves = [way * rise, *[way * (rise - 1.0)] * (policy.n_arms - 1)]
    if space_of(policy).rewards == "gaussian":
        return Instance.gaussian([policy.noise_scale * move for move in moves], policy.noise_scale)
    return Instance.bernoulli([math.sin(math.pi / 4.0 + move / 2.0) ** 2 for move in moves])


def _speed(policy: Policy, counts: Sequence[Integers]) -> Estimate:
    """Return the change of the mean over what the spread allows, from the counts at both ends and in the middle."""
    rise, allowed, most = 1.0 - 1.0 / policy.n_arms, 0.0, 0.0
    change = mean_estimate(counts[2] - counts[0], LEVEL)
    for each, weight in zip(counts, _SIMPSON, strict=True):
        share, spread = float(each.mean()) / policy.horizon, sd_estimate(each, LEVEL)
        step = 2.0 * _HALF_STEP * weight * math.sqrt(rise**2 * share + (1.0 - rise) ** 2 * (1.0 - share))
        allowed, most = allowed + step * spread.value, most + step * spread.high
    if not allowed > 0.0:
        return Estimate(*((math.inf if change.value else 0.0,) * 3), change.runs, LEVEL)
    value = abs(change.value) / allowed
    half = math.hypot((change.high - change.value) / allowed, value * (most / allowed - 1.0))
    return Estimate(value, value - half, value + half, change.runs, LEVEL)


def no_policy_below(setting: Setting) -> Finding:
    """Claim 28: no policy's worst cases lie below Theorem 1′, tied best arms among the instances searched."""
    findings, ratios = [], []
    for policy, space, regret, instability in worst_of_everybody(setting):
        times = space.limit(policy.horizon).times_least_regret(regret, instability)
        findings.append(not_below(times, 1.0, policy.title))
        ratios.append(times.value)
    words = f"regret over the least at that instability, {len(ratios)} policies, {_ends(ratios)}"
    return tightest(findings, words)


def least_minimax(setting: Setting) -> Finding:
    """Claim 33: R ≥ W((K − 1)/e)·σ√T, and its like for coins."""
    findings, ratios = [], []
    for policy, space, regret, _ in worst_of_everybody(setting):
        least = space.limit(policy.horizon).minimax
        findings.append(at_least(regret, least, policy.title))
        ratios.append(regret.value / least)
    return tightest(findings, f"worst regret found, {len(ratios)} policies, {_ends(ratios)} times the bound")


@lru_cache(maxsize=4)
def worst_of_everybody(setting: Setting) -> tuple[Found, ...]:
    """Return the largest regret and instability found of every policy, each measured on rewards of its own."""
    return tuple(_worst(setting, policy) for policy in everybody(setting))


def _worst(setting: Setting, policy: Policy) -> Found:
    space = space_of(policy, mean_bound_of(setting, policy))
    return policy, space, *worst_of_space(setting, policy, space)


def everybody(setting: Setting) -> tuple[Policy, ...]:
    """Return the setting's policies, or those of the registry, for few rounds."""
    if setting.policies:
        return setting.policies
    return tuple(each.replace(horizon=_HORIZON, noise_scale=_NOISE) for each in setting.every_policy())


def _ends(ratios: Sequence[float]) -> str:
    return f"{min(ratios):.2f} to {max(ratios):.2f}"
