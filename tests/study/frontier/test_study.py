"""The frontier: its points, its bounds, its files."""

import json
import math

import numpy as np
import pandas as pd
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.study.frontier.study import FrontierStudy
from steadyarm.study.runs.laboratory import Laboratory


def test_along_alpha_regret_rises_and_instability_falls(far):
    for constants in ("paper", "sharp"):
        rows = far.table[far.table["constants"] == constants]
        assert (np.diff(rows["regret"]) > 0.0).all()
        assert (np.diff(rows["instability"]) < 0.0).all()


def test_nobody_is_below_the_least_regret_and_round_robin_is_at_it(far, near):
    for found in (far, near):
        table = found.table
        assert (table["times_least_regret_high"] >= 1.0).all()
        assert (table["times_least_regret_low"] <= table["times_least_regret"]).all()
        fair = table[table["name"] == "RoundRobin"].iloc[0]
        assert fair["times_least_regret"] == pytest.approx(1.0, abs=1e-9)
        row = table.iloc[1]
        least = sa.theory.least_regret(
            row["instability"], n_arms=found.study.n_arms, horizon=found.study.horizon
        )
        assert row["times_least_regret"] == pytest.approx(row["regret"] / least)
    understated = far.study.limit.least_regret(0.5 * far.table["instability"].iloc[3])  # the control
    assert far.table["regret_high"].iloc[3] < understated


def test_a_point_is_a_simulation_that_anybody_can_repeat(far):
    for participant, worst in zip(far.participants, far.worst, strict=True):
        kept = worst.instability
        again = sa.simulate(
            participant.policy, kept.instance, runs=participant.runs, seed=1, engine=kept.engine
        )
        assert again.instability == kept.instability
        if participant.policy.name == "UCBf":
            break


def test_round_robin_is_steady_and_loses_all_that_can_be_lost(near):
    row = near.table[near.table["name"] == "RoundRobin"].iloc[0]
    assert row["instability"] == 0.0
    assert row["regret_over_uniform"] == pytest.approx(1.0)


def test_it_says_when_the_papers_constants_are_nearly_uniform(far, near):
    assert any("paper's constants SLE-UCB is nearly uniform" in note for note in near.notes)
    assert any("regret bound is trivial for every α" in note for note in near.notes)
    assert not any("nearly uniform" in note for note in far.notes)


def test_one_alpha_and_no_rivals_will_do():
    found = sa.frontier(n_arms=2, horizon=500, alphas=[2], spreads=[], rivals=[], runs=10)
    assert found.table["alpha"].tolist() == [2.0, 2.0]
    assert "at α = 2" in found.plot().axes[0].get_title(loc="left")


def test_a_study_is_the_same_whether_rivals_are_names_or_records():
    studies = [
        FrontierStudy(n_arms=2, horizon=500, rivals=rivals)
        for rivals in ("MOSS", ["MOSS"], sa.MOSS(n_arms=2, horizon=500), [sa.MOSS(n_arms=2, horizon=500)])
    ]
    assert all(study == studies[0] for study in studies)
    assert studies[0].configuration()["rivals"] == [sa.MOSS(n_arms=2, horizon=500).to_dict()]


def test_sle_ucb_with_other_parameters_may_be_a_rival_and_leaves_the_curves_alone():
    by_hand = sa.SLEUCB(n_arms=3, horizon=300, beta=2.0)
    alone = sa.frontier(n_arms=3, horizon=300, alphas=[1, 4], spreads=[], rivals=[], runs=20)
    beside = sa.frontier(n_arms=3, horizon=300, alphas=[1, 4], spreads=[], rivals=[by_hand], runs=20)
    assert beside.table["constants"].tolist()[:4] == alone.table["constants"].tolist()
    assert beside.table["constants"].isna().tolist() == [False] * 4 + [True]
    one, other = (found.plot().axes[0] for found in (alone, beside))
    assert other.get_title(loc="left").startswith(one.get_title(loc="left"))
    labels = [text.get_text() for text in other.texts]
    assert [label for label in labels if "beta 2" in label]
    assert sum("SLE-UCB, paper's constants" in label for label in labels) == 1


def test_the_same_study_asks_for_the_same_simulations():
    asked = []

    class Notebook(Laboratory):
        def simulate(self, policy, instance, **how):
            asked.append((policy, instance, how["runs"], how["seed"], how["engine"]))
            return super().simulate(policy, instance, **how)

    study = FrontierStudy(n_arms=2, horizon=300, alphas=[1.0], spreads=[], rivals=["UCB1"])
    tables = [study.run(runs=10, laboratory=Notebook(threads=1)).table for _ in range(2)]
    half = len(asked) // 2
    assert asked[:half] == asked[half:]
    pd.testing.assert_frame_equal(*tables)


