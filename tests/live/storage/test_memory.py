"""What the writer has in memory: snapshots, imports, restarts."""

from tests.live.conftest import Api

from steadyarm.live.core import audit, replay
from steadyarm.live.storage import journal_files, recovery, transaction, writer


def watch_replays(monkeypatch):
    """The list of all entries that are replayed from now on."""
    replayed = []
    for module in (audit, recovery):
        monkeypatch.setattr(
            module, "replay", lambda *given: replayed.append(given[1]) or replay.replay(*given)
        )
    return replayed


def test_a_restart_goes_on_from_a_snapshot_and_from_none(open_api, monkeypatch):
    monkeypatch.setattr(transaction, "SNAPSHOT_EVERY", 7)
    api = open_api()
    api.create()
    for number in range(20):
        api.allocate(f"u{number}")
        if number % 2:
            api.report(f"u{number}", 1)
    expected = api.state()
    arms = api("GET", "/v1/experiments/e/arms").json()
    api.close()
    replayed = watch_replays(monkeypatch)
    for spoil in (
        None,
        "DELETE FROM snapshots",
        "UPDATE snapshots SET state = state || ' '",
        "UPDATE snapshots SET seq = 3",
    ):
        api = open_api()
        if spoil:
            with api.service.writer._connection.engine.begin() as connection:
                connection.exec_driver_sql(spoil)
        replayed.clear()
        assert api.state() == expected
        assert api("GET", "/v1/experiments/e/arms").json() == arms
        assert (len(replayed) == 0) == (spoil is None)  # a snapshot that does not fit is thrown away
        api.service.writer.memory.snapshots["e"] = 0  # have it kept anew
        api.close()


def test_a_server_that_is_killed_again_and_again_has_no_more_to_replay_each_time(open_api, monkeypatch):
    monkeypatch.setattr(transaction, "SNAPSHOT_EVERY", 7)
    monkeypatch.setattr(
        writer.Writer, "_leave", lambda self: self._connection.close()
    )  # killed: nothing is kept
    replayed, longest = watch_replays(monkeypatch), 0
    for start in range(6):
        api = open_api()
        if start == 0:
            api.create()
        for number in range(5):
            assert api.allocate(f"u{start}-{number}").status_code == 201
        api.close()
        longest = max(longest, len(replayed))
        replayed.clear()
    assert longest < 7 + 5


def test_an_imported_experiment_is_not_replayed_again(open_api, database, sqlite, tmp_path, monkeypatch):
    first = Api(f"{sqlite}-first")
    first.create()
    for number in range(20):
        first.allocate(f"u{number}")
        first.report(f"u{number}", number % 2)
    file = tmp_path / "e.ndjson"
    file.write_text(first("GET", "/v1/experiments/e/events").text)
    arms = first("GET", "/v1/experiments/e/arms").json()
    first.close()
    journal_files.import_file(file, database)
    replayed = watch_replays(monkeypatch)
    api = open_api()
    assert api("GET", "/v1/experiments/e/arms").json() == arms
    assert api.allocate("after").json()["round"] == 21
    assert replayed == []
