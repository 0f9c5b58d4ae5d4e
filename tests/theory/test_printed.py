"""Tables as people print them."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.errors import InvalidInput
from steadyarm.theory.printed import cell, latex, printed

NAN, INF = math.nan, math.inf
FRAME = pd.DataFrame(
    {
        "policy": ["MOSS", "50% & more_less", "ε-greedy"],
        "regret": [41.3, NAN, 7.0],
        "regret_low": [39.9, NAN, -INF],
        "regret_high": [43.0, NAN, INF],
        "runs": [1000, 1, 1],
        "significant": [True, False, False],
    }
)


def test_a_value_and_its_interval_share_a_cell():
    table = printed(FRAME)
    assert table.columns.tolist() == ["policy", "regret", "runs", "significant"]
    assert table["regret"].tolist() == ["41.30 [39.90, 43.00]", "–", "7.000 [−∞, ∞]"]
    assert table["runs"].tolist() == ["1,000", "1", "1"]
    assert table["significant"].tolist() == ["yes", "no", "no"]


def test_half_an_interval_is_the_larger_of_its_sides():
    assert printed(FRAME, interval="half")["regret"].tolist() == ["41.30 ± 1.70", "–", "7.000 ± ∞"]


@given(value=st.floats(-1e6, 1e6), below=st.floats(0, 1e5), above=st.floats(0, 1e5))
def test_a_printed_half_holds_the_interval_up_to_rounding(value, below, above):
    middle, half = cell(value, value - below, value + above, interval="half").replace(",", "").split(" ± ")
    unit = 10.0 ** -len(middle.partition(".")[2])
    assert float(middle) - float(half) <= value - below + 1.01 * unit
    assert float(middle) + float(half) >= value + above - 1.01 * unit


def test_low_and_high_belong_to_the_column_before_them():
    frame = pd.DataFrame({"arm": [0], "coverage": [0.95], "low": [0.94], "high": [0.96], "width": [0.2]})
    assert printed(frame).values.tolist() == [["0", "0.9500 [0.9400, 0.9600]", "0.2"]]


def test_what_is_exact_has_no_interval():
    frame = pd.DataFrame(
        {"source": ["exact", "simulated"], "power": 0.5, "power_low": 0.5, "power_high": 0.5}
    )
    assert printed(frame, ["power"]).values.tolist() == [["0.5"], ["0.5000 [0.5000, 0.5000]"]]


def test_columns_are_those_asked_for_and_an_unknown_one_is_named():
    assert printed(FRAME, ["runs", "policy"]).columns.tolist() == ["runs", "policy"]
    with pytest.raises(InvalidInput, match=r"no column 'regrets'\. It has policy, regret, runs, significant"):
        printed(FRAME, ["regrets"])
    with pytest.raises(InvalidInput, match="interval must be one of 'ends', 'half'; got 'sd'"):
        printed(FRAME, interval="sd")


def test_latex_is_plain_ascii_with_everything_escaped():
    text = latex(FRAME, interval="half", caption="What α costs", label="tab:costs")
    assert text.isascii()
    for piece in (
        r"50\% \& more\_less & -- & 1 & no \\",
        r"$\varepsilon$-greedy & 7.000 $\pm$ $\infty$ & 1 & no \\",
        r"41.30 $\pm$ 1.70",
        r"\begin{tabular}{lrrr}",
        r"\caption{What $\alpha$ costs}",
        r"\label{tab:costs}",
    ):
        assert piece in text, text


def test_an_empty_table_is_a_table():
    assert printed(FRAME.head(0)).shape == (0, 4)
    assert r"\begin{tabular}" in latex(FRAME.head(0))


def test_a_number_below_zero_has_a_minus_in_latex_and_a_name_keeps_its_hyphen():
    table = pd.DataFrame(
        {"policy": ["KL-UCB-2"], "means": ["0, -0.2"], "gap": [-1.5], "gap_low": [-2.0], "gap_high": [-1.0]}
    )
    assert "KL-UCB-2 & 0, $-$0.2 & $-$1.500 [$-$2.000, $-$1.000] \\\\" in latex(table)
