"""`steadyarm bench` as a newcomer uses it, wrong things included."""

import json
from importlib import import_module

import pytest

from steadyarm.study.bench.report import Bench, Figure, Machine


def test_figures_stand_beside_their_goals(steadyarm):
    done = steadyarm("bench", "--quick", "--only", "fluid,leap", columns=160)
    assert done.out.count("measured") == 2
    row = next(line for line in done.out.splitlines() if "a prediction" in line)
    assert "ms" in row
    assert "≤ 1" in row
    assert "9 figures in" in done.out
    assert "of 5 goals reached" in done.out
    assert "NumPy draws" in done.out
    assert "\x1b" not in done.out + done.err


def test_json_has_every_figure_with_its_goal_and_the_machine(steadyarm, tmp_path):
    done = steadyarm(
        "bench", "--quick", "--only", "prefix", "--only", "fluid", "--json", "--out", str(tmp_path)
    )
    report = json.loads(done.out)
    assert [figure["key"] for figure in report["figures"]] == [
        *(f"prefix/SLEUCB/{n_arms}" for n_arms in (2, 10, 100, 1000)),
        "prefix/cells",
        "fluid/10",
    ]
    for figure in report["figures"]:
        assert 0.0 < figure["low"] <= figure["value"] <= figure["high"]
        assert figure["wall"] > 0.0
        if figure["goal"] is not None:
            above = figure["value"] >= figure["goal"]
            assert figure["reached"] == (above if figure["relation"] == "at least" else not above)
    assert report["figures"][3]["goal"] == 2.0
    assert report["quick"] is True
    assert report["threads"] == 1
    assert report["draws_per_second"] > 1e6
    assert set(report["machine"]) >= {"cpu", "cores", "numpy", "numba", "steadyarm", "date", "card"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cpu.csv", "cpu.json", "cpu.md"]
    assert json.loads((tmp_path / "cpu.json").read_text()) == report
    assert done.err.count("wrote") == 3


def test_several_threads_have_no_goal_and_a_file_of_their_own(steadyarm, tmp_path):
    words = ["bench", "--quick", "--only", "prefix", "--threads", "2", "--json", "--out"]
    report = json.loads(steadyarm(*words, str(tmp_path)).out)
    assert report["threads"] == 2
    assert report["missed"] == []
    assert {figure["goal"] for figure in report["figures"]} == {None}
    assert (tmp_path / "cpu-2-threads.json").exists()


def test_a_child_that_fails_is_said(steadyarm, monkeypatch):
    processes = import_module("steadyarm.study.bench.processes")
    monkeypatch.setitem(processes._STARTS, "python", ("nothing", ["-c", "raise ValueError('no')"]))
    monkeypatch.setitem(processes._STARTS, "import", ("nothing", ["-c", "raise ValueError('no')"]))
    done = steadyarm("bench", "--quick", "--only", "start", code=2)
    assert "ended with code 1: ValueError: no" in done.err


def test_counts_that_differ_on_a_gpu_give_exit_code_1(steadyarm, monkeypatch):
    figure = Figure("cuda/step/2", "`step`", "G pulls/s", 90.0, 89.0, 91.0, 90.0, equal_counts=False)
    found = Bench((figure,), Machine.this("Some card"), 1, True, None, 1.0)
    monkeypatch.setattr("steadyarm.bench", lambda *_words, **_options: found, raising=False)
    done = steadyarm("bench", "--device", "cuda", code=1)
    assert "do not trust this card" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bench --only stepp", "only must be one of 'step', 'prefix'"),
        ("bench --only step,", "only must be one of 'step', 'prefix'"),
        ("bench --device tpu", "device must be one of 'cpu', 'cuda'"),
        ("bench --threads 0", "threads must be at least 1"),
        ("bench --threads two", "'two' is not a number"),
        ("bench --device cuda --only leap", "only must be one of 'step', 'prefix', 'different'; got 'leap'"),
    ],
)
def test_wrong_things_get_one_clear_line_and_exit_code_2(steadyarm, words, message):
    done = steadyarm(*words.split(), code=2)
    assert message in " ".join(done.err.replace("│", " ").split())
    assert "Traceback" not in done.err
    assert done.out == ""
