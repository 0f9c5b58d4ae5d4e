"""Units: rewards in batches, amendments, silence that counts, and names as real ids have them."""

import json
from urllib.parse import quote

import pytest
from tests.live.conftest import problem

from steadyarm.live.core.commands.unit_commands import Lapse
from steadyarm.live.core.journal import later, now
from steadyarm.live.storage import transaction

E = "/v1/experiments/e"
NAMES = [
    "orders/2026/17",
    "a/reward",
    "Zoë <zoe@example.org>",
    "用户 17",
    "50%2F",
    'a"b\\c',
    "👩‍🔬",
    "?x=1#y",
]


def rewards(api, *pairs):
    told = [{"unit": unit, "reward": reward} for unit, reward in pairs]
    return api("POST", f"{E}/rewards", {"rewards": told})


def amend(api, unit, reward, seq, reason="was returned"):
    path = f"{E}/allocations/{quote(unit, safe='')}/amend"
    return api("POST", path, {"reward": reward, "reason": reason, "outcome_seq": seq})


def verified(api):
    answer = api("GET", f"{E}/verify")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_batch_of_rewards_is_told_in_order_and_again_is_no_change(api):
    api.create()
    api("POST", f"{E}/allocations", {"units": ["u1", "u2", "u3"]})
    told = rewards(api, ("u3", 1), ("u1", 0), ("u3", 1.0))
    assert told.status_code == 200
    assert [(each["unit"], each["reward"], each["seq"]) for each in told.json()["rewards"]] == [
        ("u3", 1.0, 6),
        ("u1", 0.0, 7),
        ("u3", 1.0, 6),
    ]
    assert rewards(api, ("u3", 1), ("u1", 0)).json()["rewards"] == told.json()["rewards"][:2]
    assert api.state()["seq"] == 7
    assert verified(api)["entries"] == 7


def test_a_batch_with_a_wrong_reward_changes_nothing_and_names_each_by_its_place(api):
    api.create()
    api("POST", f"{E}/allocations", {"units": ["u1", "u2", "u3"]})
    api.report("u1", 1)
    api.void("u2")
    before = api.state()
    wrong = [("u3", 1), ("nobody", 1), ("u1", 0), ("u2", 1), ("u3", 0.5), ("u3", 0)]
    said = problem(rewards(api, *wrong), 404, "unknown_unit")
    assert [(each["place"], each["code"]) for each in said["errors"]] == [
        (1, "unknown_unit"),
        (2, "reward_conflict"),
        (3, "reward_conflict"),
        (4, "invalid_reward"),
        (5, "reward_conflict"),
    ]
    assert "5 rewards of 6 cannot be accepted; the first is rewards.1: unit 'nobody'" in said["detail"]
    assert api.state() == before


def test_an_amended_outcome_is_shown_with_what_was_told_and_the_replay_is_exact(open_api):
    api = open_api()
    api.create(seed=3)
    for number in range(12):
        api.allocate(f"u{number}")
        api.report(f"u{number}", 1)
    arms = api("GET", f"{E}/arms").json()["arms"]
    unit = api("GET", f"{E}/allocations/u4").json()
    assert amend(api, "u4", 0, unit["outcome_seq"]).status_code == 201
    for _ in range(2):  # again is no change, and a retry of the report neither
        assert amend(api, "u4", 0, unit["outcome_seq"]).status_code == 200
        assert api.report("u4", 1).json()["seq"] == unit["outcome_seq"]
    now_known = api("GET", f"{E}/allocations/u4").json()
    assert (now_known["outcome"], now_known["reward"], now_known["first_reward"]) == ("amended", 0.0, 1.0)
    entry = api.events()[-1]
    assert (entry["kind"], entry["was"], entry["reward"]) == ("amended", 1.0, 0.0)
    assert (entry["amends"], entry["reason"]) == (unit["outcome_seq"], "was returned")
    results = api("GET", f"{E}/results").json()
    arm = next(each for each in results["arms"] if each["arm"] == unit["arm"])
    assert (arm["amended"], arm["mean_as_told"]) == (1, 1.0)
    assert arm["mean"] == pytest.approx(1.0 - 1.0 / arm["rewarded"])
    assert any("1 outcome was amended" in note for note in results["notes"])
    assert [each["index"] for each in api("GET", f"{E}/arms").json()["arms"]] == [
        each["index"] for each in arms
    ]  # the policy goes on with what it was told
    for number in range(12, 20):
        api.allocate(f"u{number}")
    assert verified(api)["amended"] == 1
    api.close()
    api = open_api()  # from a snapshot
    assert api("GET", f"{E}/results").json()["arms"][0]["mean"] == results["arms"][0]["mean"]
    api("POST", f"{E}/pause")
    assert api.state()["amended"] == 1


