"""Blocks of indices are what a play computes one by one, from tables or without them."""

import numpy as np

import steadyarm as sa
from steadyarm.engines.played.blocks import add_tilts, add_up, draw, lower_on, raise_means
from steadyarm.engines.played.game import tables_of
from steadyarm.model import reward_table
from steadyarm.model.table import Row
from steadyarm.policies.core.curves import tilt, upper

SIZE = 24


def test_rewards_are_those_of_the_table():
    instance, cells = sa.equal_gap(2, 0.5), np.empty(SIZE)
    row = Row(instance.law, instance.location[1], instance.scale[1], np.uint64(3), 7, 1)
    draw(row, 40, SIZE, cells)
    assert np.array_equal(cells, reward_table(instance, seed=3, run=7, pulls=SIZE, first=41)[1])


def test_sums_are_clipped_and_added_in_order():
    cells = np.array([0.1, 5.0, -7.0, 0.2])
    assert add_up(cells, 4, 1.0, 10.0) == 10.0 + 0.1 + 1.0 - 1.0 + 0.2
    assert cells.tolist() == [10.1, 11.1, 10.1, 10.1 + 0.2]


def test_the_least_so_far_begins_with_what_is_known():
    cells = np.array([3.0, 1.0, 2.0, 0.0])
    assert lower_on(cells, 3, 2.5) == 1.0
    assert cells.tolist() == [2.5, 1.0, 1.0, 0.0]


def test_indices_are_the_same_bits_with_a_table_and_beyond_it():
    sums, first = np.random.default_rng(0).normal(size=SIZE).cumsum(), 40
    for policy in (sa.SLEUCB, sa.MOSS, sa.Steady, sa.KLUCBSwitch):
        curves = policy(n_arms=3, horizon=1000).curves
        totals = np.abs(sums) / np.abs(sums).max() * first if curves.bernoulli else sums
        pulls = np.arange(first + 1, first + SIZE + 1, dtype=float)
        plain = [upper(curves, total, n) for total, n in zip(totals, pulls, strict=True)]
        tilted = [value + tilt(curves, n) for value, n in zip(plain, pulls, strict=True)]
        for last in (1000, 10):
            cells, indices, tables = totals.copy(), np.empty(SIZE), tables_of(curves, last)
            raise_means(curves, tables.bonuses, first, SIZE, cells)
            add_tilts(curves, tables.tilts, first, SIZE, cells, indices)
            assert cells.tolist() == plain
            assert indices.tolist() == tilted
