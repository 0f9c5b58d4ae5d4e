"""`steadyarm coverage` on the command line."""

import json

import pytest

import steadyarm as sa

QUICK = (
    "--policies SLEUCB,MOSS --arms 2 --family equal_arms --horizon 200 --runs 50 --seed 4 --constants sharp"
)


def test_json_is_what_the_library_gives(steadyarm):
    done = steadyarm("coverage", *QUICK.split(), "--level", "0.9", "--json")
    policies = [sa.SLEUCB(n_arms=2, horizon=200, constants="sharp"), sa.MOSS(n_arms=2, horizon=200)]
    assert (
        json.loads(done.out) == sa.coverage(policies, sa.equal_arms(2), level=0.9, runs=50, seed=4).to_dict()
    )
    assert done.err == ""


def test_the_table_fits_eighty_columns_and_files_are_written(steadyarm, tmp_path):
    done = steadyarm("coverage", *QUICK.split(), "--out", str(tmp_path / "made"), columns=80)
    rows = [line for line in done.out.splitlines() if line.startswith("  ")]
    assert max(map(len, rows)) <= 80
    assert "wald" in done.out
    assert "anytime" in done.out
    assert (tmp_path / "made" / "coverage.png").stat().st_size > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--level 2", "level must be at most 1.0"),
        ("--policies Nobody", "--policies must be one of 'SLEUCB'"),
        ("--policies MOSS --alpha 2", "none of MOSS has a parameter 'alpha'"),
        ("--runs 1", "runs must be at least 2"),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("coverage", *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
