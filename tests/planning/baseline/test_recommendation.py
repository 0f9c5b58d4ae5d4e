"""One design is recommended: the one that loses least of those that find out as much, if that is worth it."""

import dataclasses
import re
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm

from steadyarm.planning.baseline.designs import Design
from steadyarm.planning.baseline.recommendation import (
    LITTLE,
    power_of_equal_shares,
    recommend,
    row_in_words,
    units_for,
)
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
        ([("a", -20.0, 0.80)], "equal shares", "nothing that can be told"),
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
    assert found.sentence.startswith(
        "With this traffic no design shows the smallest difference that matters reliably: 32% of the time at most. More"
    )
    assert "A: it loses about 40 fewer" in found.sentence
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
        (0.85, r"matters about as often \(85% against 80% of the time\)"),
        (0.86, r"matters more often \(86% against 80% of the time, which may be chance\)"),
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


POOR = describe(n_arms=3, baseline=0.06, smallest_difference=0.003, per_day=400, days=60, delay_days=10)


@pytest.mark.parametrize("equal", [0.02, 0.10, 0.20])
@pytest.mark.parametrize("power", [0.0, 0.05, 0.20])
def test_where_next_to_nothing_can_be_found_out_the_loss_decides_however_few_the_runs(equal, power):
    assert power_of_equal_shares(POOR) < LITTLE
    found = recommend(
        POOR,
        [
            measured("equal shares", 0.0, equal, error=0.0),
            measured("Steady", 20.0, equal),
            measured("Thompson", 40.0, power),
        ],
    )
    assert found.design.name == "Thompson"
    assert found.sentence.startswith("With this traffic no design shows the smallest difference")
    assert (
        "equal shares take about 370,000 units (925 days, and 10 more until the last outcomes)."
        in found.sentence
    )
    assert "Thompson: it loses about 40 fewer conversions than equal shares" in found.sentence
    assert "chosen by that alone, since no design would find out much" in found.sentence


def test_a_power_far_below_that_of_equal_shares_is_never_near_it_however_large_its_error():
    few = measured("a", 400.0, 0.6)
    few.power = Estimate(0.6, 0.2, 0.95, 20)
    assert recommend(SHOP, [EQUAL, few]).design.name == "equal shares"


def test_where_little_can_be_found_out_it_is_told_what_the_loss_alone_would_favour():
    weak = [
        measured("equal shares", 0.0, 0.4, error=0.0),
        measured("a", 20.0, 0.38),
        measured("b", 60.0, 0.0),
    ]
    found = recommend(SHOP, weak)
    assert found.design.name == "a"
    assert found.sentence.endswith(
        " If only what is lost counts, b loses about 60 fewer than equal shares, and shows the difference 0% of the "
        "time."
    )
    assert "only what is lost counts" not in recommend(SHOP, [EQUAL, *weak[1:]]).sentence


def test_the_power_of_equal_shares_is_the_one_that_so_many_units_give():
    units = round(units_for(SHOP, 0.8))
    assert power_of_equal_shares(dataclasses.replace(SHOP, horizon=units)) == pytest.approx(0.8, abs=1e-3)
