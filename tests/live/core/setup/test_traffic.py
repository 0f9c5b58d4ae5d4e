"""Traffic as teams run it: quotas, retired arms and successors, on both databases and over restarts."""

import json

import numpy as np
import pytest
from tests.live.conftest import problem

import steadyarm as sa
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.first_entry import begin
from steadyarm.live.core.journal import Broken, Row, canonical, digest
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.replay import replay
from steadyarm.live.core.setup.configuration import requested, resolve

E = "/v1/experiments/e"
AT = "2026-01-01T00:00:00.000Z"
CAPPED = {"a": {"at_least": 0.2}, "b": {"at_most": 0.4}}
ASKED = {"arms": ["a", "b", "c"], "horizon": 300, "rewards": "bernoulli", "policy": "MOSS", "seed": 5}


def verified(api, name="e"):
    answer = api("GET", f"/v1/experiments/{name}/verify")
    assert answer.status_code == 200, answer.text
    return answer.json()


def retire(api, arm, reason="out of stock"):
    return api("POST", f"{E}/arms/{arm}/retire", {"reason": reason})


def play(api, units, lucky="c", name="e"):
    given = []
    for unit in units:
        answer = api.allocate(unit, name)
        assert answer.status_code == 201, answer.text
        given.append(answer.json()["arm"])
        api.report(unit, int(given[-1] == lucky), name)
    return given


def test_quotas_are_kept_in_every_prefix_and_over_a_restart(open_api):
    api = open_api()
    traffic = {"a": {"at_least": 0.3}, "b": {"exactly": 0.1}, "c": {"at_most": 0.7}}
    state = api.create(policy="MOSS", alpha=None, mean_bound=None, traffic=traffic)
    assert state["configuration"]["traffic"] == traffic
    assert state["policy"]["at_least"] == [0.3, 0.1, 0.0]
    given = play(api, [f"u{number}" for number in range(13)])
    api.close()
    api = open_api()
    given += play(api, [f"u{number}" for number in range(13, 31)])
    for n in range(1, 32):
        counts = [given[:n].count(arm) for arm in "abc"]
        assert counts[0] >= 3 * n // 10
        assert n // 10 <= counts[1] <= -(-n // 10)
        assert counts[2] <= -(-7 * n // 10)
    assert verified(api)["decisions"] == 31
    notes = " ".join(api("GET", f"{E}/results").json()["notes"])
    assert "quotas, which decide rounds whatever was learned" in notes


def test_the_service_plays_what_a_simulation_within_quotas_plays():
    setup = resolve(requested(ASKED | {"traffic": CAPPED, "horizon": 120}))
    experiment, _ = Experiment.create(1, "e", setup, AT)
    experiment.move("started", AT)
    instance = sa.Instance.bernoulli([0.2, 0.8, 0.5])
    cells, pulled = sa.reward_table(instance, seed=5, run=0, pulls=120), [0, 0, 0]
    for number in range(120):
        _, unit = experiment.allocate(f"u{number}", AT)
        arm = setup.arms.index(unit.arm)
        experiment.reward(f"u{number}", unit, float(cells[arm, pulled[arm]]), AT)
        pulled[arm] += 1
    policy = sa.Quotas(setup.policy.policy, at_least=[0.2, 0, 0], at_most=[1, 0.4, 1])
    assert setup.policy == policy
    assert np.array_equal(sa.simulate(policy, instance, runs=1, seed=5).counts[0], pulled)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"traffic": {}}, "traffic must name arms with their shares"),
        ({"traffic": {"a": None}}, "got {}[.] Leave traffic out"),
        ({"traffic": {"a": {"at_least": None}}}, "got {}[.] Leave an arm out"),
        ({"traffic": 0.2}, "traffic must name arms with their shares"),
        ({"traffic": {"d": {"at_least": 0.1}}}, "'d' is none of them"),
        ({"traffic": {"a": 0.2}}, "must be an object with at_least, exactly, at_most"),
        ({"traffic": {"a": {"least": 0.2}}}, "must be an object with at_least, exactly, at_most"),
        ({"traffic": {"a": {"exactly": 0.2, "at_most": 0.3}}}, "exactly a share, or at_least and at_most"),
        ({"traffic": {"a": {"at_least": 0.5, "at_most": 0.3}}}, "arm 'a' has 0.5 and 0.3"),
        ({"traffic": {"a": {"at_least": 0.0}}}, "at_least of arm 'a' must be positive"),
        ({"traffic": {"a": {"at_least": True}}}, "at_least of arm 'a' must be a number"),
        ({"traffic": {"a": {"at_most": 0.1234567}}}, "six decimals at most"),
        ({"traffic": {arm: {"at_least": 0.4} for arm in "abc"}}, "floors must add up to 1 at most"),
        ({"traffic": {arm: {"at_most": 0.3} for arm in "abc"}}, "caps must add up to 1 at least"),
        ({"traffic": {arm: {"exactly": 0.3} for arm in "abc"}}, "caps must add up to 1 at least"),
        ({"traffic": CAPPED, "share": 0.1}, "Leave one of them out"),
        ({"traffic": CAPPED, "policy": "Exp3"}, "quotas choose some"),
        ({"continues": "no name"}, "continues must name an experiment"),
        ({"continues": 7}, "continues must name an experiment"),
    ],
)
def test_what_cannot_be_is_refused_with_the_rule(changes, said):
    with pytest.raises(Problem, match=said):
        resolve(requested(ASKED | changes))


