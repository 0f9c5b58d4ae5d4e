"""The table of designs in words: the same in a notebook and on a terminal, and with the page's roundings."""

from types import SimpleNamespace

from steadyarm.planning.baseline.designs_in_words import IN_A_LINE, in_words
from steadyarm.planning.baseline.situation import describe
from steadyarm.theory.estimates import Estimate

SHOP = describe(n_arms=4, horizon=200_000, baseline=0.03, smallest_difference=0.003)


def row(situation=SHOP, interval="ordinary", **numbers):
    usual = {
        "lost": (956.2, 1.1),
        "power": (0.725, 0.06),
        "finds_best": (0.985, 0.02),
        "width": (0.0053, 0.0),
    }
    known = dict.fromkeys(("lost_at_smallest", "lost_at_worst", "spread", "best_share"), (0.25, 0.0))
    estimates = {
        name: Estimate(value, value - half, value + half, 200)
        for name, (value, half) in (known | usual | numbers).items()
    }
    each = SimpleNamespace(
        design=SimpleNamespace(name="a"), least_at_worst=52.03, interval=interval, **estimates
    )
    return dict(zip(IN_A_LINE.values(), in_words(situation, [each])[0], strict=True))


def test_half_a_percent_is_rounded_up_as_the_recommendation_and_the_page_do():
    assert row()["power"] == "73% ± 6"
    assert row()["finds the best"] == "99%"


def test_no_digit_is_shown_that_the_error_hides():
    assert row(lost=(98.16, 30.5))["lost over your range"] == "98 ± 30"
    assert row(lost=(9.56, 0.67))["lost over your range"] == "9.56 ± 0.67"
    assert row(lost=(10_667.2, 0.013))["lost over your range"] == "10,667"
    assert row(lost=(24.43, 0.028))["lost over your range"] == "24.4"
    assert row(lost=(24.43, 0.06))["lost over your range"] == "24.4 ± 0.06"
    assert row(lost=(13_470.4, 2_140.0))["lost over your range"] == "13,470 ± 2,100"


def test_rates_differ_by_points_and_other_outcomes_by_their_own_unit():
    revenue = describe(n_arms=4, horizon=200_000, baseline=(8.0, 50.0), smallest_difference=1.0)
    assert row()["interval width"] == "0.53 pp"
    assert (
        row(interval="anytime-valid")["interval width"]
        == row(interval="mixed")["interval width"]
        == "0.53 pp*"
    )
    assert row(revenue, width=(2.24, 0.0))["interval width"] == "2.24"
