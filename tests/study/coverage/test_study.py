"""How often intervals hold the arms' means after adaptive collection."""

import json
import math

import pytest
from tests.study.coverage.conftest import STEADY

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.study.runs.laboratory import Laboratory


def wald(found, policy):
    rows = found.table[(found.table["method"] == "wald") & (found.table["policy"] == policy)]
    return float(rows["coverage"].mean())


def test_wald_intervals_hold_under_a_steady_policy_and_not_under_moss(found):
    """Each within 4 standard errors of the two arms' mean coverage, or beyond."""
    error = math.sqrt(0.95 * 0.05 / (2 * 8000))
    assert abs(wald(found, "SLE-UCB") - 0.95) < 4.0 * error
    assert wald(found, "MOSS") < 0.95 - 4.0 * error
    # The negative control: intervals that claim 96 % and are those of 95 % are found out.
    assert abs(wald(found, "SLE-UCB") - 0.96) > 4.0 * error


def test_anytime_intervals_hold_under_both_and_are_wider(found):
    table = found.table.set_index(["policy", "arm", "method"])
    for policy in ("SLE-UCB", "MOSS"):
        for arm in range(2):
            assert table.loc[(policy, arm, "anytime"), "coverage"] > 0.99
            ratio = table.loc[(policy, arm, "anytime"), "width"] / table.loc[(policy, arm, "wald"), "width"]
            assert 1.5 < ratio < 2.0


def test_the_table_has_a_row_for_each_policy_arm_and_method(found):
    assert list(found.table.columns)[:7] == ["policy", "arm", "method", "coverage", "low", "high", "width"]
    assert len(found.table) == 2 * 2 * 2
    assert (found.table["low"] <= found.table["coverage"]).all()
    assert (found.table["coverage"] <= found.table["high"]).all()


def test_the_worse_arm_of_a_small_trial_is_covered_as_it_should_under_a_steady_policy_only():
    """Rates 0.3 and 0.5, 300 patients, Wald intervals as reported: 86 %, 90 % and 95 % in independent simulations."""
    rates = sa.Instance.bernoulli([0.3, 0.5])
    policies = [
        kind(n_arms=2, horizon=300, noise_scale=0.5, **more)
        for kind, more in ((sa.BetaThompson, {}), (sa.MOSS, {}), (sa.SLEUCB, {"constants": "sharp"}))
    ]
    table = sa.coverage(policies, rates, runs=4000, seed=5).table
    assert set(table["method"]) == {"oracle", "wald", "wilson", "anytime"}
    worse = table[(table["arm"] == 0) & (table["method"] == "wald")]["coverage"].tolist()
    error = 4.0 * math.sqrt(0.1 / 4000)
    assert worse == pytest.approx([0.864, 0.900, 0.947], abs=error)
    assert table[table["method"] == "anytime"]["coverage"].min() > 0.99


def test_comparisons_and_coverage_agree():
    steady = STEADY.replace(horizon=300)
    compared = sa.compare([steady, "MOSS"], sa.equal_arms(2), runs=400, seed=2).table["wald_coverage"]
    found = sa.coverage([steady, "MOSS"], sa.equal_arms(2), runs=400, seed=2)
    assert compared.tolist() == pytest.approx([wald(found, "SLE-UCB"), wald(found, "MOSS")])


def test_one_policy_a_name_and_one_method_will_do():
    found = sa.coverage("UCB1", sa.equal_gap(2, 0.5), horizon=200, runs=50, methods=["anytime"])
    assert found.table["policy"].unique().tolist() == ["UCB1"]
    assert found.table["method"].unique().tolist() == ["anytime"]
    assert "Anytime-valid intervals hold" in found.plot().axes[0].get_title(loc="left")


def test_a_configuration_is_plain_and_says_everything_but_the_runs(found):
    configuration = found.configuration()
    assert json.loads(json.dumps(configuration)) == configuration
    assert configuration["kind"] == "coverage"
    assert "runs" not in configuration
    assert found.to_dict()["runs"] == 8000


def test_all_numbers_come_from_the_laboratory():
    asked = []

    class Notebook(Laboratory):
        def simulate(self, policy, instance, **how):
            asked.append(("simulate", policy.name, how["engine"]))
            return super().simulate(policy, instance, **how)

        def reward_moments(self, simulation, report=None):
            asked.append(("sums", simulation.policy.name, simulation.engine))
            return super().reward_moments(simulation, report)

    sa.coverage(["MOSS", "UCB1"], sa.equal_arms(2), horizon=100, runs=5, laboratory=Notebook())
    assert asked == [
        ("simulate", "MOSS", "prefix"),
        ("sums", "MOSS", "prefix"),
        ("simulate", "UCB1", "step"),
        ("sums", "UCB1", "step"),
    ]


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"methods": []}, InvalidInput, "methods must name at least one"),
        ({"methods": "wald"}, InvalidType, "methods must be a list"),
        ({"methods": ["guess"]}, InvalidInput, "a method must be one of"),
        ({"level": 1.0}, InvalidInput, "level must be below 1"),
        ({"runs": 1}, InvalidInput, "runs must be at least 2"),
        ({"policy": "Exp3"}, NotSupported, "Exp3 cannot play this instance"),
        ({"policy": []}, InvalidInput, "at least one policy"),
        ({"horizon": None}, InvalidInput, "policies given by name need a horizon"),
    ],
)
def test_wrong_input_is_refused_with_rule_and_value(change, kind, message):
    how = {"policy": "MOSS", "horizon": 50, "runs": 5, **change}
    with pytest.raises(kind, match=message):
        sa.coverage(how.pop("policy"), sa.equal_arms(2), **how)