def test_a_retired_arm_is_never_given_again_and_everything_says_so(open_api):
    api = open_api()
    api.create(policy="MOSS", alpha=None, mean_bound=None)
    play(api, [f"u{number}" for number in range(20)], lucky="b")
    late = next(
        unit for unit in (f"l{number}" for number in range(50)) if api.allocate(unit).json()["arm"] == "b"
    )
    before = api.state()
    first = retire(api, "b")
    assert (first.status_code, first.json()["reason"]) == (201, "out of stock")
    for reason in ("out of stock", "another reason"):  # a retry changes nothing, and the first reason stays
        again = retire(api, "b", reason)
        assert (again.status_code, again.json()) == (200, first.json())
    assert api.state()["state_seq"] == before["state_seq"]
    api.close()
    api = open_api()
    assert api.state()["state_seq"] == before["state_seq"]
    assert "b" not in play(api, [f"v{number}" for number in range(30)])
    assert api.report(late, 1).status_code == 201
    state, results = api.state(), api("GET", f"{E}/results").json()
    assert [each["arm"] for each in state["retired"]] == ["b"]
    assert [arm["retired"] is not None for arm in results["arms"]] == [False, True, False]
    assert any("there is no guarantee from here" in note for note in results["notes"])
    assert "'b' was retired" in results["prediction"]["reason"]
    assert results["regret"]["guarantee_at_horizon"] is None
    assert [arm["retired"] for arm in api("GET", f"{E}/arms").json()["arms"]] == [False, True, False]
    assert [each["kind"] for each in api.events()].count("retired") == 1
    verified(api)


def test_the_arm_of_those_who_are_held_out_is_not_retired(api):
    api.create(arms=["a", "b", "c"], holdout={"share": 0.3, "arm": "b"})
    said = problem(retire(api, "b"), 409, "bad_state")["detail"]
    assert "those who are held out get it" in said
    assert "continues this one" in said  # what to do instead
    assert api.state()["retired"] == []
    assert [each["kind"] for each in api.events()] == ["created", "started"]
    assert retire(api, "a").status_code == 201
    assert api("GET", f"{E}/verify").status_code == 200


def test_arms_that_cannot_be_retired_are_named_with_the_reason(api):
    api.create()
    problem(retire(api, "d"), 404, "unknown_arm")
    problem(retire(api, "a", ""), 422, "invalid")
    problem(api("POST", f"{E}/arms/a/retire"), 400, "malformed")
    problem(
        api("POST", f"{E}/arms/a/retire", {"reason": "x"}, token=api.with_scopes("allocate", "report")),
        403,
        "forbidden",
    )
    assert retire(api, "a").status_code == retire(api, "c").status_code == 201
    said = problem(retire(api, "b"), 409, "bad_state")["detail"]
    assert "arm 'b' cannot be retired: one arm must stay, and this one is the last." in said
    api("POST", f"{E}/close")
    problem(retire(api, "b"), 409, "bad_state")
    assert retire(api, "a").status_code == 200
    api.create("exp3", policy="Exp3", alpha=None, mean_bound=None)
    said = problem(api("POST", "/v1/experiments/exp3/arms/a/retire", {"reason": "x"}), 409, "bad_state")
    assert "continues this one" in said["detail"]
    api.create("capped", traffic={"a": {"at_most": 0.3}, "b": {"at_most": 0.3}})
    said = problem(api("POST", "/v1/experiments/capped/arms/c/retire", {"reason": "x"}), 409, "bad_state")
    assert "arm 'c' cannot be retired: the caps of the arms that stay" in said["detail"]
    assert "without this arm they come to 0.6" in said["detail"]
    api.create("slash", arms=["a/b", "c d", "e"])
    assert api("POST", "/v1/experiments/slash/arms/a%2Fb/retire", {"reason": "x"}).json()["arm"] == "a/b"


