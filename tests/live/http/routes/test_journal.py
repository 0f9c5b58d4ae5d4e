"""Journals over HTTP, on both databases: read, verified and replayed."""

import json

import pytest
from tests.live.conftest import problem

import steadyarm as sa


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
