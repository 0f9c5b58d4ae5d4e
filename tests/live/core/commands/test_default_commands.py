"""Units that were served a default: noted in the journal, and no part of the play."""

import copy
import json

import pytest
from tests.live.conftest import problem

from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.storage import queries, recovery


def note(api, name="e", token=None, **arms):
    served = [{"unit": unit, "arm": arm} for unit, arm in arms.items()]
    return api("POST", f"/v1/experiments/{name}/defaults", {"defaults": served}, token=token)


def other(arm):
    return "a" if arm != "a" else "b"


def test_a_default_is_an_entry_and_no_pull(api):
    api.create()
    answer = note(api, u1="a", u2="b")
    assert answer.status_code == 200, answer.text
    assert answer.json()["defaults"] == [
        {"unit": "u1", "arm": "a", "seq": 3, "kind": "defaulted"},
        {"unit": "u2", "arm": "b", "seq": 4, "kind": "defaulted"},
    ]
    state = api.state()
    assert (state["round"], state["outstanding"], state["voided"], state["defaulted"]) == (0, 0, 0, 2)
    assert any("served a default" in text for text in state["notes"])
    results = api("GET", "/v1/experiments/e/results").json()
    assert [(each["count"], each["defaulted"]) for each in results["arms"]] == [(0, 1), (0, 1), (0, 0)]
    first = api.allocate("u3").json()
    assert (first["round"], first["seq"]) == (1, 5)


def test_the_same_again_writes_nothing_and_another_arm_is_a_conflict(api):
    api.create()
    once = note(api, u="a")
    assert note(api, u="a").json() == once.json()
    refused = problem(note(api, v="a", u="b", w="nowhere"), 409, "reward_conflict")
    assert [(each["place"], each["code"]) for each in refused["errors"]] == [
        (1, "reward_conflict"),
        (2, "invalid"),
    ]
    twice = {"defaults": [{"unit": "x", "arm": "a"}, {"unit": "x", "arm": "b"}]}
    problem(api("POST", "/v1/experiments/e/defaults", twice), 409, "reward_conflict")
    assert api.state()["seq"] == 3  # all of them or none


def test_a_unit_that_was_served_a_default_keeps_it_and_takes_no_outcome(api):
    api.create()
    note(api, u="b")
    answer = api.allocate("u")
    assert (answer.status_code, answer.json()) == (200, {"unit": "u", "arm": "b", "round": 0, "seq": 3})
    flag = api("POST", "/ofrep/v1/evaluate/flags/e", {"context": {"targetingKey": "u"}}).json()
    assert (flag["value"], flag["reason"]) == ("b", "DEFAULT")
    assert "default" in problem(api.report("u", 1), 409, "reward_conflict")["detail"]
    assert "default" in problem(api.void("u"), 409, "reward_conflict")["detail"]
    amendment = {"reward": 1, "reason": "x", "outcome_seq": 3}
    answer = api("POST", "/v1/experiments/e/allocations/u/amend", amendment)
    assert "defaulted" in problem(answer, 409, "outcome_changed")["detail"]
    unit = api("GET", "/v1/experiments/e/allocations/u").json()
    assert (unit["outcome"], unit["served"], unit["round"]) == ("defaulted", "b", 0)


def test_a_default_instead_of_what_the_policy_gave_voids_that_and_the_arm_stays(api):
    api.create()
    given = api.allocate("u").json()
    served = other(given["arm"])
    assert note(api, u=served).json()["defaults"][0]["kind"] == "defaulted"
    assert api.allocate("u").json() == given  # one unit, one arm, for ever
    assert api.events()[-1]["instead_of"] == given["arm"]
    state = api.state()
    assert (state["round"], state["outstanding"], state["voided"], state["defaulted"]) == (1, 0, 1, 1)
    problem(api.report("u", 1), 409, "reward_conflict")
    assert note(api, u=served).status_code == 200


def test_a_default_that_is_what_the_policy_gave_counts_as_that(api):
    api.create()
    given = api.allocate("u").json()
    said = note(api, u=given["arm"]).json()["defaults"][0]
    assert said == {"unit": "u", "arm": given["arm"], "seq": given["seq"], "kind": "allocated"}
    assert api.report("u", 1).status_code == 201
    assert note(api, u=given["arm"]).status_code == 200
    problem(note(api, u=other(given["arm"])), 409, "reward_conflict")


def test_defaults_are_replayed_after_a_restart_and_by_verify(open_api):
    api = open_api()
    api.create()
    for number in range(5):
        given = api.allocate(f"u{number}").json()
        note(api, **{f"v{number}": "a"} | ({f"u{number}": other(given["arm"])} if number % 2 else {}))
        if number % 2 == 0:
            api.report(f"u{number}", number % 4 == 0)
    before = api.state()
    assert before["defaulted"] == 7
    assert api("GET", "/v1/experiments/e/verify").json()["defaulted"] == 7
    api.close()
    after = open_api()
    assert after.state() == before
    with after.service.store.read() as connection:  # and without a snapshot
        audited = recovery._audited(
            connection, *queries.names(connection)[0][:1], "e", before["seq"], before["hash"]
        )
    assert sum(audited.summary().defaulted) == 7
    assert after.allocate("next").json()["round"] == 6