def rewritten(rows, place, **changes):
    """A journal in which an entry says something else, with all hashes after it made anew."""
    made = []
    for number, row in enumerate(rows):
        entry = json.loads(row.body)
        if number == place:
            entry |= changes
            entry = {name: value for name, value in entry.items() if value is not None}
        if number:
            entry["previous"] = made[-1].hash
        body = canonical(entry)
        made.append(Row(entry["seq"], entry["kind"], entry.get("unit"), body, digest(body)))
    return made


def taken(rows):
    experiment = begin(1, "e", rows[0])
    for row in rows[1:]:
        replay(experiment, row)
    return experiment


def test_a_forged_retirement_or_an_arm_given_after_it_is_found():
    experiment, created = Experiment.create(1, "e", resolve(requested(ASKED)), AT)
    rows = [created, experiment.move("started", AT)]
    rows += [experiment.allocate(f"u{number}", AT)[0] for number in range(3)]
    rows.append(experiment.retire("b", "harm", AT))
    rows += [experiment.allocate(f"v{number}", AT)[0] for number in range(6)]
    assert taken(rows).retired == experiment.retired
    given = json.loads(rows[6].body)["arm"]
    for place, changes, said in [
        (5, {"arm": "c" if given == "c" else "a"}, "but the policy plays arm"),
        (5, {"reason": None}, "retiring an arm needs a reason"),
        (5, {"arm": "z"}, "there is no arm 'z'"),
        (6, {"arm": "b"}, "but the policy plays arm"),
    ]:
        with pytest.raises(Broken, match=said):
            taken(rewritten(rows, place, **changes))


def test_a_successor_closes_what_it_continues_and_verify_follows_the_link(open_api):
    api = open_api()
    api.create("old")
    play(api, [f"u{number}" for number in range(8)], name="old")
    new = api.create("new", arms=["a", "d"], continues="old", started=False)
    old = api.state("old")
    assert old["state"] == "closed"
    assert new["continues"] == {"experiment": "old", "seq": old["seq"], "hash": old["hash"]}
    assert (new["round"], new["continues"]["seq"]) == (0, 19)
    assert api.events("old")[-1]["reason"] == "continued by new"
    assert "no data of that one carries over" in " ".join(new["notes"])
    again = api("PUT", "/v1/experiments/new", {**new["configuration"]})
    assert again.status_code == 200
    assert api.report("u3", 1, "old").status_code in (200, 409)  # outcomes still come in after it
    third = api.create("third", continues="old", started=False)  # it is closed already
    assert third["continues"]["seq"] == api.state("old")["seq"]
    api.close()
    api = open_api()
    assert verified(api, "new")["entries"] == 1
    assert api.state("new")["continues"] == new["continues"]


def test_what_cannot_be_continued_changes_nothing(api):
    api.create("old")
    configuration = api.state("old")["configuration"]

    def made(name, **changes):
        return api("PUT", f"/v1/experiments/{name}", configuration | changes)

    problem(made("new", continues="nobody"), 404, "unknown_experiment")
    problem(made("self", continues="self"), 404, "unknown_experiment")
    problem(made("old", continues="old"), 409, "config_conflict")
    problem(made("new", continues="old", horizon=1), 422, "invalid")
    bound = api.service.tokens.create(["admin"], experiment="new")
    said = api("PUT", "/v1/experiments/new", configuration | {"continues": "old"}, token=bound)
    assert "Use an admin token for all experiments" in problem(said, 403, "forbidden")["detail"]
    assert api.state("old")["state"] == "running"
