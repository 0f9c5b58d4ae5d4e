"""Blocks of runs: the pieces in which simulations are stored and spread over machines.

Where a block ends depends on the cost of a run only, never on threads, machines or how many runs were asked
for, so that a later question finds the blocks of an earlier one.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from steadyarm.engines.progress import Report
from steadyarm.engines.simulate import simulate
from steadyarm.engines.sums import reward_moments
from steadyarm.engines.workers import Threads, work_through
from steadyarm.model.feedback import Feedback
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy

Rows = npt.NDArray[np.int64] | npt.NDArray[np.float64]

SECONDS_PER_BLOCK = 1.51  # of a core, as engines reckon them: 2²⁵ cells of the table
_CELLS_PER_BLOCK = 1 << 20  # numbers in a part: eight megabytes
_BLOCKS_PER_LENGTH = 64
_DOUBLINGS = 6


@dataclass(frozen=True, eq=False)
class Piece:
    """What consecutive runs gave, one row a run, and how exact it is (see `Simulation`)."""

    rows: Rows
    tolerance: int = 1
    total_variation: float = 0.0


class Task(Protocol):
    """Work that can be done anywhere: all it needs travels with it."""

    def __call__(self, threads: int | None, report: Report) -> Piece:
        """Do the work."""
        ...


@dataclass(frozen=True, eq=False)
class PlayRuns:
    """Play runs first, first + 1, …, last − 1."""

    policy: Policy
    instance: Instance
    seed: int
    engine: str
    at: tuple[int, ...]
    feedback: Feedback
    first: int
    last: int

    def __call__(self, threads: int | None, report: Report) -> Piece:
        """Return the counts after the rounds `at`, those of all moments side by side."""
        played = simulate(
            self.policy,
            self.instance,
            runs=self.last - self.first,
            first_run=self.first,
            seed=self.seed,
            engine=self.engine,
            threads=threads,
            progress=report,
            outside_class=True,  # whoever made the task has checked
            at=self.at,
            delay=self.feedback.delay,
            batch=self.feedback.batch,
        )
        rows = played.counts_at.reshape(played.runs, -1)
        return Piece(rows, played.tolerance, played.total_variation)


@dataclass(frozen=True, eq=False)
class AddRewards:
    """Add up the rewards behind the counts of runs first, first + 1, …."""

    instance: Instance
    seed: int
    first: int
    counts: npt.NDArray[np.int64]

    def __call__(self, threads: int | None, report: Report) -> Piece:
        """Return the moments of all arms side by side."""
        moments = reward_moments(
            self.instance, self.counts, seed=self.seed, first_run=self.first, threads=threads, report=report
        )
        return Piece(np.hstack(moments))


def on_threads(tasks: Sequence[Task], threads: int | None, report: Report) -> Generator[tuple[int, Piece]]:
    """Do blocks of runs on this machine; few blocks share all its threads."""
    cores = threads or os.cpu_count() or 1
    at_once = max(1, min(cores, len(tasks)))
    workers = Threads(lambda number, told: tasks[number](cores // at_once, told), at_once)
    return work_through(workers, [1.0] * len(tasks), report)


def cut(first: int, last: int, cost: float, n_arms: int) -> list[tuple[int, int]]:
    """Cut runs first, …, last − 1 where blocks end; `cost` is that of a run, in seconds: see `Engine.run_cost`.

    The first 64 blocks take about a second each, the next 64 two, and so on up to a minute: short studies
    lose little when they are stopped, and long ones do not drown in files.

    >>> cut(0, 70_000, cost=45e-6, n_arms=2)
    [(0, 32768), (32768, 65536), (65536, 70000)]
    >>> cut(70_000, 80_000, cost=45e-6, n_arms=2)
    [(70000, 80000)]
    """
    pieces = []
    while first < last:
        end = min(last, _end_of_block(first, cost, n_arms))
        pieces.append((first, end))
        first = end
    return pieces


def _end_of_block(run: int, cost: float, n_arms: int) -> int:
    """Return the first run after the block that a run is in."""
    shortest = _power_of_two(int(SECONDS_PER_BLOCK / cost))
    longest = _power_of_two(_CELLS_PER_BLOCK // n_arms)
    begin = 0
    for doubling in range(_DOUBLINGS + 1):
        length = min(shortest << doubling, longest)
        if doubling == _DOUBLINGS or run < begin + _BLOCKS_PER_LENGTH * length:
            break
        begin += _BLOCKS_PER_LENGTH * length
    return begin + ((run - begin) // length + 1) * length


def _power_of_two(number: int) -> int:
    """Return the largest power of two up to a number, 1 at least."""
    return 1 << max(0, number.bit_length() - 1)
