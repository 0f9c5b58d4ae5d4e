"""Weighted estimates of a live experiment: those of its exported columns, with words, and none where there are none."""

import json

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.live.analysis import weighted
from steadyarm.live.analysis.health import vitals_of
from steadyarm.live.analysis.results import results_of
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.logged_feedback import logged_feedback
from steadyarm.live.core.setup.configuration import requested, resolve

AT = "2026-01-01T00:00:00.000Z"
ASKED = {"arms": ["a", "b", "c"], "horizon": 300, "rewards": "bernoulli", "policy": "BetaThompson", "seed": 3}


def lived(units=200, retire_at=None, **more):
    """An experiment whose rewards come late, in which units are voided and amended; and its rows."""
    experiment, first = Experiment.create(1, "e", resolve(requested(ASKED | more)), AT)
    rows, waiting, rng = [first, experiment.move("started", AT)], [], np.random.default_rng(2)
    strata = [stratum.name for stratum in experiment.setup.strata] or [""]
    for number in range(units):
        if number == retire_at:
            rows.append(experiment.retire("c", "harm", AT))
        row, unit = experiment.allocate(f"u{number}", AT, stratum=strata[number % len(strata)])
        rows.append(row)
        waiting.append((f"u{number}", unit))
        if number % 3 == 2:  # two of every three, in any order
            name, late = waiting.pop(rng.integers(len(waiting)))
            if number % 30 == 29:
                rows.append(experiment.void(name, late, "lost", AT)[0])
            name, late = waiting.pop(rng.integers(len(waiting)))
            rate = {"a": 0.3, "b": 0.6, "c": 0.5}[late.arm]
            row, told = experiment.reward(name, late, float(rng.random() < rate), AT)
            rows.append(row)
            if number % 20 == 17:
                rows.append(experiment.amend(name, told, 1.0 - told.reward, "a slip", AT)[0])
    return experiment, rows


def results(experiment, rows, beside_a_void=None, **how):
    vitals = vitals_of(experiment.setup)
    for row in rows[1:]:
        entry = json.loads(row.body) | {"hash": row.hash}
        vitals.take(entry | (beside_a_void or {} if entry["kind"] == "voided" else {}))
    return results_of(experiment.summary(), vitals=vitals, **how)


@pytest.mark.parametrize("decay", [None, 0.5])
def test_weighted_results_are_those_of_the_exported_columns(decay):
    experiment, rows = lived(share=0.6, share_decay=decay)
    found = results(experiment, rows, level=0.9, control="b")["weighted"]
    columns = logged_feedback("e", rows).to_obp()
    assert found["rewards"] == columns["n_rounds"] > 50
    assert len({*columns["pscore"].tolist()}) > (2 if decay else 1)
    for method in ("wald", "anytime"):
        expected = sa.weighted_intervals(columns, level=0.9, method=method, optimal_at=300)
        for row, each in zip(found["arms"], expected, strict=True):
            assert row["mean"] == each.value
            assert row[method] == {"low": each.low, "high": each.high}
        expected = sa.weighted_intervals(columns, level=0.95, method=method, optimal_at=300, control=1)
        for row, each in zip(found["differences"], (expected[0], expected[2]), strict=True):
            assert (row["other"], row["value"]) == ("b", each.value)
            assert row[method] == {"low": each.low, "high": each.high}
    assert "one look" in found["words"]
    assert "first order" in found["words"]


def test_without_random_rounds_there_are_no_weighted_results():
    experiment, rows = lived(60)
    assert results(experiment, rows)["weighted"] is None
    assert results_of(experiment.summary())["weighted"] is None


def test_a_retired_arm_has_no_weighted_estimate_and_neither_have_differences_from_it():
    experiment, rows = lived(share=0.6, retire_at=120)
    found = results(experiment, rows)["weighted"]
    assert [row["mean"] is None for row in found["arms"]] == [False, False, True]
    assert [row["value"] is None for row in found["differences"]] == [False, True]
    assert "A retired arm" in found["words"]
    found = results(experiment, rows, control="c")["weighted"]
    assert [row["value"] for row in found["differences"]] == [None, None]


def test_every_stratum_has_weighted_results_of_its_own():
    experiment, rows = lived(share=0.6, strata=["x", "y"])
    found = results(experiment, rows)
    assert found["weighted"] is None
    columns = logged_feedback("e", rows).rows
    for part in found["strata"]:
        mine = [row for row in columns if row.stratum == part["stratum"]]
        assert part["weighted"]["rewards"] == len(mine) > 20


def test_a_play_too_long_to_remember_says_so_and_one_too_short_too(monkeypatch):
    experiment, rows = lived(3, share=0.6)
    assert results(experiment, rows)["weighted"]["words"] == "Weighted estimates need two rewards or more."
    monkeypatch.setattr(weighted, "MOST_SCORES", 300)
    experiment, rows = lived(share=0.6)
    found = results(experiment, rows)["weighted"]
    assert found["arms"] == []
    assert "more than 300. Export the journal" in found["words"]


def test_p_values_of_differences_come_with_their_words():
    experiment, rows = lived(60)
    found = results(experiment, rows)["differences"]
    assert all(0.0 <= row["p_value"] <= 1.0 for row in found["rows"])
    assert "whenever you like" in found["p_words"]


@pytest.mark.parametrize("reward", [0.5, {"a": 1}])
def test_a_reward_that_stands_beside_a_void_counts_nowhere(reward):
    experiment, rows = lived(share=0.6)
    asked = {"level": 0.9, "control": "b"}
    assert results(experiment, rows, {"reward": reward}, **asked) == results(experiment, rows, **asked)


@pytest.mark.parametrize("strata", [None, ["x", "y"]])
def test_a_unit_that_had_another_arm_after_all_counts_as_if_it_had_been_voided(strata):
    def ended(how):
        experiment, rows = lived(share=0.6, strata=strata)
        row, unit = experiment.allocate("served", AT, stratum=(strata or [""])[0])
        rows.append(row)
        if how == "void":
            rows.append(experiment.void("served", unit, "lost", AT)[0])
        else:
            rows.append(experiment.note_default("served", unit, "a" if unit.arm != "a" else "b", AT)[0])
        return results(experiment, rows, level=0.9)

    served, voided = ended("default"), ended("void")
    parts = [(served, voided)] if strata is None else zip(served["strata"], voided["strata"], strict=True)
    for one, other in parts:
        assert one["weighted"] == other["weighted"] is not None
    assert served["health"]["outcomes"] == voided["health"]["outcomes"]
