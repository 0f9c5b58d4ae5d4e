"""Plays rounds of a run one by one, by merging the arms' sequences of indices."""

import numpy as np

from steadyarm.engines.interface import ROUNDS_PER_CHECK, Watch
from steadyarm.engines.played.arms import Arms, advance, look_ahead
from steadyarm.engines.played.game import Game
from steadyarm.numerics.arrays import Floats
from steadyarm.numerics.compiled import compiled, inlined

_PATIENCE = 16  # wins in a row after which an arm is taken down alone; doubled while that does not pay
_EMPTY = -1  # a place of the tournament that no arm has come to yet


@compiled
def play_on(game: Game, run: int, arms: Arms, played: int, until: int, watch: Watch) -> bool:
    """Play rounds played + 1, …, until one by one: largest index, ties by rank. False if stopped.

    A loser tree holds the order of the arms. Only the arm just pulled changes its index, so one walk from
    its leaf to the root, with one comparison a level, finds the next one.
    """
    # Local names: Numba counts references on each access to a field of a record, which would cost more than
    # the round itself. An arm is named by its rank here, so that a tie is one comparison.
    by_rank, losers, losing, following, end = arms.by_rank, arms.losers, arms.losing, arms.following, arms.end
    stop, done = watch.stop, watch.done
    ahead, row, n_arms = arms.ahead.ravel(), arms.ahead.shape[1], losers.size
    for arm in range(n_arms):
        place = arms.rank[arm]
        by_rank[place] = arm
        following[place] = arm * row + arms.count[arm] - arms.start[arm]
        end[place] = arm * row + arms.filled[arm] - arms.start[arm]
    champion = _first_tournament(arms)
    index, streak, patience = 0.0, 0, _PATIENCE
    while played < until:
        if stop[0] != 0:
            return False
        rounds = min(ROUNDS_PER_CHECK, until - played)
        left = rounds
        while left > 0:
            if streak < patience:
                place = following[champion]
                if place == end[champion]:
                    arm = by_rank[champion]
                    look_ahead(game, run, arms, arm)
                    place = arm * row
                    end[champion] = place + arms.filled[arm] - arms.start[arm]
                index = ahead[place]
                following[champion] = place + 1
                left -= 1
            else:  # an arm far in front: take it alone down to the runner-up
                arm = by_rank[champion]
                before = arms.start[arm] + following[champion] - arm * row
                arms.count[arm], arms.index[arm] = before, index
                advance(game, run, arms, arm, _runner_up(losing, champion), before + left, stop)
                index = arms.index[arm]
                following[champion] = arm * row + arms.count[arm] - arms.start[arm]
                end[champion] = arm * row + arms.filled[arm] - arms.start[arm]
                taken = arms.count[arm] - before
                left -= taken
                streak, patience = 0, _PATIENCE if taken >= _PATIENCE else 2 * patience
            # Written without a branch: who wins is as unpredictable as the rewards.
            before = champion
            node = (n_arms + champion) >> 1
            while node > 0:
                rival, its_index = losers[node], losing[node]
                beaten = (its_index > index) | ((its_index == index) & (rival < champion))
                winner = rival if beaten else champion
                losers[node] = rival ^ champion ^ winner
                losing[node] = min(its_index, index)
                index = max(its_index, index)
                champion = winner
                node >>= 1
            streak = streak + 1 if champion == before else 0
        played += rounds
        done[0] += rounds
    for arm in range(n_arms):
        place = following[arms.rank[arm]]
        arms.count[arm] = arms.start[arm] + place - arm * row
        if place > arm * row:
            arms.index[arm] = ahead[place - 1]
    return True


@inlined
def _runner_up(losing: Floats, champion: int) -> float:
    """Return the largest index among those that the champion beat."""
    node = (losing.size + champion) >> 1
    largest = -np.inf
    while node > 0:
        largest = max(largest, losing[node])
        node >>= 1
    return largest


@compiled
def _first_tournament(arms: Arms) -> int:
    """Fill the loser tree, one arm after the other, and return the champion; arms are named by their ranks.

    A node keeps the first arm that comes along; when the second does, the loser stays and the winner goes on.
    """
    losers, losing, n_arms = arms.losers, arms.losing, arms.losers.size
    losers[:] = _EMPTY
    champion = 0
    for place in range(n_arms):
        champion, index = place, arms.index[arms.by_rank[place]]
        node = (n_arms + place) >> 1
        while node > 0:
            rival, its_index = losers[node], losing[node]
            if rival == _EMPTY:
                losers[node], losing[node] = champion, index
                break
            if its_index > index or (its_index == index and rival < champion):
                losers[node], losing[node] = champion, index
                champion, index = rival, its_index
            node >>= 1
    return champion
