"""Tables as people print them."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.errors import InvalidInput
from steadyarm.printed import cell, latex, printed

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
    assert table["regret"].tolist() == ["41.3 [39.9, 43.0]", "–", "7.000 [−∞, ∞]"]
    assert table["runs"].tolist() == ["1,000", "1", "1"]
    assert table["significant"].tolist() == ["yes", "no", "no"]


def test_half_an_interval_is_the_larger_of_its_sides():
    assert printed(FRAME, interval="half")["regret"].tolist() == ["41.3 ± 1.7", "–", "7.000 ± ∞"]


@given(value=st.floats(-1e6, 1e6), below=st.floats(0, 1e5), above=st.floats(0, 1e5))
def test_a_printed_half_holds_the_interval_up_to_rounding(value, below, above):
    middle, half = cell(value, value - below, value + above, interval="half").replace(",", "").split(" ± ")
    slack = max(1.01 * 10.0 ** -len(middle.partition(".")[2]), 0.11 * float(half))
    assert float(middle) - float(half) <= value - below + slack
    assert float(middle) + float(half) >= value + above - slack


@pytest.mark.parametrize(
    ("estimate", "ends", "half"),
    [
        ((0.0225, -2.28561, 2.33061), "0.0 [-2.3, 2.3]", "0.0 ± 2.3"),
        ((1333.3350, 1333.3226, 1333.3474), "1,333.335 [1,333.323, 1,333.347]", "1,333.335 ± 0.012"),
        ((12345.6, 12000.0, 12700.0), "12,350 [12,000, 12,700]", "12,350 ± 350"),
        ((0.95, 0.9402, 0.9598), "0.9500 [0.9402, 0.9598]", "0.9500 ± 0.0098"),
    ],
)
def test_a_value_has_the_digits_that_its_interval_allows(estimate, ends, half):
    assert cell(*estimate) == ends
    assert cell(*estimate, interval="half") == half


def test_low_and_high_belong_to_the_column_before_them():
    frame = pd.DataFrame({"arm": [0], "coverage": [0.95], "low": [0.94], "high": [0.96], "width": [0.2]})
    assert printed(frame).values.tolist() == [["0", "0.950 [0.940, 0.960]", "0.2"]]


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
        r"41.3 $\pm$ 1.7",
        r"\begin{tabular}{lrrr}",
        r"\caption{What $\alpha$ costs}",
        r"\label{tab:costs}",
    ):
        assert piece in text, text


@pytest.mark.parametrize(
    ("words", "caption"),
    [
        (r"Regret as $α$ grows, 5\% of α", r"Regret as $\alpha$ grows, 5\% of $\alpha$"),
        ("5% & less_more #1", r"5\% \& less\_more \#1"),
        ("{a}^b~c", r"\{a\}\textasciicircum{}b\textasciitilde{}c"),
    ],
)
def test_a_caption_with_a_dollar_or_a_backslash_is_latex_and_any_other_is_text(words, caption):
    assert rf"\caption{{{caption}}}" in latex(FRAME, caption=words)


def test_signs_in_titles_are_those_of_latex():
    text = latex(pd.DataFrame({"policy": ["λ̂ ≥ 2", "μ ≤ 1"]}))
    assert text.isascii()
    assert r"$\hat{\lambda}$ $\geq$ 2" in text


def test_an_empty_table_is_a_table():
    assert printed(FRAME.head(0)).shape == (0, 4)
    assert r"\begin{tabular}" in latex(FRAME.head(0))


def test_a_number_below_zero_has_a_minus_in_latex_and_a_name_keeps_its_hyphen():
    table = pd.DataFrame(
        {"policy": ["KL-UCB-2"], "means": ["0, -0.2"], "gap": [-1.5], "gap_low": [-2.0], "gap_high": [-1.0]}
    )
    assert "KL-UCB-2 & 0, $-$0.2 & $-$1.50 [$-$2.00, $-$1.00] \\\\" in latex(table)
