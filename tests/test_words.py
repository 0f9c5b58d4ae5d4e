"""Numbers as they stand in sentences."""

import math

import pytest

from steadyarm.theory import Estimate
from steadyarm.words import amount, counted, in_a_cell, measured, span


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 runs"),
        (1, "1 run"),
        (1.0, "1 run"),
        (2, "2 runs"),
        (1.5, "1.5 runs"),
        (1234567, "1,234,567 runs"),
        (1234567.8, "1,234,568 runs"),
    ],
)
def test_one_is_one_run_and_everything_else_so_many_runs(number, words):
    assert counted(number, "run") == words


def test_a_plural_that_is_no_s_is_given():
    assert counted(1, "policy", "policies") == "1 policy"
    assert counted(0, "policy", "policies") == "0 policies"


def test_a_range_of_one_value_is_that_value():
    assert span("7", "7") == "7"
    assert span("7", "7.0") == "7 to 7.0"


@pytest.mark.parametrize(
    ("number", "words"),
    [(999.4999, "999.5"), (1000.4, "1,000"), (9.99e14, "999,000,000,000,000"), (1e15, "1e+15"), (0.0, "0")],
)
def test_an_amount_is_whole_from_a_thousand_on_and_short_where_it_would_be_endless(number, words):
    assert amount(number) == words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (999.96, "1,000"),
        (-12_345.6, "-12,346"),
        (9_999_999.0, "9,999,999"),
        (1e7, "1e+07"),
        (0.012345, "0.01235"),
    ],
)
def test_what_stands_in_a_column_has_four_digits_or_is_whole_up_to_ten_million(number, words):
    assert in_a_cell(number) == words


def test_an_estimate_without_ends_says_so_and_one_without_a_value_is_unknown():
    inf = math.inf
    assert measured(Estimate(2.0, 1.0, inf, runs=3)).endswith("∞]")
    assert "inf" not in measured(Estimate(2.0, -inf, inf, runs=1))
    assert measured(Estimate(math.nan, -inf, inf, runs=1)) == "unknown"
