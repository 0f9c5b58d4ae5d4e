"""Exceptions that nobody raised on purpose: those of the database pass, defects are shown."""

import json

import pytest
from sqlalchemy.exc import OperationalError, ProgrammingError
from tests.live.conftest import problem
from tests.live.storage.test_writer import fail

from steadyarm.live.storage import queries


def test_a_failed_commit_is_a_503_for_everybody_and_leaves_no_trace(api, monkeypatch):
    api.create()
    before = api.allocate("u1").json()
    state = api.state()
    with monkeypatch.context() as broken:
        broken.setattr(queries, "append", fail)
        problem(api.allocate("u2"), 503, "unavailable")
        problem(api.report("u1", 1), 503, "unavailable")
        problem(api("POST", "/v1/experiments/e/pause"), 503, "unavailable")
        problem(api("PUT", "/v1/experiments/f", {"arms": ["a", "b"], "horizon": 10}), 503, "unavailable")
    assert api.state() == state
    assert api.allocate("u1").json() == before
    after = api.allocate("u2")  # it recovers by itself
    assert after.status_code == 201
    assert after.json()["round"] == 2
    assert after.json()["seq"] == state["seq"] + 1
    problem(api("GET", "/v1/experiments/f"), 404, "unknown_experiment")
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


@pytest.mark.parametrize(
    "place", ["steadyarm.live.core.experiment.Experiment.allocate", "steadyarm.live.storage.queries.append"]
)
def test_a_defect_in_the_writer_is_a_500_whose_trace_is_logged(api, monkeypatch, capsys, place):
    api.create()

    def wrong(*_):
        raise TypeError("a bug of ours")

    with monkeypatch.context() as broken:
        broken.setattr(place, wrong)
        said = problem(api.allocate("u1"), 500, "internal")
    assert "bug of ours" not in said["detail"]
    (logged,) = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (logged["event"], logged["error"]) == ("defect", "TypeError")
    assert 'raise TypeError("a bug of ours")' in logged["trace"]
    assert api.http.get("/readyz").status_code == 200  # the store is fine
    assert api.allocate("u1").status_code == 201
    assert api("GET", "/v1/experiments/e/verify").status_code == 200


def test_a_statement_that_is_wrong_is_a_defect_and_a_database_that_fails_is_not(api, monkeypatch):
    api.create()
    for kind, status in ((ProgrammingError, 500), (OperationalError, 503)):

        def wrong(*_, kind=kind):
            raise kind("SELECT", {}, Exception("no such table"))

        with monkeypatch.context() as broken:
            broken.setattr(queries, "append", wrong)
            assert api.allocate("u1").status_code == status
        with monkeypatch.context() as broken:
            broken.setattr(queries, "units", wrong)
            assert api("GET", "/v1/experiments/e/allocations/u1").status_code == status
