"""A plan's table has the plan, what is proved of it, the least possible and the alternatives."""

import steadyarm as sa


def test_a_plan_as_expected_says_that_nothing_is_proved_and_what_a_guarantee_would_cost():
    plan = sa.plan(n_arms=2, horizon=100_000, max_sd=1000)
    rows = {row.kind: row for row in plan.rows()}
    assert (rows["expected"].regret, rows["expected"].instability) == (
        plan.expected.regret,
        plan.expected.instability,
    )
    assert (rows["guaranteed"].regret, rows["guaranteed"].missing) == (None, "nothing")
    assert rows["least"].regret == plan.least_regret <= plan.expected.regret
    assert rows["promise"].regret > plan.expected.regret
    assert rows["promise"].instability <= plan.expected.instability
    assert [row.name for row in plan.rows() if row.kind == "alternative"] == [
        each.title for each in plan.alternatives
    ]


def test_a_guaranteed_plan_names_its_theorems_and_needs_no_other_promise():
    plan = sa.plan(n_arms=2, horizon=100_000, max_sd=1000, guaranteed=True)
    rows = {row.kind: row for row in plan.rows()}
    assert "Theorem R" in rows["guaranteed"].name
    assert rows["guaranteed"].instability <= 1000 < 1.01 * rows["guaranteed"].instability
    assert "promise" not in rows


def test_a_guarantee_at_its_cap_says_nothing():
    rows = {row.kind: row for row in sa.plan(n_arms=2, horizon=100, alpha=5.0).rows()}
    assert (rows["guaranteed"].regret, rows["guaranteed"].missing) == (None, "nothing")
