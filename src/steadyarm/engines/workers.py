"""The one loop that hands out numbered tasks and waits for them, on threads and on clusters alike.

A task is a pure function of its number, so where it is done, how often and in which order changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from threading import Event
from typing import Any, Generic, Protocol, TypeVar

from steadyarm.engines.progress import Report

_REPORT_EVERY_SECONDS = 0.1  # of the progress

Result = TypeVar("Result")
Given = TypeVar("Given", covariant=True)


class TryAgain(Exception):
    """Raised for a task that has to be done once more."""


class _Stopped(Exception):
    """Raised inside a task whose result nobody waits for any more."""


class Workers(Protocol[Given]):
    """Who does the tasks."""

    def room(self) -> int:
        """Return how many tasks may be under way at once."""
        ...

    def submit(self, number: int, report: Report) -> Any:
        """Start a task and return its future."""
        ...

    def finished(self, futures: Collection[Any]) -> Iterable[Any]:
        """Wait until a future is finished, or for a moment, and return those that are."""
        ...

    def result(self, future: Any, number: int) -> Given:
        """Return what a task gave, or raise `TryAgain`."""
        ...

    def close(self, futures: Collection[Any]) -> None:
        """Give up what is still under way."""
        ...


def work_through(
    workers: Workers[Result], weights: Sequence[float], report: Report
) -> Generator[tuple[int, Result]]:
    """Do tasks 0, 1, …, one for each weight, and yield each one's number and result as it is finished.

    The report is told the finished share of all the weight.
    """
    waiting = iter(range(len(weights)))
    under_way: dict[Any, int] = {}
    shares: dict[int, float] = {}
    done, whole = 0.0, sum(weights)

    def submit(number: int) -> None:
        shares[number] = 0.0
        under_way[workers.submit(number, partial(shares.__setitem__, number))] = number

    try:
        while True:
            for number in islice(waiting, max(0, workers.room() - len(under_way))):
                submit(number)
            if not under_way:
                return
            for future in sorted(
                workers.finished(under_way), key=under_way.__getitem__
            ):  # the first error first
                number = under_way.pop(future)
                try:
                    result = workers.result(future, number)
                except TryAgain:
                    submit(number)
                    continue
                done += weights[number]
                yield number, result
            report((done + sum(weights[number] * shares[number] for number in under_way.values())) / whole)
    finally:
        workers.close(under_way)


class Threads(Generic[Result]):
    """Threads of this process; a task is told to stop at its next report."""

    def __init__(self, do: Callable[[int, Report], Result], at_once: int) -> None:
        self._do, self._at_once = do, at_once
        self._pool, self._stop = ThreadPoolExecutor(at_once), Event()

    def room(self) -> int:
        """Return twice as many as are done at once, so that no thread waits for the next task."""
        return 2 * self._at_once

    def submit(self, number: int, report: Report) -> Future[Result]:
        """Start a task as soon as a thread is free."""

        def told(share: float) -> None:
            report(share)
            if self._stop.is_set():
                raise _Stopped  # which makes an engine leave its loops

        return self._pool.submit(self._do, number, told)

    def finished(self, futures: Collection[Future[Result]]) -> Iterable[Future[Result]]:
        """Return the futures that are finished, after a moment at most."""
        return wait(futures, timeout=_REPORT_EVERY_SECONDS, return_when=FIRST_COMPLETED).done

    def result(self, future: Future[Result], _number: int) -> Result:
        """Return what a task gave."""
        return future.result()

    def close(self, futures: Collection[Future[Result]]) -> None:
        """Stop all tasks and wait until they have."""
        self._stop.set()
        for future in futures:
            future.cancel()
        self._pool.shutdown()
