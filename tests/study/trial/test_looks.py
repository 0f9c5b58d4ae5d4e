"""Trials that may stop early: the classical errors of repeated looks, and what is told at the stop."""

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.study.trial.looks import looks_of

NULL, BETTER = sa.equal_arms(2), sa.Instance.gaussian([0.0, 1.0])


@pytest.mark.parametrize(("looks", "error"), [(1, 0.050), (2, 0.083), (5, 0.142)])
def test_repeated_looks_have_the_error_of_armitage_mcpherson_and_rowe(looks, error):
    """P. Armitage, C. K. McPherson, B. C. Rowe, JRSS A 132 (1969) 235-244, table 2."""
    runs = 3000
    found = sa.trial({"null": NULL}, ["RoundRobin"], horizon=100, methods=["wald"], looks=looks, runs=runs)
    [wrong] = found.table["wrong"]
    assert wrong == pytest.approx(error, abs=4.0 * np.sqrt(error * (1.0 - error) / runs))


def test_anytime_valid_intervals_keep_their_level_whatever_the_looks():
    found = sa.trial({"null": NULL}, ["MOSS"], horizon=100, methods=["anytime"], looks=20, runs=500)
    assert found.table["wrong"].item() <= 0.05


def test_everything_is_told_at_the_stop():
    asked = {"horizon": 100, "methods": ["wald"], "runs": 200}
    whole = sa.trial({"better": BETTER}, ["RoundRobin"], **asked)
    found = sa.trial({"better": BETTER}, ["RoundRobin"], looks=[20, 60], **asked)
    [row], [end] = found.table.to_dict("records"), whole.table.to_dict("records")
    assert 20.0 < row["rounds"] < 60.0  # the arms differ by more than two standard errors of 20 rounds
    assert row["stopped"] > 0.9
    assert row["power"] >= end["power"] - 0.01
    assert found.arms["pulls"].sum() == pytest.approx(row["rounds"])
    assert row["lost"] == pytest.approx(found.arms["pulls"][0])  # a pull of the worse arm loses 1
    assert abs(found.arms["bias"][1]) > abs(whole.arms["bias"][1])  # who stops at an extreme overestimates
    assert "stopped" not in whole.table


def test_more_arms_stop_when_one_is_better_than_all_others_or_than_the_control():
    nu = sa.Instance.gaussian([0.0, 2.0, 2.0])
    asked = {"horizon": 90, "methods": ["wald"], "looks": [45], "runs": 100}
    best = sa.trial({"tie": nu}, ["RoundRobin"], **asked)
    control = sa.trial({"tie": nu}, ["RoundRobin"], control=0, **asked)
    assert best.table["stopped"].item() < 0.1
    assert control.table["stopped"].item() > 0.9


def test_auto_looks_by_intervals_that_hold_at_any_time():
    asked = {"horizon": 100, "looks": 4, "runs": 100, "methods": ["auto", "anytime"]}
    found = sa.trial({"better": BETTER}, ["RoundRobin"], **asked)
    rows = found.table.set_index("method")
    assert rows["rounds"]["auto"] == rows["rounds"]["anytime"]
    assert rows["power"]["auto"] >= rows["power"]["anytime"]


def test_the_report_says_when_one_looks(tmp_path):
    found = sa.trial(sa.Instance.bernoulli([0.2, 0.8]), ["RoundRobin"], horizon=20, looks=2, runs=20)
    assert set(found.table["source"]) == {"simulated"}  # the exact law knows the end only
    found.save(tmp_path)
    page = (tmp_path / "trial.html").read_text(encoding="utf-8")
    assert "2, evenly spaced" in page
    assert "<th>stopped early</th>" in page


@pytest.mark.parametrize(
    ("looks", "message"),
    [
        (0, "looks must be at least 1"),
        (51, "looks must be at most 50"),
        ([], "looks must name at least one moment"),
        ([60, 20], "looks must rise"),
        ([200], "a moment of looks must be at most 100"),
    ],
)
def test_looks_that_cannot_be_are_refused(looks, message):
    with pytest.raises(InvalidInput, match=message):
        looks_of(looks, sa.MOSS(n_arms=2, horizon=100))
