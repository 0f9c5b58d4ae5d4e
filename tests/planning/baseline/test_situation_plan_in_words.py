"""Plans from a baseline as people read them, by `print`."""

import steadyarm as sa

KNOWN = {"n_arms": 2, "horizon": 400, "baseline": 0.3, "smallest_difference": 0.1}


def test_print_gives_the_situation_the_recommendation_the_designs_and_the_notes():
    plan = sa.plan(**KNOWN, runs=20, seed=3, max_sd=20, progress=False)
    text = str(plan)
    words = " ".join(text.split())
    assert words.startswith(plan.situation.words)
    assert plan.recommendation.sentence in words
    assert f"Goal: {plan.goal}." in words
    lines = text.splitlines()
    for each in plan.measured:
        assert any(
            line.split()[: len(each.design.name.split())] == each.design.name.split() for line in lines
        )
    assert "Numbers without ± have theirs in plan.table, --json and --out." in words
    assert {"spread_low", "spread_high", "finds_best_low"} <= set(plan.table.columns)
    for note in plan.notes:
        assert f"note: {note}" in words
    assert max(map(len, lines)) <= 100


def test_a_plan_at_a_prompt_shows_what_is_known_and_simulates_nothing(monkeypatch):
    monkeypatch.setattr("steadyarm.planning.baseline.measured.simulate", None)
    shown = repr(sa.plan(**KNOWN))
    assert shown.startswith("SituationPlan(situation=Situation(n_arms=2, horizon=400, baseline=0.3")
    assert "<function" not in shown
