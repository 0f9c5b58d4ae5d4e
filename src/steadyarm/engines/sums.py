"""Moments after the fact: what an arm's first N rewards add up to, read from the reward table again.

A run's terminal counts and its reward table fix all its rewards, so a simulation need not keep them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from steadyarm.engines.interface import NANOSECOND, Player, Watch
from steadyarm.engines.pool import play_all
from steadyarm.engines.progress import Report
from steadyarm.engines.source import Source, source_of
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.model.arrays import Floats, Integers
from steadyarm.model.compiled import compiled
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments, with_reward
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells

_BLOCKS = 1 << 8  # blocks of cells read at once
_OF_A_CELL = 45.0 * NANOSECOND


def reward_moments(
    instance: Instance,
    counts: npt.ArrayLike,
    *,
    seed: int = 0,
    first_run: int = 0,
    threads: int | None = None,
    report: Report | None = None,
) -> Moments:
    """Return sums, squares and deviations of each arm's first `counts[r, arm]` rewards in run `first_run + r`.

    Rewards are added in the order of the pulls, so the numbers have the bits of the play's own.

    >>> import steadyarm as sa
    >>> nu = sa.Instance.bernoulli([0.5, 0.9])
    >>> moments = reward_moments(nu, [[3, 100], [0, 7]], seed=1)
    >>> bool(moments.sums[0, 1] == sa.reward_table(nu, seed=1, run=0, pulls=100)[1].sum())
    True
    >>> float(moments.sums[1, 0])
    0.0
    """
    checks.instance_of(instance, Instance, "instance")
    seed, first_run = checks.seed(seed), checks.run(first_run)
    if threads is not None:
        threads = checks.integer(threads, "threads", at_least=1)
    pulls = _checked(counts, instance.n_arms)
    rows = np.zeros((*pulls.shape, len(Moments._fields)))
    if len(pulls):
        play_all(_Adder(instance, seed, first_run, pulls), first_run, rows, threads, report or _unseen)
    return Moments(*np.moveaxis(rows, -1, 0).copy())


class _Adder(Player):
    """Reads the rewards of runs again, in the place of a player that plays them."""

    def __init__(self, instance: Instance, seed: int, first_run: int, pulls: Integers) -> None:
        self.source, self.first_run, self.pulls = source_of(instance, seed), first_run, pulls
        self.rounds = max(1, int(pulls.sum(axis=1).max()))
        self.run_cost = _OF_A_CELL * self.rounds

    def play(self, first_run: int, rows: Floats, watch: Watch) -> None:
        """Write the moments of runs first_run, first_run + 1, …, one row a run."""
        first = first_run - self.first_run
        _add_up(self.source, first_run, self.pulls[first : first + len(rows)], rows, watch)


def _unseen(_share: float) -> None:
    """Report to nobody."""


def _checked(counts: npt.ArrayLike, n_arms: int) -> Integers:
    pulls = np.asarray(counts)
    if pulls.dtype.kind not in "iu":
        raise InvalidType(f"counts must be whole numbers; got an array of {pulls.dtype}.")
    if pulls.ndim != 2 or pulls.shape[1] != n_arms:
        raise InvalidInput(f"counts must have one row a run and {n_arms} columns; got shape {pulls.shape}.")
    if pulls.size and pulls.min() < 0:
        raise InvalidInput(f"counts must be at least 0; got {pulls.min()}.")
    return np.ascontiguousarray(pulls, dtype=np.int64)


@compiled
def _add_up(source: Source, first_run: int, counts: Integers, rows: Floats, watch: Watch) -> None:
    law, location, scale, seed = source.law, source.location, source.scale, source.seed
    stop, done = watch.stop, watch.done
    cells = np.empty(_BLOCKS * CELLS_PER_BLOCK)
    for row in range(counts.shape[0]):
        for arm in range(counts.shape[1]):
            total, squares, deviations = 0.0, 0.0, 0.0
            known = 0.0
            left = counts[row, arm]
            block = 0
            while left > 0:
                if stop[0] != 0:
                    return
                blocks = min(_BLOCKS, (left + CELLS_PER_BLOCK - 1) // CELLS_PER_BLOCK)
                fill_cells(law, location[arm], scale[arm], seed, first_run + row, arm, block, blocks, cells)
                read = min(left, blocks * CELLS_PER_BLOCK)
                for place in range(read):
                    reward = cells[place]
                    total, squares, deviations = with_reward(known, total, squares, deviations, reward)
                    known += 1.0
                block += blocks
                left -= read
                done[0] += read
            rows[row, arm, 0] = total
            rows[row, arm, 1] = squares
            rows[row, arm, 2] = deviations
