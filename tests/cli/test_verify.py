"""`steadyarm verify` as a newcomer uses it, wrong things included."""

import json
from importlib import import_module

import pytest

import steadyarm as sa
from steadyarm.defaults import CLAIM_ARMS, CLAIM_HORIZON
from steadyarm.study.verify.claims import Claim
from steadyarm.study.verify.claims.base import at_most


def test_each_claim_is_a_line_with_prediction_measurement_margin_and_verdict(steadyarm):
    done = steadyarm("verify", "--only", "14,26", "--only", "4")
    lines = done.out.splitlines()
    assert lines[0].split() == ["claim", "predicted", "measured", "margin", "verdict", "s"]
    numbered = [line for line in lines if line.lstrip()[:2].strip().isdigit() and "holds" in line]
    assert [line.split()[0] for line in numbered] == ["14", "26", "4"]
    assert "exact" in done.out
    assert lines[-1].endswith("seed 0: all hold")
    assert "\x1b" not in done.out + done.err
    assert done.err == ""


def test_json_is_what_the_library_gives(steadyarm):
    report = json.loads(steadyarm("verify", "--only", "11", "--seed", "5", "--json").out)
    expected = sa.verify(only=11, seed=5).to_dict()
    for row in report["claims"] + expected["claims"]:
        del row["seconds"]
    assert report["claims"] == expected["claims"]
    assert (report["holds"], report["seed"]) == (True, 5)


def test_a_failing_claim_is_said_and_gives_exit_code_1(steadyarm, monkeypatch):
    def check(_setting):
        return at_most(2.0, 1.0, "two is more than one")

    monkeypatch.setattr(
        import_module("steadyarm.study.verify.study"), "CLAIMS", (Claim(1, "nowhere", "2 ≤ 1", check),)
    )
    done = steadyarm("verify", code=1)
    assert "FAILS" in done.out
    assert "two is more than one" in done.out
    assert "1 claim in 0 s, seed 0: failed: 1" in done.out
    assert json.loads(steadyarm("verify", "--json", code=1).out)["failed"] == [1]


def test_the_chain_against_a_policy_is_printed_and_drawn(steadyarm, tmp_path):
    words = ["verify", "--policy", "MOSS", "--arms", "2", "--horizon", "500", "--runs", "60"]
    done = steadyarm(*words, "--out", str(tmp_path / "made"))
    assert "Theorem 1's chain against MOSS" in done.out
    assert "is forced; the largest measured is" in done.out
    assert "8 claims in" in done.out
    names = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert names == ["chain.pdf", "chain.png", "chain.svg", "verify.json"]
    saved = json.loads((tmp_path / "made" / "verify.json").read_text())
    assert saved["policy"]["policy"] == "MOSS"
    assert saved["chain"][0]["gap"] == 0.0
    again = json.loads(steadyarm(*words, "--json").out)
    assert again["chain"] == saved["chain"]


def test_the_command_prints_what_python_gives(steadyarm):
    """Chain, runs and M included, by one call."""
    words = "verify --policy MOSS --arms 2 --horizon 500 --runs 60 --mean-bound 2 --only 19 --json"
    printed = json.loads(steadyarm(*words.split()).out)
    found = sa.verify(19, policy=sa.MOSS(n_arms=2, horizon=500), runs=60, mean_bound=2.0).to_dict()
    assert (printed["chain"], printed["policy"]) == (found["chain"], found["policy"])


def test_a_policy_has_the_size_of_the_registrys_unless_told(steadyarm):
    checked = json.loads(
        steadyarm("verify", "--policy", "MOSS", "--only", "19", "--runs", "100", "--json").out
    )
    assert checked["policy"] == sa.MOSS(n_arms=CLAIM_ARMS, horizon=CLAIM_HORIZON).to_dict()


def test_help_does_not_promise_a_number_of_runs_that_claims_do_not_play(steadyarm):
    assert "1000" not in steadyarm("verify", "--help").out


def test_a_claim_that_needs_no_chain_runs_without_one(steadyarm):
    done = steadyarm("verify", "--policy", "RoundRobin", "--only", "23", "--horizon", "300", "--runs", "20")
    assert "1 claim in" in done.out
    assert "chain" not in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("verify --only 99", "claims are 1 to"),
        ("verify --only x", "'x' is not a list of claims"),
        ("verify --only 2 --policy MOSS", "claims about every policy are 19 to 23, 27, 28 and 33; got 2"),
        ("verify --policy Nobody", "--policy must be one of 'SLEUCB'"),
        ("verify --policy RoundRobin --horizon 200 --runs 20", "Theorem 1 needs a worst-case regret"),
        ("verify --policy MOSS --alpha 2", "MOSS has no parameter 'alpha'"),
        ("verify --alpha 2", "--alpha describes the policy given by --policy"),
        ("verify --arms 5", "--arms describes the policy given by --policy"),
        ("verify --horizon 500", "--horizon describes the policy given by --policy"),
        ("verify --mean-bound 2", "--mean-bound describes the policy given by --policy"),
        ("verify --policy MOSS --runs 2", "runs must be at least 10"),
        ("verify --seed -1 --only 26", "seed must be at least 0"),
    ],
)
def test_wrong_things_get_one_clear_line_and_exit_code_2(steadyarm, words, message):
    done = steadyarm(*words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""
