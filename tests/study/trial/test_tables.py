"""The tables of a trial: what is exact, what is simulated, and sums that add up."""

import numpy as np
import pytest
from tests.study.trial.conftest import COINS

import steadyarm as sa


def test_exact_rows_lie_within_the_error_of_simulated_ones(monkeypatch):
    monkeypatch.setattr("steadyarm.study.trial.study.exact_refusal", lambda *_: "not today")
    runs = sa.trial(COINS, ["Steady", "BetaThompson"], horizon=40, methods=["wald"], runs=4000, level=0.999)
    monkeypatch.undo()
    known = sa.trial(COINS, ["Steady", "BetaThompson"], horizon=40, methods=["wald"], level=0.999)
    assert set(runs.table["source"]) == {"simulated"}
    assert set(known.table["source"]) == {"exact"}
    for name in ("wrong", "power", "picks_best", "reward", "lost"):
        _holds(runs.table, known.table, name)
    for name in ("pulls", "spread", "bias", "rmse", "coverage", "width"):
        _holds(runs.arms, known.arms, name)


def _holds(simulated, exact, name):
    slack = 1e-9 * simulated[name].abs()
    inside = (simulated[f"{name}_low"] - slack <= exact[name]) & (
        exact[name] <= simulated[f"{name}_high"] + slack
    )
    assert (inside | exact[name].isna()).all(), name


def test_what_is_simulated_says_so_and_has_an_interval(found):
    assert found.table.groupby("method")["source"].unique().map(list).to_dict() == {
        "anytime": ["simulated"],
        "wilson": ["exact"],
    }
    exact, simulated = (found.table[found.table["source"] == source] for source in ("exact", "simulated"))
    assert (exact["reward_low"] == exact["reward_high"]).all()
    assert (simulated["reward_low"] < simulated["reward_high"]).all()


def test_reward_and_what_is_lost_add_up_to_the_best_arm(found):
    exact = found.table[found.table["source"] == "exact"]
    best = np.where(exact["scenario"] == "null", 0.2, 0.5)
    assert (exact["reward"] + exact["lost"]).to_numpy() == pytest.approx(40 * best, abs=1e-9)
