"""Models of what goes over the wire: every answer is what its model says, and has no member besides."""

import pytest
from pydantic import BaseModel

from steadyarm.live.http import schemas
from steadyarm.live.http.routes import planning_schemas, results_schemas

READ = {
    "/healthz": schemas.Health,
    "/v1/token": schemas.Token,
    "/v1/experiments": schemas.Experiments,
    "/v1/experiments/e": schemas.Experiment,
    "/v1/experiments/e/allocations/u1": schemas.UnitState,
    "/v1/experiments/e/arms": results_schemas.Arms,
    "/v1/experiments/e/results": results_schemas.Results,
    "/v1/experiments/e/history": results_schemas.History,
    "/v1/experiments/e/verify": schemas.Verified,
}
ALLOCATION = "/v1/experiments/e/allocations"
WRITTEN = [  # one after the other
    ("PUT", f"{ALLOCATION}/u1", None, schemas.Allocation),
    ("POST", ALLOCATION, {"units": ["u2", "u3"]}, schemas.Allocations),
    ("PUT", f"{ALLOCATION}/u1/reward", {"reward": 1}, schemas.Rewarded),
    ("POST", "/v1/experiments/e/rewards", {"rewards": [{"unit": "u2", "reward": 0}]}, schemas.ManyRewarded),
    (
        "POST",
        f"{ALLOCATION}/u1/amend",
        {"reward": 0, "reason": "refunded", "outcome_seq": 6},
        schemas.Amended,
    ),
    ("POST", f"{ALLOCATION}/u3/void", {"reason": "lost"}, schemas.Voided),
    ("POST", "/v1/experiments/e/pause", None, schemas.Experiment),
    ("POST", "/v1/plan", {"arms": 2, "horizon": 1000, "alpha": 1}, planning_schemas.Plan),
]


def assert_is(answer, model):
    assert answer.status_code < 300, answer.text
    said = answer.json()
    model.model_validate(said)
    assert set(said) <= set(model.model_fields), model


def test_what_is_written_is_answered_as_its_model_says(sqlite_api):
    sqlite_api.create()
    for method, path, content, model in WRITTEN:
        assert_is(sqlite_api(method, path, content), model)


@pytest.mark.parametrize("path", READ)
def test_what_is_read_is_as_its_model_says(sqlite_api, path):
    sqlite_api.create()
    for number in range(6):
        sqlite_api.allocate(f"u{number}")
        sqlite_api.report(f"u{number}", number % 2)
    assert_is(sqlite_api("GET", path), READ[path])


def test_a_refusal_is_as_its_model_says(sqlite_api):
    said = sqlite_api("GET", "/v1/experiments/none").json()
    schemas.Problem.model_validate(said)


def models(kind=schemas.Body):
    for each in kind.__subclasses__():
        yield each
        yield from models(each)


@pytest.mark.parametrize("model", [*models()], ids=lambda model: model.__name__)
def test_the_example_of_a_body_is_one_and_with_another_member_it_is_none(model):
    assert isinstance(model.model_validate(model.example), BaseModel)
    with pytest.raises(ValueError, match="Extra inputs are not permitted"):
        model.model_validate(model.example | {"unheard_of": 1})
