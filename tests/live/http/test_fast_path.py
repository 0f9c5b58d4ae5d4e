"""The fast path answers what the routes answer."""

import pytest
from tests.live.conftest import Api

from steadyarm.live.http import asgi

PATH = "/v1/experiments/e/allocations"
REWARDS = "/v1/experiments/e/rewards"
REQUESTS = [
    ("PUT", f"{PATH}/u1", None),
    ("PUT", f"{PATH}/u1", None),
    ("PUT", f"{PATH}/a%2Freward", None),
    ("PUT", f"{PATH}/zo%C3%AB%20%3Ca%40b.c%3E", None),
    ("PUT", f"{PATH}/%20not%20fine", None),
    ("PUT", f"{PATH}/a%00b", None),
    ("PUT", "/v1/experiments/-e/allocations/u", None),
    ("PUT", "/v1/experiments/nobody/allocations/u", None),
    ("POST", PATH, {"units": ["u2", "u1", "u3"]}),
    ("POST", PATH, {"units": ["u4", " not fine"]}),
    ("POST", PATH, {"units": []}),
    ("POST", PATH, {"units": ["u"] * 1001}),
    ("POST", PATH, {"units": "u"}),
    ("POST", PATH, {"unit": "u"}),
    ("POST", PATH, {}),
    ("POST", PATH, [1]),
    ("POST", PATH, {"units": [f"v{number}" for number in range(1000)]}),
    ("PUT", f"{PATH}/u1/reward", {"reward": 1}),
    ("PUT", f"{PATH}/u1/reward", {"reward": 1.0}),
    ("PUT", f"{PATH}/u1/reward", {"reward": 0}),
    ("PUT", f"{PATH}/u2/reward", {"reward": "1"}),
    ("PUT", f"{PATH}/u2/reward", {"reward": 0.5}),
    ("PUT", f"{PATH}/u2/reward", {"value": 1}),
    ("PUT", f"{PATH}/u2/reward", {}),
    ("PUT", f"{PATH}/nobody/reward", {"reward": 1}),
    ("PUT", f"{PATH}/a%2Freward/reward", {"reward": 1}),
    ("POST", REWARDS, {"rewards": [{"unit": "u2", "reward": 1}, {"unit": "u1", "reward": 1}]}),
    ("POST", REWARDS, {"rewards": [{"unit": "u3", "reward": 1}, {"unit": "u1", "reward": 0}]}),
    ("POST", REWARDS, {"rewards": []}),
    ("POST", REWARDS, {"rewards": [{"unit": "u3"}]}),
    ("DELETE", f"{PATH}/u1", None),
]


def answers(database, token=None):
    """Return status, headers and content of every request, less the spaces between members."""
    api = Api(database)
    try:
        api.create(seed=1)
        given = token and api.with_scopes(token)
        found = []
        for method, path, content in REQUESTS:
            answer = api(method, path, content, token=given, headers={"x-request-id": "same"})
            headers = {name: value for name, value in answer.headers.items() if name != "content-length"}
            found.append((answer.status_code, headers, answer.json()))
        return found
    finally:
        api.close()


@pytest.mark.parametrize("scope", [None, "read"])
def test_the_fast_path_and_the_routes_give_the_same_answers(tmp_path, monkeypatch, scope):
    fast = answers(f"sqlite:///{tmp_path}/fast.db", scope)
    taken = []
    monkeypatch.setattr(asgi, "fast_path_command", lambda *request: taken.append(request))
    by_route = answers(f"sqlite:///{tmp_path}/routes.db", scope)
    assert len(taken) > len(REQUESTS)
    for request, one, other in zip(REQUESTS, fast, by_route, strict=True):
        if scope is not None and 422 in (one[0], other[0]):
            continue  # what is wrong twice may be refused for either reason
        assert one == other, request
    expected = {201, 200, 404, 405, 409, 422} if scope is None else {403, 405}
    assert {status for status, _, _ in fast} == expected
