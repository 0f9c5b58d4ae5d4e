"""Where the allocation of an experiment should be, now and along its horizon.

By the fluid prediction if outcomes are told at once, and by simulation if they are told late or in batches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from steadyarm.errors import NotSupported, SteadyarmError
from steadyarm.live.analysis.late_prediction import late_band
from steadyarm.live.core.experiment import Summary
from steadyarm.model import Instance
from steadyarm.numerics.arrays import Floats
from steadyarm.policies import Curves, OwnHistoryPolicy
from steadyarm.theory import Prediction, predict

BAND = 3.0
"""How many standard deviations on either side of the predicted count are its band, which is drawn and judged by."""

_MOST_NUMBERS = 20_000  # of a band: arms times rounds


@dataclass(frozen=True, kw_only=True)
class _UpTo(OwnHistoryPolicy):
    """A policy in the middle of its horizon: its own curves, but fewer rounds.

    The horizon in the stabilizer λ·log(T/n) adds the same to all arms, so it decides nothing.
    """

    title = "so far"
    source = "none"
    of: Curves = None  # type: ignore[assignment]

    @property
    def curves(self) -> Curves:
        return self.of._replace(horizon=float(self.horizon))


def refusal(summary: Summary) -> str:
    """Return why there is no prediction yet, or nothing if there is one."""
    policy = summary.setup.policy
    if summary.strata:
        return "each stratum has a play of its own"
    if summary.retired:
        return f"arm {summary.retired[0].arm!r} was retired, and the prediction is about all arms"
    if summary.setup.feedback.at_once and not isinstance(policy, OwnHistoryPolicy):
        return f"{policy.title} has no fluid prediction; use `steadyarm simulate`"
    if min(summary.observed) == 0 or summary.round <= policy.n_arms:
        return "every arm needs a reward first"
    return ""


def prediction_of(summary: Summary) -> dict[str, Any]:
    """Compare the counts with those that are predicted for arms with the means seen so far."""
    reason = refusal(summary)
    if reason:
        return {"available": False, "reason": reason}
    try:
        if not summary.setup.feedback.at_once:
            band = late_band(summary, _scales(summary))
            return _compared(summary, *band.at(summary.round)) | {"simulated_runs": band.runs}
        found = _predicted(summary, summary.round)
        return _compared(summary, found.counts, found.sd, found.trusted, found.reason)
    except (NotSupported, SteadyarmError) as refused:
        return {"available": False, "reason": str(refused)}


def band_of(summary: Summary, most: int = 41) -> dict[str, Any]:
    """Return predicted counts and their deviations at rounds up to the horizon, for the means seen so far."""
    policy = summary.setup.policy
    reason = refusal(summary)
    if reason:
        return {"available": False, "reason": reason}
    if not summary.setup.feedback.at_once:
        return _late_band_of(summary)
    n_points = max(8, min(most, _MOST_NUMBERS // policy.n_arms))
    first, now, last = policy.n_arms + 1, summary.round, policy.horizon
    # Half of them up to now: what a chart shows of the first rounds of many is not a line between two far points.
    parts = np.linspace(first, now, n_points // 2), np.linspace(now, last, n_points - n_points // 2)
    rounds = np.unique(np.concatenate(parts).round().astype(int))
    try:
        found = [_predicted(summary, int(turn)) for turn in rounds]
    except (NotSupported, SteadyarmError) as refused:
        return {"available": False, "reason": str(refused)}
    return {
        "available": True,
        "rounds": rounds.tolist(),
        "counts": np.array([each.counts for each in found]).T.tolist(),
        "sd": np.array([each.sd for each in found]).T.tolist(),
        "deviations": BAND,
        "trusted": found[-1].trusted,
        "reason": found[-1].reason,
    }


def _late_band_of(summary: Summary) -> dict[str, Any]:
    try:
        found = late_band(summary, _scales(summary))
    except SteadyarmError as refused:
        return {"available": False, "reason": str(refused)}
    return {
        "available": True,
        "rounds": found.rounds.tolist(),
        "counts": found.counts.T.tolist(),
        "sd": found.sd.T.tolist(),
        "deviations": BAND,
        "trusted": True,
        "reason": "",
        "simulated_runs": found.runs,
    }


def _predicted(summary: Summary, turn: int) -> Prediction:
    policy = summary.setup.policy
    assert isinstance(policy, OwnHistoryPolicy)
    means = [total / n for total, n in zip(summary.sums, summary.observed, strict=True)]
    now = _UpTo(n_arms=policy.n_arms, horizon=turn, noise_scale=policy.noise_scale, of=policy.curves)
    return predict(now, Instance.gaussian(means, noise_scale=_scales(summary)))


def _compared(
    summary: Summary, counts: Floats, deviations: Floats, trusted: bool = True, reason: str = ""
) -> dict[str, Any]:
    arms, largest = [], 0.0
    for arm, count, expected, sd in zip(summary.setup.arms, summary.counts, counts, deviations, strict=True):
        away = count - float(expected)
        share = away / float(sd) if math.isfinite(sd) and sd > 0.0 else None
        largest = max(largest, abs(away))
        arms.append(
            {
                "arm": arm,
                "count": count,
                "predicted": float(expected),
                "sd": float(sd),
                "deviations": share,
            }
        )
    return {
        "available": True,
        "arms": arms,
        "largest_difference": largest,
        "trusted": trusted,
        "reason": reason,
    }


def _scales(summary: Summary) -> list[float]:
    """Return the standard deviation of each arm's rewards, or σ where too few are known."""
    scales, policy = [], summary.setup.policy
    for n, total, square in zip(summary.observed, summary.sums, summary.squares, strict=True):
        variance = (square - total * total / n) / (n - 1) if n > 1 else 0.0
        scales.append(math.sqrt(variance) if n >= 30 and variance > 0.0 else policy.noise_scale)
    return scales
