"""How the page reads and writes numbers: its own modules, called in a real browser."""

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def called(browser, server):
    """Call a function of one of the page's modules."""
    page = browser.open()
    page.goto(server.url + "/experiments")
    script = "([path, name, words]) => import(`/page/${path}.js`).then((module) => module[name](...words))"

    def call(path, name, *words):
        return page.evaluate(script, [path, name, words])

    yield call
    page.context.close()


@pytest.mark.parametrize(
    ("typed", "real", "whole"),
    [
        ("0,5", 0.5, 0.5),
        ("0.5", 0.5, 0.5),
        (" −3,25 ", -3.25, -3.25),
        ("1e6", 1e6, 1e6),
        ("1,5e6", 1.5e6, 1.5e6),
        ("1,000,000", 1e6, 1e6),
        ("1.000.000", 1e6, 1e6),
        ("1 000 000", 1e6, 1e6),
        ("1\u202f000,5", 1000.5, 1000.5),
        ("1'000", 1000.0, 1000.0),
        ("1234,567", 1234.567, 1234.567),
        ("1,000", None, 1000.0),  # could be 1
        ("1.000", 1.0, None),  # could be 1000, and 1 is seldom written so
        ("1,500e3", None, None),
        ("1.000,5", None, None),
        ("1,000.5", None, None),
    ],
)
def test_a_number_is_read_as_people_write_it_or_said_to_be_unclear(called, typed, real, whole):
    for wanted, value in ((False, real), (True, whole)):
        found = called("numerals", "parse", typed, wanted)
        if value is None:
            assert typed in found["unclear"]
        else:
            assert found == {"value": value, "unclear": ""}


@pytest.mark.parametrize("typed", ["", "abc", "0x10", "Infinity", "1 5", "1,00,0", "1..5", "--1", "1e", "e5"])
def test_what_is_no_number_is_not_made_one(called, typed):
    found = called("numerals", "parse", typed)
    assert found["value"] != found["value"]  # NaN
    assert found["unclear"] == ""


@pytest.mark.parametrize(
    ("values", "logarithmic", "names"),
    [
        ([0, 500, 1000, 1500], False, ["0", "500", "1,000", "1,500"]),
        ([0, 5000, 10_000], False, ["0", "5K", "10K"]),
        ([0, 500_000, 1_000_000], False, ["0", "0.5M", "1M"]),
        ([0, 0.25, 0.5], False, ["0", "0.25", "0.5"]),
        ([100, 1000, 1e6], True, ["100", "1K", "1M"]),
        ([1e14, 1e15, 2e15], True, ["10¹⁴", "10¹⁵", "2·10¹⁵"]),
        ([1e-5, 1e-3, 10], True, ["10⁻⁵", "10⁻³", "10¹"]),
    ],
)
def test_the_ticks_of_an_axis_have_one_form(called, values, logarithmic, names):
    assert called("words", "ticks", values, logarithmic) == names


def test_a_range_of_no_length_is_one_figure_and_one_of_a_thing_no_plural(called):
    assert called("words", "range", "89 %", "89 %") == "89 %"
    assert called("words", "interval", {"low": 0.50001, "high": 0.50002}) == "0.500"
    assert called("words", "interval", {"low": 0.5, "high": None}) == "0.500 to ∞"
    assert [called("words", "some", many, "other") for many in (0, 1, 2)] == [
        "0 others",
        "1 other",
        "2 others",
    ]


@pytest.mark.parametrize(("scale", "digits"), [(0.5, 3), (1.0, 3), (1025.0, 0), (0.0005, 6), (50.0, 1)])
def test_rewards_are_shown_with_the_digits_that_their_scale_asks_for(called, scale, digits):
    assert called("words", "decimals", scale) == digits


def test_a_small_number_is_a_power_of_ten(called):
    assert called("words", "number", 1e-9) == "10⁻⁹"
    assert called("words", "number", -2.5e-7) == "−2.5·10⁻⁷"
    assert called("words", "exact", 1025.0) == "1,025"


@pytest.mark.parametrize(("patience", "head"), [(86_400, "Missing after 1 day"), (None, "Missing: voided")])
def test_the_outcomes_say_after_how_long_one_is_missing(called, patience, head):
    outcomes = {"outcomes": {"patience_seconds": patience}}
    for health in (outcomes, {"strata": [{"stratum": "mobile"} | outcomes]}):
        assert called("experiment/health", "outcomeHeads", health)[2] == head
