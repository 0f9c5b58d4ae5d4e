"""Claims 7, 16, 17 and 18: Theorem 2's bounds against the worst cases found, and the range of α."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import Finding, Floats, Setting, at_least, at_most, exactly, tightest
from steadyarm.study.verify.claims.sequences import Integers
from steadyarm.study.verify.claims.worst_found import Worst, worst_of_families
from steadyarm.theory.bounds import largest_instability, product_bound, trivial_regret
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.lemmas import (
    simplified_constants,
    simplified_instability,
    simplified_regret,
    tuning_range,
)

_ROUNDS = 2_000_000  # in all runs on one instance
_BAND = (1.47, 1.53)  # where the fitted exponent of T must lie; a log T more or less would move it by 0.07
_MOST_IN_ARMS = 0.25  # what is left of K beyond log K: half of what a √K would leave


def regret_guarantee(setting: Setting) -> Finding:
    """Claim 7: R ≤ min{2MT, (5 + α·log 2K)β√(KT)}; with sharp constants their bound."""
    return _against(
        [
            _Bounded(regret, setting.regret_bound(policy), trivial_regret(policy), _words(policy))
            for policy, (regret, _) in _worst_cases(setting)
        ],
        "regret",
    )


def instability_guarantee(setting: Setting) -> Finding:
    """Claim 16: S ≤ 2√T + 18√2·σT/(αβ√K)."""
    return _against(
        [
            _Bounded(
                instability, setting.instability_bound(policy), largest_instability(policy), _words(policy)
            )
            for policy, (_, instability) in _worst_cases(setting)
        ],
        "instability",
    )


class _Bounded(NamedTuple):
    """A worst case, its bound, and what no policy exceeds."""

    found: Estimate
    bound: float
    most: float
    words: str


def _against(cases: list[_Bounded], what: str) -> Finding:
    """Return the tightest of the bounds that say something, and how much room they leave."""
    telling = [at_most(case.found, case.bound, case.words) for case in cases if case.bound < case.most]
    trivial = [at_most(case.found, case.bound, case.words) for case in cases if not case.bound < case.most]
    room = [one.predicted / one.measured.value for one in telling if isinstance(one.measured, Estimate)]
    words = f"largest {what} found: {len(telling)} bounds are {min(room):.1f} to {max(room):.0f} times it"
    return tightest(telling, f"{words}, {len(trivial)} are trivial", aside=trivial)


@lru_cache(maxsize=4)
def _worst_cases(setting: Setting) -> list[tuple[SLEUCB, Worst]]:
    """Return both worst cases for both constants over many horizons."""
    kind = setting.sle_ucb
    found: list[tuple[SLEUCB, Worst]] = []
    far = (10**9, 10**12) if setting.leaps else ()
    for horizon in setting.horizons or (10**3, 10**4, 10**5, 10**6, *far):
        runs = min(200, max(setting.size(30, 100), _ROUNDS // horizon))
        policies = (
            kind(n_arms=2, horizon=horizon),
            kind(n_arms=2, horizon=horizon, constants="sharp", alpha=8.0),
            kind(n_arms=10, horizon=horizon, constants="sharp", noise_scale=0.1),
            kind(n_arms=10, horizon=horizon, noise_scale=0.01),
        )
        found += [(policy, worst_of_families(setting, policy, runs)) for policy in policies]
    return found


def _words(policy: SLEUCB) -> str:
    return (
        f"K = {policy.n_arms}, T = {policy.horizon:.0e}, σ = {policy.noise_scale:g}, α = {policy.alpha:g}, "
        f"{policy.constants} constants"
    )


def product(setting: Setting) -> Finding:
    """Claim 17: R·S = O(T^1.5 log K): the fitted exponent of T, the growth in K, and the explicit bound."""
    kind, runs = setting.sle_ucb, setting.size(80, 600)
    horizons = np.geomspace(1e3, 1e12 if setting.leaps else 2e5, setting.size(5, 10)).astype(int)
    horizons = np.array(setting.horizons or horizons)
    arms = np.array((2, 4, 8, 16, 32, 64))
    longer = [
        kind(n_arms=2, horizon=int(horizon), constants="sharp", noise_scale=0.2) for horizon in horizons
    ]
    wider = [kind(n_arms=int(n), horizon=20_000, constants="sharp", noise_scale=0.05) for n in arms]
    by_horizon = [_product(worst_of_families(setting, policy, runs)) for policy in longer]
    by_arms = [_product(worst_of_families(setting, policy, runs)) for policy in wider]
    in_horizon = _exponent(horizons, np.array(by_horizon), runs)
    # At most (K − 1)/K of all pulls can be suboptimal where arms cannot be told apart.
    in_arms = _exponent(arms, by_arms * arms / (arms - 1.0) / np.log(2.0 * arms), runs)
    words = f"T from 10³ to {horizons[-1]:.0e}"
    findings = [
        at_least(in_horizon, _BAND[0], words),
        at_most(in_horizon, _BAND[1], words),
    ]
    aside = [at_most(in_arms, _MOST_IN_ARMS, "exponent of K in R·S·K/((K − 1)·log 2K), K from 2 to 64")]
    for policy, found in zip(longer + wider, by_horizon + by_arms, strict=True):
        aside.append(at_most(found, product_bound(policy), f"the explicit bound, {_words(policy)}"))
    return tightest(findings, f"fitted exponent of T in R·S; beyond log K, that of K is {in_arms}", aside)


def _product(worst: Worst) -> float:
    return max(worst[0].value * worst[1].value, 1e-9)  # a policy without any spread has a product too


def _exponent(sizes: Integers, products: Floats, runs: int) -> Estimate:
    """Fit log product = a + b·log size; the errors of log S, about 1/√(2·runs) or twice that, lead."""
    x = np.log(sizes.astype(float))
    x = x - x.mean()
    y = np.log(products)
    slope = float((x * y).sum() / (x**2).sum())
    scatter = math.sqrt(float(((y - y.mean() - slope * x) ** 2).sum()) / max(1, len(x) - 2))
    half = 3.0 * max(scatter, 1.0 / math.sqrt(2.0 * runs)) / math.sqrt(float((x**2).sum()))
    return Estimate(slope, slope - half, slope + half, runs)


def tuning(setting: Setting) -> Finding:
    """Claim 18: up to the tuning range of α the regret bound is at most 2MT; it rises and instability's falls.

    The range is of order √(T/K)/(log K·log KT), and inside it both bounds are below their simplified forms.
    """
    findings, aside = [], []
    for n_arms in (2, 10, 100):
        for horizon in (10**8, 10**10, 10**12, 10**15):
            policy = setting.sle_ucb(n_arms=n_arms, horizon=horizon)
            largest = tuning_range(policy)
            if largest < 1.0:  # the bound is trivial for every α ≥ 1: nothing to tune
                continue
            where = f"K = {n_arms}, T = {horizon:.0e}: α ≤ {largest:.3g}"
            order = math.sqrt(horizon / n_arms) / (math.log(n_arms) * math.log(n_arms * horizon))
            end = setting.regret_bound(policy.replace(alpha=largest)) / trivial_regret(policy)
            inside = setting.regret_bound(policy.replace(alpha=0.999 * largest)) / trivial_regret(policy)
            aside.append(exactly(end, 1.0, f"regret bound over 2MT at the end, {where}", slack=1e-9))
            aside.append(at_most(inside, 1.0 - 1e-4, f"regret bound over 2MT just inside, {where}"))
            findings.append(at_most(largest / order, 1.0 / 16.0, f"the range over its order, {where}"))
            aside += _along_alpha(setting, policy, largest, where)
    return tightest(
        findings, f"{len(findings)} ranges, and {len(aside)} facts about the bounds inside", aside
    )


def _along_alpha(setting: Setting, policy: SLEUCB, largest: float, where: str) -> list[Finding]:
    """Check monotony and the simplified forms on a grid of the range."""
    along = [policy.replace(alpha=float(alpha)) for alpha in np.geomspace(1.0, largest, 12)]
    regrets = np.array([setting.regret_bound(one) for one in along])
    spreads = np.array([setting.instability_bound(one) for one in along])
    orders = [(one.n_arms, one.horizon, one.alpha) for one in along]
    regret, instability = simplified_constants(policy.mean_bound, policy.noise_scale)
    over_regret = max(one / simplified_regret(*order) for one, order in zip(regrets, orders, strict=True))
    over_spread = max(
        one / simplified_instability(*order) for one, order in zip(spreads, orders, strict=True)
    )
    return [
        at_least(float(np.diff(regrets).min()), 0.0, f"rise of the regret bound, {where}"),
        at_most(float(np.diff(spreads).max()), 0.0, f"rise of the instability bound, {where}"),
        at_most(float(over_regret), regret, f"regret bound over its simplified form, {where}"),
        at_most(float(over_spread), instability, f"instability bound over its simplified form, {where}"),
    ]
