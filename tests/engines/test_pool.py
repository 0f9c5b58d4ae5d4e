"""Ranges of runs: handed out as a player can take them, and every row filled once."""

import numpy as np
import pytest

from steadyarm.engines.interface import Player
from steadyarm.engines.pool import play_all


class Recorder(Player):
    """Writes the number of each run and remembers the ranges."""

    rounds = 10

    def __init__(self, run_cost, runs_at_once=None, together=1):
        self.run_cost, self.runs_at_once, self.ranges = run_cost, runs_at_once, []
        self.together = together

    def play(self, first_run, rows, watch):
        rows[:, 0] = np.arange(first_run, first_run + len(rows))
        watch.done[0] = self.rounds * len(rows)
        self.ranges.append((first_run, len(rows)))


def played(player, runs=8, threads=1):
    rows = np.zeros((runs, 1), np.int64)
    play_all(player, 100, rows, threads, lambda _share: None)
    assert rows[:, 0].tolist() == list(range(100, 100 + runs))
    return sorted(player.ranges)


def test_expensive_runs_are_handed_out_one_by_one_and_cheap_ones_by_the_thread():
    assert played(Recorder(run_cost=60.0)) == [(run, 1) for run in range(100, 108)]
    assert played(Recorder(run_cost=1e-9)) == [(100, 2), (102, 2), (104, 2), (106, 2)]


@pytest.mark.parametrize("threads", [1, 4])
def test_a_player_that_takes_runs_together_gets_them_in_batches(threads):
    assert played(Recorder(1e-9, runs_at_once=3), threads=threads) == [(100, 3), (103, 3), (106, 2)]


def test_runs_that_go_side_by_side_stay_together_unless_a_thread_would_have_nothing_to_do():
    assert played(Recorder(60.0, together=3)) == [(100, 3), (103, 3), (106, 2)]
    assert played(Recorder(60.0, together=16), threads=2) == [(100, 4), (104, 4)]
