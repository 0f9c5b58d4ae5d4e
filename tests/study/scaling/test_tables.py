"""The tables of exponents: a row for each size, and what few runs do not allow."""

import numpy as np

import steadyarm as sa


def test_one_row_for_each_size_and_three_quantities_with_intervals(found):
    assert list(zip(found.table["n_arms"], found.table["horizon"], strict=True)) == [
        (arms, horizon) for arms in (2, 8) for horizon in (10**7, 10**9, 10**11)
    ]
    assert len(found.exponents) == 2 * 4
    assert (found.exponents["low"] <= found.exponents["exponent"]).all()
    assert (found.exponents["exponent"] <= found.exponents["high"]).all()
    assert np.allclose(found.table["constant"], found.table["product"] / found.table["horizon"] ** 1.5)


def test_a_fit_that_few_runs_do_not_allow_says_so_and_not_that_something_is_zero():
    found = sa.scaling(horizons=[10**4, 10**6], constants="sharp", runs=6)
    why = found.why_no_exponent("instability")
    assert why == "the interval of the instability reaches 0 at one or more sizes (ask for more runs)"
    assert found.why_no_exponent("regret") == ""
    assert "ask for more runs" in found.plot().get_suptitle().replace("\n", " ")
