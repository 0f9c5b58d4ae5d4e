"""Every row of the API's table, on both databases."""

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


def test_a_unit_is_allocated_once(api):
    api.create()
    first = api.allocate("u1")
    assert first.status_code == 201
    assert first.json().keys() == {"unit", "arm", "round", "seq"}
    assert first.json() | {"arm": "?"} == {"unit": "u1", "arm": "?", "round": 1, "seq": 3}
    again = api.allocate("u1")
    assert again.status_code == 200
    assert again.json() == first.json()
    api("POST", "/v1/experiments/e/pause")
    assert api.allocate("u1").json() == first.json()  # what is known can always be asked for
    problem(api.allocate("u2"), 409, "not_running")
    problem(api.allocate("u", "nobody"), 404, "unknown_experiment")


def test_exactly_the_horizon_is_allocated(api):
    api.create(horizon=5)
    units = [f"u{number}" for number in range(5)]
    assert [api.allocate(unit).status_code for unit in units] == [201] * 5
    problem(api.allocate("one-more"), 409, "horizon_reached")
    assert api.allocate("u3").status_code == 200
    assert api.state()["round"] == 5


def test_a_batch_is_ordered_and_all_or_nothing(api):
    api.create(horizon=6)
    known = api.allocate("u2").json()
    answer = api("POST", "/v1/experiments/e/allocations", {"units": ["u1", "u2", "u3", "u1"]})
    assert answer.status_code == 200
    given = answer.json()["allocations"]
    assert [each["unit"] for each in given] == ["u1", "u2", "u3", "u1"]
    assert given[1] == known
    assert given[0] == given[3]
    assert [each["round"] for each in given] == [2, 1, 3, 2]
    too_many = {"units": ["u4", "u5", "u6", "u7"]}
    problem(api("POST", "/v1/experiments/e/allocations", too_many), 409, "horizon_reached")
    assert api.state()["round"] == 3
    problem(api("GET", "/v1/experiments/e/allocations/u4"), 404, "unknown_unit")
    for units in ([], ["u"] * 1001, ["fine", "not fine"], "u", None):
        problem(api("POST", "/v1/experiments/e/allocations", {"units": units}), 422, "invalid")


def test_the_first_reward_wins(api):
    api.create()
    problem(api.report("u1", 1), 404, "unknown_unit")
    arm = api.allocate("u1").json()["arm"]
    told = api.report("u1", 1)
    assert told.status_code == 201
    assert told.json() == {"unit": "u1", "arm": arm, "reward": 1.0, "seq": 4}
    assert api.report("u1", 1.0).status_code == 200
    assert api.report("u1", 1.0).json() == told.json()
    problem(api.report("u1", 0), 409, "reward_conflict")
    problem(api.void("u1"), 409, "reward_conflict")
    problem(api.report("u1", 1, "nobody"), 404, "unknown_experiment")


def test_a_void_settles_a_unit_and_its_pull_still_counts(api):
    api.create()
    api.allocate("u1")
    problem(api.void("u1", ""), 422, "invalid")
    first = api.void("u1", "moved away")
    assert first.status_code == 201
    assert first.json()["reason"] == "moved away"
    again = api.void("u1", "another reason")
    assert again.status_code == 200
    assert again.json() == first.json()
    problem(api.report("u1", 1), 409, "reward_conflict")
    problem(api.void("u2"), 404, "unknown_unit")
    state = api.state()
    assert (state["round"], state["rewarded"], state["voided"], state["outstanding"]) == (1, 0, 1, 0)
    arms = {each["arm"]: each for each in api("GET", "/v1/experiments/e/arms").json()["arms"]}
    assert sum(each["count"] for each in arms.values()) == 1
    assert all(each["index"] is None for each in arms.values())  # no reward, no envelope


def test_rewards_are_taken_while_paused_and_after_the_close(api):
    api.create()
    api.allocate("u1")
    api.allocate("u2")
    for unit, move in (("u1", "pause"), ("u2", "close")):
        assert api("POST", f"/v1/experiments/e/{move}").status_code == 200
        assert api.report(unit, 1).status_code == 201


