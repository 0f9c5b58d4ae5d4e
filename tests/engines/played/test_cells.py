"""Noise read ahead: the cells of the table, more of them the more an arm has been pulled."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.played.cells import BUFFERED, read_ahead
from steadyarm.engines.source import moving_source_of
from steadyarm.model.compiled import uncached
from steadyarm.model.table import Row

NOISE = sa.Instance.gaussian([0.0, 0.0, 0.0])  # a cell is its noise


@uncached
def read(noise, pulled, cells, start, filled, place):
    read_ahead(noise, pulled, cells, start, filled, place)


@pytest.mark.parametrize(
    ("pulled", "size"), [(0, 4), (4, 4), (8, 8), (60, 60), (64, BUFFERED), (4000, BUFFERED)]
)
def test_the_cells_after_so_many_pulls_stand_in_the_arms_place(pulled, size):
    cells, start, filled = np.zeros((3, BUFFERED)), np.zeros(3, np.int64), np.zeros(3, np.int64)
    source = moving_source_of(NOISE, 9)
    read(Row(source.noise_law, 0.0, 1.0, source.seed, 2, 1), pulled, cells, start, filled, 2)
    assert (start.tolist(), filled.tolist()) == ([0, 0, pulled], [0, 0, pulled + size])
    expected = sa.reward_table(NOISE, seed=9, run=2, pulls=size, first=pulled + 1)[1]
    assert cells[2, :size].tolist() == expected.tolist()
    assert not cells[:2].any()
    assert not cells[2, size:].any()
