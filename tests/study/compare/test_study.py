"""`compare`: Wald coverage, pairing, files, moments, late rewards, bad inputs."""

import json
import math
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from tests.study.compare.conftest import INSTANCE, NAMES

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported, SimulationInterrupted


def test_the_coverage_is_that_of_the_wald_intervals_of_the_plays():
    policy = sa.UCB1(n_arms=3, horizon=200)
    found = sa.compare([policy], INSTANCE, runs=20, seed=4)
    covered = np.zeros((20, 3))
    for run in range(20):
        play = policy.start(seed=4, run=run)
        table = sa.reward_table(INSTANCE, seed=4, run=run, pulls=200)
        while play.round < 200:
            arm = play.ask()
            play.tell(arm, table[arm, play.counts[arm] - 1])
        for arm, estimate in enumerate(sa.intervals(play, method="wald")):
            covered[run, arm] = estimate.low <= INSTANCE.means[arm] <= estimate.high
    assert found.table["wald_coverage"].item() == pytest.approx(covered.mean())
    assert found.table["wald_coverage_worst"].item() == pytest.approx(covered.mean(axis=0).min())


def test_common_rewards_make_paired_intervals_narrower():
    narrow, wide = widths_of("UCB1", "UCB")
    assert narrow < 0.7 * wide
    # The negative control: ε-greedy has its own coin tosses and round robin ignores rewards; nothing is shared.
    narrow, wide = widths_of("EpsilonGreedy", "RoundRobin")
    assert narrow > 0.7 * wide


def widths_of(one, other):
    """Widths of the paired interval of the regret's difference, and of that of independent runs."""
    row = sa.compare([one, other], INSTANCE, horizon=500, runs=400, seed=2).differences.iloc[0]
    left = sa.simulate(sa.all_policies()[one](n_arms=3, horizon=500), INSTANCE, runs=400, seed=2).regret
    right = sa.simulate(sa.all_policies()[other](n_arms=3, horizon=500), INSTANCE, runs=400, seed=3).regret
    return row["high"] - row["low"], math.hypot(left.high - left.low, right.high - right.low)


def test_threads_decide_nothing_and_the_progress_reaches_one(found):
    shares = []
    again = sa.compare(
        NAMES, [INSTANCE, sa.equal_arms(3)], horizon=600, runs=200, seed=4, threads=1, progress=shares.append
    )
    pd.testing.assert_frame_equal(again.table, found.table)
    pd.testing.assert_frame_equal(again.differences, found.differences)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_save_writes_tables_picture_and_description(found, tmp_path):
    written = found.save(tmp_path / "one")
    again = found.save(str(tmp_path / "two"))
    names = {path.name for path in written}
    assert {
        "comparison.csv",
        "differences.csv",
        "comparison.json",
        "comparison.png",
        "comparison.svg",
    } <= names
    for left, right in zip(written, again, strict=True):
        assert left.read_bytes() == right.read_bytes()
    table = pd.read_csv(tmp_path / "one" / "comparison.csv")
    assert table["regret"].tolist() == pytest.approx(found.table["regret"].tolist())
    description = json.loads((tmp_path / "one" / "comparison.json").read_text())
    assert description["seed"] == 4
    assert sa.Instance.from_dict(description["instances"]["3 gaussian arms: 0, -0.4, -0.4"]) == INSTANCE
    assert sa.policy_from_dict(description["policies"][1]["parameters"]) == sa.MOSS(n_arms=3, horizon=600)
    ET.parse(tmp_path / "one" / "comparison.svg")


@pytest.mark.parametrize(
    ("policies", "arguments", "error", "words"),
    [
        ([], {}, InvalidInput, "at least one policy; got none"),
        ("MOSS", {}, InvalidType, "policies must be a list of names and policies; got 'MOSS'"),
        (["Nobody"], {"horizon": 100}, InvalidInput, "a policy's name must be one of .*; got 'Nobody'"),
        ([7], {"horizon": 100}, InvalidType, "a policy must be a record or a name; got 7"),
        (["MOSS"], {}, InvalidInput, "given by name need a horizon"),
        (
            ["MOSS", "MOSS"],
            {"horizon": 100},
            InvalidInput,
            "must differ from each other; MOSS.* is listed 2 times",
        ),
        (
            [sa.MOSS(n_arms=3, horizon=100), sa.UCB(n_arms=3, horizon=200)],
            {},
            InvalidInput,
            "must have one horizon; got 100, 200",
        ),
        (
            ["MOSS", "Exp3", "BetaThompson"],
            {"horizon": 100},
            NotSupported,
            "Exp3, BetaThompson cannot play this instance: Exp3 takes rewards between 0 and 1",
        ),
        ([sa.MOSS(n_arms=2, horizon=100)], {}, NotSupported, "MOSS cannot play this instance: .* it has 3"),
        (["MOSS"], {"horizon": 100, "runs": 1}, InvalidInput, "runs must be at least 2; got 1"),
        (["MOSS"], {"horizon": 100, "level": 0}, InvalidInput, "level must be positive"),
        (["MOSS"], {"horizon": 100, "engine": "warp"}, InvalidInput, "engine must be one of"),
        (["MOSS"], {"horizon": 100, "outside_class": 1}, InvalidType, "outside_class must be True or False"),
    ],
)
def test_a_bad_argument_is_refused(policies, arguments, error, words):
    with pytest.raises(error, match=words):
        sa.compare(policies, INSTANCE, **arguments)


