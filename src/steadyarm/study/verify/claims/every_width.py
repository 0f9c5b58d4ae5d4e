"""Claims 29 and 30: what is proved for every β, against the worst cases found, tied best arms included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.verify.claims.base import Finding, Setting, at_most, tightest
from steadyarm.study.verify.claims.worst_found import Worst, worst_of_predicted
from steadyarm.theory.bounds import largest_instability, trivial_regret
from steadyarm.theory.estimates import Estimate
from steadyarm.theory.guarantees.cells import theorem_e
from steadyarm.theory.guarantees.instability import theorem_b, theorem_c
from steadyarm.theory.guarantees.parameters import Parameters, parameters_of
from steadyarm.theory.guarantees.regret import theorem_r

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
            found.append((policy, worst_of_predicted(setting, policy)))
    return found


def _words(policy: SLEUCB) -> str:
    return (
        f"K = {policy.n_arms}, T = {policy.horizon:.0e}, β = {policy.beta / policy.iota:.3g}σι, "
        f"α = {policy.alpha:g}, {policy.constants} constants"
    )
