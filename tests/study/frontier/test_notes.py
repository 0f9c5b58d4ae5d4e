"""What a frontier says in sentences."""

import math
from types import SimpleNamespace

import pandas as pd

from steadyarm.study.frontier import notes
from steadyarm.study.frontier.study import FrontierStudy


def test_notes_on_one_rival_are_in_the_singular_and_a_range_has_two_ends_or_is_none():
    study = FrontierStudy(n_arms=2, horizon=1000, alphas=[1.0], rivals="none")
    table = pd.DataFrame(
        {
            "curve": ["SLE-UCB, paper's constants", "SLE-UCB, sharp constants", None, None],
            "alpha": [1.0, 1.0, math.nan, math.nan],
            "regret_over_uniform": [0.99, 0.09, 0.08, 0.08],
            "times_least_regret": [1.0, 1.3, 2.5, 3.0],
            "runs": [400, 400, 400, 64],
            "search_horizon": [1000, 1000, 1000, 500],
        }
    )
    one = " ".join(notes.notes(SimpleNamespace(study=study, runs=400, table=table)))
    assert "it loses 99% of what" in one
    assert "1 rival whose runs are slow got fewer of them: 64 instead of 400." in one
    assert "worst instances of 1 rival were" in one
    table["runs"] = [400, 400, 100, 64]
    several = " ".join(notes.notes(SimpleNamespace(study=study, runs=400, table=table)))
    assert "2 rivals whose runs are slow got fewer of them: 64 to 100 instead of 400." in several


def titled(*times):
    study = FrontierStudy(n_arms=2, horizon=1000, alphas=[1.0, 2.0], rivals="none")
    names = [curve.name for curve in study.curves for _ in curve.policies]
    table = pd.DataFrame({"curve": names, "times_least_regret": [1.0, 1.0, *times]})
    return notes.message(SimpleNamespace(study=study, table=table))


def test_the_title_says_how_near_the_curve_is_to_what_no_policy_can_beat():
    least = "the least regret that any policy of its stability can have"
    assert titled(1.034, 1.59).startswith(f"SLE-UCB is within 3–59 % of {least}; with the paper's")
    assert titled(1.2, 1.2).startswith(f"SLE-UCB is within 20 % of {least}")
    assert titled(0.98, 1.1).startswith(f"SLE-UCB is within 0–10 % of {least}")  # noise
    assert titled(1.3, 3.42).startswith(f"SLE-UCB has 1.3 to 3.4 times {least}")
