"""Curves of a frontier: any policy along any of its parameters."""

from functools import cached_property

import pytest

import steadyarm as sa
from steadyarm.study.frontier.curves import Curve, sle_ucb_curve
from steadyarm.study.frontier.study import FrontierStudy


class WithMoss(FrontierStudy):
    """A frontier with one more curve."""

    @cached_property
    def curves(self):
        moss = sa.MOSS(n_arms=self.n_arms, horizon=self.horizon)
        along = tuple(moss.replace(constant=constant) for constant in (1.0, 4.0))
        return (*FrontierStudy.curves.func(self), Curve("MOSS", "constant", "c", along))


@pytest.fixture(scope="module")
def found():
    return WithMoss(n_arms=2, horizon=400, alphas=[1, 2], spreads=[], rivals=["UCB"]).run(runs=20)


def test_a_curve_of_another_policy_is_measured_drawn_and_named(found):
    assert found.table["curve"].tolist()[:6] == [
        *["SLE-UCB, paper's constants"] * 2,
        *["SLE-UCB, sharp constants"] * 2,
        *["MOSS"] * 2,
    ]
    assert {participant.runs for participant in found.participants[:6]} == {20}
    axes = found.plot().axes[0]
    labels = [text.get_text() for text in axes.texts]
    assert {"MOSS, c = 1", "c = 4", "UCB"} <= set(labels)
    assert "MOSS loses" in axes.get_title(loc="left")


def test_whoever_has_a_curve_is_no_rival():
    study = WithMoss(n_arms=2, horizon=400, alphas=[1], spreads=[])
    names = [participant.policy.name for participant in study.participants(20)[0]]
    assert names.count("MOSS") == 2
    assert "UCB" in names
    with pytest.raises(sa.errors.InvalidInput, match=r"differ from MOSS along c; MOSS.* is on it already"):
        WithMoss(n_arms=2, horizon=400, rivals=[sa.MOSS(n_arms=2, horizon=400, constant=4.0)])


def test_a_curve_says_where_on_it_a_policy_is():
    curve = sle_ucb_curve(sa.SLEUCB(n_arms=2, horizon=100, constants="sharp"), (0.5, 8.0))
    assert [curve.place(policy) for policy in curve.policies] == ["α = 0.5", "α = 8"]
    assert curve.policy.constants == "sharp"
