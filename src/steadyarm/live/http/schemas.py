"""What goes over the wire. A `Body` parses what it describes; the other models are the documentation of the API.

Configurations, plans and simulations are checked where they are understood, which knows no HTTP: in
`core.configuration`, from which their model takes the limits, and in `analysis`, whose `questions` has the others.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from steadyarm.live.core import names
from steadyarm.live.core.setup.configuration import (
    FEWEST_ARMS,
    LARGEST_BATCH,
    LARGEST_HORIZON,
    LARGEST_SEED,
    LONGEST_ARM,
    LONGEST_DELAY,
    MOST_ARMS,
    Rewards,
)
from steadyarm.live.core.setup.traffic import MOST_STRATA
from steadyarm.live.core.units import MOST_IN_A_BATCH
from steadyarm.live.storage.queries import LATEST
from steadyarm.planning.goals import GOALS

MOST_LISTED = 100
"""Experiments in one answer."""

NAMED: dict[str, Any] = {"pattern": names.NAME_PATTERN}
"""What the JSON schema of a name adds to that of a text; `check_name` itself states the rule better than a pattern."""

UNIT: dict[str, Any] = {"minLength": 1, "maxLength": names.LONGEST_UNIT}
"""Likewise of a unit, and `check_unit`."""

UnitName = Annotated[str, AfterValidator(names.check_unit), WithJsonSchema({"type": "string"} | UNIT)]
_Reason = Annotated[str, AfterValidator(partial(names.check_text, what="reason", shortest=1))]


class Body(BaseModel):
    """A request body that its model parses: these members and no others, each of its own type."""

    model_config = ConfigDict(extra="forbid", strict=True)
    example: ClassVar[dict[str, Any]]


class Problem(BaseModel):
    """An error (RFC 9457); `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str


class Health(BaseModel):
    """How the service is."""

    status: str


class Configuration(BaseModel):
    """An experiment as created; a policy's further parameters may stand beside these."""

    arms: list[Annotated[str, Field(min_length=1, max_length=LONGEST_ARM)]] = Field(
        min_length=FEWEST_ARMS, max_length=MOST_ARMS
    )
    horizon: int = Field(ge=FEWEST_ARMS + 1, le=LARGEST_HORIZON, description="Rounds, more than arms.")
    policy: str | None = Field(
        None,
        description="A name that `steadyarm policies` lists, or one that the server was started with; by default a "
        "plan chooses.",
    )
    rewards: Rewards = "gaussian"
    low: float | None = Field(None, description="Smallest bounded reward; 0 by default.")
    high: float | None = Field(None, description="Largest bounded reward; 1 by default.")
    mean_bound: float | None = Field(None, gt=0, description="M: means lie in [-M, M].")
    noise_scale: float | None = Field(
        None, gt=0, description="σ; by default 1, or half the range of rewards."
    )
    alpha: float | None = Field(
        None, gt=0, description="SLE-UCB's knob: a larger α buys stability at the cost of regret."
    )
    constants: Literal["paper", "sharp"] | None = None
    beta: float | None = Field(None, gt=0)
    spread: float | None = Field(None, gt=0, description="Steady's knob: how far an arm's pulls may spread.")
    share: float | None = Field(
        None, gt=0, le=1, description="Of the rounds, given at random, so that probabilities are logged."
    )
    share_decay: float | None = Field(
        None,
        ge=0,
        lt=1,
        description="The share of round t is share·t^−share_decay; without it, constant.",
    )
    plan: dict[str, float | bool] | None = Field(
        None,
        description=f"Instead of a policy: one goal of {', '.join(GOALS)}; with guaranteed: true it is proved.",
    )
    seed: int | None = Field(None, ge=0, le=LARGEST_SEED, description="Drawn unless given.")
    trial: str | None = Field(
        None,
        pattern="^[0-9a-f]{64}$",
        description="The digest of the trial that was planned with `sa.trial`.",
    )
    attribution: dict[str, float | str] | None = Field(
        None,
        description="`after` how long, in seconds or like P14D, silence counts as `reward`; never by default.",
    )
    batch: int | None = Field(
        None,
        ge=1,
        le=LARGEST_BATCH,
        description="After each batch of this many units the policy learns from all outcomes known then; 1 by default.",
    )
    delay: int | None = Field(
        None,
        ge=0,
        le=LONGEST_DELAY,
        description="The policy learns from an outcome this many units after its own at the earliest; 0 by default.",
    )
    traffic: dict[str, dict[str, float]] | None = Field(
        None,
        description="Shares of the rounds by arm, kept in every prefix: `at_least`, `at_most` or `exactly`.",
    )
    holdout: float | dict[str, Any] | None = Field(
        None, description="The share of units that get no arm, or with `share` and `arm` a stated one."
    )
    strata: list[str] | None = Field(
        None, min_length=2, max_length=MOST_STRATA, description="One play each; an allocation names its own."
    )
    continues: str | None = Field(
        None,
        description="An experiment that this one succeeds; that one is closed, and no data carries over.",
    )
    description: str | None = Field(None, max_length=names.LONGEST_TEXT)


class Experiment(BaseModel):
    """The state of an experiment."""

    experiment: str
    state: Literal["created", "running", "paused", "closed"]
    state_seq: int = Field(description="The entry that brought the state.")
    moves: list[Literal["start", "pause", "close"]] = Field(description="What leads to another state.")
    configuration: dict[str, Any]
    policy: dict[str, Any]
    policy_title: str = Field(description="What the policy is called.")
    goal: str | None = Field(description="What `plan` asks for, in words; null without one.")
    round: int
    horizon: int
    rewarded: int
    untold: int = Field(
        description="Of the rewarded: those that wait until the policy is told them, by `batch` and `delay`."
    )
    lapsed: int = Field(description="Of the rewarded: those by silence.")
    amended: int = Field(description="Amendments so far.")
    voided: int
    defaulted: int = Field(description="Units that were served a default, outside the policy.")
    outstanding: int
    retired: list[dict[str, Any]] = Field(description="Arms that are never given again: since when, and why.")
    retirable: list[str] = Field(description="Arms that may be retired now.")
    holdout: dict[str, Any] | None = Field(description="Units held out, and what came of them.")
    continues: dict[str, Any] | None = Field(
        description="The entry of another journal that this one succeeds."
    )
    seq: int
    hash: str
    format: int = Field(description="The version of the journal's format.")
    created_at: str
    notes: list[str]


class Move(Body):
    """Which state a call ends, needed only to start a paused experiment; and why."""

    example = {"state_seq": 3, "reason": "a weekend"}
    state_seq: int | None = Field(default=None, ge=1, le=LATEST, description="`state_seq` of the experiment.")
    reason: _Reason | None = Field(default=None, min_length=1, max_length=names.LONGEST_TEXT)


class Experiments(BaseModel):
    """Experiments by name; one whose journal is damaged has the state "damaged" and a `detail`."""

    experiments: list[dict[str, Any]]


class Units(Body):
    """Units to allocate, in this order."""

    example = {"units": ["u1", "u2"]}
    units: list[UnitName] = Field(min_length=1, max_length=MOST_IN_A_BATCH)
    stratum: str | None = Field(
        default=None, min_length=1, description="Of all of them, if there are strata."
    )


class Stratum(Body):
    """The stratum of a unit, if the experiment has strata."""

    example = {"stratum": "mobile"}
    stratum: str | None = Field(default=None, min_length=1)


class Allocation(BaseModel):
    """A unit's arm; one that is held out has none, or the one that was stated, and no round."""

    unit: str
    arm: str | None
    round: int | None = Field(description="0 if it was served a default, outside the policy.")
    seq: int
    holdout: bool = False
    stratum: str | None = None


class Allocations(BaseModel):
    """Allocations in the order in which they were asked for."""

    allocations: list[Allocation]


class Reward(Body):
    """A reward of the declared kind."""

    example = {"reward": 1.0}
    reward: Annotated[Any, WithJsonSchema({"type": "number"})]  # the experiment knows what it may be


class UnitReward(Body):
    """A unit with its reward."""

    example = {"unit": "u1", "reward": 1.0}
    unit: UnitName
    reward: Annotated[Any, WithJsonSchema({"type": "number"})]


class UnitRewards(Body):
    """Rewards of units, in this order."""

    example = {"rewards": [UnitReward.example]}
    rewards: list[UnitReward] = Field(min_length=1, max_length=MOST_IN_A_BATCH)


class Amendment(Body):
    """A corrected reward, why, and the entry that told the wrong one."""

    example = {"reward": 0.0, "reason": "was returned", "outcome_seq": 17}
    reward: Annotated[Any, WithJsonSchema({"type": "number"})]
    reason: _Reason = Field(min_length=1, max_length=names.LONGEST_TEXT)
    outcome_seq: int = Field(ge=1, le=LATEST, description="`outcome_seq` of the unit.")


class Rewarded(BaseModel):
    """A reward as it stands in the journal."""

    unit: str
    arm: str | None
    reward: float
    seq: int


class ManyRewarded(BaseModel):
    """Rewards in the order in which they were told."""

    rewards: list[Rewarded]


class Amended(BaseModel):
    """An amended reward beside the one that the policy was told."""

    unit: str
    arm: str | None
    reward: float
    first_reward: float
    reason: str
    seq: int


class Reason(Body):
    """Why."""

    example = {"reason": "out of stock"}
    reason: _Reason = Field(min_length=1, max_length=names.LONGEST_TEXT)


class Retired(BaseModel):
    """An arm that is never given again, from which entry on and why."""

    arm: str
    seq: int
    at: str
    reason: str


class Void(Body):
    """Why a unit will never report."""

    example = {"reason": "moved away"}
    reason: _Reason = Field(min_length=1, max_length=names.LONGEST_TEXT)


class Voided(BaseModel):
    """A voided unit as it stands in the journal."""

    unit: str
    arm: str | None
    reason: str
    seq: int


class UnitState(BaseModel):
    """Everything about a unit."""

    unit: str
    arm: str | None
    round: int | None
    seq: int
    at: str
    outcome: Literal["outstanding", "rewarded", "lapsed", "voided", "amended", "defaulted"]
    reward: float | None
    reason: str | None
    outcome_seq: int | None
    outcome_at: str | None
    first_reward: float | None = Field(description="What the policy was told.")
    first_seq: int | None
    amends: int | None = Field(description="The entry that the last amendment corrects.")
    served: str | None = Field(description="The default arm that it had while the service was away.")
    stratum: str | None
    holdout: bool


class Token(BaseModel):
    """What the token of this request may do."""

    id: str
    label: str
    scopes: list[str]
    created_at: str
    experiment: str | None = Field(description="The only experiment that it is for.")
    expires_at: str | None
    actor: str = Field(description="How journals name it.")


class Verified(BaseModel):
    """A journal that is what was written."""

    experiment: str
    entries: int
    hash: str
    decisions: int
    amended: int
    defaulted: int
