"""`steadyarm plan` on the command line."""

import json

import pytest

import steadyarm as sa


def test_the_answer_is_that_of_the_library(steadyarm):
    done = steadyarm("plan", *["--arms", "3", "--horizon", "1e5", "--max-sd-share", "0.005", "--json"])
    assert json.loads(done.out) == sa.plan(n_arms=3, horizon=100_000, max_sd_share=0.005).to_dict()


def test_a_guarantee_is_asked_for_in_a_word(steadyarm):
    done = steadyarm("plan", *["--arms", "2", "--horizon", "1e5", "--max-sd", "1000", "--guaranteed"])
    assert "Goal: a guaranteed standard deviation of at most 1,000 pulls" in done.out
    assert "Run SLE-UCB with alpha =" in done.out
    assert "guaranteed (regret: Theorem R; instability: Theorem E2)" in done.out


def test_a_floor_comes_with_what_it_costs(steadyarm):
    done = steadyarm(
        "plan", "--arms", "3", "--horizon", "1000", "--max-sd-share", "0.1", "--at-least", "0.2,0,0"
    )
    assert "at least 200 of 1,000 rounds elsewhere" in " ".join(done.out.split())


def test_an_alpha_instead_of_a_goal_is_checked_by_so_many_runs(steadyarm):
    asked = "--arms 3 --horizon 1e7 --rewards bernoulli --alpha 2 --runs 400 --seed"
    words = [*asked.split(), "7"]
    data = json.loads(steadyarm("plan", *words, "--json").out)
    assert data["policy"]["alpha"] == 2.0
    for quantity, measured in data["measured"].items():
        assert measured["low"] < 1.1 * data["expected"][quantity]  # a first-order prediction, and 400 runs
        assert measured["high"] > 0.9 * data["expected"][quantity]
    same = steadyarm("plan", *words)
    assert "measured, 400 runs" in same.out
    other = json.loads(steadyarm("plan", *words[:-1], "8", "--json").out)
    assert other["measured"] != data["measured"]
    assert other["expected"] == data["expected"]


def test_a_policy_as_it_is_has_the_scales_of_the_class(steadyarm):
    asked = "--arms 3 --horizon 1e4 --rewards bernoulli --policy Steady --parameter spread=200 --json"
    policy = sa.Steady(n_arms=3, horizon=10_000, noise_scale=0.5, spread=200.0)
    own = sa.plan(n_arms=3, horizon=10_000, rewards="bernoulli", policy=policy)
    assert json.loads(steadyarm("plan", *asked.split()).out) == own.to_dict()


