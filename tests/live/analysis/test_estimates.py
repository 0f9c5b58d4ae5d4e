"""What rewards say of the arms: intervals and differences, as the library gives them."""

import re

import pytest
from tests.live.analysis.test_results import played
from tests.live.conftest import problem

import steadyarm as sa
from steadyarm.errors import InvalidInput
from steadyarm.inference.methods import TITLES
from steadyarm.live.analysis.results import results_of


@pytest.mark.parametrize(
    ("rewards", "ordinary", "how"),
    [
        ("bernoulli", "wilson", {}),
        ("bounded", "wald", {"low": -0.1, "high": 1.1}),
        ("gaussian", "wald", {"noise_scale": 1.0}),
    ],
)
def test_intervals_are_those_of_the_library_for_what_the_rewards_are(rewards, ordinary, how):
    experiment = played(600, rewards=rewards, horizon=600, **how)
    summary = experiment.summary()
    found = results_of(summary, level=0.9)
    given = {"squares": summary.squares, "deviations": summary.deviations, "optimal_at": 200.0, "level": 0.9}
    for key, method in (
        (ordinary, ordinary),
        ("wald", "wald"),
        ("anytime", "anytime"),
        ("interval", ordinary),
    ):
        expected = sa.intervals(
            summary.observed, summary.sums, rewards=rewards, method=method, **given, **how
        )
        for arm, estimate in zip(found["arms"], expected, strict=True):
            assert arm[key] == {"low": estimate.low, "high": estimate.high}
            assert arm["mean"] == estimate.value
    assert found["intervals"]["ordinary"] == found["intervals"]["method"] == ordinary
    assert found["intervals"]["ordinary_title"] == TITLES[ordinary]
    assert "little enough" in found["intervals"]["words"]
    assert sum(arm["share"] for arm in found["arms"]) == pytest.approx(1.0)


def test_before_the_horizon_the_valid_intervals_are_those_of_any_time():
    found = results_of(played(500).summary())
    assert found["intervals"]["method"] == found["differences"]["method"] == "anytime"
    for arm in found["arms"]:
        assert arm["interval"] == arm["anytime"] != arm["wilson"] != arm["wald"]


def test_differences_are_those_of_the_library_for_all_pairs_or_to_a_control():
    summary = played(2000).summary()
    how = {"rewards": "bernoulli", "method": "anytime", "optimal_at": 5000 / 3, "arms": ["a", "b", "c"]}
    for control, number in ((None, 3), ("b", 2)):
        found = results_of(summary, 0.9, control)["differences"]
        expected = sa.differences(summary.observed, summary.sums, level=0.9, control=control, **how)
        assert found["rows"] == [row.to_dict() for row in expected]
        assert (found["control"], len(found["rows"])) == (control, number)
        assert found["best"] == list(expected.best)
    assert (
        results_of(summary)["differences"]["rows"][1]["decision"]
        == "c is better than a, at any time you look"
    )


def test_many_arms_are_compared_with_the_first():
    found = results_of(played(0, arms=[f"arm {number}" for number in range(11)]).summary())["differences"]
    assert (found["control"], len(found["rows"]), len(found["best"])) == ("arm 0", 10, 11)


def test_the_control_is_an_arm_or_refused(api):
    api.create()
    path = "/v1/experiments/e/results?control="
    arm = api("GET", "/v1/experiments/e/results").json()["arms"][1]["arm"]
    assert api("GET", path + arm).json()["differences"]["control"] == arm
    assert "control must be an arm" in problem(api("GET", path + "nobody"), 422, "invalid")["detail"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"control": "nobody"}, "control must be an arm of the experiment; got 'nobody'"),
        ({"method": "wilson"}, r"Wilson's intervals are for 0/1 rewards\. Ask for wald, anytime or auto"),
    ],
)
def test_what_cannot_be_compared_is_refused_alike_by_the_service_and_in_python(api, asked, words):
    with pytest.raises(InvalidInput, match=words):
        results_of(played(10, rewards="gaussian").summary(), **asked)
    api.create("plain", rewards="gaussian")
    (question,) = asked.items()
    told = problem(api("GET", "/v1/experiments/plain/results?{}={}".format(*question)), 422, "invalid")
    assert re.search(words, told["detail"])
