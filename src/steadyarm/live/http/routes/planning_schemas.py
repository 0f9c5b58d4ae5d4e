"""Plans and simulations as they are answered; `analysis.questions` has what is asked."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


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
    experiment: dict[str, Any] = Field(description="The configuration of an experiment that runs it.")
    simulation: dict[str, Any] | None = Field(
        description="The body to post to check it by simulation, unless it is too much to ask."
    )


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
    headings: dict[str, str] = Field(description="Of the columns of a table of designs.")
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


class Simulation(BaseModel):
    """A simulation, its progress from 0 to 1, and its result once done."""

    id: str
    status: Literal["waiting", "running", "done", "failed", "cancelled"]
    progress: float
    result: dict[str, Any] | None
    rows: list[dict[str, Any]] = Field(description="Of a plan's table, those measured so far, while it runs.")
    detail: str