def test_there_are_no_more_defaults_than_rounds(api):
    api.create(horizon=4)
    assert note(api, u1="a", u2="a", u3="a").status_code == 200
    refused = problem(note(api, u3="a", u4="a", u5="a"), 409, "horizon_reached")
    assert refused["remaining"] == 1
    assert note(api, u3="a", u4="a").status_code == 200
    problem(note(api, u5="a"), 409, "horizon_reached")


def note_in(api, unit, arm, stratum=None):
    where = {} if stratum is None else {"stratum": stratum}
    return api("POST", "/v1/experiments/e/defaults", {"defaults": [{"unit": unit, "arm": arm} | where]})


def test_a_default_belongs_to_the_stratum_of_its_unit_or_to_the_one_that_is_told_of_a_new_one(api):
    api.create(strata=["ios", "web"])
    given = api("PUT", "/v1/experiments/e/allocations/known", {"stratum": "web"}).json()
    said = problem(note_in(api, "new", "a"), 422, "invalid")["detail"]
    assert "must be one of 'ios', 'web'; got none" in said
    assert "'tv'" in problem(note_in(api, "new", "a", "tv"), 422, "invalid")["detail"]
    assert note_in(api, "new", "a", "ios").status_code == 200
    assert note_in(api, "known", other(given["arm"])).status_code == 200  # its stratum is known
    assert [entry.get("stratum") for entry in api.events()[-2:]] == ["ios", "web"]
    results = api("GET", "/v1/experiments/e/results").json()
    strata = {part["stratum"]: part for part in results["strata"]}
    counted = {name: sum(arm["defaulted"] for arm in part["arms"]) for name, part in strata.items()}
    assert counted == {"ios": 1, "web": 1}
    assert sum(arm["voided"] for arm in strata["web"]["arms"]) == 1
    assert sum(arm["defaulted"] for arm in results["arms"]) == api.state()["defaulted"] == 2
    said = {"unit": "new", "arm": "a", "round": 0, "seq": 4, "stratum": "ios"}
    assert api("PUT", "/v1/experiments/e/allocations/new", {"stratum": "web"}).json() == said
    assert api("GET", "/v1/experiments/e/verify").json()["defaulted"] == 2


def test_strata_are_refused_where_there_are_none(api):
    api.create()
    assert "has no strata" in problem(note_in(api, "u", "a", "ios"), 422, "invalid")["detail"]


@pytest.mark.parametrize("stated", [None, "a"])
def test_a_unit_that_is_held_out_and_was_served_a_default_leaves_the_holdout(api, stated):
    api.create(holdout={"share": 0.5} | ({} if stated is None else {"arm": stated}), horizon=100)
    held = [unit for unit in map(str, range(20)) if api.allocate(unit).json().get("holdout")]
    before = api.state()
    assert note_in(api, held[0], "b").json()["defaults"][0]["kind"] == "defaulted"
    state = api.state()
    assert (state["voided"], state["round"]) == (0, before["round"])  # the play has never seen it
    assert (state["defaulted"], state["holdout"]["voided"]) == (1, 1)
    assert state["holdout"]["outstanding"] == before["holdout"]["outstanding"] - 1
    entry = api.events()[-1]
    assert (entry["arm"], entry["holdout"], "instead_of" in entry) == ("b", True, False)
    assert "default" in problem(api.report(held[0], 1), 409, "reward_conflict")["detail"]
    unit = api("GET", f"/v1/experiments/e/allocations/{held[0]}").json()
    assert (unit["arm"], unit["round"], unit["served"], unit["holdout"]) == (stated, None, "b", True)
    if stated:
        assert note_in(api, held[1], stated).json()["defaults"][0]["kind"] == "held"
        assert api.report(held[1], 1).status_code == 201
    assert api("GET", "/v1/experiments/e/verify").json()["defaulted"] == 1


def test_a_new_unit_that_would_be_held_out_is_noted_like_any_other(api):
    api.create(holdout={"share": 0.999999})
    assert note(api, u="a").status_code == 200
    state = api.state()
    assert (state["defaulted"], state["holdout"]["units"]) == (1, 0)
    assert api.allocate("u").json() == {"unit": "u", "arm": "a", "round": 0, "seq": 3}


def test_a_retired_arm_may_have_been_served_and_quotas_do_not_count_it(api):
    api.create(traffic={"a": {"at_least": 0.5}})
    assert api("POST", "/v1/experiments/e/arms/c/retire", {"reason": "x"}).status_code == 201
    assert note(api, **{f"u{number}": "a" for number in range(4)}, v="c").status_code == 200
    given = [api.allocate(f"w{number}").json()["arm"] for number in range(20)]
    assert given.count("a") >= 10
    assert "c" not in given
    state = api.state()
    assert (state["defaulted"], state["state"]) == (5, "running")


