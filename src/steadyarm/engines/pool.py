"""Spreads ranges of runs over threads: compiled engines release the interpreter, so threads are enough.

The split into ranges decides nothing: run r reads row r of the reward table, wherever it is played.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

import numpy as np
import numpy.typing as npt

from steadyarm.engines.progress import Report
from steadyarm.errors import SimulationInterrupted

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
    length = max(1, min(ROUNDS_PER_RANGE // horizon, -(-runs // (4 * workers))))
    starts = range(0, runs, length)
    stop = np.zeros(1, dtype=np.int64)
    done = np.zeros((len(starts), 1), dtype=np.int64)
    with ThreadPoolExecutor(workers) as pool:
        futures = [
            pool.submit(play_range, first_run + start, counts[start : start + length], stop, done[place])
            for place, start in enumerate(starts)
        ]
        try:
            waiting = set(futures)
            while waiting:
                finished, waiting = wait(waiting, timeout=_LOOK_EVERY, return_when=FIRST_EXCEPTION)
                for future in finished:
                    future.result()
                report(float(done.sum()) / (float(runs) * float(horizon)))
        except KeyboardInterrupt:
            stop[0] = 1
            pool.shutdown(cancel_futures=True)
            played = (
                done[:, 0] >= [counts[start : start + length].shape[0] * horizon for start in starts]
            ).tolist()
            leading = [*played, False].index(False)
            finished_runs = min(runs, leading * length)
            raise SimulationInterrupted(
                f"stopped after {finished_runs} of {runs} runs", finished_runs
            ) from None
        except BaseException:
            stop[0] = 1
            pool.shutdown(cancel_futures=True)
            raise
