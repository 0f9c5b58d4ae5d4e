"""Start, pause and close: a request that comes late, or twice, undoes nothing."""

import pytest
from tests.live.conftest import problem


def move(api, name, **content):
    return api("POST", f"/v1/experiments/e/{name}", content or None)


def test_a_late_retry_of_start_does_not_undo_a_pause(api):
    api.create()
    assert move(api, "start").status_code == 200  # a retry in time is no change
    assert move(api, "pause").json()["state"] == "paused"
    said = problem(move(api, "start"), 409, "bad_state")
    assert (said["state"], said["state_seq"]) == ("paused", 3)
    assert '{"state_seq": 3}' in said["detail"]
    assert api.state()["state"] == "paused"
    problem(api.allocate("u"), 409, "not_running")
    assert [entry["kind"] for entry in api.events()] == ["created", "started", "paused"]


def test_a_paused_experiment_goes_on_when_its_pause_is_named(open_api):
    api = open_api()
    api.create()
    api.allocate("u")
    assert move(api, "pause").json()["state_seq"] == 4
    api.report("u", 1)  # the entry that brought the state stays the same
    assert api.state()["state_seq"] == 4
    api.close()
    api = open_api()
    assert api.state()["state_seq"] == 4
    for _ in range(2):  # again is no change
        assert move(api, "start", state_seq=4).json()["state"] == "running"
    assert api.state()["state_seq"] == 6
    assert move(api, "pause").json()["state_seq"] == 7
    said = problem(move(api, "start", state_seq=4), 409, "bad_state")  # a retry from before the second pause
    assert said["state_seq"] == 7
    assert api.state()["state"] == "paused"
    assert move(api, "start", state_seq=7).json()["state"] == "running"
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


def test_every_move_may_name_the_state_that_it_ends(api):
    api.create()
    problem(move(api, "pause", state_seq=1), 409, "bad_state")
    assert move(api, "pause", state_seq=2).json()["state_seq"] == 3
    assert move(api, "pause", state_seq=2).json()["state_seq"] == 3  # the answer was lost
    problem(move(api, "close", state_seq=2), 409, "bad_state")
    assert move(api, "close", state_seq=3).json()["state"] == "closed"
    problem(move(api, "start", state_seq=4), 409, "bad_state")


def matching(api, name, tag, **content):
    return api("POST", f"/v1/experiments/e/{name}", content or None, headers={"if-match": tag})


def test_a_move_happens_only_in_the_state_that_if_match_names(api):
    api.create()
    tag = api("GET", "/v1/experiments/e").headers["etag"]
    assert tag == '"2"'
    api.allocate("u")
    assert api("GET", "/v1/experiments/e").headers["etag"] == tag  # of the state, not of all that is counted
    for wrong in ('"1"', 'W/"2"', "2", '"x"', ""):
        said = problem(matching(api, "pause", wrong), 412, "precondition_failed")
        assert (said["state"], said["state_seq"]) == ("running", 2)
        assert 'send If-Match: "2"' in said["detail"]
    paused = matching(api, "pause", f'"1", {tag}', reason="a weekend")
    assert (paused.status_code, paused.headers["etag"]) == (200, '"4"')
    assert matching(api, "pause", tag).status_code == 200  # the answer was lost
    problem(matching(api, "start", tag), 412, "precondition_failed")
    assert matching(api, "start", '"4"').json()["state"] == "running"  # it names the pause that is to end
    assert matching(api, "close", "*").json()["state"] == "closed"
    assert [entry.get("reason") for entry in api.events() if "unit" not in entry] == [
        None,
        None,
        "a weekend",
        None,
        None,
    ]


@pytest.mark.parametrize("reason", ["", 5, "a\x00b", "x" * 1001])
def test_a_reason_is_a_text_that_people_read(api, reason):
    api.create()
    problem(move(api, "pause", reason=reason), 422, "invalid")
    assert api.state()["state"] == "running"


@pytest.mark.parametrize(
    "content", [{"state_seq": "3"}, {"state_seq": True}, {"state_seq": 0}, {"resume": True}, [3]]
)
def test_a_body_that_says_something_else_is_refused(api, content):
    api.create()
    problem(api("POST", "/v1/experiments/e/pause", content), 422, "invalid")
    assert api.state()["state"] == "running"


def test_the_state_is_known_from_a_snapshot_without_it(open_api):
    api = open_api()
    api.create()
    for number in range(5):
        api.allocate(f"u{number}")
    move(api, "pause")
    api.report("u0", 1)
    api.close()  # a snapshot does not hold it: what was written by an earlier version has it too
    assert open_api().state()["state_seq"] == 8


def test_a_batch_that_would_hold_others_up_is_refused_with_how_many_may_be_sent(api):
    arms = [f"arm {number}" for number in range(600)]
    general = {"policy": "UCB1", "arms": arms, "horizon": 10_000, "rewards": "bernoulli"}
    assert api("PUT", "/v1/experiments/wide", general).status_code == 201
    api("POST", "/v1/experiments/wide/start")
    path = "/v1/experiments/wide/allocations"
    units = [f"u{number}" for number in range(84)]
    refused = problem(api("POST", path, {"units": units}), 422, "invalid")
    assert "83 new units at most, since every arm is looked at for each; got 84" in refused["detail"]
    assert api("POST", path, {"units": units[:83]}).status_code == 200
    assert api("POST", path, {"units": units}).status_code == 200  # of which one is new
    api.create("narrow", arms=arms, horizon=10_000)  # SLE-UCB looks at few arms
    many = {"units": [f"u{number}" for number in range(1000)]}
    assert api("POST", "/v1/experiments/narrow/allocations", many).status_code == 200
