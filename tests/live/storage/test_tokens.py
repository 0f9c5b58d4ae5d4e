"""Who may do what: every call with every scope."""

import sqlite3

import pytest
from tests.live.conftest import problem
from tests.live.server import CONFIGURATION

from steadyarm.live.storage import tokens as tokens_module
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.tokens import Tokens

E = "/v1/experiments/e"
CALLS = {
    ("GET", "/v1/experiments", None): "read",
    ("PUT", E, "configuration"): "admin",
    ("GET", E, None): "read",
    ("POST", f"{E}/start", None): "admin",
    ("POST", f"{E}/pause", None): "admin",
    ("PUT", f"{E}/allocations/u1", None): "allocate",
    ("POST", f"{E}/allocations", "units"): "allocate",
    ("PUT", f"{E}/allocations/u1/reward", "reward"): "report",
    ("POST", f"{E}/rewards", "rewards"): "report",
    ("POST", f"{E}/allocations/u1/void", "reason"): "report",
    ("POST", f"{E}/allocations/u1/amend", "amendment"): "admin",
    ("GET", f"{E}/allocations/u1", None): "read",
    ("GET", f"{E}/arms", None): "unblind",
    ("GET", f"{E}/results", None): "read",
    ("GET", f"{E}/history", None): "read",
    ("GET", f"{E}/events", None): "read",
    ("GET", f"{E}/verify", None): "read",
    ("GET", "/metrics", None): "read",
    ("POST", "/v1/plan", "plan"): "read",
    ("POST", "/v1/simulations", "nothing"): "read",
    ("GET", "/v1/simulations/0123456789abcdef", None): "read",
    ("DELETE", "/v1/simulations/0123456789abcdef", None): "read",
    ("POST", f"{E}/close", None): "admin",
}
BODIES = {
    None: None,
    "configuration": CONFIGURATION,
    "units": {"units": ["u1"]},
    "reward": {"reward": 1},
    "rewards": {"rewards": [{"unit": "u1", "reward": 1}]},
    "amendment": {"reward": 0, "reason": "returned", "outcome_seq": 4},
    "reason": {"reason": "lost"},
    "plan": {"arms": 2, "horizon": 1000, "alpha": 1},
    "nothing": {},
}


@pytest.mark.parametrize("scope", ["admin", "allocate", "report", "read", "unblind"])
def test_a_token_does_what_its_scope_covers_and_no_more(api, scope):
    api.create()
    api.allocate("u1")
    token = api.with_scopes(scope)
    for (method, path, body), needed in CALLS.items():
        answer = api(method, path, BODIES[body], token=token)
        if scope in (needed, "admin"):
            assert answer.status_code not in (401, 403), (method, path, answer.text)
        else:
            problem(answer, 403, "forbidden")
    assert api.state()["state"] == ("closed" if scope == "admin" else "running")


def test_without_a_valid_token_nothing_but_health_is_answered(api):
    api.create()
    forged = api.token[:-3] + "abc"
    for header in (
        {},
        {"authorization": "Bearer "},
        {"authorization": "Basic abc"},
        {"authorization": f"Bearer {forged}"},
    ):
        for method, path, body in [*CALLS, ("GET", "/openapi.json", None), ("GET", "/nowhere", None)]:
            answer = api.http.request(method, path, json=BODIES[body], headers=header)
            problem(answer, 401, "unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
    for path in ("/healthz", "/readyz"):
        assert api.http.get(path).status_code == 200


def test_a_token_can_ask_what_it_may_do(api):
    token = api.with_scopes("read", "unblind")
    said = api("GET", "/v1/token", token=token).json()
    assert said.keys() == {"id", "label", "scopes", "created_at", "experiment", "expires_at", "actor"}
    assert said["scopes"] == ["read", "unblind"]
    assert said["id"] == token.split("_")[1]
    problem(api.http.get("/v1/token"), 401, "unauthorized")


def test_a_revoked_token_is_refused(api, monkeypatch):
    monkeypatch.setattr("steadyarm.live.http.authentication.REREAD_AFTER", 0.0)
    token = api.with_scopes("read")
    assert api("GET", "/v1/experiments", token=token).status_code == 200
    api.service.tokens.revoke(token.split("_")[1])
    problem(api("GET", "/v1/experiments", token=token), 401, "unauthorized")


def test_a_token_for_one_experiment_is_good_for_nothing_else(api):
    api.create("mine")
    api.create("other")
    token = api.service.tokens.create(["admin"], experiment="mine")
    assert api("PUT", "/v1/experiments/mine/allocations/u", token=token).status_code == 201
    listed = api("GET", "/v1/experiments", token=token).json()["experiments"]
    assert [each["experiment"] for each in listed] == ["mine"]
    assert api("GET", "/v1/experiments?after=mine", token=token).json()["experiments"] == []
    assert api("GET", "/v1/token", token=token).json()["experiment"] == "mine"
    assert api("POST", "/v1/plan", BODIES["plan"], token=token).status_code == 200
    for method, path, content in CALLS:
        if path.startswith(E):
            other = path.replace(E, "/v1/experiments/other")
            problem(api(method, other, BODIES[content], token=token), 403, "forbidden")
    for path in ("/metrics", "/v1/experiments/mine%2F..%2Fother", "/v1/experiments/", "/nowhere"):
        problem(api("GET", path, token=token), 403, "forbidden")


def test_a_token_is_good_until_it_expires(api, monkeypatch):
    token = api.service.tokens.create(["read"], seconds=3600.0)
    assert api("GET", "/v1/experiments", token=token).status_code == 200
    (known,) = [each for each in api.service.tokens.all() if each.expires_at]
    assert known.state == f"valid until {known.expires_at}"
    monkeypatch.setattr(tokens_module, "now", lambda: known.expires_at)
    assert known.state.startswith("expired")
    problem(api("GET", "/v1/experiments", token=token), 401, "unauthorized")
    assert not api.http.run(api.service.authentication.is_valid(known))  # a stream of its ends
    assert api("GET", "/v1/experiments").status_code == 200


def test_tokens_of_an_earlier_version_stay_good(sqlite, tmp_path):
    tokens = Tokens(Store(sqlite))
    made = tokens.create(["read"], "old")
    tokens.close()
    with sqlite3.connect(tmp_path / "live.db.tokens") as connection:
        for column in ("experiment", "expires_at"):
            connection.execute(f"ALTER TABLE tokens DROP COLUMN {column}")
    connection.close()
    tokens = Tokens(Store(sqlite))
    (found,) = tokens.all()
    tokens.close()
    assert (found.id, found.experiment, found.expires_at) == (made.split("_")[1], None, None)


def test_tokens_are_hashed_at_rest(sqlite, tmp_path):
    tokens = Tokens(Store(sqlite))
    made = tokens.create(["read"])
    tokens.close()
    for path in tmp_path.iterdir():
        assert made.encode() not in path.read_bytes()
        assert made.split("_", 2)[2].encode() not in path.read_bytes()


def test_open_planning_lets_everybody_plan_and_nothing_else(open_api):
    api = open_api(open_planning=True)
    assert api.http.post("/v1/plan", json=BODIES["plan"]).status_code == 200
    problem(api.http.get("/v1/simulations/0123456789abcdef"), 404, "unknown_simulation")
    problem(api.http.get("/v1/experiments"), 401, "unauthorized")
    problem(api.http.get("/v1/planets"), 401, "unauthorized")
