"""The priority permutation ω that breaks ties (Algorithm 1, line 3): uniform, and a pure function too."""

import numpy as np
import numpy.typing as npt

from steadyarm.errors import InvalidInput
from steadyarm.model import checks
from steadyarm.model.table import uniform
from steadyarm.numerics.compiled import compiled
from steadyarm.numerics.philox import PRIORITY, words_at

_STREAM = np.uint64(PRIORITY)
_ZERO = np.uint64(0)


@compiled
def fill_priority(seed: np.uint64, run: int, rank: npt.NDArray[np.int64]) -> None:
    """Write each arm's rank in run `run`: a Fisher–Yates shuffle driven by that run's priority stream."""
    for arm in range(rank.size):
        rank[arm] = arm
    for last in range(rank.size - 1, 0, -1):
        words = words_at(seed, np.uint64(run), _ZERO, _STREAM, np.uint64(last))
        other = np.int64(uniform(words[0]) * (last + 1))
        rank[last], rank[other] = rank[other], rank[last]


def draw_priority(n_arms: int, seed: int, run: int) -> list[int]:
    """Return the ranks of the arms in one run.

    >>> sorted(draw_priority(5, seed=7, run=0))
    [0, 1, 2, 3, 4]
    """
    rank = np.empty(n_arms, dtype=np.int64)
    fill_priority(np.uint64(seed), run, rank)
    return [int(place) for place in rank]


def check_priority(priority: object, n_arms: int) -> list[int]:
    """Return given ranks as a list: n_arms distinct whole numbers, the smallest winning a tie."""
    ranks = [
        checks.integer(rank, f"priority[{arm}]", at_least=0, at_most=2**53)
        for arm, rank in enumerate(checks.reals(priority, "priority"))
    ]
    if len(ranks) != n_arms or len(set(ranks)) != n_arms:
        raise InvalidInput(
            f"priority must give each of the {n_arms} arms a rank of its own; got {ranks!r}. "
            "priority[i] is arm i's rank, and the smallest rank wins a tie."
        )
    return ranks
