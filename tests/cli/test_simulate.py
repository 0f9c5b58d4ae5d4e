"""`steadyarm simulate`: the numbers of the library, every kind of instance, and what is promised."""

import json

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import OtherStudy


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


def test_nothing_is_called_guaranteed_where_nothing_is(steadyarm):
    for words in (
        "--horizon 200 --gap 1.5 --outside-class",
        "--horizon 200 --beta 0.1",
        "--horizon 200 --policy Steady",
        "--horizon 20000 --constants sharp --drift linear:0,0.1",
    ):
        done = steadyarm("simulate", "--runs", "10", *words.split())
        assert "guaranteed  " not in done.out
        assert "note:" in done.out
        again = steadyarm("simulate", "--runs", "10", *words.split(), "--json")
        assert json.loads(again.out)["guarantee"] is None


def test_one_moment_has_a_comma_behind_it(steadyarm):
    words = ["--policy", "MOSS", "--horizon", "300", "--runs", "5", "--at", "1e2,", "--json"]
    assert json.loads(steadyarm("simulate", *words).out)["at"] == [100]


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


def test_a_narrow_terminal_cuts_no_number_of_a_trillion_rounds(steadyarm):
    words = "--arms 2 --horizon 1e12"
    simulated = steadyarm("simulate", *words.split(), "--runs", "20", columns=80).out
    assert " ".join(simulated.splitlines()[2].split()) == "arm mean reward pulls share standard deviation"
    planned = steadyarm("plan", *words.split(), "--max-sd-share", "0.0001", columns=80).out
    assert "…" not in simulated + planned


def test_a_folder_that_keeps_a_simulation_is_the_same_in_python(steadyarm, tmp_path):
    words = f"--policy MOSS --horizon 300 --delay 5 --seed 3 --study {tmp_path} --json"
    printed = json.loads(steadyarm("simulate", *words.split(), "--runs", "10").out)
    laboratory = sa.Laboratory(folder=tmp_path)
    policy, instance = sa.MOSS(n_arms=2, horizon=300), sa.equal_gap(2, 0.1)
    laboratory.begin_simulation(policy, instance, runs=10, seed=3, delay=5)
    assert laboratory.simulate(policy, instance, runs=10, seed=3, delay=5).to_dict() == printed
    with pytest.raises(OtherStudy):
        sa.Laboratory(folder=tmp_path).begin_simulation(policy, instance, seed=4, delay=5)
