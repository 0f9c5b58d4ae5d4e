"""A mixed experiment: its probabilities are in the journal, replayed by the audit, and columns of the table."""

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import steadyarm as sa
from steadyarm.cli.app import app
from steadyarm.live import read_feedback
from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, canonical, digest, line
from steadyarm.live.core.logged_feedback import logged_feedback
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.core.units import unit_after

AT = "2026-01-01T00:00:00.000Z"
ASKED = {"arms": ["a", "b"], "horizon": 60, "rewards": "bernoulli", "policy": "BetaThompson", "seed": 3}


def written(units=40, **more):
    """A journal in which rewards come three units late and one unit is voided."""
    experiment, first = Experiment.create(1, "e", resolve(requested(ASKED | more)), AT)
    rows, waiting = [first, experiment.move("started", AT)], []
    for number in range(units):
        row, unit = experiment.allocate(f"u{number}", AT)
        rows.append(row)
        waiting.append((f"u{number}", unit))
        if number == 5:
            rows.append(experiment.void(*waiting.pop(0), "lost", AT)[0])
        elif number >= 3:
            name, late = waiting.pop(0)
            rows.append(experiment.reward(name, late, float(late.arm == "b"), AT)[0])
    return experiment, rows


def test_the_journal_of_a_mix_logs_the_probability_of_every_arm_given():
    _, rows = written(share=0.2)
    entries = [json.loads(row.body) for row in rows]
    logged = {entry["probability"] for entry in entries if entry["kind"] == "allocated"}
    assert logged == {0.1, 0.9}
    assert all(canonical(entry) == row.body for entry, row in zip(entries, rows, strict=True))
    assert verify_rows("e", rows)[0]["decisions"] == 40
    assert not any("probability" in json.loads(row.body) for row in written()[1])


def test_a_changed_probability_is_found_by_the_replay():
    _, rows = written(share=0.2)
    place = next(place for place, row in enumerate(rows) if row.kind == "allocated")
    for changed in (0.5, None):
        entry = json.loads(rows[place].body) | {"probability": changed}
        body = canonical({name: value for name, value in entry.items() if value is not None})
        forged = rows[place]._replace(body=body, hash=digest(body))
        with pytest.raises(Broken, match=f"with probability {changed}, but the policy with 0."):
            verify_rows("e", [*rows[:place], forged])


def test_a_restored_mix_goes_on_with_the_same_probabilities():
    experiment, rows = written(share=0.3)
    again = Experiment(1, "e", experiment.setup, AT)
    again.restore(json.loads(experiment.snapshot()), experiment.chain.seq, experiment.chain.previous)
    for number in range(40, 60):
        assert again.allocate(f"u{number}", AT) == experiment.allocate(f"u{number}", AT)
    assert len(rows) == 2 + 40 + 37


def test_the_table_has_a_row_for_each_reward_in_the_order_of_the_rounds():
    _, rows = written(share=0.2)
    found = logged_feedback("e", rows)
    columns = found.to_obp()
    assert [row.round for row in found.rows] == sorted({*range(1, 38)} - {3})
    assert columns["n_rounds"] == len(columns["pscore"]) == len(columns["action"]) == 36
    assert np.array_equal(columns["reward"], columns["action"] == 1)
    assert set(columns) == {
        *("n_rounds", "n_actions", "action", "position", "reward", "pscore", "context", "action_context")
    }
    probability = {row.round: row.pscore for row in found.rows}
    for entry in (json.loads(row.body) for row in rows if row.kind == "allocated"):
        assert probability.get(entry["round"], entry["probability"]) == entry["probability"]


def test_without_a_share_there_is_no_column_of_probabilities():
    found = logged_feedback("e", written()[1])
    assert "pscore" not in found.to_obp()
    assert next(found.to_csv()) == ["unit", "round", "arm", "action", "position", "reward"]


def test_an_amended_reward_stands_beside_the_one_that_was_told():
    experiment, rows = written()
    entry = next(json.loads(row.body) for row in rows if row.kind == "rewarded")
    found = unit_after(None, json.loads(next(row.body for row in rows if row.unit == entry["unit"])))
    amended, _ = experiment.amend(
        entry["unit"], unit_after(found, entry), 1.0 - entry["reward"], "looked again", AT
    )
    found = logged_feedback("e", [*rows, amended])
    heading, *lines = found.to_csv()
    assert heading[-2:] == ["reward", "first_reward"]
    differing = [line for line in lines if line[-1] != line[-2]]
    assert [(line[0], line[-2], line[-1]) for line in differing] == [
        (entry["unit"], repr(1.0 - entry["reward"]), repr(entry["reward"]))
    ]
    assert "first_reward" not in next(logged_feedback("e", rows).to_csv())
    assert found.to_obp()["reward"].tolist() == [row.reward for row in found.rows]


def test_the_command_writes_the_table(tmp_path):
    journal, table = tmp_path / "e.ndjson", tmp_path / "e.csv"
    journal.write_text("".join(line(row) for row in written(share=0.2)[1]))
    assert CliRunner().invoke(app, ["live", "feedback", str(journal), "--out", str(table)]).exit_code == 0
    with table.open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [float(each["pscore"]) for each in lines] == [row.pscore for row in read_feedback(journal).rows]
    assert {each["arm"] for each in lines} == {"a", "b"}


def test_a_share_mixes_whatever_policy_was_asked_for_or_planned():
    mixed = resolve(requested(ASKED | {"share": 0.1}))
    assert mixed.policy == sa.Mixed(sa.BetaThompson(n_arms=2, horizon=60, noise_scale=0.5), 0.1)
    assert mixed.is_requested_by(mixed.configuration)
    planned = resolve(requested({"arms": ["a", "b"], "horizon": 500, "share": 0.1}))
    assert planned.policy.policy == resolve(requested({"arms": ["a", "b"], "horizon": 500})).policy
    for share, words in ((0, "share must be positive"), (2.0, "share must be at most 1"), ("x", "a number")):
        with pytest.raises(Problem, match=words):
            resolve(requested(ASKED | {"share": share}))
    falling = resolve(requested(ASKED | {"share": 1.0, "share_decay": 0.7}))
    assert falling.policy == sa.Mixed(mixed.policy.policy, 1.0, decay=0.7)
    for more, words in (
        ({"share_decay": 0.5}, "Give share too"),
        ({"share": 0.1, "share_decay": 1.0}, "decay must be at most"),
        ({"share": 0.1, "share_decay": -1}, "decay must be at least 0"),
    ):
        with pytest.raises(Problem, match=words):
            resolve(requested(ASKED | more))
