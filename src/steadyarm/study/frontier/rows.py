"""The rows of a frontier's table: a policy's two worst cases beside what the theorems say of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from steadyarm.engines.result import Simulation
from steadyarm.policies.own_history.sle_ucb import SLEUCB
from steadyarm.policies.own_history.steady import Steady
from steadyarm.study.worst_case.budget import Participant
from steadyarm.study.worst_case.sweep import Worst, product_estimate
from steadyarm.theory.guarantees import guarantee

if TYPE_CHECKING:
    from steadyarm.study.frontier.study import FrontierStudy


def row_of(
    study: FrontierStudy, label: str, curve: str | None, participant: Participant, worst: Worst
) -> dict[str, Any]:
    """Return the row of a policy on a curve or beside them; docs/frontier.md explains the columns."""
    policy, horizon = participant.policy, float(study.horizon)
    regret, instability = worst.regret.regret, worst.instability.instability
    product, unit = product_estimate(regret, instability), horizon**1.5
    promise = guarantee(policy) if isinstance(policy, SLEUCB) else None
    least, times = (
        study.limit.least_instability(regret.value),
        study.limit.times_least_regret(regret, instability),
    )
    most = 2.0 * study.mean_bound * horizon * (1.0 - 1.0 / study.n_arms)
    return {
        "policy": label,
        "name": policy.name,
        "curve": curve,
        "constants": policy.constants if isinstance(policy, SLEUCB) and curve else None,
        "alpha": policy.alpha if isinstance(policy, SLEUCB) else math.nan,
        "spread": policy.spread if isinstance(policy, Steady) else math.nan,
        **regret.columns("regret"),
        **instability.columns("instability"),
        **product.over(unit).columns("product"),
        **times.columns("times_least_regret"),
        "runs": participant.runs,
        "regret_runs": participant.regret_runs,
        "regret_over_uniform": regret.value / most,
        "regret_bound": promise.regret if promise else math.nan,
        "instability_bound": promise.instability if promise else math.nan,
        "product_bound": promise.product / unit if promise else math.nan,
        "least_instability": least,
        "engine": worst.regret.engine,
        "search_horizon": participant.search.horizon or study.horizon,
        "regret_family": worst.families[0],
        "instability_family": worst.families[1],
        "regret_means": _means(worst.regret),
        "instability_means": _means(worst.instability),
    }


def _means(simulation: Simulation) -> str:
    """Return the means to the last bit, so that the row can be measured again."""
    return ", ".join(repr(float(mean)) for mean in simulation.instance.means)
