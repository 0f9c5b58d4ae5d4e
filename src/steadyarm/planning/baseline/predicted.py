"""What a design comes to at worst before anything is simulated: to first order, and in no time."""

from __future__ import annotations

from typing import NamedTuple

from steadyarm.inference.validity import counts_are_fixed
from steadyarm.planning.baseline.designs import equal_loss
from steadyarm.planning.baseline.situation import Situation
from steadyarm.planning.goals import spread_of_equal_shares
from steadyarm.planning.trade_offs import trade_off
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.theory.limit import limit_of


class Predicted(NamedTuple):
    """What is lost, and how far traffic spreads, where a design does worst; and the least for that spread."""

    lost_at_worst: float
    spread_at_worst: float
    least_at_worst: float


def predicted(situation: Situation, policy: Policy) -> Predicted | None:
    """Predict a policy, known exactly for equal shares; None where nothing is predicted, as for Thompson sampling.

    >>> from steadyarm.planning.baseline.designs import designs_for
    >>> from steadyarm.planning.baseline.situation import describe
    >>> trial = describe(n_arms=2, horizon=300, baseline=0.4, smallest_difference=0.15)
    >>> found = [predicted(trial, design.policy) for design in designs_for(trial)]
    >>> [None if each is None else round(each.lost_at_worst) for each in found]
    [128, 12, 23, 46, 91, 39, None]
    """
    if counts_are_fixed(policy):
        lost, spread = equal_loss(situation), spread_of_equal_shares(situation.n_arms, situation.horizon)
    elif isinstance(policy, OwnHistoryPolicy):
        found = trade_off(policy, situation.reward_class)
        lost, spread = found.regret, found.instability
    else:
        return None
    limit = limit_of(situation.n_arms, situation.horizon, situation.reward_class)
    return Predicted(lost, spread, limit.least_regret(spread))
