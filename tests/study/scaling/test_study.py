"""Exponents in T and K: the study and its files."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.study.runs.laboratory import Laboratory


def exponent(found, size, quantity):
    rows = found.exponents
    return rows[(rows["size"] == size) & (rows["quantity"] == quantity)].iloc[0]


@pytest.fixture(scope="module")
def found():
    return sa.scaling("SLEUCB", horizons=[10**7, 10**9, 10**11], n_arms=[2, 8], constants="sharp", runs=100)


def test_one_row_for_each_size_and_three_quantities_with_intervals(found):
    assert list(zip(found.table["n_arms"], found.table["horizon"], strict=True)) == [
        (arms, horizon) for arms in (2, 8) for horizon in (10**7, 10**9, 10**11)
    ]
    assert len(found.exponents) == 2 * 4
    assert (found.exponents["low"] <= found.exponents["exponent"]).all()
    assert (found.exponents["exponent"] <= found.exponents["high"]).all()
    assert np.allclose(found.table["constant"], found.table["product"] / found.table["horizon"] ** 1.5)


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


def test_a_policy_without_any_spread_has_no_exponent_and_a_picture_that_says_so():
    found = sa.scaling("RoundRobin", horizons=[100, 200], n_arms=2, runs=10)
    assert math.isnan(exponent(found, "horizon", "instability")["exponent"])
    assert exponent(found, "horizon", "regret")["exponent"] == pytest.approx(1.0)
    assert "there is no exponent" in found.plot().get_suptitle()


def test_the_same_study_asks_for_the_same_simulations():
    asked = []

    class Notebook(Laboratory):
        def simulate(self, policy, instance, **how):
            asked.append((policy, instance, how["runs"], how["seed"], how["engine"]))
            return super().simulate(policy, instance, **how)

    for _ in range(2):
        sa.scaling("UCB1", horizons=[300, 900], n_arms=2, runs=8, laboratory=Notebook())
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


@pytest.mark.parametrize("horizons", [(1000, 10_000, 100_000), (200, 300, 400, 2000), (200, 300)])
def test_the_picture_names_the_sizes_and_no_name_covers_another(horizons):
    found = sa.scaling("MOSS", horizons=horizons, n_arms=[2, 8], runs=6)
    figure = found.plot()
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    for axes in figure.axes:
        left, right = axes.get_xlim()
        labels = [
            label
            for place, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
            if left <= place <= right
        ]
        boxes = [label.get_window_extent() for label in labels]
        assert labels
        assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    assert [label.get_text() for label in figure.axes[1].get_xticklabels()] == ["2", "8"]


@pytest.mark.parametrize("arms", [2, 2.0, np.int64(2), [2], np.array([2])])
def test_one_number_of_arms_may_be_any_kind_of_number(arms):
    assert sa.scaling("UCB1", horizons=[100, 200], n_arms=arms, runs=6).study.n_arms == (2,)


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"policy": "Nobody"}, InvalidInput, "a policy's name must be one of"),
        ({"policy": 3}, InvalidType, "policy must be a name or a class"),
        ({"horizons": [100]}, InvalidInput, "an exponent needs at least two sizes"),
        ({"horizons": []}, InvalidInput, "horizons must name at least one"),
        ({"horizons": 100}, InvalidType, "horizons must be a list"),
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


def test_a_fit_that_few_runs_do_not_allow_says_so_and_not_that_something_is_zero():
    found = sa.scaling(horizons=[10**4, 10**6], constants="sharp", runs=6)
    why = found.why_no_exponent("instability")
    assert why == "the interval of the instability reaches 0 at one or more sizes (ask for more runs)"
    assert found.why_no_exponent("regret") == ""
    assert "ask for more runs" in found.plot().get_suptitle()
