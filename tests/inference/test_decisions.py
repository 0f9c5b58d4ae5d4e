"""What differences say in words."""

import pytest

import steadyarm as sa
from steadyarm.inference.decisions import Difference, Differences


@pytest.mark.parametrize(
    ("low", "high", "method", "words"),
    [
        (0.1, 0.3, "anytime", "B is better than A, at any time you look"),
        (-0.3, -0.1, "wilson", "A is better than B, at the planned end"),
        (-0.1, 0.3, "anytime", "undecided"),
        (0.0, 0.3, "wald", "undecided"),
    ],
)
def test_the_sentence_is_the_one_that_the_interval_allows(low, high, method, words):
    assert Difference("B", "A", (low + high) / 2.0, low, high, method).decision == words


def rows(*better):
    pairs = [(1, 0), (2, 0), (2, 1)]
    ends = {1: (0.1, 0.2), 0: (-0.1, 0.1), -1: (-0.2, -0.1)}
    found = [
        Difference(*pair, sum(ends[sign]) / 2.0, *ends[sign], "anytime")
        for pair, sign in zip(pairs, better, strict=True)
    ]
    return Differences(tuple(found), (0, 1, 2), 0.95, "anytime", "one may look again")


def test_the_best_can_be_every_arm_that_none_is_shown_to_beat():
    assert rows(0, 0, 0).best == (0, 1, 2)
    assert rows(1, 0, 0).best == (1, 2)
    assert rows(1, 1, 1).best == (2,)
    assert rows(1, 1, 1).words.startswith(
        "Arm 2 is the best. Anytime-valid intervals, widened to hold for all 3"
    )
    assert rows(1, 0, 0).words.startswith("Arm 1 or arm 2 can still be the best.")


def test_a_sentence_leaves_names_as_they_are_and_counts_where_they_are_many():
    few = sa.differences([9, 9], [1, 2], rewards="bernoulli", arms=["alpha", "beta"])
    assert few.words.startswith(
        "alpha or beta can still be the best. Anytime-valid intervals, because nothing is"
    )
    many = sa.differences([9] * 8, [1] * 7 + [9], rewards="bernoulli", control=0)
    assert many.words.startswith("8 of 8 arms can still be the best.")


def test_the_table_has_a_row_for_each_pair():
    found = sa.differences([50, 50, 50], [5, 6, 40], rewards="bernoulli", arms=["A", "B", "C"])
    names = ["arm", "other", "value", "low", "high", "p_value", "anytime_p_value", "decision"]
    assert found.table.columns.tolist() == names
    assert found.table["decision"].tolist()[1:] == [
        "C is better than A, at any time you look",
        "C is better than B, at any time you look",
    ]
    assert (found.best, len(found), found.level) == (("C",), 3, 0.95)


def test_the_words_on_p_values_say_when_they_hold():
    once = sa.differences([50, 50], [5, 20], rewards="bernoulli", method="wilson")
    ever = sa.differences([50, 50, 50], [5, 6, 40], rewards="bernoulli", level=0.9)
    assert "for one look, when all rewards are in" in once.p_words
    assert "one look" not in ever.p_words
    assert (
        "below 0.1 where the interval leaves out 0, 3 times as large for so many differences" in ever.p_words
    )
    assert all("for any time may be looked at whenever you like" in each.p_words for each in (once, ever))