def test_an_amendment_that_comes_late_corrects_no_later_outcome(api):
    api.create()
    api.allocate("u")
    first = api.report("u", 1).json()["seq"]
    second = amend(api, "u", 0, first).json()["seq"]
    third = amend(api, "u", 1, second).json()["seq"]
    said = problem(amend(api, "u", 0, first), 409, "outcome_changed")
    assert f"that is entry {third}, and not {first}" in said["detail"]
    assert api("GET", f"{E}/allocations/u").json()["reward"] == 1.0
    problem(amend(api, "u", 1, third), 422, "invalid")
    problem(amend(api, "u", 0.5, third), 422, "invalid_reward")
    assert verified(api)["amended"] == 2


def test_only_a_reward_can_be_amended(api):
    api.create()
    problem(amend(api, "u", 1, 3), 404, "unknown_unit")
    api.allocate("u")
    assert "report its reward" in problem(amend(api, "u", 1, 3), 409, "outcome_changed")["detail"]
    api.void("u")
    assert "voided" in problem(amend(api, "u", 1, 4), 409, "outcome_changed")["detail"]


@pytest.fixture
def clock(monkeypatch):
    """Move the writer's clock on."""

    def move(seconds):
        monkeypatch.setattr(transaction, "now", lambda: later(now(), seconds))

    return move


def lapse(api, *units):
    api.http.run(api.service.write(Lapse("e", units)))


def test_silence_counts_as_the_stated_reward_when_its_time_is_over_and_not_before(open_api, clock):
    api = open_api()
    api.create(attribution={"after": "PT1H", "reward": 0})
    for unit in ("early", "silent", "void"):
        api.allocate(unit)
    api.report("early", 1)
    api.void("void")
    clock(3590)
    lapse(api, "early", "silent", "void", "nobody")
    assert api.state()["outstanding"] == 1
    clock(3601)
    for _ in range(2):
        lapse(api, "early", "silent", "void", "nobody")
    assert [api.state()[name] for name in ("rewarded", "lapsed", "voided", "outstanding")] == [2, 1, 1, 0]
    assert [entry["kind"] for entry in api.events()][-1] == "lapsed"
    assert "actor" not in api.events()[-1]
    assert problem(api.report("silent", 1), 409, "reward_conflict")["detail"].endswith("Amend it.")
    assert api.report("silent", 0).status_code == 200
    problem(api.void("silent"), 409, "reward_conflict")
    seq = api("GET", f"{E}/allocations/silent").json()["outcome_seq"]
    assert amend(api, "silent", 1, seq).status_code == 201
    assert verified(api)["decisions"] == 3
    assert any("by silence" in note for note in api("GET", f"{E}/results").json()["notes"])
    api.close()
    assert open_api().state()["lapsed"] == 1


@pytest.mark.parametrize(
    "wrong", [{"after": "P14D"}, {"after": "P1Y", "reward": 0}, {"after": 60, "reward": 0.5}, "P14D", []]
)
def test_a_window_states_a_time_and_a_reward_of_the_declared_kind(api, wrong):
    from tests.live.server import CONFIGURATION

    answer = api("PUT", E, CONFIGURATION | {"attribution": wrong})
    assert answer.status_code == 422, answer.text


def test_units_are_called_as_real_ids_are_in_addresses_and_in_bodies(api):
    api.create()
    for name in NAMES:
        path = f"{E}/allocations/{quote(name, safe='')}"
        given = api("PUT", path)
        assert (given.status_code, given.json()["unit"]) == (201, name)
        assert api("POST", f"{E}/allocations", {"units": [name]}).json()["allocations"] == [given.json()]
        assert api("PUT", f"{path}/reward", {"reward": 1}).json()["unit"] == name
        assert rewards(api, (name, 1)).status_code == 200
        assert api("GET", path).json()["arm"] == given.json()["arm"]
    problem(api("PUT", f"{E}/allocations/a%FF"), 400, "malformed")
    problem(api("PUT", f"{E}/allocations/a%1Fb"), 400, "malformed")
    problem(api("PUT", f"{E}/allocations/a/b"), 404, "not_found")
    assert api.state()["round"] == len(NAMES)
    assert [entry["unit"] for entry in api.events() if entry["kind"] == "allocated"] == NAMES
    assert verified(api)["decisions"] == len(NAMES)


def test_entries_say_who_and_by_which_software(api):
    import steadyarm

    token = api.service.tokens.create(["admin"], "the shop")
    said = api("GET", "/v1/token", token=token).json()
    api.create(started=False)
    api("POST", f"{E}/start", {"reason": "all is ready"}, token=token)
    api("PUT", f"{E}/allocations/u", token=token)
    api("PUT", f"{E}/allocations/u/reward", {"reward": 1}, token=token)
    entries = api.events()
    assert {entry["software"] for entry in entries} == {steadyarm.__version__}
    assert [entry["actor"] == said["actor"] for entry in entries] == [False, True, True, True]
    assert entries[1]["reason"] == "all is ready"
    assert said["id"] not in json.dumps(entries)
    assert "the shop" not in json.dumps(entries)
