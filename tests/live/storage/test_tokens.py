"""Who may do what: every call with every scope."""

import pytest
from tests.live.conftest import problem
from tests.live.server import CONFIGURATION

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
    ("POST", f"{E}/allocations/u1/void", "reason"): "report",
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
    "reason": {"reason": "lost"},
    "plan": {"arms": 2, "horizon": 1000},
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
    assert said.keys() == {"id", "label", "scopes", "created_at"}
    assert said["scopes"] == ["read", "unblind"]
    assert said["id"] == token.split("_")[1]
    problem(api.http.get("/v1/token"), 401, "unauthorized")


def test_a_revoked_token_is_refused(api, monkeypatch):
    monkeypatch.setattr("steadyarm.live.http.authentication.REREAD_AFTER", 0.0)
    token = api.with_scopes("read")
    assert api("GET", "/v1/experiments", token=token).status_code == 200
    api.service.tokens.revoke(token.split("_")[1])
    problem(api("GET", "/v1/experiments", token=token), 401, "unauthorized")


def test_tokens_are_hashed_at_rest(sqlite, tmp_path):
    from steadyarm.live.storage.store import Store
    from steadyarm.live.storage.tokens import Tokens

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
