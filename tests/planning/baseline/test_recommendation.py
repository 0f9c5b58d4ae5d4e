"""One design is recommended: the one that loses least of those that find out as much, if that is worth it."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm

from steadyarm.planning.baseline.designs import Design
from steadyarm.planning.baseline.recommendation import recommend, row_in_words, units_for
from steadyarm.planning.baseline.situation import describe
from steadyarm.theory.estimates import Estimate

SHOP = describe(
    n_arms=2, horizon=10_000, baseline=0.1, smallest_difference=0.01
)  # 1,000 conversions expected


def measured(name, saved, power, error=5.0, interval="ordinary"):
    def estimate(value, half):
        return Estimate(value, value - half, value + half, 200)

    return SimpleNamespace(
        design=Design(name, SimpleNamespace(to_dict=dict)),
        saved=estimate(saved, error),
        lost=estimate(100.0 - saved, error),
        power=estimate(power, 0.03),
        interval=interval,
    )


EQUAL = measured("equal shares", 0.0, 0.8, error=0.0)


@pytest.mark.parametrize(
    ("others", "name", "words"),
    [
        ([("a", 40.0, 0.79), ("b", 30.0, 0.80)], "a", "loses about 40 fewer conversions than equal shares"),
        ([("a", 40.0, 0.60), ("b", 30.0, 0.78)], "b", r"\(70 instead of 100\)"),
        (
            [("a", 40.0, 0.60), ("b", 9.0, 0.78)],
            "equal shares",
            "b, saves about 9 conversions here, out of 1,000",
        ),
        ([("a", 4.0, 0.80)], "equal shares", "nothing that can be told from chance"),
        ([("a", 400.0, 0.10)], "equal shares", "every design that adapts finds out less"),
        ([("a", -20.0, 0.80)], "equal shares", "every design that adapts|nothing that can be told"),
    ],
)
def test_the_rule(others, name, words):
    found = recommend(SHOP, [EQUAL, *(measured(*each) for each in others)])
    assert found.design.name == name
    assert re.search(words, found.sentence)
    assert found.to_dict()["design"] == name


def test_where_outcomes_come_after_the_last_unit_the_reason_is_that():
    late = describe(n_arms=2, baseline=0.1, smallest_difference=0.01, per_day=1000, days=10, delay_days=11)
    found = recommend(late, [EQUAL, measured("a", 0.0, 0.8)])
    assert found.sentence.startswith(
        "Equal shares: no outcome is known before the last unit has its arm, so nothing can adapt."
    )


def test_a_plan_that_finds_out_little_says_so():
    weak = [measured("equal shares", 0.0, 0.3, error=0.0), measured("a", 40.0, 0.32)]
    found = recommend(SHOP, weak)
    assert found.design.name == "a"
    assert (
        "With this traffic no design shows the smallest difference that matters reliably: 32% of the time at most."
        in found.sentence
    )
    assert "reliably" not in recommend(SHOP, [EQUAL, measured("a", 40.0, 0.79)]).sentence


def test_what_equal_shares_take_is_told_in_units_and_days_and_does_it():
    known = {"n_arms": 3, "baseline": 0.03, "smallest_difference": 0.005, "per_day": 1000}
    test = describe(**known, days=10)
    found = recommend(test, [measured("equal shares", 0.0, 0.17, error=0.0)])
    assert "80% of the time, equal shares take about 72,000 units (72 days)." in found.sentence
    assert (
        "take about 72,000 units."
        in recommend(
            describe(n_arms=3, baseline=0.03, smallest_difference=0.005, horizon=10_000),
            [measured("equal shares", 0.0, 0.17, error=0.0)],
        ).sentence
    )
    for share, shown in ((1.0, 0.8), (0.5, 0.476)):
        each = round(share * units_for(test, 0.8) / 3)
        rates = np.random.default_rng(1).binomial(each, [0.03, 0.035], (4000, 2)) / each
        error = np.sqrt((rates * (1.0 - rates)).sum(axis=1) / each)
        power = np.mean(rates[:, 1] - rates[:, 0] > norm.ppf(1.0 - 0.025 / 2.0) * error)
        assert power == pytest.approx(shown, abs=4 * 0.5 / np.sqrt(4000))


@pytest.mark.parametrize(
    ("power", "words"),
    [
        (0.80, r"matters as often \(80% of the time\)"),
        (0.82, r"matters about as often \(82% against 80% of the time\)"),
        (0.90, r"matters more often \(90% against 80% of the time\)"),
    ],
)
def test_how_often_it_finds_out_is_told_beside_equal_shares(power, words):
    assert re.search(words, recommend(SHOP, [EQUAL, measured("a", 40.0, power)]).sentence)


def test_a_power_that_falls_since_the_interval_is_another_one_is_explained_by_it():
    wide = measured("a", 400.0, 0.10, interval="anytime-valid")
    assert "only a wider, anytime-valid interval is valid" in recommend(SHOP, [EQUAL, wide]).sentence
    assert "anytime" not in recommend(SHOP, [EQUAL, measured("a", 400.0, 0.10)]).sentence
    assert row_in_words(SHOP, wide).endswith(
        "10% of the time, by an anytime-valid interval, since its traffic depends much on outcomes."
    )
    assert row_in_words(SHOP, EQUAL).endswith("80% of the time.")
