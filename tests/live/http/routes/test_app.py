"""What belongs to no experiment, on both databases: health, metrics, paths and errors."""

import re

import pytest
from tests.live.conftest import problem


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


def test_what_is_wrong_in_an_address_is_told_with_the_rule_the_value_and_a_remedy(api):
    api.create()
    for asked, rule in [
        (
            "results?level=1",
            "level in the query: input should be less than or equal to 0.999999999; got '1'.",
        ),
        ("history?points=x", "points in the query: input should be a valid integer"),
        ("events?after=-1", "after in the query: input should be greater than or equal to 0; got '-1'."),
    ]:
        said = problem(api("GET", f"/v1/experiments/e/{asked}"), 422, "invalid")["detail"]
        assert rule in said
        assert said.endswith("Put it right, or leave it out.")
    said = problem(api("GET", "/v1/experiments/e/stream", headers={"last-event-id": "x"}), 422, "invalid")
    assert "got 'x'. Leave it out" in said["detail"]
    said = problem(api("POST", "/v1/experiments/e/pause", {"reason": "x" * 1001}), 422, "invalid")
    assert "a text of 1 to 1,000 characters" in said["detail"]
    assert "/openapi.json describes" in problem(api("GET", "/nowhere"), 404, "not_found")["detail"]


REFUSED = [
    ("GET", "nobody", None, "create it first."),
    ("PUT", "new/allocations/u", None, "Start it."),
    ("PUT", "e/allocations/u?x", {"stratum": "x"}, "Leave the stratum out."),
    ("PUT", "e/allocations/late/reward", {"reward": 1}, "allocate it first."),
    ("GET", "e/allocations/late", None, "allocate it first."),
    ("PUT", "e/allocations/told/reward", {"reward": 0}, "Amend it if it is wrong."),
    ("POST", "e/allocations/told/void", {"reason": "lost"}, "Amend the reward if it is wrong."),
    ("PUT", "e/allocations/void/reward", {"reward": 0}, "Leave it out."),
    ("POST", "e/arms/z/retire", {"reason": "sold out"}, "Its configuration names them."),
    ("POST", "e/defaults", {"defaults": [{"unit": "w", "arm": "z"}]}, "Its configuration names them."),
    ("POST", "e/allocations", {"units": [f"u{n}" for n in range(400)]}, "continues this one."),
    ("GET", "e/results?control=z", None, "Leave it out for all pairs."),
]


@pytest.mark.parametrize(("method", "path", "content", "remedy"), REFUSED)
def test_a_refusal_says_what_to_do(sqlite_api, method, path, content, remedy):
    sqlite_api.create()
    sqlite_api.create("new", started=False)
    for unit in ("told", "void"):
        sqlite_api.allocate(unit)
    sqlite_api.report("told", 1)
    sqlite_api.void("void")
    answer = sqlite_api(method, f"/v1/experiments/{path}", content)
    assert 400 <= answer.status_code < 500
    assert remedy in answer.json()["detail"]


def test_a_token_that_may_not_do_it_is_told_how_one_is_made_that_may(sqlite_api):
    said = sqlite_api("GET", "/v1/experiments", token=sqlite_api.with_scopes("report"))
    assert problem(said, 403, "forbidden")["detail"].endswith(
        "`steadyarm live token --scope read` makes one."
    )


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


def test_an_address_that_cannot_be_read_is_refused_everywhere_and_documented(api):
    paths = api("GET", "/openapi.json").json()["paths"]
    for path, operations in paths.items():
        named = re.sub(r"{\w+}", "%1F", path)
        for method, operation in operations.items():
            assert "400" in operation["responses"], (method, path)
            answer = api(method.upper(), f"{path if named == path else named}?x=%ff")
            assert answer.status_code == 400, (method, path)
            assert answer.headers["content-type"] in operation["responses"]["400"]["content"], (method, path)
            if named != path:
                said = api(method.upper(), named).json()
                assert "control character" in said.get("detail", said.get("errorDetails")), (method, path)


def test_head_is_answered_like_get_without_the_body(api):
    api.create()
    for path in ("/healthz", "/readyz", "/metrics", "/v1/experiments", "/v1/experiments/e", "/v1/token"):
        told, asked = api("GET", path), api("HEAD", path)
        assert (asked.status_code, asked.content) == (200, b""), path
        assert asked.headers["content-type"] == told.headers["content-type"]
    assert api("HEAD", "/v1/experiments/nobody").status_code == 404
    assert api("HEAD", "/v1/experiments/e/stream").status_code == 405  # it would have no end
    assert api.http.request("HEAD", "/v1/experiments").status_code == 401
