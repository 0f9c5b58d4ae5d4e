"""What a frontier says, in sentences: the title of its picture and the notes that keep it honest."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import TYPE_CHECKING

from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.study.frontier.curves import WORDS, Curve
from steadyarm.theory.bounds import about, first_nontrivial_horizon, regret_bound, trivial_regret
from steadyarm.theory.uniformity import is_nearly_uniform
from steadyarm.words import counted, span

if TYPE_CHECKING:
    import pandas as pd

    from steadyarm.study.frontier.study import Frontier

LOWER = (
    "Every point is a lower estimate: the worst instances that a search found, measured on rewards that the search "
    "did not see. A worse instance may exist."
)
TIMES = (
    "Regret over the least regret (Theorem 1′) is a lower estimate too: an instance that the search missed, of more "
    "regret or of more instability, would raise it. It is fair where the search is good."
)


def message(frontier: Frontier) -> str:
    """Return what the picture shows, in one sentence."""
    best: dict[str, tuple[float, float]] = {}
    for curve in _that_adapt(frontier):
        times = _rows(frontier, curve)["times_least_regret"]
        alone = f" at {curve.place(curve.policy)}" if len(curve.policies) == 1 else ""
        name = f"{curve.policy.title}{alone}"
        best[name] = min(best.get(name, (math.inf, math.inf)), (times.min(), times.max()), key=itemgetter(1))
    found = "; ".join(_within(name, *ends) for name, ends in best.items())
    curves = frontier.study.curves
    if len(_that_adapt(frontier)) < len(curves) and found:
        return f"{found}; with the paper's constants SLE-UCB is nearly uniform here"
    return found or f"{curves[0].policy.title} is nearly uniform here"


def _that_adapt(frontier: Frontier) -> list[Curve]:
    return [curve for curve in frontier.study.curves if not all(map(_uniform, curve.policies))]


def _uniform(policy: Policy) -> bool:
    return isinstance(policy, SLEUCB) and is_nearly_uniform(policy)


def _within(name: str, least: float, most: float) -> str:
    """Return how near a curve is to what no policy can beat."""
    if most < 2.0:
        ends = [f"{max(0.0, 100.0 * (times - 1.0)):.0f}" for times in (least, most)]
        share = "–".join(dict.fromkeys(ends))
        return f"{name} is within {share} % of the least regret that any policy of its stability can have"
    times = span(f"{least:.2g}", f"{most:.2g}")
    return f"{name} has {times} times the least regret that any policy of its stability can have"


def notes(frontier: Frontier) -> tuple[str, ...]:
    """Return the sentences that a reader of the numbers has to know."""
    found = [LOWER, TIMES]
    for curve in frontier.study.curves:
        if isinstance(curve.policy, SLEUCB):
            found += [*_nearly_uniform(frontier, curve), *_trivial(curve)]
    return (*found, *_about_rivals(frontier))


def _rows(frontier: Frontier, curve: Curve) -> pd.DataFrame:
    return frontier.table[frontier.table["curve"] == curve.name]


def _nearly_uniform(frontier: Frontier, curve: Curve) -> list[str]:
    rows = _rows(frontier, curve)
    uniform = rows[[_uniform(policy) for policy in curve.policies]]
    if uniform.empty:
        return []
    shares = uniform["regret_over_uniform"]
    which = "every α" if len(uniform) == len(rows) else f"α from {uniform['alpha'].min():g} on"
    return [
        f"With {_constants(curve)} SLE-UCB is nearly uniform at this horizon for {which}: on its worst instance it "
        f"loses {span(f'{shares.min():.0%}', f'{shares.max():.0%}')} of what equal shares lose. Its steadiness there "
        "is that of an allocation that hardly adapts."
    ]


def _trivial(curve: Curve) -> list[str]:
    policies = [policy for policy in curve.policies if isinstance(policy, SLEUCB)]
    trivial = [policy for policy in policies if regret_bound(policy) >= trivial_regret(policy)]
    if not trivial:
        return []
    which = "every α" if len(trivial) == len(policies) else f"α from {trivial[0].alpha:g} on"
    return [
        f"With {_constants(curve)} Theorem 2's regret bound is trivial for {which}: it is 2MT, which no policy "
        f"exceeds; at α = {trivial[0].alpha:g} it starts to say something at a horizon of about "
        f"{about(first_nontrivial_horizon(trivial[0]))}."
    ]


def _constants(curve: Curve) -> str:
    assert isinstance(curve.policy, SLEUCB)
    return WORDS[curve.policy.constants]


def _about_rivals(frontier: Frontier) -> list[str]:
    study, table, found = frontier.study, frontier.table, []
    fewer = table[table["runs"] < frontier.runs]
    if len(fewer):
        got = span(f"{fewer['runs'].min():,}", f"{fewer['runs'].max():,}")
        found.append(
            f"{counted(len(fewer), 'rival')} whose runs are slow got fewer of them: {got} instead of "
            f"{frontier.runs:,}. Intervals are wider there, and below about 200 runs those of the instability are "
            "rough."
        )
    shorter = table[table["search_horizon"] < study.horizon]
    if len(shorter):
        found.append(
            f"The worst instances of {counted(len(shorter), 'rival')} were searched for at a shorter horizon, with "
            "gaps in proportion to 1/√T, and measured at the full one."
        )
    return found
