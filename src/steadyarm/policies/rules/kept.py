"""The mean of an arm and 1/√n, which most indices need: kept when a reward comes, not computed in every round."""

from __future__ import annotations

import math
from dataclasses import dataclass

from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import inlined
from steadyarm.policies.rules.rule_policy import RulePolicy


@inlined
def keep_mean(arm: int, counts: Integers, totals: Floats, state: Floats, first: int) -> None:
    """Write the mean and 1/√n of an arm into the state, whose places from `first` on hold all means, then all roots."""
    n = float(counts[arm])
    state[first + arm] = totals[arm] / n
    state[first + counts.size + arm] = 1.0 / math.sqrt(n)


@dataclass(frozen=True, kw_only=True)
class KeepsMeans(RulePolicy):
    """A general policy whose rule keeps the mean and 1/√n of each arm, and nothing else."""

    @property
    def kept_size(self) -> int:
        """Two numbers for each arm."""
        return 2 * self.n_arms
