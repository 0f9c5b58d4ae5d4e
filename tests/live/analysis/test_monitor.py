"""The health of stored experiments: known up to now for who asks, read in slices, and never in anybody's way."""

import time

import pytest
from tests.live.conftest import Api

from steadyarm.live import read_journal
from steadyarm.live.analysis import monitor as module


@pytest.fixture
def sqlite_api(sqlite):
    api = Api(sqlite)
    yield api
    api.close()


def run(api, units, first=0):
    for number in range(first, first + units):
        api.allocate(f"u{number}")
        api.report(f"u{number}", number % 2)


def health(api):
    return api("GET", "/v1/experiments/e/results").json()["health"]


def test_results_tell_the_health_up_to_the_last_entry(api):
    api.create()
    run(api, 8)
    api.allocate("waits")
    found = health(api)
    assert found["alarms"] == []
    assert found["seq"] == 2 + 17
    assert sum(arm["settled"] for arm in found["outcomes"]["arms"]) == 8
    assert sum(arm["waiting"] for arm in found["outcomes"]["arms"]) == 1
    run(api, 3, first=8)
    assert health(api)["seq"] == 2 + 17 + 6


def test_a_long_journal_is_read_in_slices_and_says_how_far(sqlite_api, monkeypatch):
    monkeypatch.setattr("steadyarm.live.http.monitoring._SLICE", 1)
    sqlite_api.create()
    run(sqlite_api, 20)
    summary = sqlite_api.service.writer.memory.published["e"]
    fresh = module.Monitor(sqlite_api.service.store)
    vitals = fresh.follow(summary, most=5)
    assert vitals.seq == 5
    assert "5 of 42 entries were looked at so far." in fresh.health("e")["words"]
    assert fresh.behind(summary)
    while fresh.behind(summary):
        fresh.follow(summary, most=5)
    assert fresh.health("e")["words"] == "No check has raised an alarm."
    assert fresh.health("e")["seq"] == 42


def test_the_service_reads_on_though_nobody_asks(sqlite_api):
    sqlite_api.create()
    run(sqlite_api, 5)
    until = time.monotonic() + 10.0
    while sqlite_api.service.monitor.health("e").get("seq") != 12:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_an_exported_journal_has_the_same_health(sqlite_api, tmp_path):
    sqlite_api.create()
    run(sqlite_api, 12)
    exported = tmp_path / "e.ndjson"
    exported.write_bytes(sqlite_api("GET", "/v1/experiments/e/events").content)
    assert read_journal(exported).results()["health"] == health(sqlite_api)


def test_metrics_tell_units_by_arm_and_outcome_and_alarms(sqlite_api, monkeypatch):
    sqlite_api.create()
    run(sqlite_api, 6)
    sqlite_api.allocate("waits")
    health(sqlite_api)
    lines = sqlite_api("GET", "/metrics").text.splitlines()
    units = [line for line in lines if line.startswith("steadyarm_experiment_units{")]
    assert len(units) == 3 * 4
    assert sum(float(line.rpartition(" ")[2]) for line in units) == 7
    assert sum(float(line.rpartition(" ")[2]) for line in units if '"outstanding"' in line) == 1
    assert 'steadyarm_experiment_alarm{check="drift",experiment="e"} 0.0' in lines
    assert 'steadyarm_experiment_state{experiment="e",state="running"} 1.0' in lines
    assert any(line.startswith("steadyarm_experiment_oldest_waiting_seconds{") for line in lines)
    assert "steadyarm_ready 1.0" in lines
    monkeypatch.setattr("steadyarm.live.http.monitoring.MOST_ARMS", 2)
    lines = sqlite_api("GET", "/metrics").text.splitlines()
    assert "steadyarm_experiments_left_out 1.0" in lines
    assert not any(line.startswith("steadyarm_experiment_units{") for line in lines)


def test_an_alarm_is_logged_once(monkeypatch):
    from steadyarm.live.http import monitoring

    lines, raised = [], {}
    monkeypatch.setattr(monitoring, "log", lambda *words, **members: lines.append((words, members)))
    monitoring._tell("e", [], raised)
    monitoring._tell("e", ["drift"], raised)
    monitoring._tell("e", ["drift", "outcomes"], raised)
    assert [members["check"] for _, members in lines] == ["drift", "outcomes"]
