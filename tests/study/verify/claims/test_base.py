"""How a finding decides: from the interval's end, with the room that is left."""

import math

import pytest

from steadyarm.study.verify.claims.base import agrees, at_least, at_most, exactly, not_below, tightest
from steadyarm.theory.estimates import Estimate

BETWEEN = Estimate(5.0, 4.0, 6.0, runs=100)


def test_an_upper_bound_is_held_against_the_upper_end_and_a_lower_bound_against_the_lower():
    assert at_most(BETWEEN, 6.0).holds
    assert not at_most(BETWEEN, 5.5).holds
    assert at_least(BETWEEN, 4.0).holds
    assert not at_least(BETWEEN, 4.5).holds
    assert not_below(BETWEEN, 5.5).holds
    assert not not_below(BETWEEN, 6.5).holds


def test_two_numbers_agree_if_their_intervals_meet():
    assert agrees(BETWEEN, 7.0, error=1.5).holds
    assert not agrees(BETWEEN, 7.0, error=0.5).holds


def test_the_margin_is_the_share_of_the_prediction_that_is_left():
    assert at_most(BETWEEN, 8.0).margin == pytest.approx(0.25)
    assert at_least(3.0, 2.0).margin == pytest.approx(0.5)
    assert at_most(3.0, 2.0).margin < 0
    assert exactly(3, 0).margin == -3.0


def test_rounding_is_forgiven_only_where_it_is_allowed():
    assert not at_most(1.0 + 1e-12, 1.0).holds
    forgiven = at_most(1.0 + 1e-12, 1.0, slack=1e-9)
    assert (forgiven.holds, forgiven.measured, forgiven.margin) == (True, 1.0, 0.0)


def test_what_is_not_a_number_fails():
    assert not at_most(math.nan, 1.0).holds
    assert not at_least(math.nan, 1.0).holds
    assert not exactly(math.nan, 0.0).holds


def test_the_tightest_holds_only_if_all_do():
    loose, tight, broken = at_most(1.0, 10.0), at_most(9.0, 10.0, "tight"), at_most(11.0, 10.0, "broken")
    assert tightest([loose, tight], "of all").detail == "of all; tight"
    assert not tightest([loose, broken], "").holds
    aside = tightest([loose], "of all", aside=[tight, broken])
    assert (aside.holds, aside.detail) == (False, "of all; broken")
    assert tightest([loose], "", aside=[tight]).margin == loose.margin
