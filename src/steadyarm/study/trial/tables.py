"""The rows of a trial's tables: what is decided, and how well each arm is known at the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from steadyarm.inference.methods import interval_ends
from steadyarm.inference.outcomes import Outcomes
from steadyarm.inference.pairs import pairs_of
from steadyarm.theory.estimates import UNKNOWN, Estimate


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
        rounds = outcomes.mean(outcomes.sample.counts.sum(axis=1).astype(float))
        stop = outcomes.share(early).columns("stopped") | rounds.columns("rounds")
    return {
        **outcomes.share(wrong).columns("wrong"),
        **(outcomes.share(right) if different else UNKNOWN).columns("power"),
        **outcomes.mean(outcomes.best_picked).columns("picks_best"),
        **outcomes.mean(outcomes.sample.sums.sum(axis=1)).columns("reward"),
        **outcomes.lost.columns("lost"),
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
                **outcomes.mean(pulls).columns("pulls"),
                **outcomes.spread(pulls).columns("spread"),
                **outcomes.mean(errors, pulled).columns("bias"),
                **Estimate(root, least, most, square.runs).columns("rmse"),
                **outcomes.share(held).columns("coverage"),
                **outcomes.mean(high[:, arm] - low[:, arm], pulled).columns("width"),
            }
        )
    return rows
