"""Journals as files: half an export is none, and what is written is for its owner."""

import stat

import pytest
from tests.live.server import run_live

from steadyarm.live.storage import backup, journal_files, queries


def test_half_an_export_is_none(api, database, tmp_path, monkeypatch):
    api.create()
    rows = queries.all_rows

    def fails(*words):
        yield next(rows(*words))
        raise OSError("No space left on device")

    monkeypatch.setattr(queries, "all_rows", fails)
    out = tmp_path / "journal.ndjson"
    writing = [lambda: journal_files.export(database, ["e"], out)]
    if not database.startswith("sqlite"):  # a backup is an export there
        writing.append(lambda: backup.backup(database, out))
    for write in writing:
        with pytest.raises(OSError, match="No space"):
            write()
        assert not out.exists()  # it would verify, and lack its end


@pytest.mark.usefixtures("filled")
def test_an_export_is_for_its_owner_only_and_a_file_of_before_keeps_its_rights(sqlite, tmp_path):
    out = tmp_path / "journal.ndjson"
    run_live("export", "--database", sqlite, "--out", str(out))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    out.chmod(0o640)  # somebody let the auditors read it
    run_live("export", "--database", sqlite, "--out", str(out))
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
