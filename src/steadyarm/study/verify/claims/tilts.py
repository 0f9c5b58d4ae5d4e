"""Claims 31 and 32, beyond the paper and to first order: what a tilt reaches, beside the least that anybody can."""

from __future__ import annotations

import math

import numpy as np

from steadyarm.model.families import one_better
from steadyarm.model.instance import Instance
from steadyarm.study.verify.claims.base import Finding, Setting, agrees, at_most, tightest
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.optimum import least_regret, sharp_minimax_regret
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases

_NOISE = 0.1  # so small that the worst gaps lie inside the class at every horizon
_SHARE = 0.05  # of the fair share: the spread asked for
_ROOM = 0.1  # what first order may be off by
_FAR = 10**12


def steady(setting: Setting) -> Finding:
    """Claim 31: Steady spreads by what was asked on its worst instance, and loses the least up to a tenth.

    The worst instances are those of the fluid prediction, tied best arms among them; here they are played.
    """
    runs, findings = setting.size(250, 3000), []
    settings = [(2, 10**5), (10, 10**5), (50, 10**5), *([(2, _FAR), (10, _FAR)] if setting.leaps else ())]
    for n_arms, horizon in settings:
        asked = _SHARE * horizon / n_arms
        policy = setting.steady(n_arms=n_arms, horizon=horizon, noise_scale=_NOISE, spread=asked)
        expected = class_of("gaussian", noise_scale=_NOISE)
        worst = worst_cases(policy.curves, n_arms, expected)
        where = f"K = {n_arms}, T = {horizon:.0e}"
        spread = setting.play(policy, expected.instance(worst.deviation.means), runs).instability
        findings.append(agrees(spread, asked, _ROOM * asked, f"largest spread, {where}"))
        regret = setting.play(policy, expected.instance(worst.regret.means), runs).regret
        least = least_regret(asked, n_arms=n_arms, horizon=horizon, noise_scale=_NOISE)
        findings.append(at_most(regret, (1.0 + _ROOM) * least, f"largest regret, {where}"))
    return tightest(findings, f"{len(settings)} settings, a spread of {_SHARE:.0%} of T/K asked")


def stabilizer_alone(setting: Setting) -> Finding:
    """Claim 32: where the stabilizer outweighs the width, R·S = ½·W((K − 1)/e)·σT^1.5, W Lambert's function.

    Shares are then proportional to e^(−Δ/λ): R = λT·W where one arm is better by λ(1 + W), and S = σ√T/(2λ) where two
    arms are tied and the others far below.
    """
    runs, findings, aside = setting.size(250, 3000), [], []
    for n_arms in (2, 4, 10):
        policy = setting.sle_ucb(n_arms=n_arms, horizon=_FAR, constants="sharp", alpha=1000.0)
        root = math.sqrt(_FAR)
        lambert = sharp_minimax_regret(n_arms, _FAR) / root
        better = one_better(n_arms, policy.lam * (1.0 + lambert))
        tied = Instance.gaussian(np.repeat([0.5, -0.5], [2, n_arms - 2]).tolist())
        regret = setting.play(policy, better, runs // 4).regret
        spread = setting.play(policy, tied, runs).instability
        where = f"K = {n_arms}"
        expected = policy.lam * _FAR * lambert
        aside.append(agrees(regret, expected, 0.01 * expected, f"regret, {where}"))
        aside.append(agrees(spread, root / (2.0 * policy.lam), 0.01 * spread.value, f"spread, {where}"))
        scale = regret.value / _FAR**1.5
        product = Estimate(scale * spread.value, scale * spread.low, scale * spread.high, spread.runs)
        findings.append(agrees(product, lambert / 2.0, 0.01 * lambert, f"R·S/(σT^1.5), {where}"))
    return tightest(findings, "α = 1000, T = 1e+12, worst instances in closed form", aside)
