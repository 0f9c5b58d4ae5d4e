"""A journal's time never goes back, whatever the machine's clock does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.live.conftest import problem

from steadyarm.live.core.clock import Clock
from steadyarm.live.core.journal import later, moment, now
from steadyarm.live.http import attribution
from steadyarm.live.storage import transaction

START = "2026-11-15T09:30:00.000Z"
WINDOW = {"attribution": {"after": "PT1H", "reward": 0}}
YEAR = 365 * 86_400


@pytest.fixture
def clock(monkeypatch):
    """The machine's clock, to be set: seconds from now."""
    shift = [0.0]
    for module in (transaction, attribution):
        monkeypatch.setattr(module, "now", lambda: later(now(), shift[0]))

    def turn(seconds):
        shift[0] = seconds

    return turn


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1))
def test_times_never_go_back_and_are_the_machines_once_that_has_caught_up(steps):
    clock, machine, last = Clock(START), 0, START
    for step in steps:
        machine = max(-(10**10), min(10**10, machine + step))
        at = later(START, machine)
        struck = clock.strike(at)
        assert struck >= last
        assert struck >= at
        assert struck == at or at < last
        last = struck


@given(st.integers(1, 10**8), st.lists(st.integers(0, 10**5)))
def test_a_clock_that_was_set_back_goes_on_at_the_same_pace(back, steps):
    clock, machine = Clock(START), -back
    begun = moment(clock.strike(later(START, machine)))
    assert begun == moment(START)
    passed = 0
    for step in steps:
        passed += step
        if passed < back:
            assert moment(clock.strike(later(START, passed - back))) == pytest.approx(
                begun + passed, abs=0.002
            )


def test_a_time_at_the_end_of_all_years_stands_still_and_is_no_defect():
    clock = Clock("9999-12-31T23:59:59.000Z")
    for at in (START, later(START, 60), later(START, 120)):
        assert clock.strike(at) == "9999-12-31T23:59:59.000Z"


@pytest.mark.parametrize("back", [0.5, 3600, 10 * YEAR])
def test_every_kind_of_entry_is_as_late_as_the_one_before_it(open_api, clock, back):
    api = open_api()
    api.create(arms=["a", "b", "c"], holdout=0.3)
    for number in range(8):
        clock(-back * (number % 2))
        api.allocate(f"u{number}")
    api.report("u0", 1)
    clock(-2 * back)
    unit = api("GET", "/v1/experiments/e/allocations/u0").json()
    said = {"reward": 0, "reason": "returned", "outcome_seq": unit["outcome_seq"]}
    assert api("POST", "/v1/experiments/e/allocations/u0/amend", said).status_code == 201
    api.void("u1")
    defaults = {"defaults": [{"unit": "u2", "arm": "b"}, {"unit": "new", "arm": "c"}]}
    assert api("POST", "/v1/experiments/e/defaults", defaults).status_code == 200
    retired = api("POST", "/v1/experiments/e/arms/c/retire", {"reason": "out of stock"})
    api.close()
    clock(-3 * back)
    api = open_api()
    for number in range(8, 12):
        api.allocate(f"u{number}")
    assert api("POST", "/v1/experiments/e/pause").status_code == 200
    entries = api.events()
    times = [entry["at"] for entry in entries]
    assert times == sorted(times)
    assert retired.json()["at"] == next(each["at"] for each in entries if each["kind"] == "retired")
    told = api("GET", "/v1/experiments/e/allocations/u0").json()
    assert (told["at"], told["outcome_at"]) == tuple(
        each["at"] for each in entries if each.get("unit") == "u0"
    )[::2]
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


@pytest.mark.parametrize("restarted", [False, True])
def test_windows_end_neither_early_nor_never_though_the_clock_was_a_year_ahead(
    open_api, clock, monkeypatch, restarted
):
    monkeypatch.setattr(attribution, "CHECK_EVERY_SECONDS", 3600.0)
    api = open_api()
    api.create(**WINDOW)
    clock(YEAR)
    api.allocate("early")
    clock(0)
    if restarted:
        api.close()
        api = open_api()
        api.state()
    silences = attribution.Silences(api.service)

    def lapsed():
        api.http.run(silences.check("e"))
        return [entry["unit"] for entry in api.events() if entry["kind"] == "lapsed"]

    assert lapsed() == []
    api.allocate("late")
    clock(3590)
    assert lapsed() == []
    clock(3610)
    assert lapsed() == ["early", "late"]
    assert api("GET", "/v1/experiments/e/verify").status_code == 200
    history = api("GET", "/v1/experiments/e/history").json()
    assert history["outstanding"]["oldest_seconds"] is None


def test_ages_are_never_below_nothing(api, clock):
    api.create()
    clock(3600)
    api.allocate("u")
    clock(0)
    outstanding = api("GET", "/v1/experiments/e/history").json()["outstanding"]
    assert outstanding["oldest_seconds"] == 0.0
    assert outstanding["groups"][0]["units"] == 1
    health = api("GET", "/v1/experiments/e/results").json()["health"]
    waiting = [arm["oldest_waiting_seconds"] for arm in health["outcomes"]["arms"]]
    assert min(age for age in waiting if age is not None) >= 0.0
    problem(api.report("u", "x"), 422, "invalid_reward")
    assert json.loads(api("GET", "/v1/experiments/e/verify").text)["entries"] == 3
