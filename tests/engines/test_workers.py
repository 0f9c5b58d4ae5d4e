"""One loop for all workers: every task once, errors that stop the others, shares by weight."""

import threading

import pytest

from steadyarm.engines.workers import Threads, TryAgain, work_through


def _unseen(_share):
    pass


def test_an_error_in_a_task_stops_the_others():
    begun = []

    def do(number, report):
        if number == 1:
            raise RuntimeError("the task is bad")
        begun.append(threading.current_thread())
        while True:
            report(0.0)

    with pytest.raises(RuntimeError, match="the task is bad"):
        list(work_through(Threads(do, 2), [1.0, 1.0], _unseen))
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
