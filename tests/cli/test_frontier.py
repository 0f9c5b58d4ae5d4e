"""`steadyarm frontier` on the command line."""

import json

import pytest

import steadyarm as sa

QUICK = "--arms 3 --horizon 5e2 --alphas 1,4 --spreads 20 --rivals MOSS,UCB1 --runs 20 --seed 3"


def test_json_is_what_the_library_gives_and_nothing_else_is_on_stdout(steadyarm):
    done = steadyarm("frontier", *QUICK.split(), "--json")
    found = sa.frontier(
        n_arms=3, horizon=500, alphas=[1, 4], spreads=[20], rivals=["MOSS", "UCB1"], runs=20, seed=3
    )
    report = json.loads(done.out)
    expected = found.to_dict()
    assert [row["regret"] for row in report["points"]] == [row["regret"] for row in expected["points"]]
    assert report["notes"] == expected["notes"]
    assert done.err == ""


def test_the_table_fits_eighty_columns_and_the_notes_are_there(steadyarm, tmp_path):
    done = steadyarm("frontier", *QUICK.split(), "--out", str(tmp_path / "made"), columns=80)
    rows = [line for line in done.out.splitlines() if line.startswith("  ")]
    assert max(map(len, rows)) <= 80
    assert "SLE-UCB paper, α 1" in done.out
    assert "note: Every point is a lower estimate" in done.out
    assert "× least: regret over the least that any policy of the same instability has" in done.out
    assert (tmp_path / "made" / "frontier.html").stat().st_size > 10_000
    assert "\x1b" not in done.out + done.err


def test_left_out_policies_are_named_with_the_reason(steadyarm):
    done = steadyarm(
        "frontier",
        *["--arms", "2", "--horizon", "1e9", "--alpha", "1", "--spreads", "none", "--runs", "4", "--json"],
    )
    assert "left out UCB1: 1,000,000,000 rounds have to be played one by one" in done.err
    assert "left out Exp3: Exp3 takes rewards between 0 and 1" in done.err
    report = json.loads(done.out)
    assert {row["alpha"] for row in report["points"] if row["constants"]} == {1.0}
    assert set(report["left_out"]) >= {"UCB1", "Exp3"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--alpha 1 --alphas 1,2", "--alpha and --alphas say the same thing"),
        ("--alphas one", "'one' is not a list of numbers"),
        ("--rivals Nobody", "--rivals must be one of 'SLEUCB'"),
        ("--rivals Exp3", "Exp3 cannot be a rival here"),
        ("--runs 1", "runs must be at least 2"),
        ("--horizon 1e20", "horizon must be at most"),
        ("--arms 1", "--arms must be at least 2"),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("frontier", *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_an_interval_without_an_end_reads_so(steadyarm):
    words = "frontier --arms 2 --horizon 200 --alphas 1 --rivals MOSS --runs 3 --patience 1e-5"
    done = steadyarm(*words.split())
    assert "± ∞" in done.out
    assert "inf" not in done.out
    assert "would take about 0 s" not in done.err
