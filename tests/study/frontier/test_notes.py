"""What a frontier says in sentences."""

import math
from types import SimpleNamespace

import pandas as pd

from steadyarm.study.frontier import notes
from steadyarm.study.frontier.study import FrontierStudy


def test_notes_on_one_rival_are_in_the_singular_and_a_range_has_two_ends_or_is_none():
    study = FrontierStudy(n_arms=2, horizon=1000, alphas=[1.0], spreads=[], rivals="none")
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


def titled(*times, spreads=(), rivals=()):
    study = FrontierStudy(n_arms=2, horizon=1000, alphas=[1.0, 2.0], spreads=spreads, rivals="none")
    names = [curve.name for curve in study.curves for _ in curve.policies]
    table = pd.DataFrame(
        {
            "curve": [*names, *[None] * len(rivals)],
            "times_least_regret": [1.0, 1.0, *times, *rivals],
            "regret_over_uniform": 0.1,
        }
    )
    return notes.message(SimpleNamespace(study=study, table=table))


def test_the_title_says_how_near_everybody_is_to_what_no_policy_can_beat():
    least = "times the least that any policy of its stability can lose"
    assert titled(1.034, 1.59) == f"SLE-UCB loses 1.03 to 1.59 {least}"
    assert titled(1.2, 1.2) == f"SLE-UCB loses 1.2 {least}"
    assert titled(0.98, 1.1) == f"SLE-UCB loses 1 to 1.1 {least}"  # noise
    found = titled(1.3, 3.42, 1.05, spreads=[20.0], rivals=[2.0, 52.7])
    assert found == f"Steady at S = 20 loses 1.05 {least}; SLE-UCB 1.3 to 3.4, rivals 2 to 53"
