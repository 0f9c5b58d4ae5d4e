"""`steadyarm plan` on the command line."""

import json
import sys

import pytest

import steadyarm as sa
from steadyarm.cli import main


def run(monkeypatch, capsys, words, code=0):
    monkeypatch.setattr(sys, "argv", ["steadyarm", "plan", *words.split()])
    with pytest.raises(SystemExit) as left:
        main()
    captured = capsys.readouterr()
    assert left.value.code == code, captured.err
    return captured


def test_the_answer_is_that_of_the_library(monkeypatch, capsys):
    done = run(monkeypatch, capsys, "--arms 3 --horizon 1e5 --max-sd-share 0.005 --json")
    assert json.loads(done.out) == sa.plan(n_arms=3, horizon=100_000, max_sd_share=0.005).to_dict()


def test_the_answer_reads_like_a_sentence_and_comes_with_a_picture(monkeypatch, capsys, tmp_path):
    done = run(monkeypatch, capsys, f"--arms 2 --horizon 1e9 --max-sd-share 0.01 --out {tmp_path}")
    assert "You wish for a standard deviation of at most" in done.out
    assert "Run SLE-UCB with alpha =" in done.out
    assert "No policy with this regret can keep its spread below" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.png", "plan.svg"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--arms 3 --horizon 1e4", "exactly one wish"),
        ("--arms 3 --horizon 1e4 --max-regret 1", "cannot be had"),
        ("--arms 1 --horizon 1e4 --max-sd 10", "n_arms must be at least 2"),
        ("--arms 3 --horizon 1e4 --max-sd ten", "should be a valid number"),
    ],
)
def test_wrong_things_get_one_clear_line(monkeypatch, capsys, words, message):
    done = run(monkeypatch, capsys, words, code=2)
    assert message in done.err
    assert "Traceback" not in done.err
