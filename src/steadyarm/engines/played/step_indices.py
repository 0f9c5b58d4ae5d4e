"""The step engine's kernel for own-history policies, O(log K) a round."""

import numpy as np

from steadyarm.engines.played.arms import Integers, Source, Tables, advance, begin, empty_arms, play_on
from steadyarm.model.compiled import compiled
from steadyarm.model.priority import fill_priority
from steadyarm.policies.core.curves import Curves


@compiled
def play_indices(
    curves: Curves,
    tables: Tables,
    source: Source,
    horizon: int,
    first_run: int,
    counts: Integers,
    stop: Integers,
    done: Integers,
) -> None:
    """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
    n_arms = counts.shape[1]
    arms = empty_arms(n_arms)
    for row in range(counts.shape[0]):
        run = first_run + row
        fill_priority(source.seed, run, arms.rank)
        for arm in range(n_arms):
            begin(arms, arm)
            advance(curves, tables, source, run, arms, arm, np.inf, 1, stop)
        done[0] += n_arms
        if not play_on(curves, tables, source, run, arms, n_arms, horizon, stop, done):
            return
        counts[row] = arms.count
