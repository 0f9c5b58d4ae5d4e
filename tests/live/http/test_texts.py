"""Bytes that are no text, wherever a request can carry them: refused with the rule, and nothing is written."""

import json
from contextlib import closing

import pytest
from tests.live.conftest import CONFIGURATION, Api, problem
from tests.live.damage import tamper

from steadyarm.live.core.journal import Broken
from steadyarm.live.storage.verification import verify

HALF = "\ud800"
E = "/v1/experiments/e"
FLAGS = "/ofrep/v1/evaluate/flags"
BODIES = [
    ("PUT", "/v1/experiments/f", CONFIGURATION | {"arms": ["a", HALF]}),
    ("PUT", "/v1/experiments/f", CONFIGURATION | {"description": f"a{HALF}b"}),
    ("PUT", "/v1/experiments/f", CONFIGURATION | {HALF: 1}),
    ("PUT", "/v1/experiments/f", CONFIGURATION | {"strata": [HALF, "mobile"]}),
    ("PUT", f"{E}/allocations/v", {"stratum": HALF}),
    ("POST", f"{E}/allocations", {"units": ["v", HALF]}),
    ("POST", f"{E}/rewards", {"rewards": [{"unit": HALF, "reward": 1}]}),
    ("POST", f"{E}/defaults", {"defaults": [{"unit": "v", "arm": HALF}]}),
    ("PUT", f"{E}/allocations/u/reward", {"reward": HALF}),
    ("POST", f"{E}/allocations/u/void", {"reason": HALF}),
    ("POST", f"{E}/allocations/u/amend", {"reward": 1, "reason": HALF, "outcome_seq": 3}),
    ("POST", f"{E}/pause", {"reason": HALF}),
    ("POST", f"{E}/arms/a/retire", {"reason": HALF}),
    ("POST", "/v1/plan", {HALF: 1}),
    ("POST", "/v1/simulations", {"policy": {"policy": HALF}}),
]


@pytest.fixture
def kept(api):
    """A service with one unit, whose journal must be the same afterwards."""
    api.create()
    api.allocate("u")
    before = api.events()
    yield api
    assert api.events() == before
    assert api("GET", "/v1/experiments/f").status_code == 404


def test_half_a_character_in_a_body_is_refused_with_the_rule_and_a_remedy(kept):
    for method, path, content in BODIES:
        said = problem(kept(method, path, text=json.dumps(content)), 400, "malformed")["detail"]
        assert r"\ud800, which is half a character" in said, path
        assert "in UTF-8" in said


def test_bytes_that_are_no_utf_8_are_refused_with_the_rule_and_a_remedy(kept):
    for method, path, content in BODIES:
        text = json.dumps(content).replace(r"\ud800", "\udcff").encode(errors="surrogateescape")
        said = problem(kept(method, path, text=text), 400, "malformed")["detail"]
        assert "is 0xff. Send it in UTF-8." in said, path


def test_both_halves_of_a_character_are_the_character(api):
    api.create()
    answer = api("POST", f"{E}/allocations", text=r'{"units": ["\ud83d\ude00", "\\ud800"]}')
    assert [each["unit"] for each in answer.json()["allocations"]] == ["😀", r"\ud800"]


@pytest.mark.parametrize("path", [FLAGS, f"{FLAGS}/e"])
@pytest.mark.parametrize("member", ["targetingKey", "stratum", "country"])
def test_flags_are_refused_as_their_protocol_has_it(kept, path, member):
    text = json.dumps({"context": {"targetingKey": "v"} | {member: HALF}})
    for wrong in (text, text.replace(r"\ud800", "\udcff").encode(errors="surrogateescape")):
        answer = kept("POST", path, text=wrong)
        assert answer.status_code == 400
        assert answer.json()["errorCode"] == "PARSE_ERROR"
        assert "UTF-8" in answer.json()["errorDetails"]


@pytest.mark.parametrize("wrong", ["%ff", "%ED%A0%80", "a%C3"])
def test_an_address_is_utf_8_from_its_beginning_to_its_end(kept, wrong):
    for method, path in (
        ("PUT", f"{E}/allocations/{wrong}"),
        ("GET", f"{E}/allocations/{wrong}"),
        ("GET", f"/v1/experiments/{wrong}"),
        ("POST", f"{E}/arms/{wrong}/retire"),
        ("POST", f"{FLAGS}/{wrong}"),
        ("GET", f"{E}/results?control={wrong}"),
        ("GET", f"{E}/events?{wrong}=1"),
        ("GET", f"/v1/experiments?after={wrong}"),
        ("GET", f"/experiments/{wrong}"),
    ):
        said = problem(kept(method, path), 400, "malformed")["detail"]
        assert "must be UTF-8, percent-encoded" in said, path


@pytest.mark.parametrize("wrong", [b"\xff", b"steadyarm_\xff_\xfe", "é".encode(), b"\xed\xa0\x80"])
def test_headers_of_any_bytes_do_no_harm(kept, wrong):
    headers = {"authorization": b"Bearer " + wrong}
    assert kept("GET", E, headers=headers).status_code == 401
    for name in ("x-request-id", "if-match", "if-none-match", "content-type"):
        assert kept("POST", f"{E}/start", headers={name: wrong}).status_code == 200
    problem(kept("POST", f"{E}/pause", headers={"if-match": wrong}), 412, "precondition_failed")
    problem(kept("GET", f"{E}/stream", headers={"last-event-id": wrong}), 422, "invalid")


def test_an_entry_that_is_no_text_any_more_is_damage_and_is_named(sqlite):  # PostgreSQL stores no such thing
    api = Api(sqlite)
    api.create()
    for unit in "uvw":
        api.allocate(unit)
    api.close()
    tamper(sqlite, "UPDATE journal SET body = CAST(x'7b22ff7d' AS TEXT) WHERE seq = 4")
    with pytest.raises(Broken, match="broken at entry 4: its hash is not that of its content"):
        verify(None, sqlite, [])
    with closing(Api(sqlite)) as api:
        assert problem(api.allocate("v"), 503, "damaged")["seq"] == 4
        assert problem(api("GET", f"{E}/verify"), 409, "chain_broken")["seq"] == 4


def test_a_slash_within_a_name_is_a_slash_wherever_it_is_told(api):
    api.create()
    said = api("POST", f"{FLAGS}/a%2Fb", {"context": {"targetingKey": "u"}}).json()
    assert (said["key"], said["errorCode"]) == ("a/b", "FLAG_NOT_FOUND")
    assert "'a/b'" in said["errorDetails"]
    for method, path in (("GET", ""), ("PUT", "/allocations/u"), ("GET", "/results")):
        assert "got 'a/b'" in problem(api(method, f"/v1/experiments/a%2Fb{path}"), 422, "invalid")["detail"]
    assert (
        "/v1/nothing/a/b: Not Found" in problem(api("GET", "/v1/nothing/a%2Fb"), 404, "not_found")["detail"]
    )
