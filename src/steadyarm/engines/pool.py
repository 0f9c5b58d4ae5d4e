"""Spreads ranges of runs over threads: compiled engines release the interpreter, so threads are enough.

The split into ranges decides nothing: run r reads row r of the reward table, wherever it is played.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

import numpy as np
import numpy.typing as npt

from steadyarm.engines.progress import Report
from steadyarm.errors import SimulationInterrupted
from steadyarm.words import counted

Integers = npt.NDArray[np.int64]
PlayRange = Callable[[int, Integers, Integers, Integers], None]
"""Plays runs from a first one on: (first_run, counts to fill, stop flag, rounds done)."""

ROUNDS_PER_RANGE = 1 << 22
_LOOK_EVERY = 0.1  # seconds between two looks at the progress


def play_all(
    play_range: PlayRange,
    first_run: int,
    counts: Integers,
    horizon: int,
    threads: int | None,
    report: Report,
) -> None:
    """Fill the rows of `counts` with the counts of runs first_run, first_run + 1, ….

    Ctrl-C stops the engines within a fraction of a second and raises `SimulationInterrupted`, whose
    `partial` is the number of leading runs that were finished.
    """
    runs = counts.shape[0]
    workers = threads or os.cpu_count() or 1
    effort = getattr(play_range, "effort", horizon)  # of a run, in rounds played one by one
    length = max(1, min(ROUNDS_PER_RANGE // effort, -(-runs // (4 * workers))))
    batch = getattr(play_range, "batch", None)  # runs that a GPU takes at once, one batch after the other
    if batch is not None:
        workers, length = 1, batch
    starts = iter(range(0, runs, length))
    stop = np.zeros(1, dtype=np.int64)
    under_way: dict[Future[None], tuple[int, Integers]] = {}
    rounds_finished = 0
    with ThreadPoolExecutor(workers) as pool:
        try:
            while True:
                for start in islice(starts, 2 * workers - len(under_way)):
                    done = np.zeros(2, dtype=np.int64)
                    rows = counts[start : start + length]
                    under_way[pool.submit(play_range, first_run + start, rows, stop, done)] = (start, done)
                if not under_way:
                    return
                finished, _ = wait(under_way, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
                for future in sorted(finished, key=lambda each: under_way[each][0]):  # the first error first
                    start, _ = under_way.pop(future)
                    future.result()
                    rounds_finished += min(length, runs - start) * horizon
                playing = sum(float(done[0]) for _, done in under_way.values())
                report((rounds_finished + playing) / (float(runs) * float(horizon)))
        except BaseException as failure:
            stop[0] = 1
            leading = min((start for start, _ in under_way.values()), default=next(starts, runs))
            if isinstance(failure, KeyboardInterrupt):
                message = f"stopped after {first_run + leading:,} of {counted(first_run + runs, 'run')}"
                raise SimulationInterrupted(message, leading) from None
            raise
