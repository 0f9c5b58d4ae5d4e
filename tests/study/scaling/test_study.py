"""Exponents in T and K: the study and its files."""

import json

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.study.runs.laboratory import Laboratory
from steadyarm.study.scaling.study import ScalingStudy, decades


def exponent(found, size, quantity):
    rows = found.exponents
    return rows[(rows["size"] == size) & (rows["quantity"] == quantity)].iloc[0]


def test_the_exponents_are_those_of_the_paper_up_to_logarithms(found):
    assert 0.5 < exponent(found, "horizon", "regret")["exponent"] < 0.56
    assert 0.94 < exponent(found, "horizon", "instability")["exponent"] < 1.0
    assert -0.5 < exponent(found, "n_arms", "instability")["exponent"] < -0.3
    assert abs(exponent(found, "n_arms", "product_over_log")["exponent"]) < 0.25


@pytest.mark.slow
def test_regret_times_instability_of_sle_ucb_grows_like_the_power_one_and_a_half():
    """From 10⁶ to 10¹² within 0.03; a policy whose product grows otherwise is told apart."""
    horizons = [10**6, 10**8, 10**10, 10**12]
    for how in ({"n_arms": 10, "constants": "sharp"}, {"n_arms": 2, "constants": "paper"}):
        row = exponent(sa.scaling("SLEUCB", horizons=horizons, runs=300, **how), "horizon", "product")
        assert abs(row["exponent"] - 1.5) < 0.03
        assert row["low"] < 1.5 + 0.03
        assert row["high"] > 1.5 - 0.03
    # The control: a clumsy policy loses like T^(2/3) with counts that jump like T: the product like T^(5/3).
    clumsy = sa.scaling(
        "ExploreThenCommit", horizons=[2000, 8000, 32_000, 128_000], n_arms=2, runs=300, noise_scale=0.2
    )
    row = exponent(clumsy, "horizon", "product")
    assert row["low"] > 1.53


def test_the_same_study_asks_for_the_same_simulations():
    asked = []

    class Notebook(Laboratory):
        def simulate(self, policy, instance, **how):
            asked.append((policy, instance, how["runs"], how["seed"], how["engine"]))
            return super().simulate(policy, instance, **how)

    for _ in range(2):
        sa.scaling("UCB1", horizons=[300, 900], n_arms=2, runs=8, laboratory=Notebook(threads=1))
    half = len(asked) // 2
    assert asked[:half] == asked[half:]


def test_a_configuration_is_plain_and_files_are_written(found, tmp_path):
    configuration = found.configuration()
    assert json.loads(json.dumps(configuration)) == configuration
    assert configuration["kind"] == "scaling"
    assert configuration["parameters"] == {"constants": "sharp"}
    assert "runs" not in configuration
    names = {path.name for path in found.save(tmp_path)}
    tables = {f"{name}.{kind}" for name in ("scaling", "exponents") for kind in ("csv", "parquet")}
    assert names == tables | {"scaling.json", "scaling.png", "scaling.svg", "scaling.pdf"}
    assert found.plot().get_suptitle().startswith("SLE-UCB: worst regret times worst instability grows like")


@pytest.mark.parametrize("arms", [2, 2.0, np.int64(2), [2], np.array([2])])
def test_one_number_of_arms_may_be_any_kind_of_number(arms):
    assert sa.scaling("UCB1", horizons=[100, 200], n_arms=arms, runs=6).study.n_arms == (2,)


def test_the_longest_horizon_stands_for_up_to_seven_a_decade_apart():
    study = ScalingStudy(policy="SLEUCB", horizons=10**9, n_arms=(10, 2))
    assert study.horizons == tuple(10**power for power in range(3, 10))
    assert ScalingStudy(policy="SLEUCB").horizons == tuple(10**power for power in range(6, 13))
    assert decades(10**5, 200) == [10**5]  # at 10⁴ rounds arms would get a handful of pulls


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"policy": "Nobody"}, InvalidInput, "a policy's name must be one of"),
        ({"policy": 3}, InvalidType, "policy must be a name or a class"),
        ({"horizons": [100]}, InvalidInput, "an exponent needs at least two sizes"),
        ({"horizons": []}, InvalidInput, "horizons must name at least one"),
        ({"horizons": 100}, InvalidInput, "an exponent needs at least two sizes"),
        ({"horizons": 2.5}, InvalidInput, "horizons must be a whole number"),
        ({"horizons": "100"}, InvalidType, "horizons must be a list"),
        ({"horizons": True}, InvalidType, "horizons must be a list"),
        ({"horizons": [100, 2.5]}, InvalidInput, "horizons must be a whole number"),
        ({"n_arms": [2, 1]}, InvalidInput, "n_arms must be at least 2"),
        ({"horizons": [1000, 10**12]}, NotSupported, "UCB1: 1,000,000,000,000 rounds have to be played"),
        ({"alpha": 2.0}, InvalidInput, "UCB1 has no parameter 'alpha'"),
        ({"runs": 3}, InvalidInput, "runs must be at least 6"),
        ({"n_arms": 2.5}, InvalidInput, "n_arms must be a whole number"),
        ({"policy": sa.Padded}, InvalidInput, "Padded cannot be made at every size"),
    ],
)
def test_wrong_input_is_refused_with_rule_and_value(change, kind, message):
    how = {"policy": "UCB1", "horizons": [100, 200], "runs": 6, **change}
    with pytest.raises(kind, match=message):
        sa.scaling(how.pop("policy"), **how)
