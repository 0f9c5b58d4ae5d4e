"""Strata: one play each, the same to the bit as an experiment of its own."""

import json

import pytest
from tests.live.conftest import problem
from tests.live.core.setup.test_traffic import ASKED, AT, rewritten, taken, verified

from steadyarm.live.core.courses.holdout import held_out
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.first_entry import begin
from steadyarm.live.core.journal import Broken
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.core.setup.setup import stratum_seed

E = "/v1/experiments/e"
STRATA = ["desktop", "mobile"]


def created(**changes):
    experiment, row = Experiment.create(1, "e", resolve(requested(ASKED | changes)), AT)
    return experiment, [row, experiment.move("started", AT)]


def reward(number, arm):
    return float((number * 7 + ord(arm)) % 3 == 0)


@pytest.mark.parametrize("more", [{}, {"traffic": {"a": {"at_least": 0.3}}, "holdout": 0.2}, {"share": 0.3}])
def test_each_stratum_is_to_the_bit_an_experiment_with_its_seed(more):
    whole, rows = created(strata=STRATA, **more)
    alone = {name: created(**more | {"seed": stratum_seed(5, name)})[0] for name in STRATA}
    assert {name: each.setup.priority for name, each in alone.items()} == {
        each.name: each.priority for each in whole.setup.strata
    }
    for number in range(120):
        stratum, unit = STRATA[number % 3 == 0], f"u{number}"
        row, given = whole.allocate(unit, AT, stratum=stratum)
        _, expected = alone[stratum].allocate(unit, AT)
        assert (given.arm, given.round, given.holdout) == (expected.arm, expected.round, expected.holdout)
        assert given.holdout is ("holdout" in more and held_out(unit, stratum_seed(5, stratum), 0.2))
        told = reward(number, given.arm or "a")
        rows += [row, whole.reward(unit, given, told, AT)[0]]
        alone[stratum].reward(unit, expected, told, AT)
    for part in whole.summary().strata:
        assert part.play == alone[part.stratum].summary().play
        assert part.holdout == alone[part.stratum].summary().holdout
    assert taken(rows).summary() == whole.summary()
    again = begin(1, "e", rows[0])
    again.restore(json.loads(whole.snapshot()), whole.chain.seq, whole.chain.previous)
    assert again.summary().strata[0].play == whole.summary().strata[0].play


def test_an_entry_moved_to_another_stratum_is_found():
    whole, rows = created(strata=STRATA)
    for number in range(6):
        row, unit = whole.allocate(f"u{number}", AT, stratum=STRATA[number % 2])
        rows += [row, whole.reward(f"u{number}", unit, 1.0, AT)[0]]
    taken(rows)
    with pytest.raises(Broken, match="there is no stratum 'tablet'"):
        taken(rewritten(rows, 2, stratum="tablet"))
    with pytest.raises(Broken, match="entry 4: it does not fit what came before it"):
        taken(rewritten(rows, 3, stratum="mobile"))
    with pytest.raises(Broken, match="seeds derived from its own"):
        taken(rewritten(rows, 0, seed=6))


def test_an_allocation_names_its_stratum_and_results_are_by_stratum_and_pooled(open_api):
    api = open_api()
    api.create(strata=STRATA, seed=5, horizon=40)

    def allocate(unit, stratum):
        return api("PUT", f"{E}/allocations/{unit}", {"stratum": stratum})

    first = allocate("u1", "mobile")
    assert (first.status_code, first.json()["stratum"], first.json()["round"]) == (201, "mobile", 1)
    assert allocate("u1", "desktop").json() == api.allocate("u1").json() == first.json()  # one unit, one arm
    said = problem(api.allocate("u2"), 422, "invalid")["detail"]
    assert "must be one of 'desktop', 'mobile'; got none" in said
    problem(allocate("u2", "tablet"), 422, "invalid")
    problem(api("PUT", f"{E}/allocations/u2", {"strata": "mobile"}), 422, "invalid")
    many = {"units": [f"d{number}" for number in range(30)], "stratum": "desktop"}
    assert {each["stratum"] for each in api("POST", f"{E}/allocations", many).json()["allocations"]} == {
        "desktop"
    }
    for number in range(30):
        api.report(f"d{number}", number % 2)
    rest = {"units": [f"x{number}" for number in range(11)], "stratum": "desktop"}
    problem(api("POST", f"{E}/allocations", rest), 409, "horizon_reached")
    for again in (False, True):
        if again:
            api.close()
            api = open_api()
        results = api("GET", f"{E}/results").json()
        assert (results["round"], results["horizon"]) == (31, 80)
        assert [part["stratum"] for part in results["strata"]] == STRATA
        assert [part["round"] for part in results["strata"]] == [30, 1]
        assert sum(arm["count"] for arm in results["arms"]) == 31
        assert {len(part["arms"]) for part in api("GET", f"{E}/arms").json()["strata"]} == {3}
        assert api("GET", f"{E}/history").json()["horizon"] == 80
        assert verified(api)["decisions"] == 31
        assert api("GET", f"{E}/allocations/u1").json()["stratum"] == "mobile"


def test_an_arm_is_retired_in_all_strata():
    whole, rows = created(strata=STRATA)
    rows.append(whole.retire("b", "harm", AT))
    for number in range(20):
        row, unit = whole.allocate(f"u{number}", AT, stratum=STRATA[number % 2])
        rows.append(row)
        assert unit.arm != "b"
    assert taken(rows).summary() == whole.summary()


def test_without_strata_none_may_be_named(api):
    api.create()
    said = problem(api("PUT", f"{E}/allocations/u1", {"stratum": "mobile"}), 422, "invalid")["detail"]
    assert said == "experiment 'e' has no strata; got 'mobile'. Leave the stratum out."
    assert api("PUT", f"{E}/allocations/u1", {}).status_code == 201


@pytest.mark.parametrize(
    "strata",
    [
        [],
        ["one"],
        ["a", "a"],
        ["a", ""],
        ["a", 7],
        "ab",
        ["a", "b\n"],
        ["x" * 65, "y"],
        ["a", "a "],
        [str(number) for number in range(51)],
    ],
)
def test_strata_that_cannot_be_are_refused(strata):
    with pytest.raises(Problem, match=r"strat"):
        resolve(requested(ASKED | {"strata": strata}))


def test_arms_in_all_strata_together_have_a_limit():
    with pytest.raises(Problem, match="at most 1,000; got 600 times 2"):
        resolve(
            requested(
                ASKED
                | {"arms": [f"arm {number}" for number in range(600)], "horizon": 1000, "strata": STRATA}
            )
        )
