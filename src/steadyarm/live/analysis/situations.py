"""Plans from what a team knows, over HTTP: what is known at once, and the table that a worker simulates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.inference.validity import counts_are_fixed
from steadyarm.live.analysis.questions import PlanQuestion, members
from steadyarm.live.core.experiment import SOFTWARE
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import MOST_ARMS, check_scales
from steadyarm.model import checks
from steadyarm.planning.baseline.bundles import bundle_of
from steadyarm.planning.baseline.designs import Design
from steadyarm.planning.baseline.measured import PARTS
from steadyarm.planning.baseline.situation import Situation
from steadyarm.planning.baseline.situation_plan import LEAST_RUNS, USUAL_RUNS, SituationPlan
from steadyarm.planning.make_plan import plan
from steadyarm.policies import Policy

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

SIMULATED = ("policy", "recommendation", "table")
"""The members of an answer that are known once the designs are simulated."""

_DAY = 86_400  # seconds


def from_baseline(asked: dict[str, Any]) -> bool:
    """Whether a question is about a baseline, and not about a class of rewards."""
    return any(asked.get(name) is not None for name in SITUATION)


def with_table(question: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a plan is asked without its runs, and what to ask a simulation for its table.

    >>> with_table({"arms": 2, "horizon": 1000, "baseline": 0.1, "spread": 50, "runs": 60})[1]
    {'plan': {'arms': 2, 'horizon': 1000, 'baseline': 0.1}, 'runs': 60}
    """
    if not from_baseline(question):
        raise Problem(
            "invalid", "runs goes with a baseline, whose designs are simulated. Give one, or leave it out."
        )
    asked = {name: value for name, value in question.items() if name not in ("runs", "seed")}
    how = {name: question[name] for name in ("runs", "seed") if question.get(name) is not None}
    return asked, {"plan": {name: value for name, value in asked.items() if name != "spread"}, **how}


def check_inside(asked: dict[str, Any]) -> None:
    """Refuse what belongs beside the plan of a simulation, not in it."""
    for name in ("runs", "seed"):
        if asked.get(name) is not None:
            raise InvalidInput(f"{name} belongs beside the plan of a simulation, not in it. Move it there.")


def situation_plan(
    asked: Any,
    *,
    runs: int = USUAL_RUNS,
    seed: int = 0,
    progress: bool | Callable[[float], None] = False,
) -> SituationPlan:
    """Return the plan of a question with a baseline, a number; no file of the server's is ever read."""
    asked = members(asked, PlanQuestion, "a plan")
    if asked.get("means") is not None:
        raise InvalidInput("a plan from a baseline has no member 'means'. Leave it out, or the baseline.")
    check_inside(asked)
    known = {name: value for name, value in asked.items() if value is not None and name != "spread"}
    n_arms = checks.integer(known.pop("arms", None), "arms", at_least=2, at_most=MOST_ARMS)
    if "baseline" not in known:
        raise InvalidInput(f"{', '.join(SITUATION[1:])} go with a baseline. Give that too.")
    mean = checks.real(
        known.pop("baseline"), "baseline", remedy="Give a rate like 0.03, or a mean and its sd."
    )
    baseline = (mean, known.pop("sd")) if "sd" in known else mean
    found = plan(n_arms=n_arms, baseline=baseline, **known, runs=runs, seed=seed, progress=progress)
    assert isinstance(found, SituationPlan)
    scales = found.reward_class
    check_scales({"mean_bound": scales.mean_bound, "noise_scale": scales.noise_scale})
    return found


def outline(asked: dict[str, Any], most_rounds: int) -> dict[str, Any]:
    """Return what is known at once, and what to ask `POST /v1/simulations` for the table and for a spread."""
    found = situation_plan(asked)
    runs = affordable(found, USUAL_RUNS, most_rounds)
    table = {name: value for name, value in asked.items() if name != "spread"}

    def described(design: Design) -> dict[str, Any]:
        experiment = experiment_of(found.situation, design.policy)
        return found.expected_of(design) | {"experiment": experiment}

    def simulation(of: dict[str, Any]) -> dict[str, Any] | None:
        return None if runs < LEAST_RUNS else {"plan": of, "runs": runs}

    chosen = None
    if "spread" in asked:
        chosen = described(found.design_at(asked["spread"])) | {"simulation": simulation(asked)}
    known = found.outline()
    if LEAST_RUNS <= runs < USUAL_RUNS:
        known["notes"].append(
            f"This service simulates every design {runs} times here, where `steadyarm plan` does it {USUAL_RUNS} times "
            "on your own machine: their numbers differ within their errors."
        )
    return known | {
        "designs": [described(design) for design in found.designs],
        "chosen": chosen,
        "simulation": simulation(table),
        **dict.fromkeys(SIMULATED),
        "version": SOFTWARE,
    }


def simulated(
    work: dict[str, Any], progress: Callable[[float], None], tell: Callable[[dict[str, Any]], None]
) -> dict[str, Any]:
    """Return the whole plan, its rows told as they come, or the one row of the spread that was asked for."""
    asked = work["plan"]
    found = situation_plan(asked, runs=work["runs"], seed=work["seed"], progress=progress)
    if "spread" in asked:
        return found.row(found.measured_at(asked["spread"]))
    return replace(found, told=lambda each: tell(found.row(each))).to_dict()


def experiment_of(situation: Situation, policy: Policy) -> dict[str, Any]:
    """Return the configuration of a live experiment that runs a design; its arms are still to be named.

    >>> from steadyarm.planning.baseline.situation import describe
    >>> prices = describe(n_arms=3, baseline=0.05, smallest_difference=0.01, per_day=2000, days=14, delay_days=3)
    >>> found = experiment_of(prices, plan(n_arms=3, horizon=28_000, max_sd=500, rewards="bernoulli").policy)
    >>> found["policy"], found["horizon"], found["rewards"], found["attribution"], found["delay"]
    ('Steady', 28000, 'bernoulli', {'after': 259200, 'reward': 0}, 6000)
    """
    chosen = {name: value for name, value in policy.to_dict().items() if name != "n_arms"}
    chosen["rewards"] = "bernoulli" if situation.is_rate else "gaussian"
    if situation.is_rate and situation.delay_days:  # silence for so long is no conversion
        chosen["attribution"] = {"after": max(1, round(_DAY * situation.delay_days)), "reward": 0}
    if not counts_are_fixed(policy):  # it learns
        learns = {"batch": situation.batch, "delay": situation.delay}
        chosen |= {name: rounds for name, rounds in learns.items() if rounds > int(name == "batch")}
    return chosen


def affordable(found: SituationPlan, wanted: int, most_rounds: int) -> int:
    """Return how many of the wanted runs of every design a shared service plays.

    >>> shop = situation_plan({"arms": 2, "horizon": 10_000, "baseline": 0.1, "smallest_difference": 0.02})
    >>> affordable(shop, 200, 10**8)
    200
    >>> affordable(shop, 200, 10**7)
    47
    """
    rounds = PARTS * len(found.designs.designs) * found.situation.horizon // bundle_of(found.situation)
    return min(wanted, most_rounds // rounds)
