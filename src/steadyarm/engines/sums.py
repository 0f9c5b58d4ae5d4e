"""Moments after the fact: what an arm's first N rewards add up to, read from the reward table again.

A run's terminal counts and its reward table fix all its rewards, so a simulation need not keep them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from steadyarm.engines.interface import OF_A_CELL, Player, Watch
from steadyarm.engines.pool import play_all
from steadyarm.engines.progress import Report
from steadyarm.engines.source import MovingSource, moving_source_of, noise_of, reward_from
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments, with_reward
from steadyarm.model.table import CELLS_PER_BLOCK, fill_cells
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled

_BLOCKS = 1 << 8  # blocks of cells read at once


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

    Rewards are added in the order of the pulls, so the numbers have the bits of the play's own. Of a drifting instance
    `counts[r, stretch, arm]` are the counts at the end of each stretch, which tell what a pull's mean was.

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
    pulls = _checked(counts, instance)
    rows = np.zeros((len(pulls), instance.n_arms, len(Moments._fields)))
    if len(pulls):
        play_all(_Adder(instance, seed, first_run, pulls), first_run, rows, threads, report or _unseen)
    return Moments(*np.moveaxis(rows, -1, 0).copy())


class _Adder(Player):
    """Reads the rewards of runs again, in the place of a player that plays them."""

    def __init__(self, instance: Instance, seed: int, first_run: int, pulls: Integers) -> None:
        self.source, self.first_run, self.pulls = moving_source_of(instance, seed), first_run, pulls
        self.rounds = max(1, int(pulls[:, -1].sum(axis=1).max()))
        self.run_cost = OF_A_CELL * self.rounds

    def play(self, first_run: int, rows: Floats, watch: Watch) -> None:
        """Write the moments of runs first_run, first_run + 1, …, one row a run."""
        first = first_run - self.first_run
        _add_up(self.source, first_run, self.pulls[first : first + len(rows)], rows, watch)


def _unseen(_share: float) -> None:
    """Report to nobody."""


def _checked(counts: npt.ArrayLike, instance: Instance) -> Integers:
    """Return counts as (runs, stretches, arms)."""
    pulls = np.asarray(counts)
    if pulls.dtype.kind not in "iu":
        raise InvalidType(f"counts must be whole numbers; got an array of {pulls.dtype}.")
    shape = (len(instance.stages), instance.n_arms) if instance.moves else (instance.n_arms,)
    if pulls.ndim != 1 + len(shape) or pulls.shape[1:] != shape:
        stretches = f", a row for each of {shape[0]} stretches of rounds" if instance.moves else ""
        raise InvalidInput(
            f"counts must have one row a run{stretches} and {shape[-1]} columns; got shape {pulls.shape}."
        )
    if pulls.size and pulls.min() < 0:
        raise InvalidInput(f"counts must be at least 0; got {pulls.min()}.")
    whole = np.ascontiguousarray(pulls, dtype=np.int64)
    return whole.reshape(len(pulls), len(instance.stages), instance.n_arms)


@compiled
def _add_up(source: MovingSource, first_run: int, counts: Integers, rows: Floats, watch: Watch) -> None:
    law, location, scale = source.law, source.location, source.scale
    stop, done = watch.stop, watch.done
    cells = np.empty(_BLOCKS * CELLS_PER_BLOCK)
    for row in range(counts.shape[0]):
        for arm in range(counts.shape[2]):
            total, squares, deviations = 0.0, 0.0, 0.0
            known, block, stretch = 0, 0, 0
            left = counts[row, -1, arm]
            while left > 0:
                if stop[0] != 0:
                    return
                blocks = min(_BLOCKS, (left + CELLS_PER_BLOCK - 1) // CELLS_PER_BLOCK)
                fill_cells(noise_of(source, first_run + row, arm), block, blocks, cells)
                read = min(left, blocks * CELLS_PER_BLOCK)
                for place in range(read):
                    while known >= counts[row, stretch, arm]:
                        stretch += 1
                    reward = reward_from(law, location[stretch, arm], scale[stretch, arm], cells[place])
                    total, squares, deviations = with_reward(
                        np.float64(known), total, squares, deviations, reward
                    )
                    known += 1
                block += blocks
                left -= read
                done[0] += read
            rows[row, arm, 0] = total
            rows[row, arm, 1] = squares
            rows[row, arm, 2] = deviations
