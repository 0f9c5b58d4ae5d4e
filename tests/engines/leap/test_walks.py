"""Walks: a pure function of where somebody looks, with certificates that hold."""

import numpy as np
from tests.engines.leap.test_engine import COINS, GAUSSIAN, POLICIES
from tests.policies.tilted import Tilted

import steadyarm as sa
from steadyarm.engines.leap.walks import (
    BOUND,
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
from steadyarm.policies.core.curves import own_part


def test_the_walk_is_the_same_whatever_is_asked_and_in_whatever_order():
    curves = POLICIES[0].curves
    for instance in (GAUSSIAN, COINS):
        source = source_of(instance, 5)
        known = {}
        for order in (0, 1):
            walks = room_for(curves, source, 1 << 12)
            begin_walks(walks, 7)
            numbers = range(12) if order == 0 else [11, 3, 5]
            rows = [octave(walks, 7, 1, number) for number in numbers]
            for row in list(rows) if order == 0 else reversed(rows):
                half = split(walks, 7, 1, row)
                if walks.blocks[half, RIGHT] - walks.blocks[half, LEFT] >= 2:
                    split(walks, 7, 1, half + order)
            for row in range(walks.used[0]):
                for end, total in ((LEFT, LEFT_SUM), (RIGHT, RIGHT_SUM)):
                    n = walks.blocks[row, end]
                    assert known.setdefault(n, walks.blocks[row, total]) == walks.blocks[row, total]


def test_no_point_of_a_block_lies_below_its_certificate():
    steady = Tilted(n_arms=2, horizon=10**7, tilt=0.1, root=0.3, log_scale=2.0, log_reach=100.0)
    for policy in (*POLICIES, sa.SafeUCB(n_arms=2, horizon=10**7), steady, steady.replace(tilt=10.0)):
        curves = policy.curves
        for instance in (GAUSSIAN, COINS):
            source = source_of(instance, 2)
            walks = room_for(curves, source, 1 << 14)
            begin_walks(walks, 0)
            for number in range(1, 9):
                row = octave(walks, 0, 0, number)
                bound, before = walks.blocks[row, BOUND], walks.used[0]
                todo = [row]
                while todo:
                    block = todo.pop()
                    if walks.blocks[block, RIGHT] - walks.blocks[block, LEFT] >= 2:
                        half = split(walks, 0, 0, block)
                        todo += [half, half + 1]
                points = walks.blocks[before : walks.used[0]]
                ends = np.concatenate([points[:, (LEFT, LEFT_SUM)], points[:, (RIGHT, RIGHT_SUM)]])
                values = [upper_at(source, 0, total, n, own_part(curves, n)) for n, total in ends]
                assert len(values) == 0 or min(values) >= bound - 1e-12


def test_coin_walks_count_whole_successes():
    walks = room_for(POLICIES[0].curves, source_of(COINS, 3), 1 << 10)
    begin_walks(walks, 0)
    row = octave(walks, 0, 0, 40)
    half = split(walks, 0, 0, row)
    for block in (row, half, half + 1):
        n, successes = walks.blocks[block, RIGHT], walks.blocks[block, RIGHT_SUM]
        assert successes == round(successes)
        assert 0 <= successes <= n
