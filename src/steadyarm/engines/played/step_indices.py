"""The step engine's kernel for own-history policies, O(log K) a round."""

from steadyarm.engines.interface import Watch
from steadyarm.engines.played.arms import empty_arms, first_counts, pull_each_once
from steadyarm.engines.played.game import Game
from steadyarm.engines.played.merge import play_on
from steadyarm.model.arrays import Integers, copy
from steadyarm.model.compiled import compiled
from steadyarm.model.priority import fill_priority


@compiled
def play_indices(game: Game, at: Integers, first_run: int, counts: Integers, watch: Watch) -> None:
    """Play runs first_run, first_run + 1, … and write their counts after the rounds `at`, one row a run."""
    n_arms = counts.shape[2]
    arms = empty_arms(n_arms)
    for row in range(counts.shape[0]):
        run = first_run + row
        fill_priority(game.source.seed, run, arms.rank)
        pull_each_once(game, run, arms, watch.stop)
        played = n_arms
        watch.done[0] += played
        for moment in range(at.size):
            if at[moment] <= n_arms:
                first_counts(arms.rank, at[moment], counts[row, moment])
                continue
            if not play_on(game, run, arms, played, at[moment], watch):
                return
            played = at[moment]
            copy(arms.count, counts[row, moment])
