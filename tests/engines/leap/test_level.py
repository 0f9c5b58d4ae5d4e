"""The level of a leapt run: first passages that add up to the rounds, whatever else is asked for."""

import numpy as np
import pytest
from tests.engines.leap.test_engine import COINS, GAUSSIAN, POLICIES

from steadyarm.engines.interface import Watch
from steadyarm.engines.leap.level import fill_rows
from steadyarm.engines.leap.passages import first_passage
from steadyarm.engines.leap.walks import begin_walks, room_for
from steadyarm.engines.source import source_of

HORIZON = 10**7


def filled(policy, instance, moments, runs=4, room=1 << 16):
    """Counts at the moments, found from a poor guess of where the level is."""
    searches = np.array([[rounds, 0.5, 0.1, 0.0, 1.0, 1.0] for rounds in moments], dtype=float)
    counts = np.zeros((runs, len(moments), 2), np.int64)
    walks, most = room_for(policy.curves, source_of(instance, 6), room), np.zeros(1, np.int64)
    watch = Watch(np.zeros(1, np.int64), np.zeros(1, np.int64))
    rows = fill_rows(searches, walks, 20, 0, counts, most, watch)
    return rows, counts, int(watch.done[0])


@pytest.mark.parametrize("instance", [GAUSSIAN, COINS], ids=["gaussian", "coins"])
@pytest.mark.parametrize("policy", POLICIES, ids=range(len(POLICIES)))
def test_counts_add_up_at_every_moment_and_those_of_the_end_depend_on_no_other(policy, instance):
    rows, counts, done = filled(policy, instance, [1, 2, 5000, HORIZON])
    assert (rows, done) == (4, 4 * HORIZON)
    assert counts.sum(axis=2).tolist() == [[1, 2, 5000, HORIZON]] * 4
    assert (np.diff(counts, axis=1) >= 0).all()
    assert np.array_equal(filled(policy, instance, [HORIZON])[1][:, 0], counts[:, -1])


def test_both_arms_are_at_their_first_passages_of_one_level_but_for_the_last_pulls():
    policy = POLICIES[0]
    counts = filled(policy, GAUSSIAN, [HORIZON], runs=1)[1][0, 0]
    walks = room_for(policy.curves, source_of(GAUSSIAN, 6), 1 << 16)
    begin_walks(walks, 20)

    def taken(level):
        return np.array([first_passage(walks, 20, arm, level, float(HORIZON), 1.0, 1.0) for arm in (0, 1)])

    low, high = -10.0, 100.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if taken(middle).sum() > HORIZON else (low, middle)
    assert (taken(high) <= counts).all()
    assert (counts <= taken(low)).all()
    assert taken(low).sum() - taken(high).sum() < 100


def test_a_row_that_runs_out_of_room_is_named():
    assert filled(POLICIES[0], GAUSSIAN, [HORIZON], room=8)[0] == 0
