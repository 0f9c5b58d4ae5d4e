"""Timing on machines that are busy: alternations of the things compared, CPU time beside the wall clock.

A figure is the median of ratios, each of two neighbours in time, so a machine that slows down slows both. CPU
time is the process's own: it does not run while another process has the core. Where one thread is measured
nothing else runs in this process, so it is that thread's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

import numpy as np

Work = Callable[[], object]

_DRAWS = 1_000_000  # into an array that is there already


class Times(NamedTuple):
    """Seconds that some work took."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Patience:
    """How long to measure: seconds for one call of the work, for one figure, and how many alternations."""

    call: float
    figure: float
    fewest: int
    most: int


THOROUGH = Patience(call=0.12, figure=1.8, fewest=5, most=15)
QUICK = Patience(call=0.03, figure=0.25, fewest=3, most=5)


class Spread(NamedTuple):
    """The median of some ratios, and the smallest and largest of them."""

    value: float
    low: float
    high: float


def timed(work: Work) -> Times:
    """Do the work once."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Times(time.perf_counter() - wall, time.process_time() - cpu)


def alternate(works: Sequence[Work], patience: Patience) -> list[list[Times]]:
    """Do each of the works in turn, again and again, and return the times of each, one a turn.

    >>> quick, slow = alternate([lambda: None, lambda: sum(range(10_000))], QUICK)
    >>> len(quick) == len(slow) >= 3
    True
    """
    turns: list[list[Times]] = []
    begun = time.perf_counter()
    while len(turns) < patience.fewest or (
        len(turns) < patience.most and time.perf_counter() - begun < patience.figure
    ):
        turns.append([timed(work) for work in works])
    return [list(column) for column in zip(*turns, strict=True)]


def spread(ratios: Sequence[float]) -> Spread:
    """Return the median of ratios with their range.

    >>> spread([2.0, 1.0, 4.0])
    Spread(value=2.0, low=1.0, high=4.0)
    """
    return Spread(median(ratios), min(ratios), max(ratios))


def repeats_for(work: Work, seconds: float) -> int:
    """Return how often a work has to be done to take some time; it is done before, so that it is compiled."""
    work()
    once = timed(work)
    return max(1, round(seconds / max(once.wall, 1e-9)))


class Draws:
    """The yardstick: NumPy merely drawing rewards into ready arrays, in as many threads as are compared with."""

    def __init__(self, threads: int, seconds: float) -> None:
        self.threads = threads
        self._generators = [np.random.default_rng(seed) for seed in range(threads)]
        self._ready = [np.empty(_DRAWS) for _ in range(threads)]
        self._repeats = repeats_for(lambda: self._draw(0, 1), seconds)

    @property
    def count(self) -> int:
        """How many rewards one call draws."""
        return self.threads * self._repeats * _DRAWS

    def __call__(self) -> None:
        """Draw them."""
        if self.threads == 1:
            self._draw(0, self._repeats)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(lambda thread: self._draw(thread, self._repeats), range(self.threads)))

    def _draw(self, thread: int, repeats: int) -> None:
        for _ in range(repeats):
            self._generators[thread].standard_normal(out=self._ready[thread])
