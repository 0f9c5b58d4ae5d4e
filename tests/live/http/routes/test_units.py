"""Units over HTTP, on both databases."""

import pytest
from tests.live.conftest import problem
from tests.live.server import CONFIGURATION


def test_a_unit_is_allocated_once(api):
    api.create()
    first = api.allocate("u1")
    assert first.status_code == 201
    assert first.json().keys() == {"unit", "arm", "round", "seq"}
    assert first.json() | {"arm": "?"} == {"unit": "u1", "arm": "?", "round": 1, "seq": 3}
    again = api.allocate("u1")
    assert again.status_code == 200
    assert again.json() == first.json()
    api("POST", "/v1/experiments/e/pause")
    assert api.allocate("u1").json() == first.json()  # what is known can always be asked for
    problem(api.allocate("u2"), 409, "not_running")
    problem(api.allocate("u", "nobody"), 404, "unknown_experiment")


def test_exactly_the_horizon_is_allocated(api):
    api.create(horizon=5)
    units = [f"u{number}" for number in range(5)]
    assert [api.allocate(unit).status_code for unit in units] == [201] * 5
    problem(api.allocate("one-more"), 409, "horizon_reached")
    assert api.allocate("u3").status_code == 200
    assert api.state()["round"] == 5


def test_a_batch_is_ordered_and_all_or_nothing(api):
    api.create(horizon=6)
    known = api.allocate("u2").json()
    answer = api("POST", "/v1/experiments/e/allocations", {"units": ["u1", "u2", "u3", "u1"]})
    assert answer.status_code == 200
    given = answer.json()["allocations"]
    assert [each["unit"] for each in given] == ["u1", "u2", "u3", "u1"]
    assert given[1] == known
    assert given[0] == given[3]
    assert [each["round"] for each in given] == [2, 1, 3, 2]
    too_many = {"units": ["u4", "u5", "u6", "u7"]}
    problem(api("POST", "/v1/experiments/e/allocations", too_many), 409, "horizon_reached")
    assert api.state()["round"] == 3
    problem(api("GET", "/v1/experiments/e/allocations/u4"), 404, "unknown_unit")
    for units in ([], ["u"] * 1001, ["fine", " not fine"], "u", None):
        problem(api("POST", "/v1/experiments/e/allocations", {"units": units}), 422, "invalid")


def test_the_first_reward_wins(api):
    api.create()
    problem(api.report("u1", 1), 404, "unknown_unit")
    arm = api.allocate("u1").json()["arm"]
    told = api.report("u1", 1)
    assert told.status_code == 201
    assert told.json() == {"unit": "u1", "arm": arm, "reward": 1.0, "seq": 4}
    assert api.report("u1", 1.0).status_code == 200
    assert api.report("u1", 1.0).json() == told.json()
    problem(api.report("u1", 0), 409, "reward_conflict")
    problem(api.void("u1"), 409, "reward_conflict")
    problem(api.report("u1", 1, "nobody"), 404, "unknown_experiment")


def test_a_void_settles_a_unit_and_its_pull_still_counts(api):
    api.create()
    api.allocate("u1")
    problem(api.void("u1", ""), 422, "invalid")
    first = api.void("u1", "moved away")
    assert first.status_code == 201
    assert first.json()["reason"] == "moved away"
    again = api.void("u1", "another reason")
    assert again.status_code == 200
    assert again.json() == first.json()
    problem(api.report("u1", 1), 409, "reward_conflict")
    problem(api.void("u2"), 404, "unknown_unit")
    state = api.state()
    assert (state["round"], state["rewarded"], state["voided"], state["outstanding"]) == (1, 0, 1, 0)
    arms = {each["arm"]: each for each in api("GET", "/v1/experiments/e/arms").json()["arms"]}
    assert sum(each["count"] for each in arms.values()) == 1
    assert all(each["index"] is None for each in arms.values())  # no reward, no envelope


def test_rewards_are_taken_while_paused_and_after_the_close(api):
    api.create()
    api.allocate("u1")
    api.allocate("u2")
    for unit, move in (("u1", "pause"), ("u2", "close")):
        assert api("POST", f"/v1/experiments/e/{move}").status_code == 200
        assert api.report(unit, 1).status_code == 201


@pytest.mark.parametrize(
    ("declared", "fine", "refused"),
    [
        ({"rewards": "bernoulli"}, [0, 1, 1.0], [0.5, 2, -1, True, "1", None, [1]]),
        ({"rewards": "bounded", "low": -1.0, "high": 3.0}, [-1, 0.25, 3], [-1.01, 3.5]),
        ({"rewards": "gaussian"}, [-7.5, 0, 21], [21.5, 1e6, 1e101, "x"]),
    ],
)
def test_rewards_are_of_the_declared_kind(api, declared, fine, refused):
    api.create(**declared)
    for number, reward in enumerate(fine):
        api.allocate(f"u{number}")
        assert api.report(f"u{number}", reward).status_code == 201
    api.allocate("last")
    for reward in refused:
        problem(api.report("last", reward), 422, "invalid_reward")
    path = "/v1/experiments/e/allocations/last/reward"
    for text in ("NaN", "Infinity", "-Infinity", "1e999"):
        problem(api("PUT", path, content=None, text=f'{{"reward": {text}}}'), 422, "invalid_reward")
    problem(api("PUT", path, {"value": 1}), 422, "invalid")
    problem(api("PUT", path, {}), 422, "invalid")
    problem(api("PUT", path, text="{"), 400, "malformed")
    problem(api("PUT", path, text='{"reward": 0, "reward": 1}'), 400, "malformed")
    assert api("GET", "/v1/experiments/e/allocations/last").json()["outcome"] == "outstanding"


def test_a_unit_can_be_looked_up(api):
    api.create()
    given = api.allocate("u1").json()
    found = api("GET", "/v1/experiments/e/allocations/u1").json()
    assert {name: found[name] for name in given} == given
    assert found["outcome"] == "outstanding"
    api.report("u1", 0)
    found = api("GET", "/v1/experiments/e/allocations/u1").json()
    assert (found["outcome"], found["reward"], found["outcome_seq"]) == ("rewarded", 0.0, 4)
    problem(api("GET", "/v1/experiments/nobody/allocations/u1"), 404, "unknown_experiment")


def test_names_follow_the_pattern(api):
    api.create()
    for name in ("a b", "-a", "é", "a" * 129, "a%00"):
        problem(api("PUT", f"/v1/experiments/{name}", CONFIGURATION), 422, "invalid")
    for name in ("%20a", "a%00", "a" * 257, "%2E%2E"):
        problem(api.allocate(name), 422, "invalid")
    assert api.allocate("A_b.c:d@e+f=g~h-1").status_code == 201
