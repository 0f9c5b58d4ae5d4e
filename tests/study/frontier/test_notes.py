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
            "constants": ["paper", "sharp", None, None],
            "alpha": [1.0, 1.0, math.nan, math.nan],
            "regret": [990.0, 90.0, 80.0, 80.0],
            "regret_over_uniform": [0.99, 0.09, 0.08, 0.08],
            "product": [0.1] * 4,
            "runs": [400, 400, 400, 64],
            "search_horizon": [1000, 1000, 1000, 500],
        }
    )
    one = " ".join(notes.notes(SimpleNamespace(study=study, runs=400, table=table)))
    assert "it loses 99% of what" in one
    assert "1 of the 4 points lies beyond" in one
    assert "1 rival whose runs are slow got fewer of them: 64 instead of 400." in one
    assert "worst instances of 1 rival were" in one
    table["runs"] = [400, 400, 100, 64]
    table["regret"] = [990.0, 990.0, 80.0, 80.0]
    several = " ".join(notes.notes(SimpleNamespace(study=study, runs=400, table=table)))
    assert "2 of the 4 points lie beyond" in several
    assert "2 rivals whose runs are slow got fewer of them: 64 to 100 instead of 400." in several
