"""`steadyarm trial` on the command line."""

import json

import pytest

import steadyarm as sa

QUICK = (
    "--means 0.2,0.5 --rewards bernoulli --policies RoundRobin,BetaThompson --horizon 30 --runs 50 --seed 4"
)


def test_json_is_what_the_library_gives(steadyarm):
    done = steadyarm("trial", *QUICK.split(), "--method", "wilson", "--json")
    designs = [
        sa.all_policies()[name](n_arms=2, horizon=30, noise_scale=0.5)
        for name in ("RoundRobin", "BetaThompson")
    ]
    found = sa.trial(sa.Instance.bernoulli([0.2, 0.5]), designs, methods=["wilson"], runs=50, seed=4)
    assert json.loads(done.out) == found.to_dict()
    assert done.err == ""


def test_the_table_fits_eighty_columns_and_a_report_is_written(steadyarm, tmp_path):
    done = steadyarm("trial", *QUICK.split(), "--out", str(tmp_path / "made"), columns=80)
    rows = [line for line in done.out.splitlines() if line.startswith("  ")]
    assert max(map(len, rows)) <= 80
    assert "digest: " in done.out
    assert (
        "operating characteristics" in (tmp_path / "made" / "trial.html").read_text(encoding="utf-8").lower()
    )


def test_looks_are_asked_for_by_number_or_by_round(steadyarm):
    for looks in ("2", "15,30"):
        done = steadyarm("trial", *QUICK.split(), "--method", "wald", "--looks", looks, columns=100)
        assert "stopped" in done.out
    assert "looks must be at most 15" in steadyarm("trial", *QUICK.split(), "--looks", "40", code=2).err


def test_scenarios_have_names(steadyarm):
    words = "--rewards bernoulli --policies RoundRobin --horizon 10 --method wald"
    scenarios = "--scenario none=0.2,0.2 --scenario big=0.2,0.9"
    done = steadyarm("trial", *words.split(), *scenarios.split(), "--json")
    assert [row["scenario"] for row in json.loads(done.out)["decisions"]] == ["none", "big"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--scenario null", "--scenario must be like null=0.1,0.1"),
        ("--means 0,1 --scenario null=0,0", "leave --means out"),
        ("--policies Nobody", "--policies must be one of 'SLEUCB'"),
        ("--method exactly", "a method must be one of"),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("trial", *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
