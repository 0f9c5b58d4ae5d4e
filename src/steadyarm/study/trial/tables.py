"""The rows of a trial's tables: what is decided, and how well each arm is known at the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from steadyarm.inference.methods import interval_ends
from steadyarm.inference.outcomes import Outcomes
from steadyarm.inference.pairs import pairs_of
from steadyarm.theory.estimates import Estimate


def decision_row(
    outcomes: Outcomes, method: str, level: float, control: int | None, optimal_at: float
) -> dict[str, Any]:
    """Return how often what `sa.differences` decides is wrong, and how often something is rightly decided."""
    means = outcomes.means
    pairs = pairs_of(len(means), control)
    wrong, right = outcomes.decided(method, 1.0 - (1.0 - level) / len(pairs), pairs, optimal_at)
    different = any(means[arm] != means[other] for arm, other in pairs)
    early = outcomes.stopped_early
    stop = {}
    if early is not None:
        stop = _columns("stopped", outcomes.share(early)) | _columns(
            "rounds", outcomes.mean(outcomes.sample.counts.sum(axis=1).astype(float))
        )
    return {
        **_columns("wrong", outcomes.share(wrong)),
        **_columns("power", outcomes.share(right) if different else None),
        **_columns("picks_best", outcomes.mean(outcomes.best_picked)),
        **_columns("reward", outcomes.mean(outcomes.sample.sums.sum(axis=1))),
        **_columns("lost", outcomes.lost),
        **stop,
    }


def arm_rows(outcomes: Outcomes, method: str, level: float, optimal_at: float) -> list[dict[str, Any]]:
    """Return for each arm its pulls, how its estimate errs, and how often an interval holds the mean."""
    sample, rows = outcomes.sample, []
    low, high = outcomes.ends(
        method, lambda part, name: interval_ends(part, name, level, optimal_at=optimal_at)
    )
    for arm, mean in enumerate(outcomes.means.tolist()):
        pulls = sample.counts[:, arm].astype(float)
        errors, pulled = sample.means[:, arm] - mean, pulls > 0
        square = outcomes.mean(errors**2, pulled)
        # A sum of rewards without any variance still has rounding errors.
        slack = 1e-9 * max(1.0, abs(mean))
        held = (low[:, arm] <= mean + slack) & (mean - slack <= high[:, arm])
        root, least, most = np.sqrt([square.value, max(0.0, square.low), square.high]).tolist()
        rows.append(
            {
                "arm": arm,
                "mean": mean,
                **_columns("pulls", outcomes.mean(pulls)),
                **_columns("spread", outcomes.spread(pulls)),
                **_columns("bias", outcomes.mean(errors, pulled)),
                **_columns("rmse", Estimate(root, least, most, square.runs)),
                **_columns("coverage", outcomes.share(held)),
                **_columns("width", outcomes.mean(high[:, arm] - low[:, arm], pulled)),
            }
        )
    return rows


def _columns(name: str, estimate: Estimate | None) -> dict[str, float]:
    value, low, high = (np.nan,) * 3 if estimate is None else (estimate.value, estimate.low, estimate.high)
    return {name: value, f"{name}_low": low, f"{name}_high": high}
