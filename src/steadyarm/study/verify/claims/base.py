"""What a claim is, what checking one needs, and what it finds.

A check turns a claim into a measured number and a bound. `at_most`, `at_least` and `exactly` decide, in one
place, from the interval's end that is further from what was claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from steadyarm.defaults import CLAIM_ARMS, CLAIM_HORIZON
from steadyarm.engines.choice import ENGINES
from steadyarm.engines.result import Simulation
from steadyarm.engines.simulate import simulate
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady
from steadyarm.policies.padded import Padded
from steadyarm.policies.registry import all_policies
from steadyarm.study.adversary import Chain, adversary
from steadyarm.study.influence import efron_stein
from steadyarm.study.verify.claims.sequences import Offline, top_prefix
from steadyarm.theory.bounds import instability_bound, regret_bound
from steadyarm.theory.estimates import Estimate

Floats = npt.NDArray[np.float64]

LEVEL = 0.999  # of the intervals that decide: many claims with several cases each


@dataclass(frozen=True)
class Setting:
    """How much to play, from which seed, and with which parts.

    The parts are the library's own; the tests replace them by broken ones, and the claims must then fail.
    """

    thorough: bool = False
    seed: int = 0
    sle_ucb: Callable[..., SLEUCB] = SLEUCB
    steady: Callable[..., Steady] = Steady
    offline: Offline = top_prefix
    simulate: Callable[..., Simulation] = simulate
    adversary: Callable[..., Chain] = adversary
    efron_stein: Callable[..., list[Estimate]] = efron_stein
    padded: Callable[[Policy], Padded] = Padded
    regret_bound: Callable[[Policy], float] = regret_bound
    instability_bound: Callable[[Policy], float] = instability_bound
    policies: tuple[Policy, ...] = ()
    """The policies that claims about every policy are checked on; without any, those of the registry."""
    mean_bound: float = 1.0
    """M of those policies that have none of their own."""
    runs: int | None = None
    """Runs of those claims, instead of as many as the setting says."""
    horizons: tuple[int, ...] = ()
    """The horizons of claims that span many, instead of from 10³ to as far as can be had."""

    def size(self, quick: int, thorough: int) -> int:
        """Return how much of something: the first number, or the second in a thorough check."""
        return thorough if self.thorough else quick

    def play(self, policy: Policy, instance: Instance, runs: int, engine: str = "auto") -> Simulation:
        """Simulate from the setting's seed, at the level that decides."""
        return self.simulate(
            policy, instance, runs=runs, seed=self.seed, level=LEVEL, engine=engine, progress=False
        )

    @property
    def leaps(self) -> bool:
        """Whether the leap engine is there, so that a trillion rounds cost no more than a million."""
        return "leap" in ENGINES

    def every_policy(self) -> tuple[Policy, ...]:
        """Return the policies that meet the lower bounds.

        With σ = 0.1: there the regret of most lies below Theorem 1's MT/8.
        """
        if self.policies:
            return self.policies
        sharp = {"SLEUCB": {"constants": "sharp"}}
        return tuple(
            kind(n_arms=CLAIM_ARMS, horizon=CLAIM_HORIZON, noise_scale=0.1, **sharp.get(name, {}))
            for name, kind in all_policies().items()
        )


@dataclass(frozen=True)
class Finding:
    """What was predicted and measured in the case with the least room, and whether all cases hold.

    Attributes:
        relation: "≤", "≥", "=" or "≈": how the measured number should stand to the predicted one.
        margin: the room that is left, as a share of the prediction (of 1, where that is 0); negative where
            the claim fails.
        detail: what was measured, on what.
    """

    relation: str
    predicted: float
    measured: float | Estimate
    margin: float
    holds: bool
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """Return a plain dict, fit for JSON."""
        measured = self.measured.to_dict() if isinstance(self.measured, Estimate) else _finite(self.measured)
        return {
            "relation": self.relation,
            "predicted": _finite(self.predicted),
            "measured": measured,
            "margin": _finite(self.margin),
            "holds": self.holds,
            "detail": self.detail,
        }


@dataclass(frozen=True)
class Claim:
    """One row of the paper: its number, where it stands, what it says, and how it is checked."""

    id: int
    where: str
    sentence: str
    check: Callable[[Setting], Finding]


def at_most(measured: float | Estimate, predicted: float, detail: str = "", slack: float = 0.0) -> Finding:
    """Claim that a number is at most another; an estimate with its upper end.

    `slack` is for rounding in exact claims only.
    """
    end = measured.high if isinstance(measured, Estimate) else float(measured)
    return _finding("≤", predicted, measured, predicted - end, slack, detail)


def at_least(measured: float | Estimate, predicted: float, detail: str = "", slack: float = 0.0) -> Finding:
    """Claim that a number is at least another; an estimate with its lower end."""
    end = measured.low if isinstance(measured, Estimate) else float(measured)
    return _finding("≥", predicted, measured, end - predicted, slack, detail)


def not_below(measured: Estimate, predicted: float, detail: str = "") -> Finding:
    """Claim the same where rare runs make up the spread, so that its lower end says nothing: no contradiction."""
    return _finding("≥", predicted, measured, measured.high - predicted, 0.0, detail)


def not_above(measured: Estimate, predicted: float, detail: str = "") -> Finding:
    """Claim that a number is at most another where the two may be equal: no contradiction."""
    return _finding("≤", predicted, measured, predicted - measured.low, 0.0, detail)


def exactly(measured: float, predicted: float, detail: str = "", slack: float = 0.0) -> Finding:
    """Claim that a number equals another."""
    return _finding("=", predicted, measured, -abs(measured - predicted), slack, detail)


def agrees(measured: Estimate, predicted: float, error: float, detail: str = "") -> Finding:
    """Claim that two numbers known up to errors are the same: their intervals meet."""
    room = min(predicted + error - measured.low, measured.high - predicted + error)
    return _finding("≈", predicted, measured, room, 0.0, detail)


def tightest(findings: Sequence[Finding], detail: str, aside: Sequence[Finding] = ()) -> Finding:
    """Return the finding with the least room; it holds if all do.

    Equalities that hold and findings put `aside` show up only if they fail.
    """
    failed = [finding for finding in (*findings, *aside) if not finding.holds]
    bounds = [finding for finding in findings if finding.relation != "="]
    worst = min(failed or bounds or findings, key=lambda finding: finding.margin)
    words = f"{detail}; {worst.detail}" if worst.detail else detail
    return replace(worst, holds=not failed, detail=words)


def _finding(
    relation: str, predicted: float, measured: float | Estimate, room: float, slack: float, detail: str
) -> Finding:
    holds = bool(room >= -slack)  # False for what is not a number
    if abs(room) <= slack and not isinstance(measured, Estimate):
        measured, room = predicted, 0.0  # rounding, and nothing else
    margin = room / abs(predicted) if predicted and math.isfinite(predicted) else room
    return Finding(relation, float(predicted), measured, float(margin), holds, detail)


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
