"""How an allocation came about: thinned on the way, never wrong, and with the band of the prediction."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.live.conftest import Api, problem

import steadyarm as sa
from steadyarm.live.analysis import history as module
from steadyarm.live.analysis.history import AGES, History
from steadyarm.live.analysis.prediction import BAND

PATH = "/v1/experiments/e/history"


@pytest.fixture
def sqlite_api(sqlite):
    api = Api(sqlite)
    yield api
    api.close()


def run(api, units, report=lambda _: True):
    draw = random.Random(5)
    for number in range(units):
        arm = api.allocate(f"u{number}").json()["arm"]
        if report(number):
            api.report(f"u{number}", int(draw.random() < {"a": 0.7, "b": 0.4, "c": 0.5}[arm]))


@given(st.lists(st.integers(0, 2), max_size=3000), st.integers(2, 50))
def test_a_thinned_history_is_part_of_the_whole_one(arms, most):
    history, counts, along = History(["a", "b", "c"]), [0, 0, 0], [(0, 0, 0)]
    for arm in arms:
        history.count(arm)
        counts[arm] += 1
        along.append(tuple(counts))
    rounds, found = history.points(most)
    assert found == [along[turn] for turn in rounds]
    assert rounds[0] == 0
    assert rounds[-1] == len(arms)
    assert len(rounds) <= most
    steps = {later - earlier for earlier, later in pairwise(rounds[:-1])}
    assert len(steps) <= 1


def test_memory_does_not_grow_with_the_rounds(monkeypatch):
    monkeypatch.setattr(module, "MOST_POINTS", 50)
    history = History(["a", "b"])
    for turn in range(10_000):
        history.count(turn % 2)
    assert len(history._samples) <= 100
    rounds, counts = history.points(50)
    assert len(rounds) >= 25
    assert counts[-1] == (5000, 5000)


def test_history_follows_the_journal_from_one_call_to_the_next(api):
    api.create()
    run(api, 20)
    first = api("GET", PATH).json()
    assert first["rounds"] == list(range(21))
    run(api, 45)  # the first 20 again: no change
    second = api("GET", PATH).json()
    assert second["rounds"] == list(range(46))
    assert second["seq"] == api.state()["seq"]
    entries = [entry for entry in api.events() if entry["kind"] == "allocated"]
    for arm in second["arms"]:
        counts = [0]
        for entry in entries:
            counts.append(counts[-1] + (entry["arm"] == arm["arm"]))
        assert arm["counts"] == counts
    assert len(api("GET", f"{PATH}?points=10").json()["rounds"]) <= 11


def test_the_band_is_the_prediction_for_the_means_seen_so_far(sqlite_api):
    api = sqlite_api
    api.create(alpha=0.1, constants="sharp")
    run(api, 2, report=lambda _: False)
    assert api("GET", PATH).json()["band"] == {"available": False, "reason": "every arm needs a reward first"}
    run(api, 150)
    results, found = api("GET", "/v1/experiments/e/results").json(), api("GET", PATH).json()["band"]
    policy = sa.SLEUCB(n_arms=3, horizon=300, noise_scale=0.5, alpha=0.1, constants="sharp")
    means = [arm["mean"] for arm in results["arms"]]
    scales = [(mean * (1 - mean) * arm["rewarded"] / (arm["rewarded"] - 1)) ** 0.5 if arm["rewarded"] >= 30 else 0.5
              for mean, arm in zip(means, results["arms"], strict=True)]  # fmt: skip
    expected = sa.predict(policy, sa.Instance.gaussian(means, noise_scale=scales))
    assert found["rounds"][-1] == 300
    assert found["deviations"] == BAND  # that health judges by
    assert [counts[-1] for counts in found["counts"]] == pytest.approx(expected.counts.tolist())
    assert [sd[-1] for sd in found["sd"]] == pytest.approx(expected.sd.tolist())
    for place, turn in enumerate(found["rounds"]):
        assert sum(counts[place] for counts in found["counts"]) == pytest.approx(turn)


def test_the_band_is_fine_enough_for_the_rounds_so_far_however_far_the_horizon_is(sqlite_api):
    sqlite_api.create(horizon=10**8, alpha=0.01, constants="sharp")
    run(sqlite_api, 150)
    predicted = sqlite_api("GET", "/v1/experiments/e/results").json()["prediction"]["arms"]
    band = sqlite_api("GET", PATH).json()["band"]
    place = band["rounds"].index(150)  # what the table says now stands in the band
    assert [counts[place] for counts in band["counts"]] == pytest.approx(
        [arm["predicted"] for arm in predicted]
    )
    assert place >= 15
    assert band["rounds"][-1] == 10**8
    assert len(band["rounds"]) <= 41


def test_a_policy_without_a_prediction_has_a_history_without_a_band(sqlite_api):
    changes = {"policy": "UCB1", "mean_bound": None, "alpha": None}
    sqlite_api.create(**changes)
    run(sqlite_api, 10)
    found = sqlite_api("GET", PATH).json()
    assert found["rounds"][-1] == 10
    assert not found["band"]["available"]


def test_outstanding_rewards_are_grouped_by_age(api, monkeypatch):
    ages = [5.0, 30.0, 61.0, 7200.0, 1e6]
    api.create()
    run(api, 20, report=lambda number: number < 15)
    api.void("u15")
    found = api("GET", PATH).json()["outstanding"]
    assert [group["seconds_at_most"] for group in found["groups"]] == [*AGES, None]
    assert [group["units"] for group in found["groups"]] == [4, 0, 0, 0, 0, 0]
    assert 0.0 <= found["oldest_seconds"] < 60.0
    history = History(["a"])
    history._since = {f"u{age}": 1e9 - age for age in ages}
    assert [group["units"] for group in history.ages(1e9)["groups"]] == [2, 1, 0, 1, 0, 1]
    assert history.ages(1e9)["oldest_seconds"] == 1e6
    monkeypatch.setattr(module, "MOST_FOLLOWED", 3)
    api.allocate("one-more")
    assert api("GET", PATH).json()["outstanding"]["available"] is False


def test_bad_questions_about_history_are_refused(sqlite_api):
    sqlite_api.create()
    for points in ("1", "501", "many"):
        problem(sqlite_api("GET", f"{PATH}?points={points}"), 422, "invalid")
    problem(sqlite_api("GET", "/v1/experiments/nobody/history"), 404, "unknown_experiment")
