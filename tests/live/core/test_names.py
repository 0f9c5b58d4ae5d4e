"""Names and texts that clients give."""

import pytest

from steadyarm.live.core.names import LONGEST_TEXT, LONGEST_UNIT, check_name, check_text, check_unit, shown
from steadyarm.live.core.problems import Problem

INJECTIONS = [
    "x'; DROP TABLE journal; --",
    'x" OR 1=1',
    "x\\",
    "../../etc/passwd",
    "..",
    ".",
    "a/b",
    "a\nb",
    "a\x00b",
    "a b",
    "%s%n",
    "{0}",
    "<script>",
    "ａ",
    "",
    "a" * 129,
]


@pytest.mark.parametrize("name", INJECTIONS, ids=repr)
def test_a_name_is_nothing_but_a_name(name):
    with pytest.raises(Problem, match="the name of an experiment"):
        check_name(name)


@pytest.mark.parametrize(
    "unit",
    [
        "orders/2026/17",
        "Zoë Müller <zoe@example.org>",
        "用户 17",
        "👩‍🔬",
        "x'; DROP TABLE journal; --",
        "50%2F",
        "a" * LONGEST_UNIT,
    ],
)
def test_a_unit_is_called_whatever_an_id_is(unit):
    assert check_unit(unit) == unit


@pytest.mark.parametrize(
    "unit",
    [
        "",
        " a",
        "a ",
        "a\n",
        "a\x00b",
        "a\x1fb",
        "\ud800",
        "\u2028",
        ".",
        "..",
        "a" * (LONGEST_UNIT + 1),
        5,
        None,
    ],
    ids=repr,
)
def test_a_unit_is_a_visible_text_that_an_address_can_carry(unit):
    with pytest.raises(Problem, match="the name of a unit must be 1 to 256 characters"):
        check_unit(unit)


def test_a_text_has_a_size_and_no_control_characters():
    assert check_text("two\nlines\tand a tab", "a reason") == "two\nlines\tand a tab"
    for wrong in ("x" * (LONGEST_TEXT + 1), "a\x00b", "a\x1b[31m", 5, None):
        with pytest.raises(Problem, match="a reason must be a text of 0 to 1,000 characters"):
            check_text(wrong, "a reason")


def test_a_refused_value_is_not_shown_endlessly():
    assert shown("short") == "'short'"
    assert len(shown("x" * 10**6)) == 100
