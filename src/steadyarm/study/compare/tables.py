"""The tables of a comparison: a row for each policy, and one for each pair of them and quantity."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtrit

from steadyarm.engines.result import Simulation
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments
from steadyarm.policies.core.policy import Policy
from steadyarm.study.coverage.interval_coverage import ORACLE, covered
from steadyarm.theory.estimates import UNKNOWN, Estimate, mean_estimate
from steadyarm.theory.limit import Limit
from steadyarm.theory.paired_differences import largest_sd_difference, mean_difference

if TYPE_CHECKING:
    import pandas as pd

_QUANTILES = (0.5, 0.95, 0.99)


def limit_around(policies: list[Policy], instance: Instance) -> Limit | None:
    """Return what no policy can beat over the narrowest class of the policies, with rewards of the instance's law.

    There is none where means move: the theorem is about means that stay.
    """
    if instance.moves:
        return None
    arms, horizon = instance.n_arms, policies[0].horizon
    bound = min(policy.class_bound or 1.0 for policy in policies)
    if instance.rewards == "gaussian":
        return Limit(arms, horizon, bound, min(policy.noise_scale for policy in policies))
    return Limit(arms, horizon, rates=(0.0, min(1.0, bound))) if instance.rewards == "bernoulli" else None


def policy_row(label: str, name: str, simulation: Simulation, moments: Moments | None) -> dict[str, Any]:
    """Return what a policy did on the instance of a name."""
    regret, instability = simulation.regret, simulation.instability
    horizon = simulation.policy.horizon
    tail = np.quantile(simulation.run_regrets, _QUANTILES)
    mean, worst = _coverage(simulation, moments, "wald")
    return {
        "policy": label,
        "instance": name,
        "horizon": horizon,
        "runs": simulation.runs,
        "engine": simulation.engine,
        **regret.columns("regret"),
        **instability.columns("instability"),
        "product": simulation.product,
        **_times_least_regret(simulation).columns("times_least_regret"),
        **{f"regret_q{share * 100:.0f}": float(at) for share, at in zip(_QUANTILES, tail, strict=True)},
        "wald_coverage": mean.value,
        "wald_coverage_low": mean.low,
        "wald_coverage_high": mean.high if np.isnan(mean.high) else min(1.0, mean.high),
        "wald_coverage_worst": worst,
        "oracle_coverage": _coverage(simulation, moments, ORACLE)[0].value,
    }


def _times_least_regret(simulation: Simulation) -> Estimate:
    """Return the regret over the least worst-case regret of any policy that nowhere spreads by more than here.

    One instance loses no more and spreads no more than the worst ones, so it is a lower estimate of what `frontier`
    looks for, and may be below 1.
    """
    limit = limit_around([simulation.policy], simulation.instance)
    if limit is None:
        return UNKNOWN
    return limit.times_least_regret(simulation.regret, simulation.instability)


def _coverage(simulation: Simulation, moments: Moments | None, method: str) -> tuple[Estimate, float]:
    """Estimate how often an interval holds the mean, over arms and runs; and for the worst arm."""
    if moments is None:
        return UNKNOWN, math.nan
    held = covered(simulation, moments, method).held
    return mean_estimate(held.mean(axis=1), simulation.level), float(held.mean(axis=0).min())


def difference_rows(
    labels: list[str], name: str, simulations: list[Simulation], level: float
) -> list[dict[str, Any]]:
    """Return the differences of each pair of policies, run by run."""
    rows = []
    for one, other in combinations(range(len(labels)), 2):
        left, right = simulations[one], simulations[other]
        pairs = {
            "regret": mean_difference(left.run_regrets, right.run_regrets, level),
            "instability": largest_sd_difference(left.counts, right.counts, level),
        }
        for quantity, estimate in pairs.items():
            rows.append(
                {
                    "instance": name,
                    "quantity": quantity,
                    "policy": labels[one],
                    "other": labels[other],
                    "difference": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                }
            )
    return rows


def tables(
    rows: list[dict[str, Any]], differences: list[dict[str, Any]], runs: int, level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both tables, with what is significant among all differences together (Bonferroni)."""
    import pandas as pd

    tails = np.array([1.0 - level, (1.0 - level) / max(1, len(differences))]) / 2.0
    own, together = -stdtrit(runs - 1, tails)
    for row in differences:
        toward_zero = (
            row["difference"] - row["low"] if row["difference"] > 0.0 else row["high"] - row["difference"]
        )
        row["significant"] = bool(abs(row["difference"]) > toward_zero * together / own)
        smaller = row["policy"] if row["difference"] < 0.0 else row["other"]
        row["better"] = smaller if row["significant"] else "neither"
    return pd.DataFrame(rows), pd.DataFrame(differences)
