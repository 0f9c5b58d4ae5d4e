"""A journal in Python: an exported file answers as the service does."""

from tests.live.analysis.test_monitor import health, run

from steadyarm.live import read_journal


def test_an_exported_journal_has_the_same_health(sqlite_api, tmp_path):
    sqlite_api.create()
    run(sqlite_api, 12)
    exported = tmp_path / "e.ndjson"
    exported.write_bytes(sqlite_api("GET", "/v1/experiments/e/events").content)
    assert read_journal(exported).results()["health"] == health(sqlite_api)
