"""The health of stored experiments: known up to now for who asks, read in slices, and never in anybody's way."""

from steadyarm.live.analysis import monitor as module


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
