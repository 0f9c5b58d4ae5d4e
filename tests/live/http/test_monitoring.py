"""Health while the service runs: journals are read unasked, metrics tell it, an alarm is logged once."""

import time

from tests.live.analysis.test_monitor import health, run


def test_the_service_reads_on_though_nobody_asks(sqlite_api):
    sqlite_api.create()
    run(sqlite_api, 5)
    until = time.monotonic() + 10.0
    while sqlite_api.service.monitor.health("e").get("seq") != 12:
        assert time.monotonic() < until
        time.sleep(0.05)


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
    assert 'steadyarm_experiment_alarm{check="silence",experiment="e"} 0.0' in lines
    assert 'steadyarm_experiment_silent_arms{experiment="e"} 0.0' in lines
    assert 'steadyarm_experiment_state{experiment="e",state="running"} 1.0' in lines
    assert any(line.startswith("steadyarm_experiment_oldest_waiting_seconds{") for line in lines)
    assert "steadyarm_ready 1.0" in lines
    monkeypatch.setattr("steadyarm.live.http.monitoring.MOST_ARMS", 2)
    lines = sqlite_api("GET", "/metrics").text.splitlines()
    assert "steadyarm_experiments_left_out 1.0" in lines
    assert not any(line.startswith("steadyarm_experiment_units{") for line in lines)


def test_metrics_count_arms_that_nobody_hears_of(sqlite_api):
    sqlite_api.create()
    for number in range(33):
        unit, arm = f"u{number}", sqlite_api.allocate(f"u{number}").json()["arm"]
        if arm != "b":
            sqlite_api("PUT", f"/v1/experiments/e/allocations/{unit}/reward", {"reward": 1.0})
    assert health(sqlite_api)["silence"]["silent"] == ["b"]
    lines = sqlite_api("GET", "/metrics").text.splitlines()
    assert 'steadyarm_experiment_silent_arms{experiment="e"} 1.0' in lines


def test_an_alarm_is_logged_once(monkeypatch):
    from steadyarm.live.http import monitoring

    lines, raised = [], {}
    monkeypatch.setattr(monitoring, "log", lambda *words, **members: lines.append((words, members)))
    monitoring._tell("e", [], raised)
    monitoring._tell("e", ["drift"], raised)
    monitoring._tell("e", ["drift", "outcomes"], raised)
    assert [members["check"] for _, members in lines] == ["drift", "outcomes"]