def test_no_instance_and_no_instances_are_refused():
    with pytest.raises(InvalidInput, match="at least one instance; got none"):
        sa.compare(["MOSS"], [], horizon=100)
    with pytest.raises(InvalidType, match="instance must be a steadyarm Instance"):
        sa.compare(["MOSS"], [[0.0, 1.0]], horizon=100)
    with pytest.raises(InvalidType, match="instance must be a steadyarm Instance"):
        sa.compare(["MOSS"], 5, horizon=100)


def test_an_instance_outside_the_class_is_played_on_request():
    wide = sa.equal_gap(2, 1.5)
    with pytest.raises(NotSupported, match=r"SLEUCB cannot play this instance: arm 1 has mean -1\.5"):
        sa.compare(["SLEUCB", "MOSS"], wide, horizon=100, runs=5)
    assert len(sa.compare(["SLEUCB", "MOSS"], wide, horizon=100, runs=5, outside_class=True).table) == 2


def test_ctrl_c_says_which_policy_was_being_played():
    def stop(share):
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(SimulationInterrupted, match="stopped while playing UCB1"):
        sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=10_000, runs=300, progress=stop)


@pytest.mark.slow
def test_wald_intervals_cover_under_a_steady_policy_and_not_under_moss():
    """Two equal arms, 5,000 rounds: 95.0 % under SLE-UCB, 94.1 % under UCB, 92.6 % under MOSS."""
    policies = [
        sa.SLEUCB(n_arms=2, horizon=5000, beta=6.1, alpha=1.0),
        sa.UCB(n_arms=2, horizon=5000),
        sa.MOSS(n_arms=2, horizon=5000),
    ]
    table = sa.compare(policies, sa.equal_arms(2), runs=20_000, seed=11).table.set_index("policy")
    errors = (table["wald_coverage_high"] - table["wald_coverage"]) / 1.96
    assert errors.max() < 0.0015
    for policy, known in (("SLE-UCB", 0.950), ("UCB", 0.941), ("MOSS", 0.926)):
        assert abs(table.loc[policy, "wald_coverage"] - known) < 4.0 * errors[policy]
    assert table.loc["MOSS", "wald_coverage_high"] < 0.935
    assert table.loc["UCB", "wald_coverage_high"] < 0.95


def test_moments_give_curves_of_the_same_runs(tmp_path):
    instance = sa.equal_gap(2, 0.3)
    timed = sa.compare(["MOSS", "UCB1"], instance, horizon=300, runs=40, seed=1, at=[5, 50, 300])
    plain = sa.compare(["MOSS", "UCB1"], instance, horizon=300, runs=40, seed=1)
    assert timed.table.equals(plain.table)
    assert timed.over_time["round"].tolist() == [5, 50, 300] * 2
    assert (
        timed.over_time.loc[timed.over_time["round"] == 300, "regret"].tolist()
        == plain.table["regret"].tolist()
    )
    assert {"over_time.csv", "over_time.png"} <= {path.name for path in timed.save(tmp_path)}
    assert timed.configuration() == plain.configuration() | {"at": (5, 50, 300)}
    with pytest.raises(InvalidInput, match="noted none"):
        plain.plot_over_time()


def test_late_rewards_come_to_all_policies_and_stand_in_the_description():
    late = {"delay": sa.Delay.geometric(20), "batch": 5}
    found = sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=300, runs=40, seed=4, **late)
    for simulation in found.simulations:
        expected = sa.simulate(simulation.policy, INSTANCE, runs=40, seed=4, **late)
        assert np.array_equal(simulation.counts, expected.counts)
    assert found.study.parameters_asked()["batch"] == 5
    assert found.table["wald_coverage"].notna().all()
    lost = sa.compare(["MOSS", "UCB1"], INSTANCE, horizon=300, runs=40, seed=4, delay=sa.Delay.of([0.5]))
    assert lost.table["wald_coverage"].isna().all()  # the intervals would be of fewer rewards than pulls
