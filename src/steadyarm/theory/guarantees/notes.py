"""What the guarantees do not say, in plain sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from steadyarm.errors import OutsideClass
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.theory.bounds import largest_instability
from steadyarm.theory.guarantees.promises import first_nontrivial_horizon, guarantee_on
from steadyarm.theory.uniformity import uniformity_note
from steadyarm.words import amount

if TYPE_CHECKING:
    from steadyarm.theory.guarantees.promises import Guarantee


def notes_of(promise: Guarantee) -> tuple[str, ...]:
    """Return a sentence for each promise that says nothing, and one for an allocation that hardly adapts."""
    policy, gap = promise.policy, promise.widest_gap
    found = [*_about_regret(promise)]
    if promise.instability >= largest_instability(policy):
        found.append(
            f"The instability bound is trivial: it is (T − K)/2 = {largest_instability(policy):,.0f}, which no "
            "count exceeds."
        )
    if policy.guaranteed and policy.alpha < 1.0:
        found.append(
            "The bounds hold, but the paper's uniform product bound needs alpha >= 1; "
            f"alpha is {policy.alpha:g}."
        )
    return (*found, *uniformity_note(policy, gap))


def _about_regret(promise: Guarantee) -> list[str]:
    policy, gap = promise.policy, promise.widest_gap
    most = gap * policy.horizon
    if promise.regret < most:
        return []
    name = "2MT = " if gap == 2.0 * policy.mean_bound else ""
    begins = first_nontrivial_horizon(policy, gap)
    when = f"it starts to say something at a horizon of about {about(begins)}"
    return [
        f"The regret bound is trivial: it is {name}{amount(most)}, which no policy exceeds; "
        f"{when if math.isfinite(begins) else 'no horizon that can be played is long enough for it'}."
    ]


def notes_on(policy: Policy, instance: Instance) -> tuple[str, ...]:
    """Return what the guarantees do not say about a policy on an instance, in plain sentences.

    >>> from steadyarm.model.families import equal_gap
    >>> notes_on(SLEUCB(n_arms=2, horizon=10**9), equal_gap(2, gap=1.5))[0][:68]
    "The instance is outside the policy's class, so no guarantee applies:"
    """
    if not isinstance(policy, SLEUCB):
        return policy.notes
    notes = guarantee_on(policy, instance).notes
    try:
        policy.check_instance(instance)
    except OutsideClass as outside:
        reason = str(outside).split(". Raise")[0]
        notes += (f"The instance is outside the policy's class, so no guarantee applies: {reason}.",)
    return notes


def about(number: float) -> str:
    """Return a large number in words, to two digits.

    >>> about(12_345_678.0), about(3.456e21)
    ('12,000,000', '3.5e+21')
    """
    return f"{float(f'{number:.1e}'):,.0f}" if number < 1e15 else f"{number:.1e}"
