"""Plans from what a team knows, over HTTP: what is known at once, and the table that a worker simulates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.live.core.configuration import MOST_ARMS, check_scales
from steadyarm.model import checks
from steadyarm.planning.goals import GOALS
from steadyarm.planning.make_plan import plan
from steadyarm.planning.situation_plan import LEAST_RUNS, USUAL_RUNS, SituationPlan

SITUATION = (
    "baseline",
    "sd",
    "smallest_difference",
    "differences",
    "per_day",
    "days",
    "delay_days",
    "daily",
)
"""The members of a question that describe a situation."""

_MEMBERS = ("arms", "horizon", "guaranteed", *SITUATION, *GOALS)
_PARTS = 3  # of so many runs each, of which a design's numbers are made


def situation_plan(
    asked: dict[str, Any],
    *,
    runs: int = USUAL_RUNS,
    seed: int = 0,
    progress: bool | Callable[[float], None] = False,
) -> SituationPlan:
    """Return the plan of a question with a baseline, a number; no file of the server's is ever read."""
    unknown = asked.keys() - set(_MEMBERS)
    if unknown:
        raise InvalidInput(
            f"a plan from a baseline has no member {min(unknown)!r}. It has {', '.join(_MEMBERS)}."
        )
    known = {name: value for name, value in asked.items() if value is not None}
    n_arms = checks.integer(known.pop("arms", None), "arms", at_least=2, at_most=MOST_ARMS)
    if "baseline" not in known:
        raise InvalidInput(f"{', '.join(SITUATION[1:])} go with a baseline. Give one.")
    mean = checks.real(known.pop("baseline"), "baseline", remedy="Give a rate like 0.03, or a mean and sd.")
    baseline = (mean, known.pop("sd")) if "sd" in known else mean
    found = plan(
        n_arms=n_arms, baseline=baseline, **known, runs=runs, seed=seed, progress=progress, threads=1
    )
    assert isinstance(found, SituationPlan)
    scales = found.reward_class
    check_scales({"mean_bound": scales.mean_bound, "noise_scale": scales.noise_scale})
    return found


def outline(asked: dict[str, Any], most_rounds: int) -> dict[str, Any]:
    """Return what is known at once, and what to ask `POST /v1/simulations` for the table."""
    found = situation_plan(asked)
    runs = affordable(found, USUAL_RUNS, most_rounds)
    simulation = None if runs < LEAST_RUNS else {"plan": asked, "runs": runs}
    return found.outline() | {"simulation": simulation}


def affordable(found: SituationPlan, wanted: int, most_rounds: int) -> int:
    """Return how many of the wanted runs of every design a shared service plays.

    >>> shop = situation_plan({"arms": 2, "horizon": 10_000, "baseline": 0.1, "smallest_difference": 0.02})
    >>> affordable(shop, 200, 10**8)
    200
    >>> affordable(shop, 200, 10**7)
    47
    """
    rounds = _PARTS * len(found.designs.designs) * found.situation.horizon
    return min(wanted, most_rounds // rounds)
