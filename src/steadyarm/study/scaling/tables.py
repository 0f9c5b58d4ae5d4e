"""The tables of a study of exponents: what was measured at every size, and the lines through it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from steadyarm.study.scaling.fit import fit_exponents, log_error
from steadyarm.study.worst_case.budget import Participant
from steadyarm.study.worst_case.sweep import Worst, product_estimate

if TYPE_CHECKING:
    import pandas as pd

QUANTITIES = ("regret", "instability", "product", "product_over_log")


def tables(
    participants: list[Participant], found: list[Worst], level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return one row for each size, and one row for each exponent."""
    import pandas as pd

    rows = []
    for participant, worst in zip(participants, found, strict=True):
        policy = participant.policy
        measured = {
            "regret": worst.regret.regret,
            "instability": worst.instability.instability,
            "product": product_estimate(worst.regret.regret, worst.instability.instability),
        }
        # Theorem 2 allows a factor log K, and at most (K − 1)/K of all pulls can be suboptimal.
        factor = math.log(2.0 * policy.n_arms) * (1.0 - 1.0 / policy.n_arms)
        measured["product_over_log"] = measured["product"].over(factor)
        row: dict[str, Any] = {"n_arms": policy.n_arms, "horizon": policy.horizon}
        for quantity, estimate in measured.items():
            row |= estimate.columns(quantity)
        constant = measured["product"].value / float(policy.horizon) ** 1.5
        row |= {"constant": constant, "runs": participant.runs, "regret_runs": participant.regret_runs}
        rows.append(row | {"engine": worst.instability.engine})
    table = pd.DataFrame(rows)
    return table, pd.DataFrame(_exponents(table, level))


def _exponents(table: pd.DataFrame, level: float) -> list[dict[str, Any]]:
    sizes = [name for name in ("horizon", "n_arms") if table[name].nunique() > 1]
    fitted = []
    for quantity in QUANTITIES:
        values, lows, highs = (table[f"{quantity}{end}"].to_numpy() for end in ("", "_low", "_high"))
        halves = np.array([log_error(low, high) for low, high in zip(lows, highs, strict=True)])
        if not (np.all(values > 0.0) and np.all(np.isfinite(halves))):
            nothing = {"exponent": math.nan, "low": -math.inf, "high": math.inf, "lack_of_fit": math.nan}
            fitted += [{"size": size, "quantity": quantity} | nothing for size in sizes]
            continue
        found, lack = fit_exponents(
            table[sizes].to_numpy(dtype=float),
            values,
            halves,
            level=level,
            runs=int(table["runs"].min()),
        )
        for size, exponent in zip(sizes, found, strict=True):
            fitted.append(
                {
                    "size": size,
                    "quantity": quantity,
                    "exponent": exponent.value,
                    "low": exponent.low,
                    "high": exponent.high,
                    "lack_of_fit": lack,
                }
            )
    return fitted
