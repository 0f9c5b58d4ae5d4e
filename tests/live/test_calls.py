"""What a client asks, told apart from how it sends it."""

import pytest

from steadyarm.errors import InvalidInput
from steadyarm.live import LiveError
from steadyarm.live.calls import Call, ExperimentCalls, Following, list_experiments


class Recorder:
    """Answers every call with what it was."""

    def send(self, call):
        return call

    def run(self, script):
        asked = [next(script)]
        try:
            while True:
                asked.append(script.send({"state_seq": 7}))
        except StopIteration as end:
            return asked, end.value


def test_names_are_quoted_and_every_call_is_described_once():
    experiment = ExperimentCalls(Recorder(), "a/b")
    assert experiment.allocate("u?1") == Call("PUT", "/v1/experiments/a%2Fb/allocations/u%3F1")
    assert experiment.report("u", 1.0).content == {"reward": 1.0}
    assert str(experiment.state()) == "GET /v1/experiments/a%2Fb"
    assert experiment.verify().patience == 600.0
    assert experiment.pause("a weekend") == Call(
        "POST", "/v1/experiments/a%2Fb/pause", {"reason": "a weekend"}
    )
    assert experiment.close().content is None
    assert experiment.report_many({"u": 1}).content == {"rewards": [{"unit": "u", "reward": 1}]}
    assert experiment.amend("u/1", 0.0, "returned", 17) == Call(
        "POST",
        "/v1/experiments/a%2Fb/allocations/u%2F1/amend",
        {"reward": 0.0, "reason": "returned", "outcome_seq": 17},
    )


def test_strata_and_retired_arms_are_named_where_there_are_some():
    experiment = ExperimentCalls(Recorder(), "e")
    assert experiment.allocate("u", stratum="mobile").content == {"stratum": "mobile"}
    assert experiment.allocate_many(["u"]).content == {"units": ["u"]}
    assert experiment.allocate_many(["u"], "mobile").content == {"units": ["u"], "stratum": "mobile"}
    assert experiment.retire("a/b", "harm") == Call(
        "POST", "/v1/experiments/e/arms/a%2Fb/retire", {"reason": "harm"}
    )


def test_resume_names_the_pause_that_it_ends():
    (first, second), answer = ExperimentCalls(Recorder(), "e").resume()
    assert first == Call("GET", "/v1/experiments/e")
    assert second == Call("POST", "/v1/experiments/e/start", {"state_seq": 7})
    assert answer == {"state_seq": 7}
    (_, second), _ = ExperimentCalls(Recorder(), "e").resume("monday")
    assert second.content == {"state_seq": 7, "reason": "monday"}


def test_experiments_are_listed_page_by_page_until_one_is_empty():
    script = list_experiments()
    assert next(script).path == "/v1/experiments?after="
    assert script.send({"experiments": [{"experiment": "a"}, {"experiment": "b+c"}]}).path.endswith(
        "after=b%2Bc"
    )
    with pytest.raises(StopIteration) as end:
        script.send({"experiments": []})
    assert [each["experiment"] for each in end.value.value] == ["a", "b+c"]


def test_a_stream_is_taken_up_after_the_last_entry_that_came():
    following = Following(3)
    assert following.headers == {"last-event-id": "3"}
    assert following.entry(": still here") is None
    assert following.entry('data: {"seq": 4, "kind": "started"}') == {"seq": 4, "kind": "started"}
    assert following.headers == {"last-event-id": "4"}


def test_a_stream_is_opened_again_unless_it_was_refused_for_good():
    following = Following(0)
    waits = [following.pause(LiveError(503, {})), following.pause(None), following.pause(None)]
    assert 0.0 < waits[0] < waits[2] < 1.0
    with pytest.raises(LiveError):
        following.pause(LiveError(404, {}))


def test_a_name_that_is_no_text_is_refused_before_it_is_sent():
    experiment = ExperimentCalls(Recorder(), "e")
    for call in (experiment.allocate, experiment.unit):
        with pytest.raises(InvalidInput, match="half a character"):
            call("\ud800")
    with pytest.raises(InvalidInput, match="half a character"):  # it could never be recorded
        experiment.allocate("u", default="\ud800")


def test_a_name_that_would_be_a_place_in_an_address_is_sent_as_a_name():
    experiment = ExperimentCalls(Recorder(), "e")
    assert experiment.allocate("..").path == "/v1/experiments/e/allocations/%2E%2E"
    assert experiment.allocate(".").path == "/v1/experiments/e/allocations/%2E"
    assert experiment.allocate("a..b").path == "/v1/experiments/e/allocations/a..b"
