"""The service: a defect is no trace for callers, and a password is never shown."""

import pytest
from tests.live.conftest import problem


def test_a_defect_is_a_problem_document_without_its_trace(api, monkeypatch):
    api.create()

    def broken(*_):
        raise ZeroDivisionError("secret inside")

    monkeypatch.setattr("steadyarm.live.http.routes.experiments.state_of", broken)
    answer = api("GET", "/v1/experiments/e")
    problem(answer, 500, "internal")
    assert "secret inside" not in answer.text
    assert "Traceback" not in answer.text


def test_the_password_of_a_database_is_never_shown(capsys):
    from steadyarm.live.storage.store import Store
    from steadyarm.live.storage.writer import Writer

    store = Store("postgresql://somebody:hunter2@127.0.0.1:9/none")
    assert "hunter2" not in str(store)
    assert "hunter2" not in str(Store("postgresql://somebody@127.0.0.1:9/none?password=hunter2"))
    writer = Writer(store, lambda *_: None, lambda *_: None)
    with pytest.raises(Exception, match="refused") as failed:
        writer.open()
    assert "hunter2" not in str(failed.value)
    writer._fault(failed.value)
    logged = capsys.readouterr().err
    assert "commit_failed" in logged
    assert "hunter2" not in logged
    store.close()
