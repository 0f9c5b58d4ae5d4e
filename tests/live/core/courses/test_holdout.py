"""The holdout: decided by a hash, recorded, apart from the pulls, and shown beside the arms."""

import json

import numpy as np
import pytest
from tests.live.conftest import problem
from tests.live.core.setup.test_traffic import ASKED, AT, rewritten, taken, verified

from steadyarm.live.core.courses.holdout import held_out
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import requested, resolve

E = "/v1/experiments/e"
UNITS = [f"u{number}" for number in range(60)]
HELD = [unit for unit in UNITS if held_out(unit, 5, 0.3)]
FREE = [unit for unit in UNITS if unit not in HELD]


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
def test_the_share_of_names_that_are_held_out_is_the_one_declared(share):
    names = [f"visitor-{number}" for number in range(20_000)]
    for seed in (0, 2**53):
        found = np.mean([held_out(name, seed, share) for name in names])
        assert abs(found - share) < 4 * np.sqrt(share * (1 - share) / len(names))
        assert abs(found - share - 0.02) > 4 * np.sqrt(share * (1 - share) / len(names))


def test_who_is_held_out_stays_so_when_the_share_grows_and_depends_on_the_seed():
    names = [f"visitor-{number}" for number in range(500)]
    few, more, others = (
        {name for name in names if held_out(name, *rule)} for rule in ((1, 0.1), (1, 0.3), (2, 0.1))
    )
    assert few < more
    assert few != others


def test_units_held_out_are_no_pulls_and_their_rewards_stand_beside_the_arms(open_api):
    api = open_api()
    api.create(holdout=0.3, seed=5)
    for unit in UNITS:
        answer = api.allocate(unit)
        assert answer.status_code == 201
        assert answer.json().get("holdout", False) is (unit in HELD)
        assert api.allocate(unit).json() == answer.json()
    assert api.allocate(HELD[0]).json() == {
        "unit": HELD[0],
        "arm": None,
        "round": None,
        "seq": 3 + UNITS.index(HELD[0]),
        "holdout": True,
    }
    told = [api.report(unit, int(number < 4)) for number, unit in enumerate(HELD[:6])]
    assert {answer.status_code for answer in told} == {201}
    problem(api.report(HELD[0], 0), 409, "reward_conflict")
    assert api.void(HELD[6]).status_code == 201
    seq = api("GET", f"{E}/allocations/{HELD[0]}").json()["outcome_seq"]
    amended = api(
        "POST", f"{E}/allocations/{HELD[0]}/amend", {"reward": 0, "reason": "x", "outcome_seq": seq}
    )
    assert (amended.status_code, amended.json()["arm"]) == (201, None)
    api.report(FREE[0], 1)
    for again in (False, True):
        if again:
            api.close()
            api = open_api()
        state, results = api.state(), api("GET", f"{E}/results").json()
        assert (state["round"], state["rewarded"]) == (len(FREE), 1)
        assert state["holdout"] == results["holdout"]
        assert results["holdout"] == {
            "units": len(HELD),
            "rewarded": 6,
            "lapsed": 0,
            "amended": 1,
            "voided": 1,
            "outstanding": len(HELD) - 7,
            "mean": 0.5,
        }
        assert verified(api)["decisions"] == len(FREE)


def test_the_others_get_the_arms_that_they_would_get_without_a_holdout():
    arms = []
    for changes, units in (({"holdout": 0.3}, UNITS), ({}, FREE)):
        experiment, _ = Experiment.create(1, "e", resolve(requested(ASKED | changes)), AT)
        experiment.move("started", AT)
        given = []
        for unit in units:
            _, known = experiment.allocate(unit, AT)
            experiment.reward(unit, known, 1.0, AT)
            given += [] if known.holdout else [known.arm]
        arms.append(given)
    assert arms[0] == arms[1]


def test_units_held_out_get_the_stated_arm_and_silence_counts_for_them_too():
    asked = ASKED | {"holdout": {"share": 0.3, "arm": "a"}, "attribution": {"after": 60, "reward": 0}}
    experiment, created = Experiment.create(1, "e", resolve(requested(asked)), AT)
    rows = [created, experiment.move("started", AT)]
    row, unit = experiment.allocate(HELD[0], AT)
    assert (unit.arm, unit.round, unit.holdout) == ("a", 0, True)
    rows += [row, experiment.allocate(FREE[0], AT)[0]]
    rows.append(experiment.lapse(HELD[0], unit, "2026-01-01T00:02:00.000Z")[0])
    assert (experiment.courses[""].holdout.lapsed, experiment.play.observed.sum()) == (1, 0)
    assert taken(rows).summary() == experiment.summary()


def test_a_unit_moved_into_or_out_of_the_holdout_is_found():
    experiment, created = Experiment.create(1, "e", resolve(requested(ASKED | {"holdout": 0.3})), AT)
    rows = [created, experiment.move("started", AT)]
    held_row, held = experiment.allocate(HELD[0], AT)
    free_row, free = experiment.allocate(FREE[0], AT)
    rows += [held_row, free_row]
    rows += [experiment.reward(HELD[0], held, 1.0, AT)[0], experiment.reward(FREE[0], free, 1.0, AT)[0]]
    taken(rows)
    arm = json.loads(free_row.body)["arm"]
    for place, changes, said in [
        (2, {"kind": "allocated", "arm": arm, "round": 1}, "is among those that are held out"),
        (3, {"kind": "held", "arm": None, "round": None}, "is not among those that are held out"),
        (2, {"arm": "a"}, "held-out units get None"),
        (4, {"holdout": False}, "there is no such holdout"),
    ]:
        with pytest.raises(Broken, match=said):
            taken(rewritten(rows, place, **changes))


@pytest.mark.parametrize(
    ("holdout", "said"),
    [
        (0, "must be positive"),
        (1, "must be below 1"),
        (1.5, "must be at most 1"),
        ("0.1", "must be a number"),
        ({"arm": "a"}, "holdout must be a share"),
        ({"share": 0.1, "arms": "a"}, "holdout must be a share"),
        ({"share": 0.1, "arm": "z"}, "must be an arm of the experiment; got 'z'"),
    ],
)
def test_a_holdout_that_cannot_be_is_refused_with_the_rule(holdout, said):
    with pytest.raises(Problem, match=said):
        resolve(requested(ASKED | {"holdout": holdout}))
