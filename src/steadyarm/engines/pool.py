"""Spreads ranges of runs over threads: compiled engines release the interpreter, so threads are enough.

The split into ranges decides nothing: run r reads row r of the reward table, wherever it is played.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from concurrent.futures import Future
from contextlib import closing
from typing import Any

import numpy as np
import numpy.typing as npt

from steadyarm.engines.interface import Player, Watch
from steadyarm.engines.progress import Report
from steadyarm.engines.workers import Threads, work_through
from steadyarm.errors import SimulationInterrupted
from steadyarm.words import counted

_RANGE_SECONDS = 0.2  # that a range should take


def play_all(
    player: Player, first_run: int, rows: npt.NDArray[Any], threads: int | None, report: Report
) -> None:
    """Fill the rows with what runs first_run, first_run + 1, … give.

    Ctrl-C stops the engines within a fraction of a second and raises `SimulationInterrupted`, whose
    `partial` is the number of leading runs that were finished.
    """
    runs = rows.shape[0]
    workers = threads or os.cpu_count() or 1
    length = max(1, min(int(_RANGE_SECONDS / player.run_cost), -(-runs // (4 * workers))))
    length = min(-(-length // player.together) * player.together, -(-runs // workers))
    if player.runs_at_once is not None:
        workers, length = 1, player.runs_at_once
    ranges = [(start, rows[start : start + length]) for start in range(0, runs, length)]
    playing = _Ranges(player, first_run, ranges, workers)
    try:
        with closing(work_through(playing, [float(len(part)) for _, part in ranges], report)) as finished:
            for _ in finished:
                pass
    except KeyboardInterrupt:
        message = f"stopped after {first_run + playing.leading:,} of {counted(first_run + runs, 'run')}"
        raise SimulationInterrupted(message, playing.leading) from None


class _Ranges(Threads[None]):
    """Threads that play ranges of runs, which are watched from outside: compiled code reports nothing."""

    def __init__(
        self, player: Player, first_run: int, ranges: list[tuple[int, npt.NDArray[Any]]], threads: int
    ) -> None:
        super().__init__(self._play, threads)
        self._player, self._first_run, self._ranges = player, first_run, ranges
        self._leave = np.zeros(1, dtype=np.int64)
        self._watched: dict[int, tuple[Watch, Report]] = {}
        self._submitted = 0

    @property
    def leading(self) -> int:
        """How many runs come before the first that is not finished."""
        number = min(self._watched, default=self._submitted)
        return sum(len(part) for _, part in self._ranges[:number])

    def submit(self, number: int, report: Report) -> Future[None]:
        self._watched[number] = Watch(self._leave, np.zeros(1, dtype=np.int64)), report
        self._submitted = number + 1
        return super().submit(number, report)

    def _play(self, number: int, _report: Report) -> None:
        start, part = self._ranges[number]
        self._player.play(self._first_run + start, part, self._watched[number][0])

    def finished(self, futures: Collection[Future[None]]) -> Iterable[Future[None]]:
        done = super().finished(futures)
        for number, (watch, report) in self._watched.items():
            report(float(watch.done[0]) / (len(self._ranges[number][1]) * float(self._player.rounds)))
        return done

    def result(self, future: Future[None], number: int) -> None:
        future.result()
        del self._watched[number]

    def close(self, futures: Collection[Future[None]]) -> None:
        self._leave[0] = 1
        super().close(futures)
