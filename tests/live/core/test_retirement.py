"""Arms that may be retired: what the state says is what the service does."""

import pytest
from tests.live.conftest import problem

from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.setup.configuration import requested, resolve

E = "/v1/experiments/e"
AT = "2026-01-01T00:00:00.000Z"
ARMS = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("asked", "retirable"),
    [
        ({}, ARMS),
        ({"holdout": {"share": 0.1, "arm": "a"}}, ["b", "c"]),
        ({"holdout": 0.1, "strata": ["mobile", "desktop"]}, ARMS),
        ({"traffic": {"a": {"at_most": 0.4}, "b": {"at_most": 0.4}}}, ["a", "b"]),
        ({"traffic": {"c": {"exactly": 0.2}}}, ARMS),
        ({"policy": "Exp3", "alpha": None, "mean_bound": None}, []),
    ],
    ids=str,
)
def test_only_arms_that_can_be_retired_are_said_to_be(sqlite_api, asked, retirable):
    api = sqlite_api
    api.create(arms=ARMS, **asked)
    assert api.state()["retirable"] == retirable
    while possible := api.state()["retirable"]:
        for arm in set(ARMS) - set(possible) - {each["arm"] for each in api.state()["retired"]}:
            problem(api("POST", f"{E}/arms/{arm}/retire", {"reason": "x"}), 409, "bad_state")
        assert api("POST", f"{E}/arms/{possible[0]}/retire", {"reason": "x"}).status_code == 201
        assert possible[0] not in api.state()["retirable"]
    for arm in set(ARMS) - {each["arm"] for each in api.state()["retired"]}:
        problem(api("POST", f"{E}/arms/{arm}/retire", {"reason": "x"}), 409, "bad_state")


def test_a_closed_experiment_and_a_journal_without_a_place_for_it_retire_no_arm():
    setup = resolve(requested({"arms": ARMS, "horizon": 100, "alpha": 1.0}))
    for version, closed, retirable in ((2, False, tuple(ARMS)), (2, True, ()), (1, False, ())):
        experiment, _ = Experiment.create(1, "e", setup, AT, version=version)
        if closed:
            experiment.move("closed", AT)
        assert experiment.summary().retirable == retirable


def test_what_the_state_says_is_possible_is_what_can_be_done(sqlite_api):
    api = sqlite_api
    api.create(started=False)
    for move, state, possible in (
        (None, "created", ["start", "close"]),
        ("start", "running", ["pause", "close"]),
        ("pause", "paused", ["start", "close"]),
        ("close", "closed", []),
    ):
        if move:
            assert api("POST", f"{E}/{move}").status_code == 200
        found = api.state()
        assert (found["state"], found["moves"]) == (state, possible)
