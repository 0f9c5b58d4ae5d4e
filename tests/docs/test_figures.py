"""The figures of the pages are those that the scripts in tools/ compute: all by checksums, some of each anew."""

import csv
import math
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.theory.guarantees.cells import theorem_e
from steadyarm.theory.guarantees.instability import theorem_b, theorem_c
from steadyarm.theory.guarantees.parameters import Parameters

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def load(name):
    spec = spec_from_file_location(f"loaded_{name}", ROOT / "tools" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page(name):
    return (DOCS / f"{name}.md").read_text()


@pytest.fixture(scope="module")
def explanations():
    return load("explanations")


@pytest.fixture(scope="module")
def gallery():
    return load("gallery")


def test_no_figure_of_the_explanations_was_changed_by_hand(explanations):
    names = set()
    for name in ("low-regret", "guarantees", "optimum", "inference", "delayed-outcomes"):
        for table in explanations.TABLE.finditer(page(name)):
            assert explanations.checksum(table["text"]) == table["checksum"], "run tools/explanations.py"
            names.add(table["name"])
    assert names == {
        "low-regret",
        "first horizons",
        "promises",
        "cheapest",
        "shapes",
        "coverage",
        "auto",
        "regret told late",
        "instability told late",
    }


def test_the_guarantees_are_those_of_the_program(explanations):
    some = explanations.cheapest_row(*explanations.CHEAPEST[1])
    for row in [*explanations.first_horizon_rows(), *explanations.promise_rows(), some]:
        assert row in page("guarantees"), row


def bound_by(theorem, n_arms, alpha, beta, horizon=1e6):
    lam = alpha * beta * math.sqrt(n_arms / horizon)
    return theorem(Parameters(n_arms=n_arms, horizon=horizon, beta=beta, lam=lam, noise=1.0, bias=0.0))


def test_the_widths_at_which_theorems_begin_to_speak_are_those_of_the_program():
    said = re.search(
        r"with α = 1 Theorem E2 begins to\s+say something at β = (\S+)σ for two arms and (\S+)σ for a hundred, "
        r"with α = 100 Theorem B at (\S+)σ and (\S+)σ\.",
        page("guarantees"),
    )
    cases = [
        (theorem, n_arms, alpha)
        for theorem, alpha in ((theorem_e, 1), (theorem_b, 100))
        for n_arms in (2, 100)
    ]
    for (theorem, n_arms, alpha), width in zip(cases, map(float, said.groups()), strict=True):
        trivial = (1e6 - n_arms) / 2
        assert bound_by(theorem, n_arms, alpha, width) < trivial
        assert bound_by(theorem, n_arms, alpha, width - 0.1) >= trivial


def test_where_theorem_c_is_tighter_than_theorem_e_the_page_has_both_figures():
    setting = Parameters(n_arms=2, horizon=1e12, beta=1e4, lam=1e3, noise=1.0, bias=0.0)
    assert f"{theorem_c(setting):,.0f} against {theorem_e(setting):,.0f})" in page("guarantees")


def test_the_cheapest_guarantee_is_as_far_from_the_limit_as_the_page_on_the_optimum_says():
    rows = re.findall(
        r"^\| (4|10) \| \S+ \| (\S+) % \| (\S+) % \| (\S+) % \|", page("guarantees"), re.MULTILINE
    )
    times = [(int(arms), float(spread), float(sure) / float(least)) for arms, spread, sure, least in rows]
    assert len([1 for _, spread, _ in times if spread <= 2.0]) == 9
    assert all(2.0 < far < 4.1 for _, spread, far in times if spread <= 2.0)
    assert "two to four times" in page("optimum")
    far = {
        arms: [round(one) for other, spread, one in times if (other, spread) == (arms, 9.0)]
        for arms in (4, 10)
    }
    assert far == {4: [5], 10: [8, 8]}
    assert "about five and eight times at 9 %" in page("optimum")


def width(interval):
    return interval.high - interval.low


def test_anytime_intervals_are_as_wide_and_their_differences_as_narrow_as_the_page_says():
    shorter = {}
    for rewards, how in (("bernoulli", {}), ("gaussian", {"noise_scale": 1.0})):
        data = {"counts": [1000, 1000], "sums": [300, 300], "rewards": rewards, **how}
        alone = width(sa.intervals(**data, optimal_at=1000)[0])
        shorter[rewards] = 1 - width(sa.differences(**data, optimal_at=1000).table.iloc[0]) / (2 * alone)
        if rewards == "bernoulli":
            assert f"{alone / width(sa.intervals(**data, method='wilson')[0]):.1f} times for 0/1" in page(
                "inference"
            )
    assert shorter["bernoulli"] == pytest.approx(1 / 5, abs=0.025)
    assert shorter["gaussian"] == pytest.approx(1 / 4, abs=0.025)
    assert "a fifth (0/1 rewards) or a quarter (Gaussian ones) narrower" in page("inference")


def test_the_shapes_are_those_of_the_program(explanations):
    for row in [*map(explanations.shape_row, explanations.SHAPES), explanations.steady_row()]:
        assert row in page("optimum"), row


@pytest.mark.parametrize("name", ["MOSS", "SLEUCB"])
def test_the_runs_behind_low_regret_give_the_same_again(explanations, name):
    assert explanations.low_regret_row(explanations.low_regret_result(name)) in page("low-regret")


def test_the_sentence_on_thompson_sampling_says_what_its_runs_did(explanations):
    said = re.search(
        r"in one run of (\w+) the better treatment gets less than a tenth\s+of the patients, "
        r"and in one run of (\w+) more than nine tenths",
        page("low-regret"),
    )
    result = explanations.low_regret_result("GaussianThompson")
    share = result.counts[:, 0] / result.policy.horizon
    words = {5: "five", 10: "ten", 20: "twenty"}
    assert said.groups() == tuple(words.get(round(1 / np.mean(rare))) for rare in (share < 0.1, share > 0.9))


@pytest.mark.slow
def test_the_coverage_and_the_cost_of_a_delay_are_the_same_again(explanations):
    late = [
        explanations.late_row("regret", "300 rounds late"),
        explanations.late_row("instability", "every 100 rounds"),
    ]
    for row in [*explanations.coverage_rows(0.3, ("SLEUCB", "UCB")), *late]:
        assert row in page("inference") + page("delayed-outcomes"), row


@pytest.mark.slow
def test_the_runs_behind_the_page_on_drift_give_the_same_again():
    measured = load("drift_measured")
    for policy in measured.policies()[2:4]:
        assert measured.row("step in the middle", policy) in page("drift")


def trillion():
    """The numbers behind the picture, a list for each of its two lines."""
    with (DOCS / "pictures" / "trillion.csv").open() as file:
        _, *rows = csv.reader(file)
    return np.array(rows, float)[:, 1:].T


def test_the_product_stays_as_flat_as_the_page_says():
    said = re.search(
        r"within (\S+) % of its mean for two arms .* within (\S+) % for ten", page("a-trillion-rounds"), re.S
    )
    for values, share in zip(trillion(), said.groups(), strict=True):
        assert f"{100 * np.max(np.abs(values / values.mean() - 1)):.1f}" == share


@pytest.mark.slow
def test_a_point_of_the_picture_of_a_trillion_rounds_is_the_same_again():
    assert f"{load('trillion').product(2, 'paper', 10**6):.4f}" == f"{trillion()[0][0]:.4f}"


@pytest.mark.parametrize("name", sa.all_policies())
def test_the_gallery_has_a_policy_as_its_docstring_describes_it(gallery, name):
    text = page("policies")
    found = re.search(
        rf"!\[.*?: regret (\S+), an arm's pulls stray by ± (\S+?)\]\(pictures/policies/{name}.png", text
    )
    assert found, "run tools/gallery.py"
    regret, instability = (float(figure.replace(",", "")) for figure in found.groups())
    row = {"regret": regret, "instability": instability}
    assert gallery.entry(gallery.policy(name), row) in text, "run tools/gallery.py"


def test_figures_of_the_gallery_are_the_same_again(gallery):
    some = [gallery.policy(name) for name in ("MOSS", "UCBf")]
    for policy, (_, row) in zip(some, gallery.table(some).iterrows(), strict=True):
        assert f"![{gallery.message(policy, row)}]" in page("policies")
