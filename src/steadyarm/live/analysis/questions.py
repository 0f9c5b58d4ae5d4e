"""What may be asked of a plan and of a simulation: the members of a question, and no others.

The models are what the documentation of the API shows; what a member may be is checked where it is understood.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from steadyarm.errors import InvalidInput
from steadyarm.live.core.setup.configuration import FEWEST_ARMS, MOST_ARMS, Rewards
from steadyarm.model.checks import LARGEST_HORIZON
from steadyarm.planning.baseline.situation_plan import LEAST_RUNS
from steadyarm.planning.baseline.situation_plan import USUAL_RUNS as USUAL_RUNS_OF_A_TABLE

MOST_PLANNED_ARMS = 10_000
MOST_RUNS = 10_000
USUAL_RUNS = 1000


class Question(BaseModel):
    """These members and no others."""

    model_config = ConfigDict(extra="forbid")


class PlanQuestion(Question):
    """A class of instances, and one goal, an alpha or a policy; or a baseline and what goes with it."""

    arms: int = Field(
        ge=FEWEST_ARMS,
        le=MOST_PLANNED_ARMS,
        description=f"With a baseline {MOST_ARMS:,} at most, as an experiment has.",
    )
    horizon: int | None = Field(
        None,
        ge=FEWEST_ARMS + 1,
        le=LARGEST_HORIZON,
        description="Or `per_day` and `days`, with a baseline.",
    )
    baseline: float | None = Field(None, description="What arm 0 gives: a rate, or with `sd` a mean.")
    sd: float | None = Field(None, gt=0, description="Of an outcome that is not 0 or 1.")
    smallest_difference: float | None = Field(
        None, gt=0, description="The smallest difference from the baseline that matters."
    )
    differences: list[float] | None = Field(
        None,
        min_length=2,
        max_length=2,
        description="Plausible differences from the baseline; 3 times the smallest either way by default.",
    )
    per_day: float | None = Field(None, gt=0, description="Units a day.")
    days: float | None = Field(None, gt=0)
    delay_days: float | None = Field(None, ge=0, description="How many days until an outcome is known.")
    daily: bool | None = Field(None, description="Whether the policy learns once a day.")
    spread: float | None = Field(
        None, gt=0, description="With a baseline: Steady with this spread is `chosen`, beside the table."
    )
    runs: int | None = Field(
        None,
        ge=LEAST_RUNS,
        le=MOST_RUNS,
        description="With a baseline: wait until every design was simulated so often, and answer with the table.",
    )
    seed: int | None = Field(None, ge=0, description="With `runs`; 0 by default.")
    rewards: Rewards | None = None
    low: float | None = None
    high: float | None = None
    mean_bound: float | None = Field(None, gt=0)
    noise_scale: float | None = Field(None, gt=0)
    constants: Literal["paper", "sharp"] | None = None
    alpha: float | None = Field(None, gt=0)
    max_sd: float | None = Field(None, gt=0)
    max_sd_share: float | None = Field(None, gt=0, le=1)
    max_regret: float | None = Field(None, gt=0)
    max_regret_share: float | None = Field(None, gt=0, le=1)
    valid_intervals: bool | None = None
    guaranteed: bool | None = Field(None, description="Whether a theorem must say that the goal is met.")
    policy: dict[str, Any] | None = Field(None, description="Instead of a goal: a policy as a plan has it.")
    means: list[float] | None = Field(None, description="Arms to predict; by default those that cost most.")
    at_least: list[float] | None = Field(
        None, description="A floor for each arm, as a share of the rounds; what they cost is in `quotas`."
    )
    at_most: list[float] | None = Field(None, description="A cap for each arm, likewise.")


class SimulationQuestion(Question):
    """A policy and an instance as their `to_dict` gives them, or a plan."""

    policy: dict[str, Any] | None = None
    instance: dict[str, Any] | None = None
    plan: dict[str, Any] | None = Field(
        None,
        description="Instead of both: a question of `POST /v1/plan`. From a baseline its designs are simulated, over a "
        "class of rewards the plan on the two instances where it is expected to do worst.",
    )
    runs: int = Field(
        USUAL_RUNS,
        ge=1,
        le=MOST_RUNS,
        description=f"With a plan from a baseline {USUAL_RUNS_OF_A_TABLE} by default.",
    )
    seed: int = Field(0, ge=0)


def members(question: Any, model: type[Question], what: str) -> dict[str, Any]:
    """Return the members of a question, if it has none that its model does not know.

    >>> members({"arms": 2, "horizon": 1000}, PlanQuestion, "a plan")
    {'arms': 2, 'horizon': 1000}
    >>> members({"plan": {}, "threads": 8}, SimulationQuestion, "a simulation")
    Traceback (most recent call last):
    ...
    steadyarm.errors.InvalidInput: a simulation has no member 'threads'. It has policy, instance, plan, runs, seed.
    """
    if not isinstance(question, dict):
        raise InvalidInput(f"{what} is asked for by a JSON object; got {question!r:.100}.")
    unknown = question.keys() - model.model_fields.keys()
    if unknown:
        raise InvalidInput(f"{what} has no member {min(unknown)!r}. It has {', '.join(model.model_fields)}.")
    return question
