"""The leaders of many lanes are those that a plain loop finds in each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.numerics.compiled import uncached
from steadyarm.numerics.lanes import LANES, LED_AT_ONCE, lane_of, lead, lead_clearly


@uncached
def leaders(values, rank, leader):
    for first in range(0, leader.size, LED_AT_ONCE):
        lead(values, rank, leader, first)


@uncached
def clear_leaders(values, errors, leader):
    doubtful = 0
    for first in range(0, leader.size, LED_AT_ONCE):
        doubtful |= lead_clearly(values, errors, leader, first) << first
    return doubtful


@uncached
def swapped(numbers, lanes, first, second):
    """Swap two rows in every lane, and return the sum of the sizes that the lanes say."""
    sizes = 0
    for number in range(lanes):
        lane = lane_of(numbers, number, lanes, numbers.size // lanes)
        lane[first], lane[second] = lane[second], lane[first]
        sizes += lane.size
    return sizes


def plain_leader(values, rank):
    leader = 0
    for arm in range(1, len(values)):
        if values[arm] > values[leader] or (values[arm] == values[leader] and rank[arm] < rank[leader]):
            leader = arm
    return leader


number = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.25, 0.5, np.inf, np.nan])


@given(n_arms=st.integers(1, 7), data=st.data())
def test_the_largest_value_leads_and_the_smallest_rank_among_equals_as_in_a_plain_loop(n_arms, data):
    row = st.lists(number, min_size=LANES, max_size=LANES)
    values = np.array(data.draw(st.lists(row, min_size=n_arms, max_size=n_arms)))
    ranks = [data.draw(st.permutations(range(n_arms))) for _ in range(LANES)]
    rank, leader = np.ascontiguousarray(np.array(ranks).T), np.empty(LANES, np.int64)
    leaders(values, rank, leader)
    expected = [plain_leader(values[:, lane], rank[:, lane]) for lane in range(LANES)]
    assert leader.tolist() == expected


@pytest.mark.parametrize("n_arms", [8, 100, 1001])
@pytest.mark.parametrize("levels", [1, 3, 50])
def test_the_smallest_rank_leads_among_many_equals_as_in_a_plain_loop(n_arms, levels):
    random = np.random.default_rng(n_arms + levels)
    values = random.integers(levels, size=(n_arms, LANES)).astype(float)
    rank = random.permuted(np.tile(np.arange(n_arms), (LANES, 1)), axis=1).T.copy()
    leader = np.empty(LANES, np.int64)
    leaders(values, rank, leader)
    assert leader.tolist() == [plain_leader(values[:, lane], rank[:, lane]) for lane in range(LANES)]


@given(n_arms=st.integers(1, 7), data=st.data())
def test_a_leader_is_clear_where_nobody_else_may_be_as_large(n_arms, data):
    row = st.lists(number, min_size=LANES, max_size=LANES)
    rows = st.lists(row, min_size=n_arms, max_size=n_arms)
    values, errors = np.array(data.draw(rows)), np.abs(np.array(data.draw(rows)))
    leader = np.empty(LANES, np.int64)
    doubtful = clear_leaders(values, errors, leader)
    with np.errstate(invalid="ignore"):
        low, high = values - errors, values + errors
    for lane in range(LANES):
        if not doubtful >> lane & 1:
            others = np.delete(high[:, lane], leader[lane])
            assert (low[leader[lane], lane] > others[~np.isnan(others)]).all()
    certain = np.abs(values).max(axis=0, initial=0.0) < np.inf
    for lane in np.flatnonzero(certain & (errors == 0.0).all(axis=0)):
        assert (doubtful >> lane & 1) == (np.sum(values[:, lane] == values[:, lane].max()) > 1)


def test_a_lane_is_read_and_written_as_the_array_of_one_run_is():
    numbers = np.arange(3.0 * LANES)
    assert swapped(numbers, LANES, 0, 2) == 3 * LANES
    rows = numbers.reshape(3, LANES)
    assert np.array_equal(rows, np.arange(3.0 * LANES).reshape(3, LANES)[[2, 1, 0]])
