"""Plans and simulations over the wire, as the documentation of the API has them; `analysis` checks what it is asked."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from steadyarm.live.analysis import plans, simulations
from steadyarm.live.core.configuration import FEWEST_ARMS, MOST_ARMS, Rewards
from steadyarm.live.http.schemas import Closed
from steadyarm.model.checks import LARGEST_HORIZON
from steadyarm.planning.baseline.situation_plan import LEAST_RUNS, USUAL_RUNS


class PlanQuestion(Closed):
    """A class of instances, and one goal, an alpha or a policy; or a baseline and what goes with it."""

    arms: int = Field(
        ge=FEWEST_ARMS,
        le=plans.MOST_ARMS,
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
        le=simulations.MOST_RUNS,
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


class Plan(BaseModel):
    """What to run, what to expect, what is promised, and the frontier around it."""

    policy: dict[str, Any]
    policy_title: str = Field(description="What the policy is called.")
    goal: str
    guaranteed: bool
    knob: str = Field(description="What the policies of the curve differ by.")
    setting: float
    expected: dict[str, float | None]
    guarantee: dict[str, Any] | None = Field(description="The best that is proved of the policy.")
    promise: dict[str, Any] | None = Field(
        description="A guarantee of the expected spread, by closed forms; a search may find a cheaper one."
    )
    most: dict[str, float] = Field(description="What can happen at most: no guarantee says more.")
    cost_in_words: str = Field(description="What the share of a cost is a share of.")
    half_the_spread: dict[str, float] | None
    quotas: dict[str, Any] | None = Field(
        description="What floors and caps cost at least; all other numbers are without them. An experiment has them "
        "as `traffic`, by the arms' names."
    )
    least_regret: float = Field(description="No policy of this spread stays below it (Theorem 1′).")
    times_least_regret: float
    distance: str = Field(description="How far it is from the best possible, in words.")
    least_instability: float | None = Field(
        description="No policy of this regret stays below it (Theorem 1′)."
    )
    worst_instances: dict[str, dict[str, Any]] = Field(
        description="The instances on which it is expected to lose most, and to spread most."
    )
    rows: list[dict[str, Any]] = Field(description="The plan as a table.")
    counts: list[float]
    sd: list[float | None]
    regret: float
    instability: float | None
    trusted: bool = Field(
        description="Whether the first-order prediction is to be trusted for the worst instances."
    )
    reason: str = Field(description="Why it is not, for the arms that were asked about; empty if it is.")
    curve: list[dict[str, float | None]]
    excluded: list[dict[str, float]]
    alternatives: list[dict[str, Any]]
    notes: list[str]
    check: dict[str, int] = Field(description="How many runs this service would check it with, and the seed.")


class SituationPlan(BaseModel):
    """A plan from a baseline: all of it with `runs`, what is known before anything is simulated without.

    Without, `POST /v1/simulations` with `simulation` gives the rest, and tells its progress.
    """

    situation: dict[str, Any]
    goal: str
    by_goal: dict[str, Any] | None = Field(
        description="The plan for the goal, over the range of the situation."
    )
    designs: list[dict[str, Any]] = Field(
        description="Each with its policy, what is predicted, and the configuration of an experiment that runs it."
    )
    chosen: dict[str, Any] | None = Field(
        description="The same for the spread asked for; its `simulation` measures it alone."
    )
    curve: list[dict[str, float | None]]
    excluded: list[dict[str, float]]
    equal_shares_at_worst: float
    quotas: dict[str, Any] | None
    notes: list[str]
    simulation: dict[str, Any] | None = Field(description="The body to post, unless it is too much to ask.")
    policy: dict[str, Any] | None = Field(description="For the goal, or that of the recommended design.")
    recommendation: dict[str, Any] | None = Field(description="A design, and the reason in a sentence.")
    table: list[dict[str, Any]] | None = Field(
        description="For each design what is lost, how far an arm's traffic spreads, the share of the best arm, how "
        "often it is found, the power and the width of the interval."
    )
    version: str = Field(description="Of steadyarm.")


class SimulationQuestion(Closed):
    """A policy and an instance as their `to_dict` gives them, or a plan from a baseline."""

    policy: dict[str, Any] | None = None
    instance: dict[str, Any] | None = None
    plan: dict[str, Any] | None = Field(None, description="Instead of both: a question of `POST /v1/plan`.")
    runs: int = Field(
        simulations.USUAL_RUNS,
        ge=1,
        le=simulations.MOST_RUNS,
        description=f"With a plan {USUAL_RUNS} by default.",
    )
    seed: int = Field(0, ge=0)


class Simulation(BaseModel):
    """A simulation, its progress from 0 to 1, and its result once done."""

    id: str
    status: Literal["waiting", "running", "done", "failed", "cancelled"]
    progress: float
    result: dict[str, Any] | None
    rows: list[dict[str, Any]] = Field(description="Of a plan's table, those measured so far, while it runs.")
    detail: str
