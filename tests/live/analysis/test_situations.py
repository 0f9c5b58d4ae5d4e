"""Plans from a baseline over HTTP: an outline at once, the table from a worker, and limits that hold."""

import json
import time

import pytest
from tests.live.conftest import Api

import steadyarm as sa
from steadyarm.live.analysis import plans, simulations, situations
from steadyarm.live.analysis.results import finite
from steadyarm.live.core.problems import Problem
from steadyarm.planning.baseline.measured import nobody

ASKED = {"arms": 2, "horizon": 400, "baseline": 0.3, "smallest_difference": 0.1}


def library(**more):
    return sa.plan(n_arms=2, horizon=400, baseline=0.3, smallest_difference=0.1, **more)


def test_the_outline_is_that_of_the_library_and_says_what_to_simulate():
    found = plans.answer(ASKED | {"max_sd": 20, "means": None})
    own = finite(json.loads(json.dumps(library(max_sd=20).outline())))
    assert [each.pop("experiment")["horizon"] for each in found["designs"]] == [400] * len(own["designs"])
    assert {name: found[name] for name in own} == own
    assert (found["chosen"], found["version"]) == (None, sa.__version__)
    assert found["simulation"] == {"plan": ASKED | {"max_sd": 20}, "runs": 200}
    assert simulations.check(found["simulation"])["runs"] == 200


def test_an_alpha_is_one_more_design_as_in_the_library():
    found = plans.answer(ASKED | {"alpha": 2.0})
    assert found["by_goal"]["policy"] == json.loads(json.dumps(library(alpha=2.0).by_goal.policy.to_dict()))
    assert found["simulation"]["plan"]["alpha"] == 2.0
    assert simulations.check(found["simulation"])["plan"]["alpha"] == 2.0


def test_a_mean_comes_with_its_sd():
    found = plans.answer({"arms": 2, "horizon": 400, "baseline": 8, "sd": 50, "smallest_difference": 3})
    assert (found["situation"]["baseline"], found["situation"]["sd"]) == (8.0, 50.0)


def test_a_spread_is_chosen_beside_the_table_and_measured_alone():
    plain, found = plans.answer(ASKED), plans.answer(ASKED | {"spread": 25.0})
    assert {**found, "chosen": None} == plain
    assert found["chosen"]["design"] == "Steady, spread 25"
    assert found["chosen"]["experiment"]["spread"] == found["chosen"]["policy"]["spread"] == 25.0
    work = simulations.check(found["chosen"]["simulation"] | {"runs": 20})
    told = []
    row = situations.simulated(work, nobody, told.append)
    own = library(runs=20)
    assert row == own.row(own.measured_at(25.0))
    assert told == []


def test_rows_of_the_table_are_told_as_they_come():
    work = simulations.check({"plan": ASKED, "runs": 20})
    told = []
    found = situations.simulated(work, nobody, told.append)
    assert found["table"] == told
    assert len(told) == len(found["designs"])


def test_an_experiment_counts_silence_for_the_delay_as_no_conversion():
    late = ASKED | {"per_day": 40, "delay_days": 2.5}
    found = [each["experiment"] for each in plans.answer(late)["designs"]]
    assert [each["attribution"] for each in found] == [{"after": 216_000, "reward": 0}] * len(found)
    amounts = {"arms": 2, "horizon": 400, "baseline": 8, "sd": 50, "smallest_difference": 3}
    for each in plans.answer(amounts | {"per_day": 40, "delay_days": 2.5})["designs"]:
        assert "attribution" not in each["experiment"]  # who has not told may still bring anything
        assert each["experiment"]["rewards"] == "gaussian"


def test_an_experiment_learns_as_the_table_was_simulated():
    daily = ASKED | {"per_day": 40, "delay_days": 2.5, "daily": True}
    own = library(per_day=40, delay_days=2.5, daily=True).situation
    found = {each["design"]: each["experiment"] for each in plans.answer(daily)["designs"]}
    equal = found.pop("equal shares")
    assert not {"batch", "delay"} & equal.keys()  # which learns nothing
    assert (
        {(each["batch"], each["delay"]) for each in found.values()} == {(own.batch, own.delay)} == {(40, 100)}
    )
    for each in plans.answer(ASKED)["designs"]:
        assert not {"batch", "delay"} & each["experiment"].keys()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"baseline": "/etc/passwd"}, "baseline must be a number; got '/etc/passwd'"),
        ({"baseline": [0.1, 0.2]}, "baseline must be a number"),
        ({"baseline": 3}, "must be a rate above 0% and below 100%; got 300%"),
        ({"baseline": None}, "smallest_difference, .* go with a baseline. Give that too"),
        ({"alpha": 2.0, "max_sd": 5}, "exactly one goal; got 2"),
        ({"constants": "sharp"}, "constants go with alpha"),
        ({"policy": {"policy": "Steady"}}, "policy is planned as it is. Leave baseline out"),
        ({"means": [0.1, 0.2]}, "a plan from a baseline has no member 'means'"),
        ({"rewards": "bernoulli"}, "rewards describe a class of rewards, and baseline describes one too"),
        ({"arms": 10**6}, "arms must be at most 1000"),
        ({"baseline": 8.0, "sd": 1e-300}, "noise_scale must be at least 1e-09"),
        ({"column": "x"}, "a plan has no member 'column'"),
        ({"seed": 3}, "seed goes with runs"),
        ({"spread": 0.0}, "spread must be positive"),
        ({"spread": 201.0}, "spread must be at most 200"),
        ({"delay_days": -1, "per_day": 5}, "delay_days must be at least 0.0"),
    ],
)
def test_what_is_no_situation_is_refused(changed, message):
    with pytest.raises(Problem, match=message):
        plans.answer(ASKED | changed)


def test_the_service_simulates_no_more_than_it_says():
    long = ASKED | {"horizon": 10**12, "smallest_difference": 0.001}
    assert plans.answer(long)["simulation"] is None
    with pytest.raises(Problem, match="too much for a shared service"):
        simulations.check({"plan": long})
    with pytest.raises(Problem, match="go with a baseline"):
        simulations.check({"plan": {"arms": 2, "per_day": 100}})
    with pytest.raises(Problem, match="runs belongs beside the plan of a simulation"):
        simulations.check({"plan": ASKED | {"runs": 50}})
    with pytest.raises(Problem, match="Leave these out, or the plan"):
        simulations.check({"plan": ASKED, "policy": {}})


@pytest.mark.slow
def test_the_table_of_a_worker_is_that_of_the_library(sqlite):
    api = Api(sqlite)
    outline = api("POST", "/v1/plan", ASKED).json()
    started = api("POST", "/v1/simulations", outline["simulation"] | {"runs": 20, "seed": 3}).json()
    for _ in range(600):
        found = api("GET", f"/v1/simulations/{started['id']}").json()
        if found["status"] not in ("waiting", "running"):
            break
        time.sleep(0.1)
    api.close()
    assert found["status"] == "done", found["detail"]
    assert found["result"] == json.loads(json.dumps(library(runs=20, seed=3).to_dict()))


def test_a_table_that_a_service_simulates_less_often_says_so(monkeypatch):
    monkeypatch.setattr(plans, "MOST_ROUNDS", 3 * 7 * 400 * 198)
    found = plans.answer(ASKED)
    assert found["simulation"]["runs"] == 198
    assert (
        "simulates every design 198 times here, where `steadyarm plan` does it 200 times"
        in found["notes"][-1]
    )
    monkeypatch.undo()
    assert not any("simulates every design" in note for note in plans.answer(ASKED)["notes"])
