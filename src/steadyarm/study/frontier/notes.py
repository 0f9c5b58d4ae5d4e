"""What a frontier says, in sentences: the title of its picture and the notes that keep it honest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.bounds import trivial_regret
from steadyarm.theory.guarantees import about, first_nontrivial_horizon, guarantee
from steadyarm.theory.uniformity import is_nearly_uniform
from steadyarm.words import counted, span

if TYPE_CHECKING:
    import pandas as pd

    from steadyarm.study.frontier.study import Frontier

LOWER = (
    "Every point is a lower estimate: the worst instances that a search found, measured on rewards that the search "
    "did not see. A worse instance may exist."
)
_WHOSE = {"paper": "the paper's constants", "sharp": "sharp constants"}


def message(frontier: Frontier) -> str:
    """Return what the picture shows, in one sentence."""
    sharp, _ = _along(frontier, "sharp")
    times = span(f"{sharp['product'].min():.2g}", f"{sharp['product'].max():.2g}")
    if len(sharp) > 1:
        first = f"SLE-UCB trades regret for steadiness along α: R·S is {times} times T^1.5"
    else:
        first = f"SLE-UCB at α = {sharp['alpha'].iloc[0]:g}: R·S is {times} times T^1.5"
    if all(map(is_nearly_uniform, _along(frontier, "paper")[1])):
        return f"{first}; with the paper's constants it is nearly uniform here"
    return first


def notes(frontier: Frontier) -> tuple[str, ...]:
    """Return the sentences that a reader of the numbers has to know."""
    found = [LOWER]
    for constants in _WHOSE:
        found += [*_nearly_uniform(frontier, constants), *_trivial(frontier, constants)]
    return (*found, *_about_rivals(frontier))


def _along(frontier: Frontier, constants: str) -> tuple[pd.DataFrame, list[SLEUCB]]:
    """Return the rows and the policies of SLE-UCB along α."""
    policies = [policy for policy in frontier.study.sle_ucb() if policy.constants == constants]
    return frontier.table[frontier.table["constants"] == constants], policies


def _nearly_uniform(frontier: Frontier, constants: str) -> list[str]:
    rows, policies = _along(frontier, constants)
    uniform = rows[[is_nearly_uniform(policy) for policy in policies]]
    if uniform.empty:
        return []
    shares = uniform["regret_over_uniform"]
    which = "every α" if len(uniform) == len(rows) else f"α from {uniform['alpha'].min():g} on"
    return [
        f"With {_WHOSE[constants]} SLE-UCB is nearly uniform at this horizon for {which}: on its worst instance it "
        f"loses {span(f'{shares.min():.0%}', f'{shares.max():.0%}')} of what equal shares lose. Its steadiness there "
        "is that of an allocation that hardly adapts."
    ]


def _trivial(frontier: Frontier, constants: str) -> list[str]:
    _, policies = _along(frontier, constants)
    trivial = [each for each in policies if guarantee(each, quick=True).regret >= trivial_regret(each)]
    if not trivial:
        return []
    which = "every α" if len(trivial) == len(policies) else f"α from {trivial[0].alpha:g} on"
    return [
        f"With {_WHOSE[constants]} the regret bound is trivial for {which}: it is 2MT, which no policy "
        f"exceeds; at α = {trivial[0].alpha:g} it starts to say something at a horizon of about "
        f"{about(first_nontrivial_horizon(trivial[0]))}."
    ]


def _about_rivals(frontier: Frontier) -> list[str]:
    study, table, found = frontier.study, frontier.table, []
    within = study.excluded.end
    beyond = int((table["regret"] > within).sum())
    if beyond:
        which = "all points" if beyond == len(table) else f"{beyond} of the {len(table)} points"
        found.append(
            f"Theorem 1 speaks of policies whose worst-case regret is at most MT/8 = {within:,.0f}; {which} "
            f"{'lies' if beyond == 1 else 'lie'} beyond and may lie anywhere."
        )
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
