"""Experiments as feature flags, by the protocol's own Python provider and by hand."""

import pytest
from openfeature import api as openfeature
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason
from tests.live.conftest import problem
from tests.live.damage import tamper
from tests.live.server import CONFIGURATION, Server, new_token

FLAGS = "/ofrep/v1/evaluate/flags"


def context(unit):
    return {"context": {"targetingKey": unit, "country": "NL"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server(f"sqlite:///{tmp_path_factory.mktemp('ofrep')}/live.db") as running:
        with running.client() as client:
            for name in ("colours", "paused"):
                client.put(f"/v1/experiments/{name}", json=CONFIGURATION)
                client.post(f"/v1/experiments/{name}/start")
            client.post("/v1/experiments/paused/pause")
        running.acting = new_token(running.database, "allocate")
        yield running


@pytest.fixture
def flags(server):
    """An OpenFeature client with the unmodified provider, as an application has it."""
    headers = {"Authorization": f"Bearer {server.acting}"}
    provider = OFREPProvider(server.url, headers_factory=lambda: headers)
    openfeature.set_provider(provider)
    yield openfeature.get_client()
    openfeature.shutdown()
    provider.session.close()


def test_the_python_provider_gets_the_arm_of_the_unit_and_the_same_again(server, flags):
    who = EvaluationContext("zoe@example.org", {"country": "NL"})
    found = flags.get_string_details("colours", "none", who)
    assert found.error_code is None
    assert found.value in CONFIGURATION["arms"]
    assert (found.variant, found.reason) == (found.value, Reason.SPLIT)
    assert flags.get_string_value("colours", "none", who) == found.value
    with server.client() as client:
        unit = client.get("/v1/experiments/colours/allocations/zoe%40example.org").json()
    assert (unit["arm"], unit["round"], unit["seq"]) == (
        found.value,
        found.flag_metadata["round"],
        found.flag_metadata["seq"],
    )


@pytest.mark.parametrize(
    ("flag", "unit", "code", "said"),
    [
        ("nobody", "u", ErrorCode.FLAG_NOT_FOUND, "there is no experiment 'nobody'"),
        ("-", "u", ErrorCode.FLAG_NOT_FOUND, "the name of an experiment"),
        ("colours", None, ErrorCode.TARGETING_KEY_MISSING, "Set the targeting key"),
        ("colours", " u", ErrorCode.INVALID_CONTEXT, "the name of a unit"),
        ("paused", "u", ErrorCode.GENERAL, "is paused; new units need it running"),
    ],
)
def test_the_python_provider_falls_back_to_the_default_and_says_why(flags, flag, unit, code, said):
    found = flags.get_string_details(flag, "default", EvaluationContext(unit, {}))
    assert (found.value, found.error_code) == ("default", code)
    assert said in found.error_message


def test_an_arm_is_a_text_and_no_other_kind_of_flag(flags):
    found = flags.get_boolean_details("colours", False, EvaluationContext("u"))
    assert (found.value, found.error_code) == (False, ErrorCode.TYPE_MISMATCH)


def test_a_body_that_is_none_is_refused_in_the_words_of_the_protocol(api):
    api.create()
    for text, code in (
        ("{", "PARSE_ERROR"),
        ("", "PARSE_ERROR"),
        ("[]", "INVALID_CONTEXT"),
        ('{"context": 5}', "INVALID_CONTEXT"),
        ('{"context": {"targetingKey": 5}}', "INVALID_CONTEXT"),
        ("{}", "TARGETING_KEY_MISSING"),
    ):
        for path in (FLAGS, f"{FLAGS}/e"):
            answer = api("POST", path, text=text)
            assert (answer.status_code, answer.json()["errorCode"]) == (400, code), text
            assert answer.json()["errorDetails"]
    assert api.state()["round"] == 0


def test_all_flags_of_a_unit_are_those_it_has_and_none_is_given(api):
    for name in ("b", "a", "c"):
        api.create(name)
    given = {name: api("POST", f"{FLAGS}/{name}", context("u 1")).json() for name in ("a", "b")}
    api.allocate("other", "c")
    found = api("POST", FLAGS, context("u 1"))
    assert found.json() == {"flags": [given["a"], given["b"]]}
    assert found.json()["flags"][0].keys() == {"key", "value", "variant", "reason", "metadata"}
    again = api("POST", FLAGS, context("u 1"), headers={"if-none-match": found.headers["etag"]})
    assert (again.status_code, again.text, again.headers["etag"]) == (304, "", found.headers["etag"])
    api.allocate("u%201", "c")
    changed = api("POST", FLAGS, context("u 1"), headers={"if-none-match": found.headers["etag"]})
    assert [flag["key"] for flag in changed.json()["flags"]] == ["a", "b", "c"]
    assert api("POST", FLAGS, context("nobody")).json() == {"flags": []}
    assert [api.state(name)["round"] for name in ("a", "b", "c")] == [1, 1, 2]
    bound = api.service.tokens.create(["allocate"], experiment="b")
    mine = api("POST", FLAGS, context("u 1"), token=bound).json()
    assert mine == {"flags": [given["b"]]}
    problem(api("POST", f"{FLAGS}/a", context("u"), token=bound), 403, "forbidden")


def test_flags_need_the_scope_that_allocations_need(api):
    api.create()
    for path in (FLAGS, f"{FLAGS}/e"):
        problem(api("POST", path, context("u"), token=api.with_scopes("read")), 403, "forbidden")
        problem(api.http.post(path, json=context("u")), 401, "unauthorized")
    assert api.state()["round"] == 0


def test_a_journal_tells_a_flag_from_no_other_allocation(api):
    api.create()
    api("POST", f"{FLAGS}/e", context("u"))
    entry = api.events()[-1]
    assert (entry["kind"], entry["unit"]) == ("allocated", "u")
    assert api.allocate("u").status_code == 200
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


def test_the_python_provider_gives_a_unit_that_is_held_out_the_default_without_an_error(server, flags):
    with server.client() as client:
        for name, holdout in (("held", 0.999999), ("stated", {"share": 0.999999, "arm": "b"})):
            client.put(f"/v1/experiments/{name}", json=CONFIGURATION | {"holdout": holdout})
            client.post(f"/v1/experiments/{name}/start")
    who = EvaluationContext("zoe@example.org")
    found = flags.get_string_details("held", "my default", who)
    assert (found.value, found.variant, found.reason) == ("my default", "holdout", Reason.DEFAULT)
    assert (found.error_code, found.flag_metadata["holdout"]) == (None, True)
    stated = flags.get_string_details("stated", "my default", who)
    assert (stated.value, stated.variant, stated.reason) == ("b", "holdout", Reason.DEFAULT)


def test_the_context_names_the_stratum_and_all_flags_show_who_is_held_out(api):
    api.create("strata", strata=["desktop", "mobile"])
    api.create("held", holdout=0.999999)
    asked = {"context": {"targetingKey": "u", "stratum": "mobile"}}
    given = api("POST", f"{FLAGS}/strata", asked).json()
    assert (given["reason"], given["metadata"]["stratum"]) == ("SPLIT", "mobile")
    held = api("POST", f"{FLAGS}/held", asked).json()  # without strata that is an attribute like any other
    assert held == {
        "key": "held",
        "variant": "holdout",
        "reason": "DEFAULT",
        "metadata": {"seq": 3, "holdout": True},
    }
    assert api("POST", FLAGS, context("u")).json() == {"flags": [held, given]}
    for wrong in ("tablet", None, 7, {"a": 1}):
        refused = api("POST", f"{FLAGS}/strata", {"context": {"targetingKey": "v", "stratum": wrong}})
        assert (refused.status_code, refused.json()["errorCode"]) == (400, "INVALID_CONTEXT")
        assert "must be one of 'desktop', 'mobile'" in refused.json()["errorDetails"]


def test_all_flags_of_a_unit_have_the_default_that_it_was_served_as_each_of_them_has(api):
    api.create("e")
    api.create("f")
    given = api("PUT", "/v1/experiments/f/allocations/u").json()
    other = next(arm for arm in CONFIGURATION["arms"] if arm != given["arm"])
    for name in "ef":
        told = {"defaults": [{"unit": "u", "arm": other}]}
        assert api("POST", f"/v1/experiments/{name}/defaults", told).status_code == 200
    each = [api("POST", f"{FLAGS}/{name}", context("u")).json() for name in "ef"]
    assert [(flag["value"], flag["reason"]) for flag in each] == [
        (other, "DEFAULT"),
        (given["arm"], "SPLIT"),
    ]
    assert api("POST", FLAGS, context("u")).json()["flags"] == each


def test_a_stratum_that_is_missing_or_unknown_makes_the_context_invalid(api):
    api.create("e", strata=["0", "1"])
    for stratum, code in ((None, "INVALID_CONTEXT"), ("2", "INVALID_CONTEXT"), (0, None), ("1", None)):
        asked = {"context": {"targetingKey": f"u{stratum}", "stratum": stratum}}
        assert api("POST", f"{FLAGS}/e", asked).json().get("errorCode") == code


def test_all_flags_of_a_unit_leave_a_damaged_experiment_out_and_go_on_with_the_others(api, database):
    for name in ("sick", "well"):
        api.create(name)
        for unit in ("v", "w"):
            assert api("POST", f"{FLAGS}/{name}", context(unit)).status_code == 200
    whose = "unit = 'v' AND experiment = (SELECT id FROM experiments WHERE name = 'sick')"
    tamper(database, f"UPDATE journal SET body = replace(body, '\"arm\":', '\"arm\": ') WHERE {whose}")
    for unit in ("v", "w", "v"):
        found = api("POST", FLAGS, context(unit))
        assert found.status_code == 200
        assert [flag["key"] for flag in found.json()["flags"]] == ["well"]
    problem(api("POST", f"{FLAGS}/sick", context("w")), 503, "damaged")
    assert api("POST", f"{FLAGS}/well", context("v")).status_code == 200
