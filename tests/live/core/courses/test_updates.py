"""Batches and delays: the live play is the simulated one to the bit, over restarts, in whatever order rewards come."""

import json
from collections import defaultdict

import numpy as np
import pytest
from tests.live.conftest import problem
from tests.live.core.setup.test_traffic import ASKED, AT, rewritten, taken, verified

import steadyarm as sa
from steadyarm.live.analysis.results import arms_of, results_of, state_of
from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.first_entry import begin
from steadyarm.live.core.journal import Broken
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.model.feedback import Feedback
from steadyarm.policies.core.own_history import IndexPlay

E = "/v1/experiments/e"
RATES = sa.Instance.bernoulli([0.3, 0.7, 0.5])
LATER = "2026-01-01T01:00:00.000Z"


def created(**changes):
    experiment, row = Experiment.create(1, "e", resolve(requested(ASKED | changes)), AT)
    return experiment, [row, experiment.move("started", AT)]


def restarted(experiment, first):
    again = begin(1, "e", first)
    again.restore(json.loads(experiment.snapshot()), experiment.chain.seq, experiment.chain.previous)
    again.state_seq = experiment.state_seq
    assert again.summary() == experiment.summary()
    return again


def played(feedback, restart_at=(), **changes):
    """Rewards come as late as a law of delays says; those of one round last first, since order must not matter."""
    experiment, rows = created(batch=feedback.batch, **changes)
    setup, late = experiment.setup, Feedback(feedback.delay)
    cells, pulled = sa.reward_table(RATES, seed=5, run=0, pulls=300), [0, 0, 0]
    coming = defaultdict(list)
    for number in range(1, setup.policy.horizon + 1):
        row, unit = experiment.allocate(f"u{number}", AT)
        rows.append(row)
        arm = setup.arms.index(unit.arm)
        coming[late.due(5, 0, number)].append((f"u{number}", unit, float(cells[arm, pulled[arm]])))
        pulled[arm] += 1
        for name, known, reward in reversed(coming.pop(number, [])):
            rows.append(experiment.reward(name, known, reward, AT)[0])
        if number in restart_at:
            experiment = restarted(experiment, rows[0])
    return experiment, rows


@pytest.mark.parametrize(
    "policy",
    [
        {"policy": "MOSS"},
        {"policy": "SLEUCB", "constants": "sharp"},
        {"policy": "Steady", "spread": 20.0},
        {"policy": "BetaThompson"},
        {"policy": "EpsilonGreedy"},
        {"policy": "MOSS", "share": 0.2},
        {"policy": "MOSS", "traffic": {"a": {"at_least": 0.2}}},
    ],
    ids=lambda given: "-".join(map(str, given.values())),
)
@pytest.mark.parametrize(
    "feedback",
    [Feedback(batch=40), Feedback(sa.Delay.fixed(25), 40), Feedback(sa.Delay.geometric(15), 7)],
    ids=str,
)
def test_the_service_plays_what_a_simulation_with_that_batch_plays(policy, feedback):
    experiment, rows = played(feedback, restart_at=(33, 40, 41), **policy)
    setup = experiment.setup
    engine = "reference" if "traffic" in policy else "auto"
    options = {"batch": feedback.batch, "delay": feedback.delay, "engine": engine}
    simulated = sa.simulate(setup.policy, RATES, runs=1, seed=5, **options)
    assert experiment.play.counts.tolist() == simulated.counts[0].tolist()
    at_once = sa.simulate(setup.policy, RATES, runs=1, seed=5, engine=engine)
    assert at_once.counts[0].tolist() != simulated.counts[0].tolist()
    assert taken(rows).summary() == experiment.summary()
    assert verify_rows("e", rows)[0]["decisions"] == 300


@pytest.mark.parametrize("policy", ["MOSS", "BetaThompson"])
@pytest.mark.parametrize("batch", [1, 40])
@pytest.mark.parametrize("come", [0, 10, 25])
def test_outcomes_that_come_before_the_declared_delay_wait_for_it(policy, batch, come):
    early = Feedback(sa.Delay.fixed(come), batch)
    experiment, rows = played(early, restart_at=(33,), policy=policy, delay=25)
    simulated = sa.simulate(experiment.setup.policy, RATES, runs=1, seed=5, batch=batch, delay=25)
    assert experiment.play.counts.tolist() == simulated.counts[0].tolist()
    assert taken(rows).summary() == experiment.summary()


