"""`steadyarm plan` on the command line."""

import json

import pytest

import steadyarm as sa


def test_the_answer_is_that_of_the_library(steadyarm):
    done = steadyarm("plan", *["--arms", "3", "--horizon", "1e5", "--max-sd-share", "0.005", "--json"])
    assert json.loads(done.out) == sa.plan(n_arms=3, horizon=100_000, max_sd_share=0.005).to_dict()


def test_the_answer_reads_like_a_sentence_and_comes_with_a_picture_and_data(steadyarm, tmp_path):
    done = steadyarm("plan", *f"--arms 2 --horizon 1e9 --max-sd-share 0.01 --out {tmp_path}".split())
    assert "You wish for a standard deviation of at most" in done.out
    assert "Run SLE-UCB with alpha =" in done.out
    assert "No policy with this regret can keep its spread below" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.json", "plan.png", "plan.svg"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--arms 3 --horizon 1e4", "exactly one wish"),
        ("--arms 3 --horizon 1e4 --max-regret 1", "cannot be had"),
        ("--arms 1 --horizon 1e4 --max-sd 10", "n_arms must be at least 2"),
        ("--arms 3 --horizon 1e4 --max-sd ten", "should be a valid number"),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("plan", *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