def test_the_constants_of_the_paper_may_be_planned(steadyarm):
    asked = "--arms 3 --horizon 1e7 --alpha 2 --constants paper --json"
    own = sa.plan(n_arms=3, horizon=10**7, alpha=2.0, constants="paper")
    assert json.loads(steadyarm("plan", *asked.split()).out) == own.to_dict()
    assert own.policy.constants == "paper"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--max-sd 10", "a plan needs horizon and one goal, or a baseline"),
        ("--arms 3 --horizon 1e4", "exactly one goal; got 0. Give one of --max-sd, --max-sd-share,"),
        ("--arms 3 --horizon 1e4 --alpha 2 --guaranteed", "--guaranteed chooses alpha itself"),
        (
            "--arms 3 --horizon 1e4 --max-sd 99 --constants paper",
            "constants go with alpha. Give alpha, or leave",
        ),
        ("--arms 3 --horizon 1e4 --max-sd 99 --parameter spread=3", "--parameter goes with --policy."),
        ("--arms 3 --horizon 1e4 --max-sd 99 --policy Steady", "Leave --max-sd out, or policy."),
        (
            "--arms 3 --horizon 1e4 --policy MOSS",
            "policy must be SLEUCB or Steady, which can be planned; got MOSS",
        ),
        (
            "--baseline 3% --smallest-difference 1pp --days 9 --per-day 99 --policy Steady",
            "Leave baseline out",
        ),
        ("--arms 3 --horizon 1e4 --max-sd=-1", "steadyarm: --max-sd must be positive; got -1.0"),
        ("--arms 3 --horizon 1e4 --alpha 2 --max-sd 10", "exactly one goal; got 2"),
        (
            "--arms 3 --horizon 1e4 --alpha 2 --runs 1",
            "runs must be at least 6; got 1. A standard deviation of fewer",
        ),
        ("--arms 3 --horizon 1e4 --max-regret 1", "cannot be had"),
        ("--arms 2 --horizon 1e4 --max-sd 10 --at-least 0.2", "a share for each of 2 arms; got 1"),
        ("--arms 2 --horizon 1e4 --max-sd 10 --at-least 20%,0", "not a list of numbers; write it like 0.2,0"),
        ("--arms 2 --horizon 1e4 --max-sd 10 --at-least 0.8,0.3", "floors must add up to 1 at most"),
        ("--arms 1 --horizon 1e4 --max-sd 10", "--arms must be at least 2"),
        ("--arms 3 --horizon 1e4 --max-sd ten", "should be a valid number"),
        ("--arms 3 --horizon 1e4 --max-sd-share 0,5", "'0,5' should be a valid number; write it like 0.5"),
        ("--arms 3 --horizon 1e4 --max-regret 1,000", "a decimal point, no thousands separators"),
        (
            "--horizon 1e4 --baseline 8 --smallest-difference 1",
            "below 100%; got 800% (8 is 800%, 0.03 is 3% in Python and JSON). Outcomes other than 0 and 1 need an sd",
        ),
        (
            "--horizon 1e4 --baseline 3% --column x --smallest-difference 1pp",
            "--column 'x' is for past data.",
        ),
        ("--horizon 1e4 --per-day 100 --days 3", "Give --baseline (0.03 for a rate of 3%), or --horizon and"),
        ("--arms 3 --horizon 1,000 --alpha 1", "'1,000' is not a number; write it like 100000"),
    ],
)
def test_wrong_things_get_one_clear_line(steadyarm, words, message):
    done = steadyarm("plan", *words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err


def test_print_in_python_gives_what_the_command_prints(steadyarm):
    done = steadyarm("plan", *["--arms", "2", "--horizon", "1e5", "--max-sd", "1000"])
    assert str(sa.plan(n_arms=2, horizon=100_000, max_sd=1000)).split() == done.out.split()
    known = "--baseline 30% --smallest-difference 10pp --horizon 400 --runs 20"
    done = steadyarm("plan", *known.split(), columns=80)
    plan = sa.plan(n_arms=2, horizon=400, baseline=0.3, smallest_difference=0.1, runs=20)
    assert str(plan).split() == done.out.split()


def test_the_answer_reads_like_a_sentence_and_comes_with_a_picture_and_data(steadyarm, tmp_path):
    done = steadyarm("plan", *f"--arms 2 --horizon 1e9 --max-sd-share 0.01 --out {tmp_path}".split())
    assert "Goal: a standard deviation of at most" in done.out
    assert "Run Steady with spread =" in done.out
    assert "least possible at this spread (Theorem 1′)" in done.out
    assert "more than the least that any policy of this spread loses" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "plan.json",
        "plan.pdf",
        "plan.png",
        "plan.svg",
    ]


def test_small_amounts_keep_their_digits_and_means_are_rounded(steadyarm):
    quiet = "--mean-bound .001 --noise-scale .001"
    done = steadyarm("plan", *f"--arms 2 --horizon 1000 {quiet} --max-sd 20".split())
    rows = {line.split(",")[0].strip(): line.split() for line in done.out.splitlines() if "," in line}
    assert 0.2 < float(rows["expected"][-3]) < 0.25
    done = steadyarm("plan", *["--arms", "10", "--horizon", "20", "--max-sd", "4"])
    assert "means 1, -1 (9 arms) lose most" in done.out
