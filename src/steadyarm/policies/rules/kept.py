"""The mean of an arm and 1/√n, which most indices need: kept when a reward comes, not computed in every round."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import inlined
from steadyarm.policies.rules.rule_policy import RulePolicy


@inlined
def keep_means(parameters: Any, arm: int, counts: Integers, totals: Floats, state: Floats) -> None:
    """Keep all means, then all roots 1/√n, in the last places of the state: the `keep` of most rules."""
    n, first = float(counts[arm]), state.size - 2 * counts.size
    state[first + arm] = totals[arm] / n
    state[first + counts.size + arm] = 1.0 / math.sqrt(n)


@dataclass(frozen=True, kw_only=True)
class KeepsMeans(RulePolicy):
    """A general policy whose rule keeps the mean and 1/√n of each arm, and nothing else."""

    @property
    def kept_size(self) -> int:
        """Two numbers for each arm."""
        return 2 * self.n_arms
