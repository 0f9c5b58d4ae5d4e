"""What a frontier says, in sentences: the title of its picture and the notes that keep it honest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steadyarm.policies.sle_ucb import SLEUCB
from steadyarm.theory.bounds import about, first_nontrivial_horizon, regret_bound, trivial_regret
from steadyarm.theory.planning import NEARLY_UNIFORM

if TYPE_CHECKING:
    from steadyarm.study.frontier import Frontier

LOWER = (
    "Every point is a lower estimate: the worst instances that a search found, measured on rewards that the search "
    "did not see. A worse instance may exist."
)


def message(frontier: Frontier) -> str:
    """Return what the picture shows, in one sentence."""
    table = frontier.table
    paper, sharp = (table[table["constants"] == constants] for constants in ("paper", "sharp"))
    low, high = sharp["product"].min(), sharp["product"].max()
    if len(sharp) > 1:
        product = span(f"{low:.2g}", f"{high:.2g}")
        first = f"SLE-UCB trades regret for steadiness along α: R·S is {product} times T^1.5"
    else:
        first = f"SLE-UCB at α = {sharp['alpha'].iloc[0]:g}: R·S is {high:.2g} times T^1.5"
    if paper["regret_over_uniform"].min() >= NEARLY_UNIFORM:
        return f"{first}; with the paper's constants it is nearly uniform here"
    return first


def span(low: str, high: str) -> str:
    """Return a range in words; one of no length is a single figure.

    >>> span("32", "64"), span("89%", "89%")
    ('32 to 64', '89%')
    """
    return low if low == high else f"{low} to {high}"


def _rivals(many: int) -> str:
    return f"{many} rival{'' if many == 1 else 's'}"


def notes(frontier: Frontier) -> tuple[str, ...]:
    """Return the sentences that a reader of the numbers has to know."""
    from steadyarm.study.frontier import CONSTANTS

    study, table = frontier.study, frontier.table
    found = [LOWER]
    for constants in CONSTANTS:
        rows = table[table["constants"] == constants]
        whose = "the paper's constants" if constants == "paper" else "sharp constants"
        policies = [
            entrant.policy
            for entrant in frontier.entrants
            if isinstance(entrant.policy, SLEUCB)
            and entrant.policy.constants == constants
            and not entrant.rival
        ]
        uniform = rows[rows["regret_over_uniform"] >= NEARLY_UNIFORM]
        if len(uniform):
            which = "every α" if len(uniform) == len(rows) else f"α from {uniform['alpha'].min():g} on"
            shares = uniform["regret_over_uniform"]
            share = span(f"{shares.min():.0%}", f"{shares.max():.0%}")
            found.append(
                f"With {whose} SLE-UCB is nearly uniform at this horizon for {which}: on its worst instance it loses "
                f"{share} of what equal shares lose. Its steadiness there is that of an allocation that hardly adapts."
            )
        trivial = [policy for policy in policies if regret_bound(policy) >= trivial_regret(policy)]
        if trivial:
            which = "every α" if len(trivial) == len(policies) else f"α from {trivial[0].alpha:g} on"
            begins = first_nontrivial_horizon(trivial[0])
            found.append(
                f"With {whose} Theorem 2's regret bound is trivial for {which}: it is 2MT, which no policy exceeds; "
                f"at α = {trivial[0].alpha:g} it starts to say something at a horizon of about {about(begins)}."
            )
    within = study.mean_bound * study.horizon / 8.0
    beyond = int((table["regret"] > within).sum())
    if beyond:
        found.append(
            f"Theorem 1 speaks of policies whose worst-case regret is at most MT/8 = {within:,.0f}; {beyond} of the "
            f"{len(table)} points lie beyond and may lie anywhere."
        )
    fewer = table[table["runs"] < frontier.runs]
    if len(fewer):
        found.append(
            f"{_rivals(len(fewer))} whose runs are dear got fewer of them "
            f"({span(str(fewer['runs'].min()), str(fewer['runs'].max()))} instead of {frontier.runs}): intervals are "
            "wider there, and below about 200 runs those of the instability are rough."
        )
    shorter = table[table["search_horizon"] < study.horizon]
    if len(shorter):
        found.append(
            f"The worst instances of {_rivals(len(shorter))} were searched for at a shorter horizon, with gaps in "
            "proportion to 1/√T, and measured at the full one."
        )
    return tuple(found)
