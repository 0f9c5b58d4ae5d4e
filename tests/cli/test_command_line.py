"""The command line as a newcomer uses it, wrong things included."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.processes import started

import steadyarm as sa


def test_simulate_prints_the_numbers_of_the_library(steadyarm):
    words = "--arms 3 --gap 0.5 --horizon 1e3 --runs 200 --seed 5 --constants sharp --alpha 2 --json"
    done = steadyarm("simulate", *words.split())
    report = json.loads(done.out)
    policy = sa.SLEUCB(n_arms=3, horizon=1000, constants="sharp", alpha=2.0)
    result = sa.simulate(policy, sa.equal_gap(3, 0.5), runs=200, seed=5)
    assert report["regret"] == result.regret.to_dict()
    assert report["instability"] == result.instability.to_dict()
    assert report["policy"] == policy.to_dict()
    assert report["guarantee"]["regret"] == sa.theory.guarantee(policy).regret
    assert done.err == ""


def test_the_table_is_readable_and_a_pipe_gets_no_progress_bar_and_no_colour(steadyarm):
    done = steadyarm(*["simulate", "--means", "0,-0.25", "--horizon", "1e3", "--runs", "100"])
    assert "SLE-UCB on 2 gaussian arms, 1,000 rounds, 100 runs (prefix engine, seed 0)" in done.out
    assert "regret bound is trivial" in done.out
    assert "\x1b" not in done.out + done.err
    assert done.err == ""


@pytest.mark.parametrize(
    "words",
    [
        "--means 0.6,0.5 --rewards bernoulli",
        "--means 2,1 --rewards bounded --low 0 --high 4 --mean-bound 4",
        "--family ladder --arms 4 --gap 0.2",
        "--family one_better --arms 3",
        "--family equal_arms --arms 3",
        "--precision 0.2",
        "--beta 2 --engine reference",
        "--gap 1.5 --outside-class",
        "--noise-scale 0.3 --threads 1",
        "--policy Steady --spread 20",
    ],
)
def test_simulate_takes_every_kind_of_instance(steadyarm, words):
    runs = [] if "precision" in words else ["--runs", "20"]
    done = steadyarm("simulate", "--horizon", "200", *runs, *words.split(), "--json")
    assert json.loads(done.out)["regret"]["value"] >= 0


def test_out_writes_the_picture_the_counts_and_the_description(steadyarm, tmp_path):
    steadyarm(*["simulate", "--horizon", "300", "--runs", "30", "--out"], str(tmp_path / "made"))
    names = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert names == ["counts.csv", "counts.pdf", "counts.png", "counts.svg", "simulation.json"]
    counts = np.loadtxt(tmp_path / "made" / "counts.csv", delimiter=",", skiprows=1, dtype=int)
    assert counts.shape == (30, 2)
    assert (counts.sum(axis=1) == 300).all()


def test_at_prints_a_few_moments_and_writes_all_of_them(steadyarm, tmp_path):
    words = ["--arms", "3", "--gap", "0.5", "--horizon", "1e3", "--runs", "30"]
    done = steadyarm("simulate", *words, "--at", "30", "--out", str(tmp_path))
    result = sa.simulate(sa.SLEUCB(n_arms=3, horizon=1000), sa.equal_gap(3, 0.5), runs=30, at=30)
    assert f"1,000   {result.regret_at[-1]}   {result.instability_at[-1]}" in done.out
    assert "… and 20 more moments (--json has them all)" in done.out
    assert "over_time.png" in done.err
    assert len((tmp_path / "over_time.csv").read_text().splitlines()) == 31
    given = json.loads(steadyarm("simulate", *words, "--at", "10,1e2", "--json").out)
    assert given["at"] == [10, 100]
    assert given["regret"] == result.regret.to_dict()


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


def test_nothing_is_called_guaranteed_where_nothing_is(steadyarm):
    for words in ("--gap 1.5 --outside-class", "--beta 0.1", "--policy Steady"):
        done = steadyarm("simulate", "--horizon", "200", "--runs", "10", *words.split())
        assert "guaranteed  " not in done.out
        assert "note:" in done.out
        again = steadyarm("simulate", "--horizon", "200", "--runs", "10", *words.split(), "--json")
        assert json.loads(again.out)["guarantee"] is None


def test_policies_lists_the_registry(steadyarm):
    assert "SLEUCB" in steadyarm("policies").out
    listed = json.loads(steadyarm("policies", "--json").out)["policies"]
    assert [row["name"] for row in listed] == list(sa.all_policies())


def test_help_and_version(steadyarm):
    assert "simulate" in steadyarm("--help").out
    assert "--horizon" in steadyarm("simulate", "--help").out
    assert steadyarm("--version").out.strip() == sa.__version__


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("simulate --alpha -1", "alpha must be positive; got -1.0"),
        ("simulate --horizon 2", "horizon must be at least 3; got 2"),
        ("simulate --horizon ten", "'ten' is not a number"),
        ("simulate --horizon 2.5", "'2.5' is not a whole number"),
        ("simulate --horizon inf", "'inf' is not a whole number"),
        ("simulate --horizon nan", "'nan' is not a whole number"),
        ("simulate --runs 0", "runs must be at least 1"),
        ("simulate --at 10,5", "at must rise; got 5 after 10"),
        ("simulate --at 10,x", "'x' is not a number"),
        *(
            (
                f"simulate --delay {wrong}",
                f"'{wrong}' is no delay. Write 30 for that many rounds, or geometric:30",
            )
            for wrong in (
                "soon",
                "-1",
                "1.5",
                ":30",
                "poisson:30",
                "geometric:x",
                "geometric:1,2",
                "geometric:-3",
            )
        ),
        ("simulate --batch 0", "batch must be at least 1; got 0"),
        ("simulate --delay 30 --engine prefix", "rewards are told 30 rounds late"),
        ("simulate --means 0,x", "is not a list of numbers"),
        ("simulate --means 0,nan", "means[1] must be finite"),
        ("simulate --means 0,1 --arms 3", "--arms says 3 but --means names 2"),
        ("simulate --policy Nobody", "--policy must be one of 'SLEUCB'"),
        ("simulate --family nice", "--family must be one of"),
        ("simulate --rewards poisson", "--rewards must be one of"),
        ("simulate --rewards bernoulli", "give --means, like 0.6,0.5"),
        ("simulate --gap 2", "arm 1 has mean -2.0"),
        ("simulate --engine warp", "engine must be one of"),
        ("simulate --seed -5", "seed must be at least 0"),
        ("simulate --runs 5 --precision 0.1", "runs or precision, not both"),
        ("simulat", "No such command"),
        ("simulate --means a,b", "Invalid value for '--means': 'a,b' is not a list of numbers"),
        (
            "frontier --alphas x",
            "Invalid value for '--alphas': 'x' is not a list of numbers; write it like 0.5,1,2",
        ),
        ("scaling --arms 2,x", "Invalid value for '--arms': 'x' is not a number"),
        ("scaling --horizons 1e4,y", "Invalid value for '--horizons': 'y' is not a number"),
        ("verify --only x", "Invalid value for '--only': 'x' is not a list of claims"),
        ("simulate --means 0,0.5 --gap 0.9", "leave --family and --gap out"),
        ("simulate --family equal_arms --gap 0.9", "has no gap"),
        ("simulate --low 3", "--low and --high are for bounded rewards"),
        ("simulate --runs 10 --horizon 50 --out /proc/nowhere", "/proc/nowhere"),
    ],
)
def test_wrong_things_get_one_clear_line_and_exit_code_2(steadyarm, words, message):
    done = steadyarm(*words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_one_run_has_no_interval_and_says_so(steadyarm):
    done = steadyarm(*["simulate", "--horizon", "500", "--runs", "1", "--policy", "MOSS"])
    assert "1 run (prefix engine" in done.out
    assert "[−∞, ∞]" in done.out
    assert "instability  unknown" in done.out
    assert "product      unknown" in done.out
    assert "One run has no spread" in done.out
    assert "nan" not in done.out
    assert (
        "One run" not in steadyarm(*["simulate", "--horizon", "500", "--runs", "2", "--policy", "MOSS"]).out
    )


def test_a_product_on_one_instance_is_not_said_to_be_bounded_below(steadyarm):
    done = steadyarm(*["simulate", "--policy", "RoundRobin", "--horizon", "500", "--runs", "20"])
    assert "product      0 × T^1.5  (on this instance; Theorem 1 is about worst cases)" in done.out
    assert "no policy gets below" not in done.out


def processor_seconds(process):
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_says_what_was_finished_and_exits_130():
    words = [
        sys.executable,
        "-m",
        "steadyarm",
        "simulate",
        "--horizon",
        "1e12",
        "--runs",
        "2",
        "--engine",
        "step",
    ]
    with started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # Imports take one second of the processor, so it plays by then, however busy the machine.
        while processor_seconds(process.pid) < 3.0:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped after 0 of 2 runs" in errors
    assert "Traceback" not in errors


def test_a_narrow_terminal_cuts_no_number_of_a_trillion_rounds(steadyarm):
    words = "--arms 2 --horizon 1e12"
    simulated = steadyarm("simulate", *words.split(), "--runs", "20", columns=80).out
    assert " ".join(simulated.splitlines()[2].split()) == "arm mean reward pulls share standard deviation"
    planned = steadyarm("plan", *words.split(), "--max-sd-share", "0.0001", columns=80).out
    assert "…" not in simulated + planned
