"""The rows of a trial's tables: what is decided, and how well each arm is known at the end."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from steadyarm.inference.differences import Pairs, difference_ends, method_of_differences
from steadyarm.inference.methods import interval_ends
from steadyarm.inference.sample import Sample
from steadyarm.model.arrays import Floats
from steadyarm.study.trial.outcomes import Outcomes, Truths
from steadyarm.theory.estimates import Estimate


def pairs_of(n_arms: int, control: int | None) -> list[tuple[int, int]]:
    """Return the pairs that are compared: all of them, or each arm with a control.

    >>> pairs_of(3, None), pairs_of(3, 1)
    ([(1, 0), (2, 0), (2, 1)], [(0, 1), (2, 1)])
    """
    if control is None:
        return [(arm, other) for other, arm in combinations(range(n_arms), 2)]
    return [(arm, control) for arm in range(n_arms) if arm != control]


def decision_row(
    outcomes: Outcomes, method: str, level: float, control: int | None, optimal_at: float
) -> dict[str, Any]:
    """Return how often what `sa.differences` decides is wrong, and how often something is rightly decided."""
    means = np.array(outcomes.instance.means)
    pairs = pairs_of(len(means), control)
    wrong, right = _decided(outcomes, method, 1.0 - (1.0 - level) / len(pairs), pairs, optimal_at)
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
        **_columns("picks_best", outcomes.mean(_best_picked(outcomes))),
        **_columns("reward", outcomes.mean(outcomes.sample.sums.sum(axis=1))),
        **_columns("lost", outcomes.mean(outcomes.sample.counts @ np.array(outcomes.instance.gaps))),
        **stop,
    }


def arm_rows(outcomes: Outcomes, method: str, level: float, optimal_at: float) -> list[dict[str, Any]]:
    """Return for each arm its pulls, how its estimate errs, and how often an interval holds the mean."""
    sample, rows = outcomes.sample, []
    low, high = outcomes.ends(
        method, lambda part, name: interval_ends(part, name, level, optimal_at=optimal_at)
    )
    for arm, mean in enumerate(outcomes.instance.means):
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


def shown_signs(outcomes: Outcomes, method: str, level: float, pairs: Pairs, optimal_at: float) -> Any:
    """Return for each end and pair the sign of the difference that is declared, 0 if none is."""

    def by(part: Sample, name: str) -> tuple[Floats, Floats]:
        return difference_ends(part, method_of_differences(name), level, pairs, optimal_at=optimal_at)

    lows, highs = outcomes.ends(method, by)
    return (lows > 0.0).astype(int) - (highs < 0.0)


def _decided(
    outcomes: Outcomes, method: str, level: float, pairs: Pairs, optimal_at: float
) -> tuple[Truths, Truths]:
    """Return where some arm is shown to be better than one that is no worse, and where a true difference is shown."""
    means = np.array(outcomes.instance.means)
    true = np.array([np.sign(means[arm] - means[other]) for arm, other in pairs])
    shown = shown_signs(outcomes, method, level, pairs, optimal_at)
    return ((shown != 0) & (shown != true)).any(axis=1), ((shown != 0) & (shown == true)).any(axis=1)


def _best_picked(outcomes: Outcomes) -> Any:
    """Return the chance that the arm with the largest sample mean is a best one; ties are split evenly."""
    means = np.where(outcomes.sample.counts > 0, outcomes.sample.means, -np.inf)
    leads = means == means.max(axis=1, keepdims=True)
    best = np.array(outcomes.instance.gaps) == 0.0
    return (leads & best).sum(axis=1) / leads.sum(axis=1)


def _columns(name: str, estimate: Estimate | None) -> dict[str, float]:
    value, low, high = (np.nan,) * 3 if estimate is None else (estimate.value, estimate.low, estimate.high)
    return {name: value, f"{name}_low": low, f"{name}_high": high}
