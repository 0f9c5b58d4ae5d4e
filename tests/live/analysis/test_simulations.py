"""Simulations for the page: in the background, shared, limited, and those of the library."""

import multiprocessing
import time

import pytest
from tests.live.conftest import problem

import steadyarm as sa
from steadyarm.live.analysis import simulations


@pytest.fixture
def api(sqlite_api):
    return sqlite_api


def until(api, identity, wanted, seconds=60.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = api("GET", f"/v1/simulations/{identity}").json()
        if found["status"] in wanted:
            return found
        time.sleep(0.02)
    raise AssertionError(found)


POLICY = sa.SLEUCB(n_arms=2, horizon=10**7, constants="sharp").to_dict()


INSTANCE = sa.equal_gap(2, 0.1).to_dict()


def test_a_simulation_runs_in_the_background_and_is_that_of_simulate(api):
    started = api("POST", "/v1/simulations", {"policy": POLICY, "instance": INSTANCE, "runs": 20, "seed": 4})
    assert started.status_code == 202
    found = until(api, started.json()["id"], ("done", "failed"))
    expected = sa.simulate(sa.policy_from_dict(POLICY), sa.equal_gap(2, 0.1), runs=20, seed=4, threads=1)
    assert found["result"] == expected.to_dict()
    assert found["progress"] == 1.0

    # A long one can be stopped, and the next one runs.
    long = {
        "policy": POLICY | {"horizon": 10**6, "n_arms": 20},
        "instance": sa.equal_gap(20, 0.1).to_dict(),
        "runs": 5000,
    }
    running = api("POST", "/v1/simulations", long).json()["id"]
    waiting = api("POST", "/v1/simulations", {"policy": POLICY, "instance": INSTANCE, "runs": 5}).json()["id"]
    until(api, running, ("running",))
    assert api("DELETE", f"/v1/simulations/{running}").status_code == 200
    until(api, running, ("cancelled",))
    assert until(api, waiting, ("done",))["result"]["runs"] == 5


def test_a_plan_over_a_class_is_checked_as_python_checks_it(api):
    found = api(
        "POST", "/v1/plan", {"arms": 3, "horizon": 20_000, "rewards": "bernoulli", "max_sd": 400}
    ).json()
    body = found["simulation"] | {"runs": 50}
    done = until(api, api("POST", "/v1/simulations", body).json()["id"], ("done", "failed"))
    check = sa.plan(n_arms=3, horizon=20_000, rewards="bernoulli", max_sd=400).check(50, seed=body["seed"])
    assert done["result"]["words"] == "measured, 50 runs with 0/1 rewards, 95% intervals"
    assert {name: done["result"][name] for name in ("regret", "instability")} == check.to_dict()


@pytest.mark.parametrize(
    ("plan", "runs", "words"),
    [
        ({"arms": 2}, 10, "a plan needs horizon and one goal"),
        ({"arms": 2, "horizon": 1000, "max_sd": 50}, 3, "runs must be at least 6"),
        ({"arms": 2, "horizon": 1000, "max_sd": 50, "runs": 8}, 10, "runs belongs beside the plan"),
        ({"arms": 2, "horizon": 1000, "max_sd": 50, "means": [0, 0]}, 10, "Leave means out"),
        ({"arms": 2, "horizon": 1000, "spread": 50}, 10, "spread goes with a baseline"),
        ({"arms": 2000, "horizon": 10**6, "alpha": 1.0}, 10, "1,000 arms at most; got 2,000"),
    ],
    ids=str,
)
def test_a_check_that_cannot_be_is_refused(api, plan, runs, words):
    answer = api("POST", "/v1/simulations", {"plan": plan, "runs": runs})
    assert words in problem(answer, 422, "invalid")["detail"]


@pytest.mark.parametrize(
    "change",
    [
        {"runs": 10**6},
        {"runs": 0},
        {"policy": {"policy": "Nobody"}},
        {"policy": None},
        {"instance": {"rewards": "gaussian", "means": [0.0] * 3}},
        {"instance": 5},
        {"policy": {"policy": "UCB1", "n_arms": 2, "horizon": 10**10}},
        {"unknown": 1},
    ],
    ids=str,
)
def test_a_simulation_that_is_wrong_or_too_large_is_refused(api, change):
    question = {"policy": POLICY, "instance": INSTANCE, "runs": 10} | change
    problem(api("POST", "/v1/simulations", question), 422, "invalid")


def test_the_same_question_is_simulated_once_and_stopped_by_the_last_who_asked():
    simulator = simulations.Simulator()
    simulator._thread = object()  # nobody works
    first, second = simulator.start({"runs": 5}), simulator.start({"runs": 5})
    assert first is second
    assert simulator.start({"runs": 6}) is not first
    assert simulator.cancel(first.id).status == "waiting"
    assert simulator.cancel(first.id).status == "cancelled"
    again = simulator.start({"runs": 5})
    assert again is not first
    again.status = "done"
    assert simulator.start({"runs": 5}) is again


def test_a_simulation_that_nobody_looks_at_gives_way_to_one_that_somebody_waits_for(monkeypatch):
    monkeypatch.setattr(simulations, "ABANDONED_AFTER_SECONDS", 0.3)
    simulator = simulations.Simulator()
    try:
        policy = sa.UCB1(n_arms=2, horizon=10**7).to_dict()
        long = simulator.start({"policy": policy, "instance": INSTANCE, "runs": 1000, "seed": 0})
        other = simulator.start({"policy": policy, "instance": INSTANCE, "runs": 1000, "seed": 1})
        short = simulator.start({"policy": POLICY, "instance": INSTANCE, "runs": 5, "seed": 0})
        deadline = time.monotonic() + 60
        while simulator.find(short.id).status != "done" and time.monotonic() < deadline:
            time.sleep(0.05)
        assert short.status == "done"
        while "running" not in (long.status, other.status) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert {long.status, other.status} == {
            "running",
            "waiting",
        }  # one of them goes on: nobody waits for the other
    finally:
        simulator.close()


def test_too_much_is_refused_with_what_can_be_had_in_words(api):
    policy = sa.UCB1(n_arms=2, horizon=10**10).to_dict()
    for question, remedy in (
        ({"policy": policy, "instance": INSTANCE, "runs": 10}, "at most 20 billion rounds in all, or use"),
        (
            {
                "plan": {"arms": 2, "horizon": 10**9, "baseline": 0.1, "smallest_difference": 0.01},
                "runs": 10_000,
            },
            "20 billion rounds in all and 10,000 runs are the most",
        ),
    ):
        detail = problem(api("POST", "/v1/simulations", question), 422, "invalid")["detail"]
        assert remedy in detail


def test_only_so_many_simulations_wait(api, monkeypatch):
    monkeypatch.setattr("steadyarm.live.analysis.simulations.MOST_WAITING", 0)
    problem(api("POST", "/v1/simulations", {"policy": POLICY, "instance": INSTANCE}), 503, "overloaded")
    problem(api("GET", "/v1/simulations/0123456789abcdef"), 404, "unknown_simulation")


def test_a_defect_of_a_simulation_is_logged_with_its_trace(capsys):
    simulator, (near, far) = simulations.Simulator(), multiprocessing.Pipe()

    class Alive:
        def is_alive(self):
            return True

    simulator._process, simulator._pipe = Alive(), near
    simulation = simulations.Simulation("0123456789abcdef", {})
    far.send(("defect", "Traceback ... a bug of ours"))
    simulator._watch(simulation)
    assert (simulation.status, simulation.detail) == (
        "failed",
        "the service has a defect; its log says more.",
    )
    assert "a bug of ours" in capsys.readouterr().err
    near.close()
    far.close()


def test_a_worker_that_meets_a_defect_says_so_and_goes_on(monkeypatch):
    sent, work = [], {"policy": POLICY, "instance": INSTANCE, "runs": 5, "seed": 0}
    works = iter([work, work])

    class Pipe:
        def recv(self):
            try:
                return next(works)
            except StopIteration:
                raise EOFError from None

        def send(self, message):
            sent.append(message)

    def wrong(*_, **__):
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("steadyarm.engines.simulate.simulate", wrong)
    simulations.work_for(Pipe())
    assert [kind for kind, _ in sent] == ["defect", "defect"]
    assert 'ZeroDivisionError("a bug of ours")' in sent[0][1]
