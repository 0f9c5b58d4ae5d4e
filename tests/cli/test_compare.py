"""`steadyarm compare` as a newcomer uses it, wrong things included."""

import json

import pytest

import steadyarm as sa


def test_compare_prints_the_numbers_of_the_library(steadyarm):
    words = "--arms 3 --gap 0.5 --horizon 1e3 --runs 50 --seed 5 --constants sharp --json"
    done = steadyarm("compare", "--policies", "SLEUCB,MOSS,UCB1", *words.split())
    report = json.loads(done.out)
    policies = [
        sa.SLEUCB(n_arms=3, horizon=1000, constants="sharp"),
        sa.MOSS(n_arms=3, horizon=1000),
        sa.UCB1(n_arms=3, horizon=1000),
    ]
    assert report == sa.compare(policies, sa.equal_gap(3, 0.5), runs=50, seed=5).to_dict()
    assert done.err == ""


def test_the_tables_fit_eighty_columns_and_say_who_beats_whom(steadyarm):
    words = "--policies SLEUCB,MOSS,GaussianThompson --horizon 1e3 --runs 100 --gap 0.3"
    done = steadyarm("compare", *words.split(), columns=80)
    tables = [line for line in done.out.splitlines() if line.startswith(" ")]
    assert max(map(len, tables)) <= 80
    assert "3 policies on 2 gaussian arms: 0, -0.3; 1,000 rounds, 100 runs on the same rewards" in done.out
    assert "regret of SLE-UCB minus" in done.out
    assert "instability of MOSS minus SLE-UCB's: " in done.out
    assert "\x1b" not in done.out + done.err


def test_where_means_move_no_product_is_held_against_a_theorem(steadyarm):
    words = ["--runs", "5", "--horizon", "500", "--drift", "step:0,0.3:200"]
    assert "product" not in steadyarm("compare", "--policies", "MOSS,UCB1", *words).out
    one = steadyarm("simulate", "--policy", "MOSS", *words).out
    assert "Theorem 1" not in one
    assert "not knowing the best arm of each round" in one


def test_out_writes_the_picture_and_the_tables(steadyarm, tmp_path):
    folder = tmp_path / "made"
    steadyarm(
        *["compare", "--policies", "MOSS,UCB", "--horizon", "200", "--runs", "30", "--out", str(folder)]
    )
    assert {path.name for path in folder.iterdir()} >= {
        "comparison.csv",
        "comparison.json",
        "comparison.png",
        "comparison.svg",
        "differences.csv",
    }


def test_all_takes_those_that_can_play_and_names_the_others(steadyarm):
    done = steadyarm(*["compare", "--policies", "all", "--horizon", "50", "--runs", "3", "--json"])
    played = [row["parameters"]["policy"] for row in json.loads(done.out)["policies"]]
    left_out = {line.split()[2].rstrip(":") for line in done.err.splitlines() if line.startswith("left out")}
    assert {"BetaThompson", "Exp3", "TsallisINF"} <= left_out
    assert sorted([*played, *left_out]) == sorted(sa.all_policies())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("compare --policies Nobody", "--policies must be one of 'SLEUCB'"),
        ("compare --policies MOSS,,UCB", "got ''"),
        ("compare --policies MOSS,MOSS", "the policies must differ from each other"),
        ("compare --policies MOSS,Exp3", "Exp3 cannot play this instance"),
        ("compare --policies MOSS --alpha 2", "none of MOSS has a parameter 'alpha'"),
        ("compare --policies MOSS,UCB --parameter eta=2", "none of MOSS, UCB has a parameter 'eta'"),
        ("compare --policies MOSS,UCB --parameter UCB.constant=2", "has a parameter 'UCB.constant'"),
        ("compare --runs 1", "runs must be at least 2"),
        ("compare --engine warp", "engine must be one of"),
        ("compare --gap 1.5", "SLEUCB cannot play this instance: arm 1 has mean -1.5"),
        ("simulate --policy MOSS --parameter alpha=2", "MOSS has no parameter 'alpha'; it has constant"),
        ("simulate --parameter alpha", "--parameter must be like constant=2; got 'alpha'"),
        ("simulate --parameter alpha=", "--parameter must be like constant=2; got 'alpha='"),
        ("simulate --parameter alpha=high", "alpha must be a number; got 'high'"),
        ("simulate --parameter alpha=2 --alpha 3", "--alpha and --parameter alpha=… say the same thing"),
        ("simulate --parameter alpha=2 --parameter alpha=3", "--parameter alpha is given twice"),
        ("simulate --parameter horizon=9", "--parameter cannot set horizon"),
        ("simulate --policy MOSS --beta 2", "MOSS has no parameter 'beta'"),
    ],
)
def test_a_wrong_word_gets_one_clear_line(steadyarm, words, message):
    done = steadyarm(*words.split(), code=2)
    assert message in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_arms_that_are_alike_cost_nothing_and_nothing_is_less_than_that(steadyarm):
    done = steadyarm(
        *["compare", "--policies", "MOSS,UCB1", "--family", "equal_arms", "--horizon", "200", "--runs", "20"]
    )
    assert "≥ 0" in done.out
    assert "> 0" not in done.out
    assert "regret of UCB1 minus MOSS's: 0 [0, 0]  (not significant)" in done.out


def test_it_says_when_sle_ucb_is_nearly_uniform(steadyarm):
    done = steadyarm(*["compare", "--policies", "SLEUCB,MOSS", "--horizon", "1e4", "--runs", "10"])
    assert "note: SLE-UCB: The allocation is nearly uniform: " in done.out
    assert "86% of what equal shares lose" in done.out
