"""Experiments over HTTP, on both databases."""

import json

import pytest
from tests.live.conftest import Api, problem
from tests.live.server import CONFIGURATION

import steadyarm as sa


def test_an_experiment_is_created_once_and_never_changed(api):
    made = api("PUT", "/v1/experiments/e", CONFIGURATION)
    assert made.status_code == 201
    assert made.json()["state"] == "created"
    assert made.json()["configuration"] == CONFIGURATION
    again = api("PUT", "/v1/experiments/e", CONFIGURATION)
    assert again.status_code == 200
    assert again.json() == made.json()
    problem(api("PUT", "/v1/experiments/e", CONFIGURATION | {"alpha": 2.0}), 409, "config_conflict")
    (entry,) = api.events()
    assert entry["kind"] == "created"
    assert sorted(entry["priority"]) == [0, 1, 2]  # ω is drawn and logged


def test_two_experiments_draw_their_priorities_independently(api):
    many = [api.create(f"e{number}", started=False, arms=list("abcdefgh")) for number in range(3)]
    seeds = {api.events(each["experiment"])[0]["seed"] for each in many}
    assert len(seeds) == 3


def test_the_state_machine(api):
    api.create(started=False)
    problem(api.allocate("u"), 409, "not_running")
    problem(api("POST", "/v1/experiments/e/pause"), 409, "bad_state")
    for move, state in (("start", "running"), ("pause", "paused"), ("start", "running"), ("close", "closed")):
        named = {"state_seq": api.state()["state_seq"]}
        for _ in range(2):  # again is no change
            answer = api("POST", f"/v1/experiments/e/{move}", named)
            assert answer.status_code == 200
            assert answer.json()["state"] == state
    problem(api("POST", "/v1/experiments/e/start"), 409, "bad_state")
    problem(api("POST", "/v1/experiments/e/pause"), 409, "bad_state")
    problem(api.allocate("u"), 409, "not_running")
    problem(api("POST", "/v1/experiments/nobody/start"), 404, "unknown_experiment")
    assert [entry["kind"] for entry in api.events()] == ["created", "started", "paused", "started", "closed"]


def test_experiments_are_listed_by_name_in_pages(api):
    for name in ("b", "a", "c"):
        api.create(name, started=False)
    listed = api("GET", "/v1/experiments").json()["experiments"]
    assert [each["experiment"] for each in listed] == ["a", "b", "c"]
    page = api("GET", "/v1/experiments?after=a&limit=1").json()["experiments"]
    assert [each["experiment"] for each in page] == ["b"]
    problem(api("GET", "/v1/experiments?limit=0"), 422, "invalid")
    problem(api("GET", "/v1/experiments?after=%00"), 422, "invalid")


def test_no_experiment_is_left_out_whatever_order_postgresql_has_for_texts(postgres):
    api = Api(postgres.new_database())
    try:
        with api.service.writer._connection.engine.begin() as connection:
            connection.exec_driver_sql(
                'ALTER TABLE experiments ALTER COLUMN name TYPE text COLLATE "und-x-icu"'
            )
        for name in ("b", "A", "C", "a", "_"):
            api.create(name, started=False)
        listed, page = [], [""]
        while page:
            found = api("GET", f"/v1/experiments?limit=1&after={page[-1]}").json()["experiments"]
            page = [each["experiment"] for each in found]
            listed += page
        assert listed == ["A", "C", "_", "a", "b"]
    finally:
        api.close()


def test_a_plan_is_resolved_and_logged(api):
    goal = {"arms": ["a", "b"], "horizon": 100_000, "plan": {"max_sd_share": 0.01}}
    made = api("PUT", "/v1/experiments/e", goal)
    assert made.status_code == 201
    planned = sa.plan(n_arms=2, horizon=100_000, max_sd_share=0.01).policy
    assert made.json()["policy"] == planned.to_dict()
    assert api.events()[0]["configuration"]["spread"] == planned.spread
    assert api("PUT", "/v1/experiments/e", goal).status_code == 200
    assert api("PUT", "/v1/experiments/e", made.json()["configuration"]).status_code == 200
    impossible = goal | {"plan": {"max_regret": 0.001}}
    assert "cannot be had" in problem(api("PUT", "/v1/experiments/f", impossible), 422, "invalid")["detail"]


BAD = [
    {"arms": ["a"]},
    {"arms": ["a", "a", "b"]},
    {"arms": ["a", "\x00", "b"]},
    {"arms": [f"arm {number}" for number in range(1001)], "horizon": 5000},
    {"horizon": 3},
    {"horizon": 10**10},
    {"horizon": "many"},
    {"alpha": 0},
    {"alpha": "big"},
    {"rewards": "poisson"},
    {"policy": "Nobody"},
    {"policy": ["SLEUCB"]},
    {"unknown": 1},
    {"low": 0.0},
    {"rewards": "bounded", "low": 2.0, "high": 1.0},
    {"policy": "BetaThompson", "rewards": "gaussian", "alpha": None, "mean_bound": None},
    {"plan": {"max_sd": 1.0}},
    {"plan": {"valid_intervals": "yes"}, "alpha": None},
    {"plan": {"valid_intervals": False}, "alpha": None},
    {"plan": {"max_regret": "low"}, "alpha": None},
    {"plan": {"max_sd": True}, "alpha": None},
    {"rewards": "bounded", "low": 2, "high": 3, "mean_bound": 0.1},
    {"seed": -1},
]


@pytest.mark.parametrize("change", BAD, ids=str)
def test_a_bad_configuration_is_refused(api, change):
    answer = api("PUT", "/v1/experiments/e", content=None, text=json.dumps(CONFIGURATION | change))
    problem(answer, 422, "invalid")
    problem(api("GET", "/v1/experiments/e"), 404, "unknown_experiment")