def test_rewards_of_one_update_are_told_in_the_order_of_their_rounds():
    forwards, backwards = created(batch=10)[0], created(batch=10)[0]
    for experiment, order in ((forwards, 1), (backwards, -1)):
        given = [(f"u{n}", experiment.allocate(f"u{n}", AT)[1]) for n in range(10)]
        for number, (name, unit) in list(enumerate(given))[::order]:
            experiment.reward(name, unit, float(number in (0, 3, 4)), AT)
        experiment.allocate("next", AT)
    assert forwards.play.to_dict() == backwards.play.to_dict()


def test_each_stratum_has_batches_of_its_own_and_the_holdout_counts_in_none():
    declared = {"strata": ["desktop", "mobile"], "holdout": 0.3}
    whole, _ = created(batch=5, **declared)
    for number in range(60):
        _, unit = whole.allocate(f"u{number}", AT, stratum="desktop" if number % 3 else "mobile")
        whole.reward(f"u{number}", unit, 1.0, AT)
    for course in whole.courses.values():
        told, given = int(course.play.observed.sum()), course.play.round
        assert told == (given - 1) // 5 * 5
        assert sum(course.observed) == given
    assert sum(each.holdout.observed for each in whole.courses.values()) > 0
    assert state_of(whole.summary())["untold"] == sum(
        (each.play.round - 1) % 5 + 1 for each in whole.courses.values()
    )


def test_silence_waits_for_the_update_too_and_an_amendment_corrects_what_waits():
    experiment, rows = created(batch=4, attribution={"after": 60, "reward": 0})
    units = {}
    for number in range(4):
        row, units[f"u{number}"] = experiment.allocate(f"u{number}", AT)
        rows.append(row)
    row, told = experiment.reward("u0", units["u0"], 1.0, AT)
    rows += [row, *(experiment.lapse(f"u{number}", units[f"u{number}"], LATER)[0] for number in (3, 2))]
    rows.append(experiment.amend("u0", told, 0.0, "was returned", LATER)[0])
    rows.append(experiment.void("u1", units["u1"], "left", LATER)[0])
    assert experiment.play.observed.sum() == 0
    summary = experiment.summary()
    assert (sum(summary.observed), sum(summary.sums), sum(summary.lapsed)) == (3, 0.0, 2)
    assert [json.loads(row.body).get("round") for row in rows[6:]] == [1, 4, 3, None, None]
    row, _ = experiment.allocate("next", LATER)
    assert experiment.play.observed.sum() == 3
    assert experiment.play.moments.sums.sum() == 1.0  # the play is told the first value
    assert taken([*rows, row]).summary() == experiment.summary()
    verify_rows("e", [*rows, row])


def test_results_count_rewards_that_the_policy_was_not_told_yet():
    batched, at_once = created(batch=100)[0], created(policy="RoundRobin")[0]
    for number in range(90):
        for experiment in (batched, at_once):
            _, unit = experiment.allocate(f"u{number}", AT)
            experiment.reward(f"u{number}", unit, float(number % 4 == 0), AT)
    assert batched.summary().counts == at_once.summary().counts  # nothing is known: all arms alike
    found, expected = (results_of(each.summary(), 0.95, "a", "anytime") for each in (batched, at_once))
    for name in ("mean", "mean_as_told", "interval", "rewarded", "outstanding"):
        assert [arm[name] for arm in found["arms"]] == [arm[name] for arm in expected["arms"]]
    assert found["differences"]["rows"] == expected["differences"]["rows"]
    note = "told outcomes every 100 rounds at the earliest, as was declared; 90 outcomes wait for that."
    assert note in " ".join(found["notes"])
    assert [arm["index"] for arm in arms_of(batched.summary())["arms"]] == [None] * 3


