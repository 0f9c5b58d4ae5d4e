"""One loop for all workers: every task once, errors that stop the others, shares by weight."""

import threading
from dataclasses import dataclass

import pytest

from steadyarm.study.runs.workers import Threads, TryAgain, on_threads, work_through


def _unseen(_share):
    pass


@dataclass(frozen=True)
class Echo:
    """A task that says with how many threads it was done."""

    number: int

    def __call__(self, threads, report):
        report(0.5)
        return self.number, threads


def test_every_task_is_done_once_on_threads():
    found = list(on_threads([Echo(number) for number in range(50)], 4, _unseen))
    assert sorted(found) == [(number, (number, 1)) for number in range(50)]


def test_few_tasks_share_all_the_threads():
    assert list(on_threads([Echo(0)], 6, _unseen)) == [(0, (0, 6))]
    assert sorted(on_threads([Echo(0), Echo(1)], 6, _unseen)) == [(0, (0, 3)), (1, (1, 3))]
    assert list(on_threads([], 6, _unseen)) == []


def test_an_error_in_a_task_stops_the_others():
    begun = []

    def wait_for_ever(_threads, report):
        begun.append(threading.current_thread())
        while True:
            report(0.0)

    def fail(_threads, _report):
        raise RuntimeError("the task is bad")

    with pytest.raises(RuntimeError, match="the task is bad"):
        list(on_threads([wait_for_ever, fail], 2, _unseen))
    assert not any(thread.is_alive() for thread in begun)


def test_the_report_is_told_the_share_of_the_weight():
    shares = []
    workers = Threads(lambda number, _report: number, at_once=1)
    assert sorted(work_through(workers, [1.0, 3.0], shares.append)) == [(0, 0), (1, 1)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert set(shares) <= {0.0, 0.25, 1.0}


class Forgetful(Threads):
    """Loses the first result of every task."""

    def __init__(self, *how):
        super().__init__(*how)
        self.seen = set()

    def result(self, future, number):
        if number not in self.seen:
            self.seen.add(number)
            raise TryAgain
        return super().result(future, number)


def test_a_task_whose_result_was_lost_is_done_again():
    done = []

    def do(number, _report):
        done.append(number)
        return number

    assert sorted(work_through(Forgetful(do, 2), [1.0] * 5, _unseen)) == [(n, n) for n in range(5)]
    assert sorted(done) == sorted([*range(5)] * 2)


def test_whoever_stops_listening_stops_the_tasks():
    def do(number, report):
        while number:
            report(0.0)

    results = work_through(Threads(do, 2), [1.0] * 3, _unseen)
    assert next(results) == (0, None)
    before = threading.active_count()
    results.close()
    assert threading.active_count() < before
