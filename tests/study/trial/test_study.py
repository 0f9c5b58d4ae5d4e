"""Operating characteristics: known tests, exact against simulated rows, and what is said and kept."""

import json

import numpy as np
import pytest
from scipy.stats import binom
from tests.study.trial.conftest import COINS

import steadyarm as sa
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.inference.differences import difference_ends
from steadyarm.inference.sample import Sample


def row(table, **where):
    for column, value in where.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_equal_shares_have_the_error_and_power_of_the_same_test_on_fixed_samples(found):
    ones = np.arange(21)
    grid = np.stack(np.meshgrid(ones, ones, indexing="ij"), axis=-1).reshape(-1, 2)
    sample = Sample(np.full(grid.shape, 20), grid.astype(float), None, None, "bernoulli", 0.0, 1.0, None)
    lows, highs = (ends[:, 0] for ends in difference_ends(sample, "wilson", 0.95, [(1, 0)], optimal_at=20.0))
    shown = row(found.table, design="round robin", scenario="alternative", method="wilson")
    law = np.outer(binom.pmf(ones, 20, 0.2), binom.pmf(ones, 20, 0.5)).ravel()
    assert shown["power"] == pytest.approx(law[lows > 0].sum(), abs=1e-12)
    assert shown["wrong"] == pytest.approx(law[highs < 0].sum(), abs=1e-12)
    null = row(found.table, design="round robin", scenario="null", method="wilson")
    law = np.outer(binom.pmf(ones, 20, 0.2), binom.pmf(ones, 20, 0.2)).ravel()
    assert null["wrong"] == pytest.approx(law[(lows > 0) | (highs < 0)].sum(), abs=1e-12)
    assert np.isnan(null["power"])


def test_thompson_sampling_earns_more_and_shows_less(found):
    equal, thompson = (
        row(found.table, design=design, scenario="alternative", method="wilson")
        for design in ("round robin", "Beta Thompson sampling")
    )
    assert thompson["reward"] > equal["reward"] + 2.0
    assert thompson["power"] < equal["power"] - 0.1


def test_the_digest_depends_on_what_was_asked_and_on_nothing_else(found):
    again = sa.trial(
        COINS,
        ["RoundRobin", "BetaThompson"],
        horizon=40,
        runs=400,
        seed=1,
        laboratory=sa.Laboratory(threads=1),
    )
    other = sa.trial(COINS, ["RoundRobin", "BetaThompson"], horizon=40, runs=400, seed=2)
    assert again.digest == found.digest != other.digest
    assert json.loads(json.dumps(found.to_dict()))["digest"] == found.digest


def test_a_control_and_three_arms_of_gaussian_rewards():
    nu = sa.Instance.gaussian([0.0, 0.0, 1.5])
    found = sa.trial({"one better": nu}, ["RoundRobin"], horizon=90, control=0, runs=300, methods=["wald"])
    shown = found.table.iloc[0]
    assert shown["power"] > 0.99  # arm 2 against arm 0
    assert shown["wrong"] < 0.06  # arm 1 against arm 0, at 97.5 %
    assert row(found.arms, arm=2)["coverage"] == pytest.approx(0.95, abs=0.04)


def test_usual_designs_are_equal_shares_steady_sle_ucb_and_thompson():
    found = sa.trial(COINS, horizon=12, methods=["wilson"])
    assert found.study.labels == ["round robin", "Steady", "SLE-UCB", "Beta Thompson sampling"]


@pytest.mark.parametrize(
    ("error", "message", "asked"),
    [
        (InvalidType, "instances by name", {"scenarios": [COINS]}),
        (
            InvalidInput,
            "the same number of arms and kind of rewards",
            {"scenarios": {"a": COINS, "b": sa.equal_arms(2)}},
        ),
        (InvalidInput, "needs a horizon", {"scenarios": COINS, "horizon": None}),
        (InvalidInput, "control must be at most 1", {"scenarios": COINS, "control": 2}),
        (InvalidInput, "for 0/1 rewards", {"scenarios": sa.equal_arms(2), "methods": ["wilson"]}),
    ],
)
def test_what_cannot_be_is_refused(error, message, asked):
    with pytest.raises(error, match=message):
        sa.trial(**{"horizon": 20} | asked)


def test_auto_decides_as_differences_do_by_themselves():
    """Steady is steady enough in some runs; MOSS in none, so that it is decided as at any time."""
    rates = sa.Instance.bernoulli([0.3, 0.5])
    designs = [sa.MOSS(n_arms=2, horizon=100, noise_scale=0.5), sa.RoundRobin(n_arms=2, horizon=100)]
    found = sa.trial(
        {"better": rates}, designs, methods=["auto", "anytime", "wald"], runs=60, outside_class=True
    )
    power = found.table.set_index(["design", "method"])["power"]
    assert power["MOSS", "auto"] == power["MOSS", "anytime"] < power["MOSS", "wald"]
    assert power["round robin", "auto"] > power["round robin", "anytime"]
    assert set(found.table.query("method == 'auto'")["source"]) == {"simulated"}
    assert found.plot().axes[0].get_lines()