def test_a_snapshot_keeps_the_defaults_of_strata_and_one_from_before_has_none(open_api):
    api = open_api()
    api.create(strata=["ios", "web"], holdout={"share": 0.5})
    for number in range(6):
        note_in(api, f"u{number}", "abc"[number % 3], ("ios", "web")[number % 2])
    before = api.state()
    api.close()
    assert open_api().state() == before
    setup = resolve(requested({"arms": ["a", "b"], "horizon": 100, "rewards": "bernoulli", "seed": 1}))
    experiment = Experiment(1, "e", setup, AT)
    old = json.loads(experiment.snapshot())
    del old["defaulted"], old["retired"]
    experiment.restore(old, 1, "x")
    assert experiment.summary().defaulted == (0, 0)


AT = "2026-11-15T09:30:00.125Z"


@pytest.mark.parametrize(
    "wrong", ["twice", "after an outcome", "instead of another", "instead of itself", "unknown"]
)
def test_an_audit_finds_a_default_that_cannot_have_been(wrong):
    setup = resolve(requested({"arms": ["a", "b"], "horizon": 100, "rewards": "bernoulli", "seed": 1}))
    experiment, first = Experiment.create(1, "e", setup, AT)
    rows = [first, experiment.move("started", AT)]
    row, unit = experiment.allocate("u", AT)
    rows.append(row)
    given, served = unit.arm, other(unit.arm)
    fine = [*rows]
    if wrong == "twice":
        rows.append(experiment.note_default("u", unit, served, AT)[0])
        fine = [*rows]
        rows.append(experiment.note_default("u", unit, served, AT)[0])
    elif wrong == "after an outcome":
        rows.append(experiment.reward("u", unit, 1.0, AT)[0])
        fine = [*rows]
        rows.append(experiment.note_default("u", unit, served, AT)[0])
    elif wrong == "instead of another":
        rows.append(experiment.note_default("u", unit._replace(arm=served), given, AT)[0])
    elif wrong == "instead of itself":
        rows.append(experiment.note_default("u", unit, given, AT)[0])
    else:
        rows.append(experiment.note_default("v", unit, served, AT)[0])
    assert verify_rows("e", fine)[0]["entries"] == len(fine)
    with pytest.raises(Broken, match="cannot have been served a default") as broken:
        verify_rows("e", rows)
    assert broken.value.seq == len(rows)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"stratum": "tv"}, "there is no stratum 'tv'"),
        ({"arm": "z"}, "there is no arm 'z'"),
        ({"instead_of": None}, "there is no arm None"),
        ({"holdout": False}, "there is no such holdout"),
        ({"holdout": True, "instead_of": "a"}, "has no arm of the policy's"),
        ({"unit": None}, "names no unit"),
    ],
)
def test_an_audit_finds_a_default_that_names_what_is_not_there(wrong, said):
    declared = {"arms": ["a", "b"], "horizon": 100, "rewards": "bernoulli", "seed": 1}
    setup = resolve(requested(declared | {"strata": ["ios", "web"], "holdout": {"share": 0.5}}))
    experiment, first = Experiment.create(1, "e", setup, AT)
    rows = [first, experiment.move("started", AT)]
    fine = {"arm": "a", "stratum": "ios"}
    name = wrong.pop("unit", "u")
    rows.append(experiment._append("defaulted", AT, None, name, fine | wrong))
    with pytest.raises(Broken, match=said):
        verify_rows("e", rows)


def test_an_audit_finds_a_default_of_a_unit_of_another_stratum_or_of_no_holdout():
    declared = {"arms": ["a", "b"], "horizon": 100, "rewards": "bernoulli", "seed": 1}
    setup = resolve(requested(declared | {"strata": ["ios", "web"], "holdout": {"share": 0.5}}))
    experiment, first = Experiment.create(1, "e", setup, AT)
    rows = [first, experiment.move("started", AT)]
    units = {}
    for number in range(20):
        row, unit = experiment.allocate(str(number), AT, stratum="ios")
        rows.append(row)
        units.setdefault(unit.holdout, (str(number), unit))
    (played, given), (held, nothing) = units[False], units[True]
    for name, believed in (
        (played, given._replace(stratum="web")),
        (played, given._replace(holdout=True)),
        (held, nothing._replace(holdout=False, arm="a")),
        (held, nothing._replace(stratum="web")),
    ):
        ahead = copy.deepcopy(experiment)
        row = ahead.note_default(name, believed, other(believed.arm), AT)[0]
        with pytest.raises(Broken, match="cannot have been served a default"):
            verify_rows("e", [*rows, row])
    fine = [experiment.note_default(name, unit, other(unit.arm), AT)[0] for name, unit in units.values()]
    assert verify_rows("e", [*rows, *fine])[0]["defaulted"] == 2
