"""A plan from a baseline: one table, one recommendation, the same in Python, JSON, LaTeX and a notebook."""

import json
import math

import pytest

import steadyarm as sa
from steadyarm.words import percent

KNOWN = {"n_arms": 2, "horizon": 400, "baseline": 0.3, "smallest_difference": 0.1}


@pytest.fixture(scope="module")
def plan():
    return sa.plan(**KNOWN, per_day=100, runs=20, seed=3)


def test_every_number_of_the_table_has_an_interval(plan):
    table = plan.table
    assert list(table["design"])[:2] == ["equal shares", "Steady, spread 40"]
    for name in ("lost", "saved", "lost_at_worst", "spread", "best_share", "finds_best", "power", "width"):
        assert (table[f"{name}_low"] <= table[name]).all()
        assert (table[name] <= table[f"{name}_high"]).all()
    assert (table["days"] == 4.0).all()
    assert (table["spread_share"] == table["spread"] / 400).all()


def test_the_policy_is_that_of_the_recommendation_and_can_be_played(plan):
    assert plan.policy is plan.recommendation.design.policy
    plan.policy.check_instance(plan.situation.at_smallest)
    assert plan.recommendation.sentence.lower().startswith(plan.recommendation.design.name.lower())


def test_it_can_be_written_as_json_and_latex(plan):
    data = json.loads(json.dumps(plan.to_dict()))
    assert [row["design"] for row in data["table"]] == list(plan.table["design"])
    assert data["situation"]["baseline"] == 0.3
    assert data["recommendation"]["sentence"] == plan.recommendation.sentence
    assert "equal shares" in plan.to_latex()


def test_a_notebook_shows_the_recommendation_above_the_table(plan):
    sheet = plan._sheet()
    assert sheet.sentences == (plan.recommendation.sentence,)
    shown = sheet.tables[0]
    assert list(shown["design"]) == list(plan.table["design"])
    assert list(shown["power"].str.split(" ± ").str[0]) == [percent(power) for power in plan.table["power"]]
    assert shown["interval width"].str.fullmatch(r"[\d.]+ pp\*?").all()
    assert "anytime-valid" in sheet.notes[0]
    assert "nobody loses less" in shown


def test_nothing_is_simulated_before_a_number_is_asked_for(monkeypatch):
    monkeypatch.setattr("steadyarm.planning.baseline.measured.simulate", None)
    plan = sa.plan(**KNOWN, max_sd=20)
    outline = plan.outline()
    assert (
        plan.policy.title == plan.by_goal.policy.title == outline["by_goal"]["policy"]["policy"] == "Steady"
    )
    assert outline["designs"][-1]["design"] == "planned: Steady"
    assert outline["equal_shares_at_worst"] == pytest.approx(0.6 * 200)
    with pytest.raises(TypeError):
        _ = plan.table


def test_a_goal_is_planned_over_the_range_and_not_over_all_rates():
    narrow = sa.plan(**KNOWN, max_sd=20).by_goal
    wide = sa.plan(n_arms=2, horizon=400, rewards="bernoulli", max_sd=20)
    assert narrow.expected.regret < wide.expected.regret
    assert narrow.expected.instability <= 20.0 * 1.001
    assert math.isfinite(narrow.prediction().regret)


@pytest.mark.parametrize("horizon", [10**8, 10**12])
def test_expensive_designs_are_left_out_with_the_reason(horizon):
    long = sa.plan(n_arms=4, horizon=horizon, baseline=0.03, smallest_difference=0.003)
    assert any(f"Thompson sampling is left out: {horizon:,} rounds" in note for note in long.notes)
