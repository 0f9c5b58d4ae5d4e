"""Plans for a goal as people read them, by `print`."""

import steadyarm as sa


def test_print_gives_the_recipe_the_table_and_the_notes_in_lines_of_a_hundred():
    plan = sa.plan(n_arms=2, horizon=100_000, max_sd=1000)
    lines = str(plan).splitlines()
    assert lines[0] == "Goal: a standard deviation of at most 1,000 pulls (2 arms, 100,000 rounds)."
    assert f"Run Steady with {plan.recipe}." in lines
    assert any(line.split()[:1] == ["expected,"] and line.split()[-1] == "1.00%" for line in lines)
    assert any(line.startswith("note: Steady has no finite-time guarantee") for line in lines)
    assert max(map(len, lines)) <= 100


def test_a_check_by_simulation_stands_in_the_table_with_its_errors():
    import io

    from rich.console import Console

    from steadyarm.planning.plan_in_words import print_plan

    plan, out = sa.plan(n_arms=2, horizon=10_000, max_sd=200), io.StringIO()
    print_plan(Console(file=out, width=120), plan, plan.check(runs=50))
    measured = next(line for line in out.getvalue().splitlines() if "measured, 50 runs" in line)
    assert measured.count("±") == 2
