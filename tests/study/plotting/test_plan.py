"""The picture of a plan: its family, the point that was chosen, and where no policy is."""

import json

import pytest
from matplotlib.figure import Figure

import steadyarm as sa


@pytest.fixture(scope="module")
def plan():
    return sa.plan(n_arms=3, horizon=50_000, max_sd_share=0.02)


def test_the_chosen_point_lies_on_the_curve_and_both_are_named(plan):
    axes = sa.plot_plan(plan).axes[0]
    curve, point, half = axes.lines[:3]
    assert curve.get_xdata().tolist() == [each.regret for each in plan.curve]
    assert curve.get_ydata().tolist() == [each.instability for each in plan.curve]
    assert (point.get_xdata()[0], point.get_ydata()[0]) == (plan.expected.regret, plan.expected.instability)
    assert half.get_ydata()[0] == plan.half.instability
    words = {text.get_text() for text in axes.texts}
    assert {
        f"this plan: {plan.policy.title}",
        "half the spread",
        "no policy can be here (Theorem 1′)",
    } <= words


def test_a_plan_draws_itself_in_a_size_or_into_axes(plan):
    assert plan.plot(size=(6, 4)).get_size_inches().tolist() == [6.0, 4.0]
    axes = Figure().add_subplot()
    assert plan.plot(ax=axes) is axes.figure


def test_the_title_says_what_the_spread_costs(plan):
    title = sa.plot_plan(plan).axes[0].get_title(loc="left")
    assert f"{plan.expected.instability:,.0f} pulls of spread" in title
    assert f"{plan.expected.regret / plan.most_regret:.1%} of the most that could be lost" in title


def test_a_line_of_guarantees_is_drawn_where_some_say_more_than_what_can_happen(plan):
    told = [point for point in plan.curve if (point.guaranteed_regret or plan.most_regret) < plan.most_regret]
    drawn = "guaranteed" in {text.get_text() for text in sa.plot_plan(plan).axes[0].texts}
    assert drawn == (len(told) > 1)
    sure = sa.plan(n_arms=2, horizon=10**7, max_sd_share=0.05, guaranteed=True)
    assert "guaranteed" in {text.get_text() for text in sa.plot_plan(sure).axes[0].texts}


def test_a_plan_is_saved_with_its_check_and_one_from_a_baseline_with_its_table(plan, tmp_path):
    pictures = {"plan.png", "plan.svg", "plan.pdf"}
    check = plan.check(runs=20)
    assert {path.name for path in plan.save(tmp_path / "goal", check)} == pictures | {"plan.json"}
    assert json.loads((tmp_path / "goal" / "plan.json").read_text())["measured"] == check.to_dict()
    assert "measured" not in plan.to_dict()
    team = sa.plan(horizon=400, baseline=0.3, smallest_difference=0.1, runs=20)
    names = {path.name for path in team.save(str(tmp_path / "team"))}
    assert names == pictures | {"plan.json", "plan.csv", "plan.parquet"}
