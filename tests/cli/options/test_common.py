"""What many commands take: --study and --dask, numbers, moments, delays and batches."""

import json

import pytest
import typer

import steadyarm as sa
from steadyarm.cli.options import common

WORDS = ("simulate", "--horizon", "1e3", "--runs", "30", "--constants", "sharp", "--json")


STUDIES = {
    "simulate": WORDS,
    "compare": ("compare", "--policies", "MOSS,UCB1", "--horizon", "500", "--runs", "30", "--json"),
    "frontier": (
        "frontier",
        "--arms",
        "2",
        "--horizon",
        "300",
        "--alphas",
        "2,1",
        "--spreads",
        "none",
        "--rivals",
        "UCB1",
        "--json",
    ),
    "scaling": ("scaling", "--policy", "MOSS", "--horizons", "200,400", "--runs", "20", "--json"),
    "coverage": ("coverage", "--arms", "3", "--horizon", "300", "--runs", "50", "--json"),
    "trial": ("trial", "--policies", "MOSS", "--method", "wald", "--runs", "50", "--json"),
    "worst-case": ("worst-case", "--policy", "MOSS", "--horizon", "300", "--runs", "50", "--json"),
}


DRIFT = ("--means", "0.1,-0.1", "--drift", "step:-0.1,0.1:200", "--at", "100,300")
STUDIES |= {
    "simulate, drifting": (*WORDS, *DRIFT),
    "compare, drifting": (*STUDIES["compare"], *DRIFT),
}


@pytest.mark.parametrize("words", STUDIES.values(), ids=STUDIES.keys())
def test_a_kept_study_prints_the_same_as_one_in_memory(steadyarm, tmp_path, words):
    plain = steadyarm(*words).out
    for _ in range(2):
        assert steadyarm(*words, "--study", str(tmp_path / "study")).out == plain
    assert (tmp_path / "study" / "study.json").exists()


def test_a_folder_of_another_study_is_refused_with_what_differs(steadyarm, tmp_path):
    steadyarm(*WORDS, "--study", str(tmp_path))
    refused = steadyarm(*WORDS, "--alpha", "2", "--study", str(tmp_path), code=2)
    assert "policy.alpha (stored 1.0, asked 2.0)" in refused.err
    assert refused.out == ""


@pytest.mark.parametrize("words", STUDIES.values(), ids=STUDIES.keys())
def test_every_study_refuses_the_folder_of_another_seed(steadyarm, tmp_path, words):
    steadyarm(*words, "--runs", "10", "--study", str(tmp_path))
    refused = steadyarm(*words, "--seed", "3", "--study", str(tmp_path), code=2)
    assert f"the study in {tmp_path} is another one; it differs in seed (stored 0, asked 3)" in refused.err


@pytest.mark.parametrize("words", STUDIES.values(), ids=STUDIES.keys())
def test_runs_are_added_on_the_command_line(steadyarm, tmp_path, words):
    steadyarm(*words, "--runs", "20", "--study", str(tmp_path))
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*.parquet")}
    more = steadyarm(*words, "--runs", "70", "--study", str(tmp_path)).out
    assert json.loads(more) == json.loads(steadyarm(*words, "--runs", "70").out)
    now = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("parts/*/*.parquet")}
    assert kept.items() < now.items()  # nothing was played again
    assert json.loads((tmp_path / "study.json").read_text())["runs"] == 70


def test_a_frontier_in_a_folder_is_the_same_in_python(steadyarm, tmp_path):
    printed = steadyarm(*STUDIES["frontier"], "--runs", "20", "--study", str(tmp_path)).out
    laboratory = sa.Laboratory(folder=tmp_path)
    found = sa.frontier(
        n_arms=2, horizon=300, alphas=[1, 2], spreads=[], rivals=["UCB1"], runs=20, laboratory=laboratory
    )
    assert found.to_dict() == json.loads(printed)


def test_a_damaged_part_is_told_in_a_note(steadyarm, tmp_path):
    plain = steadyarm(*WORDS, "--study", str(tmp_path)).out
    [part] = tmp_path.glob("parts/*/*.parquet")
    part.write_bytes(b"")
    again = steadyarm(*WORDS, "--study", str(tmp_path))
    assert again.out == plain
    assert again.err.startswith(f"note: {part} was damaged and is computed again")


def test_a_scheduler_that_does_not_answer_is_told_in_one_line(steadyarm, monkeypatch):
    monkeypatch.setattr("steadyarm.study.runs.cluster._TIMEOUT_SECONDS", 0.3)
    refused = steadyarm(*WORDS, "--dask", "tcp://127.0.0.1:9", code=2)
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in refused.err
    assert "dask scheduler" in refused.err


@pytest.mark.parametrize("address", ["nonsense", "tcp://127.0.0.1", "", "http://127.0.0.1:1"])
def test_a_wrong_address_is_told_before_a_client_is_made(steadyarm, monkeypatch, address):
    def client(*_how, **_more):
        raise AssertionError("a client that cannot connect takes half a minute to go away")

    monkeypatch.setattr("distributed.Client", client)
    refused = steadyarm(*WORDS, "--dask", address, code=2)
    assert f"no Dask scheduler answers at {address!r}" in refused.err


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("--delay 3", "--delay 4", "delay.rounds (stored 3, asked 4)"),
        ("--batch 5", "", "batch (stored 5, asked nothing)"),
        ("--drift step:0,0.1:500", "--drift step:0,0.1:501", "instance.ends[0] (stored 500, asked 501)"),
    ],
)
def test_a_folder_of_another_delay_or_drift_is_refused(steadyarm, tmp_path, one, other, what):
    steadyarm(*WORDS, *one.split(), "--study", str(tmp_path))
    assert what in steadyarm(*WORDS, *other.split(), "--study", str(tmp_path), code=2).err


def test_delay_and_batch_play_as_in_python_and_nothing_is_promised(steadyarm):
    words = ["--arms", "3", "--gap", "0.5", "--horizon", "300", "--runs", "30", "--constants", "sharp"]
    policy, arms = sa.SLEUCB(n_arms=3, horizon=300, constants="sharp"), sa.equal_gap(3, 0.5)
    for option, delay in (("30", 30), ("geometric:30", sa.Delay.geometric(30))):
        given = json.loads(steadyarm("simulate", *words, "--delay", option, "--batch", "7", "--json").out)
        result = sa.simulate(policy, arms, runs=30, delay=delay, batch=7)
        assert given["regret"] == result.regret.to_dict()
        assert (given["delay"], given["batch"]) == (result.feedback.delay.to_dict(), 7)
        assert given["guarantee"] is None
    assert "Rewards are told 30 rounds late." in steadyarm("simulate", *words, "--delay", "30").out


@pytest.mark.parametrize(
    ("text", "number"),
    [("100000", 100_000), ("100_000", 100_000), ("1e5", 100_000), ("1e12", 10**12), ("-3", -3)],
)
def test_a_whole_number_is_written_in_several_ways(text, number):
    assert common.whole_number(text) == number


def test_moments_are_a_number_of_them_or_rounds():
    assert common.moments("50") == 50
    assert common.moments("10,100,1e3") == [10, 100, 1000]
    with pytest.raises(typer.BadParameter, match=r"'2\.5' is not a whole number"):
        common.moments("10,2.5")


def test_a_delay_is_fixed_or_geometric():
    assert common.delay("30") == sa.Delay.fixed(30)
    assert common.delay("geometric:2.5") == sa.Delay.geometric(2.5)
