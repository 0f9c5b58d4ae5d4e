"""The rows of a frontier: who is on it, between which bounds."""

import pytest

import steadyarm as sa


def test_one_row_for_each_policy_constants_and_alpha(far):
    ours = far.table[far.table["name"] == "SLEUCB"]
    assert list(zip(ours["constants"], ours["alpha"], strict=True)) == [
        (constants, alpha) for constants in ("paper", "sharp") for alpha in (1.0, 4.0, 16.0)
    ]
    assert far.table["policy"].tolist()[-3:] == ["UCB-f", "MOSS", "round robin"]
    assert far.table["policy"].is_unique
    for quantity in ("regret", "instability", "product"):
        assert (far.table[f"{quantity}_low"] <= far.table[quantity]).all()
        assert (far.table[quantity] <= far.table[f"{quantity}_high"]).all()


def test_points_lie_between_what_is_excluded_and_what_is_guaranteed(far, near):
    for found in (far, near):
        ours = found.table[found.table["name"] == "SLEUCB"]
        assert (ours["regret_high"] <= ours["regret_bound"]).all()
        assert (ours["instability_high"] <= ours["instability_bound"]).all()
        assert (ours["product"] <= ours["product_bound"]).all()
        assert (found.table["instability_high"] >= found.table["least_instability"] * (1.0 - 1e-9)).all()


def test_every_curve_has_its_rows_and_rivals_have_none(far):
    curves = far.table["curve"]
    assert curves.tolist()[:-3] == [curve.name for curve in far.study.curves for _ in curve.policies]
    assert curves.isna().tolist()[-3:] == [True] * 3


def test_the_bounds_are_those_of_the_theory(far):
    row = far.table.iloc[0]
    policy = far.participants[0].policy
    promise = sa.theory.guarantee(policy)
    assert (row["regret_bound"], row["instability_bound"]) == (promise.regret, promise.instability)
    assert row["product"] == pytest.approx(row["regret"] * row["instability"] / 1e15)
    assert far.product_lower_bound == pytest.approx(sa.theory.product_lower_bound(1e10) / 1e15)
    others = far.table["name"] != "SLEUCB"
    assert far.table["regret_bound"].isna().equals(others)  # nothing is proved of rivals and of Steady
