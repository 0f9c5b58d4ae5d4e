"""What is said of an experiment over the wire: its arms, its results and how they came about."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class Arms(BaseModel):
    """The arms with their indices."""

    experiment: str
    round: int
    arms: list[dict[str, Any]]


class Results(BaseModel):
    """What the experiment says so far."""

    experiment: str
    round: int
    horizon: int
    level: float
    arms: list[dict[str, Any]] = Field(
        description="`interval` is the narrowest that is valid; `wald`, and `wilson` of 0/1 rewards, take the "
        "counts as fixed; `anytime` holds whenever you look. All keep within the range of the rewards."
    )
    intervals: dict[str, str] = Field(
        description="The `method` of `interval`, why in `words`, which of the others is the ordinary one, and what "
        "people call that."
    )
    differences: dict[str, Any] = Field(
        description="Of all pairs, or to `control`, with intervals that hold together, and decisions in words. "
        "`p_value` is below 1 − level where the interval leaves out 0, and holds when it does; `anytime_p_value` holds "
        "whenever you look; both are for all rows together."
    )
    weighted: dict[str, Any] | None = Field(
        description="With a `share` of random rounds: means, and differences from `control`, weighted by the logged "
        "probabilities, with an interval for the planned end (`wald`) and one for any time (`anytime`), to first order."
    )
    regret: dict[str, Any] = Field(
        description="What the rewards came to, what was lost by not always pulling the best arm, and the best bound, "
        "in words where it says more than that no more can be lost."
    )
    prediction: dict[str, Any]
    health: dict[str, Any] = Field(
        description="Which checks have raised `alarms`, and each of them in numbers and `words`: `allocation` against "
        "the prediction, `outcomes` that are missing or late, `silence` of arms without any, the `ratio` of the arms, "
        "`drift` of their means."
    )
    holdout: dict[str, Any] | None = Field(description="Units held out, and the mean of their rewards.")
    notes: list[str]
    strata: list[dict[str, Any]] = Field(
        description="Of each stratum the same; then `arms` above are pooled, with means weighted by the strata's units."
    )


class History(BaseModel):
    """How the allocation came about, where it was predicted to be, and how long rewards have been outstanding."""

    experiment: str
    seq: int
    horizon: int
    rounds: list[int]
    arms: list[dict[str, Any]]
    band: dict[str, Any] = Field(
        description="Predicted `counts` and their `sd` along `rounds` for each arm; it is so many `deviations` wide on "
        "either side, the same that `health` judges by."
    )
    outstanding: dict[str, Any]