@pytest.mark.parametrize(
    ("declared", "fine", "refused"),
    [
        ({"rewards": "bernoulli"}, [0, 1, 1.0], [0.5, 2, -1, True, "1", None, [1]]),
        ({"rewards": "bounded", "low": -1.0, "high": 3.0}, [-1, 0.25, 3], [-1.01, 3.5]),
        ({"rewards": "gaussian"}, [-7.5, 0, 21], [21.5, 1e6, 1e101, "x"]),
    ],
)
def test_rewards_are_of_the_declared_kind(api, declared, fine, refused):
    api.create(**declared)
    for number, reward in enumerate(fine):
        api.allocate(f"u{number}")
        assert api.report(f"u{number}", reward).status_code == 201
    api.allocate("last")
    for reward in refused:
        problem(api.report("last", reward), 422, "invalid_reward")
    path = "/v1/experiments/e/allocations/last/reward"
    for text in ("NaN", "Infinity", "-Infinity", "1e999"):
        problem(api("PUT", path, content=None, text=f'{{"reward": {text}}}'), 422, "invalid_reward")
    problem(api("PUT", path, {"value": 1}), 422, "invalid")
    problem(api("PUT", path, {}), 422, "invalid")
    problem(api("PUT", path, text="{"), 400, "malformed")
    problem(api("PUT", path, text='{"reward": 0, "reward": 1}'), 400, "malformed")
    assert api("GET", "/v1/experiments/e/allocations/last").json()["outcome"] == "outstanding"


def test_a_unit_can_be_looked_up(api):
    api.create()
    given = api.allocate("u1").json()
    found = api("GET", "/v1/experiments/e/allocations/u1").json()
    assert {name: found[name] for name in given} == given
    assert found["outcome"] == "outstanding"
    api.report("u1", 0)
    found = api("GET", "/v1/experiments/e/allocations/u1").json()
    assert (found["outcome"], found["reward"], found["outcome_seq"]) == ("rewarded", 0.0, 4)
    problem(api("GET", "/v1/experiments/nobody/allocations/u1"), 404, "unknown_experiment")


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


def test_the_journal_has_no_gaps_and_can_be_read_from_anywhere(api):
    api.create()
    for number in range(5):
        api.allocate(f"u{number}")
        api.report(f"u{number}", number % 2)
    entries = api.events()
    assert [entry["seq"] for entry in entries] == list(range(1, 13))
    assert api.events(after=7) == entries[7:]
    limited = api("GET", "/v1/experiments/e/events?after=2&limit=3").text.splitlines()
    assert [json.loads(line)["seq"] for line in limited] == [3, 4, 5]
    for query in ("after=-1", "after=x", "limit=0", f"after={2**70}"):
        problem(api("GET", f"/v1/experiments/e/events?{query}"), 422, "invalid")
    problem(api("GET", "/v1/experiments/nobody/events"), 404, "unknown_experiment")


def test_every_decision_is_that_of_the_reference_play(api):
    api.create(arms=["x", "y", "z"], constants="sharp", rewards="gaussian", noise_scale=1.0)
    for number in range(60):
        api.allocate(f"u{number}")
        if number >= 3:
            api.report(f"u{number - 3}", (number * 7919 % 13) / 13)
    entries = api.events()
    created = entries[0]
    play = sa.policy_from_dict(created["policy"]).start(seed=created["seed"], priority=created["priority"])
    arms = created["configuration"]["arms"]
    for entry in entries:
        if entry["kind"] == "allocated":
            assert arms[play.ask()] == entry["arm"]
        elif entry["kind"] == "rewarded":
            play.tell(arms.index(entry["arm"]), entry["reward"])
    assert play.round == 60
    checked = api("GET", "/v1/experiments/e/verify")
    assert checked.status_code == 200
    assert checked.json()["decisions"] == 60
    assert checked.json()["hash"] == entries[-1]["hash"]


