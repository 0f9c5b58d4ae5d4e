"""First passages: where an arm's index first comes down to a level, against the walk looked at everywhere."""

import numpy as np
import pytest
from tests.engines.leap.test_engine import COINS, GAUSSIAN, POLICIES

from steadyarm.engines.leap.passages import NO_ROOM, first_passage
from steadyarm.engines.leap.walks import (
    LEFT,
    LEFT_SUM,
    RIGHT,
    RIGHT_SUM,
    begin_walks,
    octave,
    room_for,
    split,
    upper_at,
)
from steadyarm.engines.source import source_of
from steadyarm.policies.core.curves import own_level, own_part

OCTAVES = 9
LAST = 2**OCTAVES


def everywhere(policy, instance, run):
    """mean + width (and tilt, without an envelope) of arm 0 after 1, …, 2⁹ pulls, from a walk split down to points."""
    source = source_of(instance, 2)
    walks = room_for(policy.curves, source, 1 << 12)
    begin_walks(walks, run)
    sums = {1.0: walks.origin[0]}
    todo = [octave(walks, run, 0, number) for number in range(OCTAVES)]
    while todo:
        block = todo.pop()
        row = walks.blocks[block]
        sums[row[LEFT]], sums[row[RIGHT]] = row[LEFT_SUM], row[RIGHT_SUM]
        if row[RIGHT] - row[LEFT] >= 2:
            half = split(walks, run, 0, block)
            todo += [half, half + 1]
    assert len(sums) == LAST
    return np.array([upper_at(source, 0, sums[n], n, own_part(policy.curves, n)) for n in range(1, LAST + 1)])


@pytest.mark.parametrize("instance", [GAUSSIAN, COINS], ids=["gaussian", "coins"])
@pytest.mark.parametrize("policy", POLICIES, ids=range(len(POLICIES)))
def test_it_is_the_first_pull_at_which_the_index_is_at_or_below_the_level(policy, instance):
    curves = policy.curves
    for run in range(4):
        values = everywhere(policy, instance, run)
        lowest = np.minimum.accumulate(values)
        for quantile in (0.0, 0.1, 0.5, 0.9):
            level = float(np.quantile(values, quantile)) + 1e-9
            passed = [low <= own_level(curves, level, float(n)) for n, low in enumerate(lowest, start=1)]
            expected = passed.index(True) + 1 if any(passed) else LAST
            walks = room_for(curves, source_of(instance, 2), 1 << 12)
            begin_walks(walks, run)
            assert first_passage(walks, run, 0, level, float(LAST), 1.0, 1.0) == expected


def test_a_level_that_is_never_reached_takes_all_pulls_and_too_few_blocks_are_said():
    walks = room_for(POLICIES[0].curves, source_of(GAUSSIAN, 2), 1 << 12)
    begin_walks(walks, 0)
    assert first_passage(walks, 0, 0, -1e9, 1e6, 1.0, 1.0) == 1e6
    assert first_passage(walks, 0, 0, 1e9, 1e6, 1.0, 1.0) == 1.0
    little = room_for(POLICIES[0].curves, source_of(GAUSSIAN, 2), 3)
    begin_walks(little, 0)
    assert first_passage(little, 0, 0, 1.0, 1e6, 1.0, 1.0) == NO_ROOM
