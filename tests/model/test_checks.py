"""What comes from outside is taken in its plain type or refused with rule and value."""

import math

import numpy as np
import pytest

from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks


@pytest.mark.parametrize("value", [7, 7.0, np.int32(7), np.float64(7.0), np.uint8(7)])
def test_a_whole_number_of_any_kind_is_a_plain_int(value):
    assert checks.integer(value, "runs") == 7
    assert type(checks.integer(value, "runs")) is int


@pytest.mark.parametrize("value", [True, np.True_, "7", None, [7], 7j])
def test_what_is_no_number_is_of_the_wrong_type(value):
    with pytest.raises(InvalidType, match=r"runs must be a whole number; got .*\. Say how many\.$"):
        checks.integer(value, "runs", remedy="Say how many.")
    with pytest.raises(InvalidType, match="gap must be a number"):
        checks.real(value, "gap")


@pytest.mark.parametrize("value", [2.5, math.inf, math.nan])
def test_a_fraction_is_no_whole_number(value):
    with pytest.raises(InvalidInput, match="runs must be a whole number"):
        checks.integer(value, "runs")


def test_ends_of_a_range_belong_to_it_and_what_a_value_must_be_above_does_not():
    assert checks.integer(2, "runs", at_least=2, at_most=2) == 2
    for value, words in ((1, "at least 2; got 1"), (3, "at most 2; got 3")):
        with pytest.raises(InvalidInput, match=f"runs must be {words}"):
            checks.integer(value, "runs", at_least=2, at_most=2)
    assert checks.real(2, "gap", at_least=2.0, at_most=2.0) == 2.0
    for limits, words in (
        ({"above": 0.0}, "positive; got 0.0"),
        ({"above": -0.0}, "positive; got 0.0"),
        ({"above": 1.0}, "above 1.0; got 0.0"),
        ({"at_least": 0.5}, "at least 0.5; got 0.0"),
        ({"at_most": -0.5}, "at most -0.5; got 0.0"),
    ):
        with pytest.raises(InvalidInput, match=f"gap must be {words}"):
            checks.real(0, "gap", **limits)


@pytest.mark.parametrize(
    ("value", "words"), [(math.inf, "finite"), (math.nan, "finite"), (10**400, "fit a double")]
)
def test_a_number_beyond_every_double_is_refused(value, words):
    with pytest.raises(InvalidInput, match=f"gap must {'be ' if words == 'finite' else ''}{words}"):
        checks.real(value, "gap")


def test_a_list_of_numbers_names_the_place_of_the_one_that_is_none():
    assert checks.reals(np.array([1, 2]), "means") == (1.0, 2.0)
    assert checks.reals((), "means") == ()
    with pytest.raises(InvalidInput, match=r"means\[1\] must be finite"):
        checks.reals([0.0, math.nan], "means")
    with pytest.raises(InvalidInput, match=r"flat list of numbers; got shape \(1, 2\)"):
        checks.reals(np.ones((1, 2)), "means")
    for value in ("12", b"12", {1: 2}, {1, 2}, 5):
        with pytest.raises(InvalidType, match="means must be a flat list"):
            checks.reals(value, "means")


def test_a_word_is_one_of_those_listed():
    assert checks.one_of("a", "kind", ("a", "b")) == "a"
    with pytest.raises(InvalidInput, match="kind must be one of 'a', 'b'; got 'c'") as refused:
        checks.one_of("c", "kind", ("a", "b"))
    assert not isinstance(refused.value, InvalidType)
    with pytest.raises(InvalidType, match="got 1"):
        checks.one_of(1, "kind", ("a", "b"))


def test_only_true_and_false_are_true_and_false():
    assert checks.boolean(np.True_, "sharp") is True
    assert checks.boolean(False, "sharp") is False
    for value in (1, 0, "no", None):
        with pytest.raises(InvalidType, match="sharp must be True or False"):
            checks.boolean(value, "sharp")


def test_a_value_is_of_the_class_that_is_asked_for():
    checks.instance_of(3, int, "policy")
    with pytest.raises(InvalidType, match="policy must be a steadyarm int; got '3'"):
        checks.instance_of("3", int, "policy")


def test_arms_rounds_seeds_and_runs_have_their_ranges():
    assert checks.n_arms(2) == 2
    assert checks.n_arms(2**32 - 1) == 2**32 - 1
    assert checks.horizon(2**53, 2) == 2**53
    assert checks.horizon(4, 3) == 4
    assert checks.seed(2**64 - 1) == 2**64 - 1
    assert checks.run(2**32 - 1) == 2**32 - 1
    for check, value in (
        (checks.n_arms, 1),
        (checks.n_arms, 2**32),
        (checks.seed, -1),
        (checks.seed, 2**64),
        (checks.run, -1),
        (checks.run, 2**32),
    ):
        with pytest.raises(InvalidInput):
            check(value)
    for rounds in (3, 2**53 + 1):
        with pytest.raises(InvalidInput, match="With 3 arms every arm is given once first"):
            checks.horizon(rounds, 3)
