"""`steadyarm worst-case` on the command line."""

import json

import pytest

import steadyarm as sa


def test_json_is_what_the_library_gives(steadyarm):
    words = (
        "--policy MOSS --of instability --arms 3 --horizon 2e2 --runs 30 --search-runs 6 --steps 3 --seed 5"
    )
    done = steadyarm("worst-case", *words.split(), "--json")
    found = sa.worst_case(
        sa.MOSS(n_arms=3, horizon=200), "instability", runs=30, search_runs=6, steps=3, seed=5
    )
    assert json.loads(done.out) == found.to_dict()
    assert done.err == ""


def test_without_a_size_it_is_that_of_a_policy_given_by_name(steadyarm):
    words = "--policy RoundRobin --runs 10 --search-runs 2 --steps 0 --json"
    found = sa.worst_case("RoundRobin", runs=10, search_runs=2, steps=0)
    assert json.loads(steadyarm("worst-case", *words.split()).out) == found.to_dict()


def test_it_says_what_was_found_and_that_it_is_a_lower_estimate(steadyarm, tmp_path):
    words = "--arms 3 --horizon 1e8 --constants sharp --alpha 2 --runs 30 --search-runs 10"
    done = steadyarm("worst-case", *words.split(), "--out", str(tmp_path / "made"))
    assert "SLE-UCB, 3 gaussian arms, 100,000,000 rounds: the worst regret found" in done.out
    assert "A lower estimate of the supremum" in done.out
    assert "equal_gap" in done.out
    assert (tmp_path / "made" / "tried.png").stat().st_size > 0
    assert "\x1b" not in done.out + done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--of fun", "of must be one of"),
        ("--policy Nobody", "--policy must be one of 'SLEUCB'"),
        ("--policy MOSS --alpha 2", "MOSS has no parameter 'alpha'"),
        ("--runs 1", "runs must be at least 2"),
        ("--horizon 1e20", "horizon must be at most"),
        ("--rewards cash", "rewards must be one of"),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("worst-case", *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
