"""What a service has done by its processes."""

import json

import pytest
from tests.live.conftest import problem

from steadyarm.live.analysis import plans
from steadyarm.live.core.problems import Problem
from steadyarm.live.http import work


def test_a_long_journal_is_verified_by_a_process(open_api, monkeypatch):
    monkeypatch.setattr("steadyarm.live.http.service._SHORT_JOURNAL", 3)
    api = open_api()
    api.create()
    assert api("GET", "/v1/experiments/e/verify").json()["entries"] == 2
    for number in range(5):
        api.allocate(f"u{number}")
    # Nobody verifies here any more, and yet it is verified.
    monkeypatch.setattr("steadyarm.live.http.service.verify_stored", None)
    assert api("GET", "/v1/experiments/e/verify").json()["decisions"] == 5
    problem(api("GET", "/v1/experiments/nobody/verify"), 404, "unknown_experiment")
    kind = api.service.store.kind
    with api.service.writer._connection.engine.begin() as connection:
        if kind == "sqlite":
            connection.exec_driver_sql("DROP TRIGGER journal_refuses_update")
        else:
            connection.exec_driver_sql("DROP TRIGGER journal_refuses_changes ON journal")
        connection.exec_driver_sql("UPDATE journal SET hash = 'x' WHERE seq = 4")
    said = problem(api("GET", "/v1/experiments/e/verify"), 409, "chain_broken")
    assert said["seq"] == 4


def test_a_plan_is_answered_from_bytes_to_bytes():
    question = {"arms": 3, "horizon": 5000, "alpha": 2.0}
    assert json.loads(work.plan(json.dumps(question).encode())) == plans.answer(question)
    with pytest.raises(Problem):
        work.plan(b"[1, 2")