@pytest.mark.parametrize(
    "policy", ["MOSS", "GaussianThompson", "BetaThompson", "EpsilonGreedy", "UCB1", "Exp3"]
)
def test_other_policies_are_replayed_too(open_api, policy):
    api = open_api()
    configuration = {"policy": policy, "arms": ["a", "b"], "horizon": 100, "rewards": "bernoulli"}
    assert api("PUT", "/v1/experiments/e", configuration).status_code == 201
    api("POST", "/v1/experiments/e/start")
    for number in range(30):
        api.allocate(f"u{number}")
        api.report(f"u{number}", number % 2)
    assert api("GET", "/v1/experiments/e/verify").json()["decisions"] == 30
    api.close()
    later = open_api()  # the play goes on where it was
    assert later.allocate("u30").status_code == 201
    assert later("GET", "/v1/experiments/e/verify").json()["decisions"] == 31


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
    {"description": "\ud800"},
]


@pytest.mark.parametrize("change", BAD, ids=str)
def test_a_bad_configuration_is_refused(api, change):
    answer = api("PUT", "/v1/experiments/e", content=None, text=json.dumps(CONFIGURATION | change))
    problem(answer, 422, "invalid")
    problem(api("GET", "/v1/experiments/e"), 404, "unknown_experiment")


def test_names_follow_the_pattern(api):
    api.create()
    for name in ("a b", "-a", "é", "a" * 129, "a%00"):
        problem(api("PUT", f"/v1/experiments/{name}", CONFIGURATION), 422, "invalid")
        problem(api.allocate(name), 422, "invalid")
    assert api.allocate("A_b.c:d@e+f=g~h-1").status_code == 201


def test_unknown_paths_and_methods_are_problems_too(api):
    problem(api("GET", "/nowhere"), 404, "not_found")
    problem(api("DELETE", "/v1/experiments/e"), 405, "method_not_allowed")
    problem(api("PATCH", "/v1/experiments"), 405, "method_not_allowed")
    problem(api("PUT", "/v1/experiments/e", text="x" * 300_000), 413, "too_large")

    async def parts():
        for _ in range(300):
            yield b"x" * 1000

    answer = api.http.request(
        "PUT", "/v1/experiments/e", content=parts(), headers={"authorization": f"Bearer {api.token}"}
    )
    problem(answer, 413, "too_large")


def test_a_request_id_is_echoed_or_made(api):
    assert (
        api("GET", "/v1/experiments", headers={"x-request-id": "mine-1"}).headers["x-request-id"] == "mine-1"
    )
    made = [
        api("GET", "/v1/experiments", headers={"x-request-id": "not fine"}).headers["x-request-id"]
        for _ in "ab"
    ]
    assert made[0] != made[1]


def test_metrics_know_whether_the_store_can_be_written(api, monkeypatch):
    assert "steadyarm_ready 1.0" in api("GET", "/metrics").text  # though nobody asked /readyz before

    def fail(*_, **__):
        raise OSError("No space left on device")

    monkeypatch.setattr("steadyarm.live.storage.queries.probe", fail)
    api.service.writer.written_at = 0.0
    assert "steadyarm_ready 0.0" in api("GET", "/metrics").text


def test_health_readiness_and_metrics(api):
    assert api.http.get("/healthz").json() == {"status": "ok"}
    assert api.http.get("/readyz").status_code == 200
    api.create()
    api.allocate("u")
    text = api("GET", "/metrics").text
    assert "steadyarm_journal_entries_total 3.0" in text
    assert 'steadyarm_requests_total{method="PUT",status="201"} 2.0' in text


def test_openapi_describes_every_path(api):
    said = api("GET", "/openapi.json").json()
    paths = said["paths"]
    assert paths["/v1/experiments/{experiment}/allocations/{unit}"]["put"]["responses"].keys() >= {
        "200", "201", "401", "403", "404", "409", "422", "503"
    }  # fmt: skip
    assert len(paths) >= 17


def test_head_is_answered_like_get_without_the_body(api):
    api.create()
    for path in ("/healthz", "/readyz", "/metrics", "/v1/experiments", "/v1/experiments/e", "/v1/token"):
        told, asked = api("GET", path), api("HEAD", path)
        assert (asked.status_code, asked.content) == (200, b""), path
        assert asked.headers["content-type"] == told.headers["content-type"]
    assert api("HEAD", "/v1/experiments/nobody").status_code == 404
    assert api("HEAD", "/v1/experiments/e/stream").status_code == 405  # it would have no end
    assert api.http.request("HEAD", "/v1/experiments").status_code == 401
