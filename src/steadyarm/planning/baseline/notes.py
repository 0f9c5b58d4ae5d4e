"""What a reader of a plan's numbers has to know, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steadyarm.inference.validity import VALID_SPREAD
from steadyarm.planning.baseline.bundles import bundle_of
from steadyarm.planning.baseline.designs import equal_loss, equal_loss_today
from steadyarm.planning.baseline.measured import FEWEST_RUNS
from steadyarm.planning.quota_cost import QuotaCost
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.steady import Steady
from steadyarm.words import amount, counted

if TYPE_CHECKING:
    from steadyarm.planning.baseline.situation import Situation
    from steadyarm.planning.baseline.situation_plan import SituationPlan

_WORST = (
    "What is lost at worst is known for equal shares. For Steady and SLE-UCB it is measured on the arms that are "
    "predicted to be the worst, and for Thompson sampling on the worst of a few, which may not be its very worst."
)
_WORST_IF_LATE = (
    "What is lost at worst is known for equal shares. Predictions know of no late outcomes, so for the others it is "
    "measured on the worst of a few sets of arms, which may not be their very worst."
)
_STEADY = "Steady aims at its spread, and no theorem promises that or what it loses."
INTERVALS = (
    "Power and width are those of the interval that is valid afterwards. Where a design's traffic is predicted to "
    f"spread by at most {VALID_SPREAD:.0%} of itself from run to run, it is an ordinary one. Elsewhere it is "
    "anytime-valid and wider: there power falls sharply."
)


def notes_of(plan: SituationPlan) -> tuple[str, ...]:
    """Return the notes of a plan; nothing is simulated for them."""
    situation = plan.situation
    late = bool(situation.delay) or situation.batch > 1
    return (
        *situation.remarks,
        situation.noise_words,
        f"The table is measured by simulation, and its errors are those of {100.0 * plan.level:.4g}% intervals. "
        "What nobody can beat is a theorem, and the curve in the picture a prediction.",
        worst_words(situation),
        _WORST_IF_LATE if late else _WORST,
        INTERVALS,
        *dict.fromkeys(note for design in plan.designs for note in _of_policy(design.policy)),
        *plan.designs.notes,
        *_simulated_less(plan),
        *(_late_words(situation) if late else ()),
        *([] if plan.quotas is None else [_quota_words(plan.quotas, situation)]),
    )


def _of_policy(policy: Policy) -> tuple[str, ...]:
    """Return the first note of a policy, in a team's words."""
    return (_STEADY,) if isinstance(policy, Steady) else policy.notes[:1]


def worst_words(situation: Situation) -> str:
    """Return what "at worst" is about, and what equal shares lose at most if arm 0 stays as it is.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> print(worst_words(describe(n_arms=2, horizon=240, baseline=0.35, smallest_difference=0.15)))
    At worst, and what nobody can beat, mean wherever ... If it stays at 35%, equal shares lose at most 54 ...
    """
    rates = "rates" if situation.is_rate else "means"
    words = (
        f"At worst, and what nobody can beat, mean wherever in the plausible range all {rates} lie, that of arm 0 too, "
        "which may change."
    )
    today, worst = (_four(each) for each in (equal_loss_today(situation), equal_loss(situation)))
    if today == worst:
        return words
    return (
        f"{words} If it stays at {situation.level_words}, equal shares lose at most {today} {situation.thing}, not "
        f"{worst}, and what nobody can beat is less."
    )


def _four(number: float) -> str:
    return amount(float(f"{number:.4g}"))


def _simulated_less(plan: SituationPlan) -> list[str]:
    """Return which designs are left out, and which were simulated less often than was asked for."""
    fewest = min(FEWEST_RUNS, plan.runs)
    some = {name: runs for name, runs in plan.affordable.items() if fewest <= runs < plan.runs}
    fewer = [f"{name} ({counted(runs, 'run')})" for name, runs in some.items()]
    return [
        *([f"Expensive designs were simulated less often: {', '.join(fewer)}."] if fewer else []),
        *(
            f"{name} is left out: {too_few('it', plan.situation.horizon, runs)}"
            for name, runs in plan.affordable.items()
            if runs < fewest
        ),
    ]


def too_few(name: str, horizon: int, runs: int) -> str:
    """Return why a design is not simulated."""
    return (
        f"{counted(horizon, 'round')} of {name} take too long to simulate: {counted(runs, 'run')} in the time that a "
        f"design may take, where a comparison needs {FEWEST_RUNS}."
    )


def _late_words(situation: Situation) -> tuple[str, ...]:
    words = ("What is predicted takes outcomes to be known at once; the table has the delay in it.",)
    if (bundle := bundle_of(situation)) == 1:
        return words
    return (
        *words,
        f"Designs that adapt are simulated in bundles of {bundle:,} units that get the same arm, fine enough "
        "for outcomes that come this late; the mean outcome of a bundle is Gaussian.",
    )


def _quota_words(quotas: QuotaCost, situation: Situation) -> str:
    """Return what quotas cost, at the smallest difference that matters."""
    elsewhere, gap = quotas.elsewhere, situation.smallest_difference
    least = quotas.least_lost(best=elsewhere.index(max(elsewhere)), gap=gap)
    return f"{quotas.words} At a difference of {gap:g} that is {least:,.4g}. The table is without quotas."
