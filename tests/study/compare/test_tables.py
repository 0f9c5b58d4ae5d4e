"""The tables of a comparison: what simulations say, differences of all pairs, and the least regret beside it."""

import numpy as np
import pytest
from tests.study.compare.conftest import INSTANCE, NAMES

import steadyarm as sa


def test_the_table_says_what_simulate_says(found):
    assert found.table["policy"].tolist() == ["SLE-UCB", "MOSS", "UCB1"] * 2
    assert found.table["instance"].unique().tolist() == [
        "3 gaussian arms: 0, -0.4, -0.4",
        "3 gaussian arms: 0, 0, 0",
    ]
    for place, (name, instance) in enumerate(
        (name, nu) for nu in (INSTANCE, sa.equal_arms(3)) for name in NAMES
    ):
        policy = sa.all_policies()[name](n_arms=3, horizon=600)
        result = sa.simulate(policy, instance, runs=200, seed=4)
        row = found.table.iloc[place]
        assert np.array_equal(found.simulations[place].counts, result.counts)
        assert (row["regret"], row["regret_low"], row["regret_high"]) == (
            result.regret.value,
            result.regret.low,
            result.regret.high,
        )
        assert row["instability_high"] == result.instability.high
        assert row["product"] == pytest.approx(row["regret"] * row["instability"] / 600**1.5)
        assert row["regret_q95"] == np.quantile(result.run_regrets, 0.95)
        assert (row["engine"], row["runs"], row["horizon"]) == (result.engine, 200, 600)
        assert 0.8 < row["wald_coverage_worst"] <= row["wald_coverage"] <= row["wald_coverage_high"] <= 1.0


def test_every_pair_has_a_difference_for_both_quantities(found):
    pairs = found.differences
    assert len(pairs) == 2 * 3 * 2
    regret = pairs[(pairs["quantity"] == "regret") & (pairs["instance"] == found.table["instance"][0])]
    assert regret["policy"].tolist() == ["SLE-UCB", "SLE-UCB", "MOSS"]
    assert regret["other"].tolist() == ["MOSS", "UCB1", "UCB1"]
    one, other = found.simulations[0].run_regrets, found.simulations[1].run_regrets
    assert regret["difference"].iloc[0] == pytest.approx((one - other).mean())
    assert bool(regret["significant"].iloc[0])
    assert regret["better"].iloc[0] == "MOSS"
    level = pairs[(pairs["quantity"] == "regret") & (pairs["instance"] == found.table["instance"][3])]
    assert (level[["difference", "low", "high"]] == 0.0).all(axis=None)
    assert level["better"].tolist() == ["neither"] * 3
    assert ((pairs["low"] <= pairs["difference"]) & (pairs["difference"] <= pairs["high"])).all()


def test_significance_allows_for_the_number_of_differences(found):
    pairs = found.differences
    excluded = (pairs["low"] > 0) | (pairs["high"] < 0)
    assert (excluded | ~pairs["significant"]).all()  # no row is significant whose own interval holds zero


def test_policies_that_choose_alike_do_not_differ():
    same = sa.compare(["AsymptoticUCB", "KLUCB"], INSTANCE, horizon=300, runs=20)
    assert (same.differences[["difference", "low", "high"]] == 0.0).all(axis=None)
    assert not same.differences["significant"].any()


def test_a_single_instance_gives_a_lower_estimate_of_the_distance_from_the_least_possible():
    size = {"n_arms": 3, "horizon": 2000}
    found = sa.compare(["MOSS", "UCB"], sa.equal_gap(3, 0.05), horizon=2000, runs=200, seed=1)
    for _, row in found.table.iterrows():
        least = sa.theory.least_regret(row["instability"], **size)
        assert row["times_least_regret"] == pytest.approx(row["regret"] / least)
        assert row["times_least_regret_low"] < row["times_least_regret"] < row["times_least_regret_high"]
    easy = sa.compare(["MOSS"], sa.equal_gap(3, 1.0), horizon=2000, runs=100, seed=1).table.iloc[0]
    assert easy["times_least_regret"] < 1.0  # no contradiction: the theorem is about worst cases
    bounded = sa.Instance.bounded([0.5, 0.4, 0.4], low=0.0, high=1.0)
    assert sa.compare(["MOSS"], bounded, horizon=500, runs=20).table["times_least_regret"].isna().all()
