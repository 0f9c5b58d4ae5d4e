"""What is refused: rewards that cannot be, and wrong requests; in whose words, and what a refusal does not tell."""

import re

import pytest
from tests.live.conftest import problem


def test_a_conflict_does_not_tell_what_the_outcome_was(api):
    api.create(rewards="bounded", low=0, high=1000, mean_bound=1000, noise_scale=500)
    for unit in ("u1", "u2"):
        api.allocate(unit)
    api.report("u1", 765.25)
    api.void("u2", "moved to Ulm")
    for answer in (api.report("u1", 3), api.void("u1"), api.report("u2", 3)):
        said = problem(answer, 409, "reward_conflict")
        assert "765" not in answer.text
        assert "Ulm" not in answer.text
        assert said.keys() == {"type", "title", "status", "detail", "code", "request_id"}


@pytest.mark.parametrize(
    ("bound", "noise", "most"), [(1.0, 1.0, 41.0), (3.0, 0.5, 23.0), (1e9, 1e9, 41e9), (1e-9, 1e-9, 41e-9)]
)
def test_a_gaussian_reward_lies_where_the_declared_class_can_put_it(api, bound, noise, most):
    api.create(rewards="gaussian", mean_bound=bound, noise_scale=noise)
    for number, sign in enumerate((1.0, -1.0)):
        api.allocate(f"u{number}")
        for far in (1.001 * most, 1e3 * most, 1e100):
            said = problem(api.report(f"u{number}", sign * far), 422, "invalid_reward")["detail"]
            assert f"within ±{most:g}" in said
            assert repr(sign * far) in said
            assert "declare a larger mean_bound or noise_scale" in said
        assert api.report(f"u{number}", sign * 0.999 * most).status_code == 201
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


def test_a_journal_with_a_reward_from_before_that_rule_is_still_good(open_api, monkeypatch):
    api = open_api()
    api.create(rewards="gaussian", noise_scale=1.0)
    for unit in ("u1", "u2"):
        api.allocate(unit)
    with monkeypatch.context() as before:
        before.setattr("steadyarm.live.core.setup.setup.Setup.check_possible", lambda *_: None)
        assert api.report("u1", 1e100).status_code == 201
    assert api.report("u1", 1e100).status_code == 200  # the same again is no change
    problem(api.report("u2", 1e100), 422, "invalid_reward")
    state = api.state()
    assert api("GET", "/v1/experiments/e/verify").json()["entries"] == 5
    with api.service.writer._connection.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM snapshots")
    api.service.writer.memory.snapshots["e"] = 10**6  # keep none at the end either
    api.close()
    api = open_api()
    assert api.state() == state
    assert api.allocate("u3").status_code == 201
    assert api("GET", "/v1/experiments/e/results").status_code == 200


def test_refusals_name_the_members_of_the_request_and_no_options_of_a_command_line(api):
    api.create()
    plan = {"arms": 3, "horizon": 1000}
    configuration = {"arms": ["a", "b"], "horizon": 1000}
    details = [
        problem(api("POST", "/v1/plan", plan | wrong), 422, "invalid")["detail"]
        for wrong in (
            {"max_sd": 5, "max_regret": 5},
            {"alpha": 1, "max_sd": 5},
            {"valid_intervals": False},
            {"alpha": -1},
            {"max_sd_share": 2},
            {"max_sd": 1e-9},
            {"max_regret": 1e-9},
            {"mean_bound": 0},
            {"noise_scale": -1},
            {"constants": "none", "alpha": 1},
            {"rewards": "none"},
            {"rewards": "bounded", "low": 2, "high": 1},
            {"means": [5, 5, 5, 5], "alpha": 1},
            {},
            {"horizon": 2},
            {"unknown": 1},
        )
    ]
    details += [
        problem(api("PUT", "/v1/experiments/new", configuration | wrong), 422, "invalid")["detail"]
        for wrong in (
            {"plan": {"max_sd": 5, "max_regret": 5}},
            {"plan": {"valid_intervals": False}},
            {"plan": {"max_sd_share": 2}},
            {"plan": {"max_sd": 1}, "alpha": 1},
            {"alpha": -1},
            {"policy": "Nobody"},
            {"mean_bound": 0},
        )
    ]
    simulation = {"policy": {"policy": "UCB", "n_arms": 2, "horizon": 10}, "instance": {"means": [9, 9]}}
    details += [
        problem(api("POST", "/v1/simulations", simulation | wrong), 422, "invalid")["detail"]
        for wrong in (
            {},
            {"runs": 0},
            {"seed": -1},
            {"instance": {"rewards": "gaussian", "means": [1e200, 0]}},
        )
    ]
    assert [detail for detail in details if re.search(r"(^|\W)--\w", detail)] == []
