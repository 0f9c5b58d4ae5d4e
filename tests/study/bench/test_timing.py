"""Timing: alternations, medians, and clocks that can be told apart."""

import time

import pytest

from steadyarm.study.bench.timing import QUICK, Draws, Patience, alternate, repeats_for, spread, timed


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_works_are_done_in_turn():
    done = []
    patience = Patience(call=0.0, figure=0.0, fewest=3, most=9)
    times = alternate([lambda: done.append("a"), lambda: done.append("b")], patience)
    assert done == ["a", "b"] * 3
    assert [len(column) for column in times] == [3, 3]


def test_patience_ends_after_the_most_turns():
    [times] = alternate([lambda: None], Patience(call=0.0, figure=60.0, fewest=1, most=4))
    assert len(times) == 4


def test_waiting_costs_wall_time_only_and_computing_costs_both():
    asleep, awake = timed(lambda: time.sleep(0.05)), timed(lambda: spin(0.05))
    assert asleep.wall >= 0.05
    assert asleep.cpu < 0.04
    assert awake.cpu >= 0.05


def test_a_work_is_repeated_to_fill_the_time():
    assert repeats_for(lambda: spin(0.02), 0.001) == 1
    assert 1 <= repeats_for(lambda: spin(0.002), 0.02) <= 10


def test_the_middle_of_the_turns_counts():
    assert spread([5.0, 1.0, 2.0]) == (2.0, 1.0, 5.0)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_yardstick_draws_what_it_says(threads):
    draws = Draws(threads, QUICK.call / 10.0)
    before = [ready.copy() for ready in draws._ready]
    draws()
    assert draws.count % (threads * 1_000_000) == 0
    for old, new in zip(before, draws._ready, strict=True):
        assert abs(new.mean()) < 5e-3  # five standard errors
        assert (old != new).all()