def test_nothing_is_promised_of_a_policy_that_learns_in_batches():
    asked = {"policy": "SLEUCB", "constants": "sharp", "horizon": 10**8}
    promised, batched = (
        results_of(created(**asked, **more)[0].summary())["regret"] for more in ({}, {"delay": 1})
    )
    assert promised["guarantee_at_horizon"] is not None
    assert batched["guarantee_at_horizon"] is None


def test_a_round_that_is_not_the_units_is_found():
    _, rows = played(Feedback(sa.Delay.fixed(3), 7), horizon=20)
    place = next(number for number, row in enumerate(rows) if row.kind == "rewarded")
    verify_rows("e", rows)
    for wrong, said in (
        (2, "was given in round 1, and not in 2"),
        (99, "its round must be from 1 to 4; it says 99"),
        ("1", "its round must be from 1 to 4; it says '1'"),
    ):
        with pytest.raises(Broken, match=said):
            verify_rows("e", rewritten(rows, place, round=wrong))


@pytest.mark.parametrize("declared", [{"batch": 1}, {"batch": None, "delay": 0}])
def test_a_batch_of_one_is_none(declared):
    plain, batched = created()[0], created(**declared)[0]
    for number in range(30):
        for experiment in (plain, batched):
            _, unit = experiment.allocate(f"u{number}", AT)
            told = experiment.reward(f"u{number}", unit, float(number % 2), AT)[0]
            assert "round" not in json.loads(told.body)
    assert plain.summary().play == batched.summary().play


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "7", True, 10**7 + 1])
def test_a_batch_is_a_whole_number_of_units(wrong):
    with pytest.raises(Problem, match="batch must be"):
        resolve(requested(ASKED | {"batch": wrong}))
    if wrong != 0:
        with pytest.raises(Problem, match="delay must be"):
            resolve(requested(ASKED | {"delay": wrong}))


def test_a_batch_holds_a_days_impressions_and_of_a_play_in_python_what_it_takes_in_time(monkeypatch):
    asked = ASKED | {"horizon": 10**8}
    assert resolve(requested(asked | {"batch": 2_000_000})).feedback.batch == 2_000_000
    with pytest.raises(
        Problem, match=r"batch must be at most 2000000; got 2000001. .*after which the policy learns"
    ):
        resolve(requested(asked | {"batch": 2_000_001}))
    monkeypatch.setattr(IndexPlay, "takes_many", False)
    assert resolve(requested(asked | {"batch": 400_000})).feedback.batch == 400_000
    with pytest.raises(
        Problem, match=r"batch of MOSS must be at most 400,000 units.*got 400,001. .*more often"
    ):
        resolve(requested(asked | {"batch": 400_001}))


def test_a_guaranteed_plan_does_not_learn_in_batches():
    plan = {"max_sd_share": 0.3, "guaranteed": True}
    asked = {name: value for name, value in ASKED.items() if name != "policy"} | {
        "horizon": 10**7,
        "plan": plan,
    }
    for late in ({"batch": 2}, {"delay": 1}):
        with pytest.raises(Problem, match="every outcome before the next unit"):
            resolve(requested(asked | late))
    assert resolve(requested(asked | {"batch": 1, "delay": 0})).feedback.at_once


def test_a_batch_goes_on_over_a_restart_of_the_service(open_api):
    def step(api, number):
        answer = api.allocate(f"u{number}")
        api.report(f"u{number}", float(answer.json()["arm"] == "b"))
        return answer.json()["arm"]

    api = open_api()
    state = api.create(policy="MOSS", alpha=None, mean_bound=None, seed=5, batch=8)
    assert state["configuration"]["batch"] == 8
    given = [step(api, number) for number in range(13)]
    assert api("GET", E).json()["untold"] == 5
    api.close()
    api = open_api()
    given += [step(api, number) for number in range(13, 24)]
    assert sorted(given[:8].count(arm) for arm in "abc") == [2, 3, 3]
    assert given[8:].count("b") > 9
    assert verified(api)["decisions"] == 24
    assert np.isclose(api("GET", f"{E}/results").json()["arms"][1]["mean"], 1.0)
    assert (
        "at most"
        in problem(
            api("PUT", "/v1/experiments/f", state["configuration"] | {"batch": 10**9}), 422, "invalid"
        )["detail"]
    )
