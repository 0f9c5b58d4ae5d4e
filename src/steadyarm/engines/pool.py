"""Spreads ranges of runs over threads: compiled engines release the interpreter, so threads are enough.

The split into ranges decides nothing: run r reads row r of the reward table, wherever it is played.
"""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from steadyarm.engines.interface import Player, Watch
from steadyarm.engines.progress import Report
from steadyarm.errors import SimulationInterrupted
from steadyarm.words import counted

_RANGE = 0.2  # seconds that a range should take
_LOOK_EVERY = 0.1  # seconds between two looks at the progress


def play_all(
    player: Player, first_run: int, rows: npt.NDArray[Any], threads: int | None, report: Report
) -> None:
    """Fill the rows with what runs first_run, first_run + 1, … give.

    Ctrl-C stops the engines within a fraction of a second and raises `SimulationInterrupted`, whose
    `partial` is the number of leading runs that were finished.
    """
    runs = rows.shape[0]
    workers = threads or os.cpu_count() or 1
    length = max(1, min(int(_RANGE / player.run_cost), -(-runs // (4 * workers))))
    length = min(-(-length // player.together) * player.together, -(-runs // workers))
    if player.runs_at_once is not None:
        workers, length = 1, player.runs_at_once
    starts = iter(range(0, runs, length))
    stop = np.zeros(1, dtype=np.int64)
    under_way: dict[Future[None], tuple[int, Watch]] = {}
    rounds_finished = 0
    with ThreadPoolExecutor(workers) as pool:
        try:
            while True:
                for start in islice(starts, 2 * workers - len(under_way)):
                    watch = Watch(stop, np.zeros(1, dtype=np.int64))
                    future = pool.submit(player.play, first_run + start, rows[start : start + length], watch)
                    under_way[future] = (start, watch)
                if not under_way:
                    return
                finished, _ = wait(under_way, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
                for future in sorted(finished, key=lambda each: under_way[each][0]):  # the first error first
                    start, _ = under_way.pop(future)
                    future.result()
                    rounds_finished += min(length, runs - start) * player.rounds
                playing = sum(float(watch.done[0]) for _, watch in under_way.values())
                report((rounds_finished + playing) / (float(runs) * float(player.rounds)))
        except BaseException as failure:
            stop[0] = 1
            leading = min((start for start, _ in under_way.values()), default=next(starts, runs))
            if isinstance(failure, KeyboardInterrupt):
                message = f"stopped after {first_run + leading:,} of {counted(first_run + runs, 'run')}"
                raise SimulationInterrupted(message, leading) from None
            raise
