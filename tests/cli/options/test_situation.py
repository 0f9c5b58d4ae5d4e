"""Rates and differences as people write them, and what a team knows on the command line."""

import json

import pytest
import typer

import steadyarm as sa
from steadyarm.cli.options.situation import rate, rates

ASKED = "--arms 2 --horizon 400 --runs 20 --seed 3"


@pytest.mark.parametrize(
    ("text", "value"), [("3%", 0.03), ("0.03", 0.03), ("0.3pp", 0.003), ("12.5", 12.5), ("7 %", 0.07)]
)
def test_a_rate_is_read_to_the_nearest_double(text, value):
    assert rate(text) == value


def test_what_is_no_rate_is_refused():
    with pytest.raises(typer.BadParameter, match="valid number"):
        rate("3 per cent")
    with pytest.raises(typer.BadParameter, match="two differences"):
        rates("1pp")
    assert rates("-0.5pp,1pp") == (-0.005, 0.01)


KNOWN = [*ASKED.split(), "--baseline", "30%", "--smallest-difference", "10pp"]


def test_the_answer_is_that_of_the_library_and_fits_a_narrow_terminal(steadyarm):
    done = steadyarm("plan", *KNOWN)
    plan = sa.plan(n_arms=2, horizon=400, baseline=0.3, smallest_difference=0.1, runs=20, seed=3)
    assert plan.recommendation.sentence in done.out
    lines = [line.rstrip() for line in done.out.splitlines()]
    table = [line for line in lines if line.strip().startswith(tuple(plan.table["design"])) and "±" in line]
    assert len(table) == len(plan.measured)
    assert max(map(len, table)) <= 100


@pytest.mark.slow
def test_the_picture_the_table_and_all_data_are_written(steadyarm, tmp_path):
    done = steadyarm("plan", *KNOWN, "--json", "--out", str(tmp_path))
    assert json.loads((tmp_path / "plan.json").read_text()) == json.loads(done.out)
    assert {path.suffix for path in tmp_path.iterdir()} == {
        ".csv",
        ".json",
        ".parquet",
        ".pdf",
        ".png",
        ".svg",
    }


def test_past_data_is_read_from_a_file(steadyarm, tmp_path):
    file = tmp_path / "past.csv"
    file.write_text("x\n" + "0\n1\n0\n0\n1\n" * 20)
    done = steadyarm(
        "plan",
        *ASKED.split(),
        *["--data", str(file), "--smallest-difference", "0.2", "--column", "x", "--json"],
    )
    assert json.loads(done.out)["situation"]["baseline"] == 0.4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--baseline 3 --smallest-difference 0.3pp", "above 0% and below 100%; got 300%"),
        ("--baseline 3%", "needs --smallest-difference"),
        ("--baseline 3% --smallest-difference 10%", "could be 10 percentage points, or 10% of the baseline"),
        ("--smallest-difference 3pp", "a plan needs horizon and one goal, or a baseline"),
        (
            "--baseline 3% --smallest-difference 1pp --delay-days 2",
            "need --per-day, the number of units a day",
        ),
        ("--baseline 3% --data x.csv --smallest-difference 1pp", "both say what arm 0 gives"),
        ("--sd 3 --smallest-difference 1pp", "--sd goes with --baseline"),
        ("--baseline 8 --sd 50 --smallest-difference 0.5pp", "--smallest-difference is 0.5 per cent or pp"),
        (
            "--baseline 8% --sd 50 --smallest-difference 1",
            "--baseline is 8 per cent or pp, and outcomes are not 0",
        ),
        (
            "--baseline 8 --sd 50 --smallest-difference 1 --differences -2,300pp",
            "--differences is 300 per cent or pp",
        ),
        (
            "--baseline 3% --smallest-difference 1pp --noise-scale 1",
            "--noise-scale describes a class of rewards",
        ),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("plan", *ASKED.split(), *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