def test_a_configuration_is_plain_and_says_everything_but_the_runs(far):
    configuration = far.configuration()
    assert json.loads(json.dumps(configuration)) == configuration
    assert configuration["kind"] == "frontier"
    assert configuration["alphas"] == [1.0, 4.0, 16.0]
    assert "runs" not in configuration


def test_the_instances_in_the_table_are_those_that_were_measured(near):
    for worst, (_, row) in zip(near.worst, near.table.iterrows(), strict=True):
        assert tuple(map(float, row["regret_means"].split(","))) == worst.regret.instance.means
        assert tuple(map(float, row["instability_means"].split(","))) == worst.instability.instance.means


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"alphas": []}, InvalidInput, "alphas must name at least one"),
        ({"alphas": [0.0]}, InvalidInput, "alpha must be positive"),
        ({"alphas": "1"}, InvalidType, "alphas must be a flat list"),
        ({"rivals": "moss"}, InvalidInput, "a rival's name must be one of"),
        ({"rivals": 3}, InvalidType, "rivals must be 'all', 'none' or a list"),
        ({"rivals": {"MOSS"}}, InvalidType, "rivals must be 'all', 'none' or a list"),
        ({"alphas": [1], "rivals": ["SLEUCB"]}, InvalidInput, "differ from SLE-UCB along α"),
        ({"rivals": ["Nobody"]}, InvalidInput, "a rival's name must be one of"),
        ({"rivals": [3]}, InvalidType, "a rival must be a policy or a name"),
        ({"rivals": ["MOSS", "MOSS"]}, InvalidInput, "must differ from each other"),
        ({"rivals": ["Exp3"]}, InvalidInput, "Exp3 cannot be a rival here"),
        (
            {"rivals": [sa.MOSS(n_arms=2, horizon=99)]},
            InvalidInput,
            "a rival must have the frontier's 3 arms",
        ),
        ({"runs": 1}, InvalidInput, "runs must be at least 2"),
        ({"patience": 0.0}, InvalidInput, "patience must be positive"),
        ({"n_arms": 1}, InvalidInput, "n_arms must be at least 2"),
        ({"horizon": 2}, InvalidInput, "horizon must be at least 4"),
    ],
)
def test_wrong_input_is_refused_with_rule_and_value(change, kind, message):
    with pytest.raises(kind, match=message):
        sa.frontier(**{"n_arms": 3, "horizon": 100, "rivals": [], "runs": 5, **change})


@pytest.mark.slow
def test_the_products_of_sle_ucb_hardly_move_along_alpha_where_the_theory_speaks():
    """T^1.5 is the frontier's exponent: over a factor of 64 in α the product moves by less than 1.6."""
    alphas = [0.25, 1, 4, 16]
    found = sa.frontier(n_arms=10, horizon=10**12, alphas=alphas, spreads=[], rivals=["MOSS"], runs=100)
    ours = found.table[found.table["name"] == "SLEUCB"]
    spread = ours["product"].max() / ours["product"].min()
    assert spread < 1.6
    assert ours["regret"].max() / ours["regret"].min() > 400.0
    assert math.isclose(ours["product"].median(), 0.6, rel_tol=0.2)


def test_steady_is_on_the_edge_of_what_is_possible_where_it_is_asked_to():
    found = sa.frontier(n_arms=3, horizon=10**8, alphas=[1], spreads=[1e5, 1e6], rivals=[], runs=400, seed=1)
    steady = found.table[found.table["name"] == "Steady"]
    assert steady["spread"].tolist() == [1e6, 1e5]
    assert (steady["instability_low"] < steady["spread"]).all()
    assert (steady["instability_high"] > steady["spread"]).all()
    assert (steady["times_least_regret"] < 1.1).all()
    assert found.table["spread"].isna().tolist() == [True, True, False, False]


def test_the_table_survives_csv_parquet_and_json_to_the_last_bit(near, tmp_path):
    near.save(tmp_path)
    parquet = pd.read_parquet(tmp_path / "frontier.parquet")
    pd.testing.assert_frame_equal(parquet, near.table)
    csv = pd.read_csv(tmp_path / "frontier.csv")
    assert np.allclose(csv["regret"], near.table["regret"])
    saved = json.loads((tmp_path / "frontier.json").read_text())
    points = pd.DataFrame(saved["points"])
    for column in near.table.select_dtypes("number"):
        assert np.array_equal(points[column].astype(float), near.table[column].astype(float), equal_nan=True)
    assert saved["runs"] == 60
