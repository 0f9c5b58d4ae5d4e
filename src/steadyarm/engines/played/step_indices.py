"""The step engine's kernel for own-history policies, O(log K) a round."""

import numpy as np

from steadyarm.engines.interface import Watch
from steadyarm.engines.played.arms import advance, empty_arms, reset_arm
from steadyarm.engines.played.game import Game
from steadyarm.engines.played.merge import play_on
from steadyarm.model.arrays import Integers
from steadyarm.model.compiled import compiled
from steadyarm.model.priority import fill_priority


@compiled
def play_indices(game: Game, first_run: int, counts: Integers, watch: Watch) -> None:
    """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
    n_arms = counts.shape[1]
    arms = empty_arms(n_arms)
    for row in range(counts.shape[0]):
        run = first_run + row
        fill_priority(game.source.seed, run, arms.rank)
        for arm in range(n_arms):
            reset_arm(arms, arm)
            advance(game, run, arms, arm, np.inf, 1, watch.stop)
        watch.done[0] += n_arms
        if not play_on(game, run, arms, n_arms, watch):
            return
        counts[row] = arms.count
