"""A tournament knows who is the largest, and who comes second, after every change."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadyarm.engines.played.tournament import (
    LEAST,
    WIDTH,
    begin_tournament,
    begin_tournaments,
    change,
    change_of_two,
    changed_group,
    level_starts,
    order_of,
    runner_up,
    tournaments_for,
)
from steadyarm.numerics.lanes import LED_AT_ONCE

FIRST = 3  # tournaments begin anywhere in their array
NUMBERS = st.one_of(st.integers(-2, 2), st.integers(LEAST + 1, 2**63 - 2))


class Tournament:
    def __init__(self, places, number):
        self.starts = level_starts(places)
        self.numbers = np.full(FIRST + self.starts[-1] + 5, 99)
        self.leaders = np.zeros_like(self.numbers)
        begin_tournament(self.numbers[FIRST:], self.leaders[FIRST:], self.starts, places, number)

    def change(self, place, number):
        return change(self.numbers, self.leaders, FIRST, self.starts, place, number)

    def runner_up(self, leader):
        return runner_up(self.numbers, FIRST, self.starts, leader)


@settings(deadline=None)
@given(
    st.sampled_from([1, 2, 3, 15, 16, 17, 100, 255, 256, 257, 1000, 4097]),
    NUMBERS,
    st.lists(st.tuples(st.integers(0, 2**31), NUMBERS), min_size=1, max_size=60),
)
def test_the_first_of_the_largest_leads_and_the_runner_up_is_the_largest_of_the_others(
    places, number, changes
):
    tournament, plain = Tournament(places, number), np.full(places, number)
    for where, new in changes:
        plain[where % places] = new
        leader = tournament.change(where % places, new)
        assert leader == plain.argmax()
        assert tournament.runner_up(leader) == np.delete(plain, leader).max(initial=LEAST)
    assert (tournament.numbers[:FIRST] == 99).all()
    assert (tournament.numbers[FIRST + tournament.starts[-1] :] == 99).all()


@given(NUMBERS, st.lists(st.tuples(st.integers(0, 1), NUMBERS), min_size=1))
def test_of_two_places_one_comparison_finds_the_leader(number, changes):
    tournament, plain = Tournament(2, number), np.full(2, number)
    for place, new in changes:
        plain[place] = new
        assert change_of_two(tournament.numbers, FIRST, place, new) == plain.argmax()


@pytest.mark.parametrize(
    ("places", "starts"), [(1, [0, WIDTH]), (WIDTH, [0, WIDTH]), (WIDTH + 1, [0, 2 * WIDTH, 3 * WIDTH])]
)
def test_every_level_has_whole_groups_and_the_top_has_one(places, starts):
    assert level_starts(places).tolist() == starts


def test_nobody_needs_a_tournament_of_few_arms():
    assert tournaments_for(32) is None
    assert tournaments_for(33) is not None


def test_all_runs_begin_with_equal_indices():
    tournaments = tournaments_for(40)
    begin_tournaments(tournaments, 40)
    runs = tournaments.orders.reshape(LED_AT_ONCE, -1)
    assert (runs[:, :40] == order_of(-np.inf)).all()
    assert (runs[:, 40 : WIDTH * 3] == LEAST).all()


def test_a_group_is_changed_by_compiled_code_only():
    with pytest.raises(TypeError, match="compiled code"):
        changed_group(np.zeros(WIDTH, np.int64), 0, 0, 1)
