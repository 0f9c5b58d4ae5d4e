"""`steadyarm scaling` on the command line."""

import json

import pytest

import steadyarm as sa


def test_json_is_what_the_library_gives(steadyarm):
    words = "--policy UCBf --arms 2,3 --horizons 2e2,8e2 --runs 20 --seed 3 --json"
    done = steadyarm("scaling", *words.split())
    found = sa.scaling("UCBf", horizons=[200, 800], n_arms=[2, 3], runs=20, seed=3)
    assert json.loads(done.out) == found.to_dict()
    assert done.err == ""


def test_one_horizon_is_the_longest_as_in_python(steadyarm):
    words = "--policy UCBf --horizon 1e4 --arms 3 --runs 10 --json"
    assert (
        json.loads(steadyarm("scaling", *words.split()).out)
        == sa.scaling("UCBf", horizons=10**4, n_arms=3, runs=10).to_dict()
    )


def test_the_exponents_are_printed_and_drawn(steadyarm, tmp_path):
    words = "--horizon 1e9 --constants sharp --alpha 2 --runs 20"
    done = steadyarm("scaling", *words.split(), "--out", str(tmp_path / "made"), columns=80)
    assert "SLE-UCB: worst cases at 7 sizes" in done.out
    assert "product grows like T^1." in done.out
    assert (tmp_path / "made" / "scaling.png").stat().st_size > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--arms two", "'two' is not a number"),
        ("--horizons 1e4", "an exponent needs at least two sizes"),
        ("--policy Nobody", "--policy must be one of 'SLEUCB'"),
        ("--policy MOSS --alpha 2", "MOSS has no parameter 'alpha'"),
        ("--policy UCB1", "rounds have to be played one by one"),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("scaling", *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
