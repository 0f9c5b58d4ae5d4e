"""Claims 29 and 30: what is proved for every β, against the worst cases found, tied best arms included."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from steadyarm.model.instance import Instance
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import Finding, Setting, at_most, tightest
from steadyarm.study.verify.claims.guarantees import Worst
from steadyarm.theory.bounds import largest_instability, trivial_regret
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.guarantees.cells import theorem_e
from steadyarm.theory.guarantees.instability import theorem_b, theorem_c
from steadyarm.theory.guarantees.parameters import Parameters, parameters_of
from steadyarm.theory.guarantees.regret import theorem_r
from steadyarm.theory.reward_class import class_of
from steadyarm.theory.worst_cases import worst_cases

_KINDS = (  # arms, β over σι (None: the paper's constants), α
    (2, 8.0, 1.0),
    (2, 2.0, 0.3),
    (3, 5.0, 4.0),
    (2, None, 1.0),
)
_INSTABILITY: dict[str, Callable[[Parameters], float]] = {
    "Theorem B": theorem_b,
    "Theorem C′": theorem_c,
    "Theorem E2": theorem_e,
}


def regret_for_every_width(setting: Setting) -> Finding:
    """Claim 29: Theorem R."""
    findings: list[Finding] = []
    trivial: list[Finding] = []
    for policy, (worst, _) in _worst_cases(setting):
        bound, most = theorem_r(parameters_of(policy), 2.0 * policy.mean_bound), trivial_regret(policy)
        found = at_most(_over(worst, min(bound, most)), 1.0, _words(policy))
        (findings if bound < most else trivial).append(found)
    count = f"{len(findings)} bounds, and {len(trivial)} trivial ones (2MT)"
    return tightest(findings, f"largest regret found over its bound, {count}", aside=trivial)


def instability_for_every_width(setting: Setting) -> Finding:
    """Claim 30: Theorems B, C′ and E2."""
    findings: list[Finding] = []
    trivial: list[Finding] = []
    for policy, (_, worst) in _worst_cases(setting):
        for name, theorem in _INSTABILITY.items():
            bound, most = theorem(parameters_of(policy)), largest_instability(policy)
            found = at_most(_over(worst, bound), 1.0, f"{name}, {_words(policy)}")
            (findings if bound < most else trivial).append(found)
    count = f"{len(findings)} bounds, and {len(trivial)} trivial ones"
    return tightest(findings, f"largest instability found over its bound, {count}", aside=trivial)


def _over(found: Estimate, bound: float) -> Estimate:
    return replace(found, value=found.value / bound, low=found.low / bound, high=found.high / bound)


@lru_cache(maxsize=4)
def _worst_cases(setting: Setting) -> list[tuple[SLEUCB, Worst]]:
    """Return both worst cases of SLE-UCB with narrow and wide widths over many horizons."""
    far = (10**12,) if setting.leaps else ()
    found = []
    for horizon in setting.horizons or (10**3, 10**5, *far):
        for n_arms, width, alpha in _KINDS:
            policy = setting.sle_ucb(n_arms=n_arms, horizon=horizon, alpha=alpha)
            if width is not None:
                policy = policy.replace(constants="sharp", beta=width * policy.iota)
            found.append((policy, _worst_case(setting, policy)))
    return found


def _worst_case(setting: Setting, policy: SLEUCB) -> Worst:
    """Find the worst instances of a policy, and measure it there again on rewards that the search did not see."""
    fresh = replace(setting, seed=setting.seed + 1)
    tried = [setting.play(policy, instance, setting.size(12, 60)) for instance in _worst_instances(policy)]
    costliest = max(tried, key=lambda result: result.regret.value).instance
    unsteadiest = max(tried, key=lambda result: result.instability.value).instance
    runs = setting.size(200, 1000)
    measured = {each: fresh.play(policy, each, runs) for each in (costliest, unsteadiest)}
    return measured[costliest].regret, measured[unsteadiest].instability


def _worst_instances(policy: SLEUCB) -> list[Instance]:
    """Return where the prediction is worst, over the whole class, and gaps at which learning takes about all rounds."""
    n_arms = policy.n_arms
    gap = min(1.0, policy.beta * math.sqrt(n_arms / policy.horizon))
    expected = worst_cases(policy.curves, n_arms, class_of("gaussian"))
    means = {expected.regret.means, expected.deviation.means}
    means |= {
        (0.0,) * best + (-gap,) * (n_arms - best) for best in {1, 2, n_arms - 1, n_arms} if best <= n_arms
    }
    return [Instance.gaussian(each) for each in sorted(means)]


def _words(policy: SLEUCB) -> str:
    return (
        f"K = {policy.n_arms}, T = {policy.horizon:.0e}, β = {policy.beta / policy.iota:.3g}σι, "
        f"α = {policy.alpha:g}, {policy.constants} constants"
    )
