"""Backups of SQLite, back in place and where nothing can be written; whatever is written out is private."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from tests.live.conftest import Api
from tests.live.damage import tamper
from tests.live.server import run_live

from steadyarm.live.storage import backup

NOBODY = 65534


def move_away(folder):
    (folder / "old").mkdir()
    for path in folder.glob("live.db*"):
        path.rename(folder / "old" / path.name)


def refused(*words):
    done = run_live(*words, check=False)
    assert done.exit_code == 2, done.stdout
    [said] = [line for line in done.stderr.splitlines() if not line.startswith("{")]  # what servers here log
    return said


def test_a_restored_backup_goes_on_from_its_moment_with_its_tokens(filled, sqlite, tmp_path):
    first, token = filled
    move_away(tmp_path)
    said = run_live("restore", str(tmp_path / "copy.db"), "--database", sqlite).stderr
    assert said.splitlines() == [f"wrote {tmp_path}/live.db.tokens", f"wrote {tmp_path}/live.db"]
    for path in tmp_path.glob("live.db*"):
        assert path.stat().st_mode & 0o077 == 0, path
    api = Api(sqlite)
    try:
        assert api("PUT", "/v1/experiments/e/allocations/u1", token=token).json() == first
        assert api.allocate("u2").status_code == 201  # it was given out after the backup
    finally:
        api.close()
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("left", ["live.db", "live.db-wal", "live.db-shm"])
@pytest.mark.usefixtures("filled")
def test_a_restore_refuses_what_an_old_store_has_left(sqlite, tmp_path, left):
    move_away(tmp_path)
    (tmp_path / left).write_bytes(b"old")
    said = refused("restore", str(tmp_path / "copy.db"), "--database", sqlite)
    assert f"{left} exists" in said
    assert "move live.db to another folder" in said
    assert (tmp_path / left).read_bytes() == b"old"
    assert not (tmp_path / "live.db.tokens").exists()


@pytest.mark.usefixtures("filled")
def test_a_restore_keeps_tokens_that_are_there(sqlite, tmp_path):
    move_away(tmp_path)
    run_live("token", "--database", sqlite, "--scope", "read", "--label", "newer")
    run_live("restore", str(tmp_path / "copy.db"), "--database", sqlite)
    assert "newer" in run_live("token", "--database", sqlite, "--list").stdout


@pytest.mark.usefixtures("filled")
def test_a_restore_refuses_while_a_server_runs(sqlite, tmp_path):
    api = Api(sqlite)
    try:
        (tmp_path / "live.db").rename(tmp_path / "old.db")
        said = refused("restore", str(tmp_path / "copy.db"), "--database", sqlite)
    finally:
        api.close()
    assert "Stop that server first" in said


@pytest.mark.usefixtures("filled")
def test_a_broken_backup_is_not_restored(sqlite, tmp_path):
    move_away(tmp_path)
    tamper(f"sqlite:///{tmp_path}/copy.db", "DELETE FROM journal WHERE seq = 2")
    assert "broken at entry 2" in refused("restore", str(tmp_path / "copy.db"), "--database", sqlite)
    assert sorted(path.name for path in tmp_path.glob("live.db*")) == ["live.db.lock"]


@pytest.mark.usefixtures("filled")
def test_half_a_restore_is_none(sqlite, tmp_path, monkeypatch):
    move_away(tmp_path)

    def fails(_source, target):
        target.write_bytes(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(backup, "_copy", fails)
    with pytest.raises(OSError, match="No space"):
        backup.restore(tmp_path / "copy.db", sqlite)
    assert sorted(path.name for path in tmp_path.glob("live.db*")) == ["live.db.lock"]


@pytest.mark.usefixtures("filled")
def test_what_is_no_backup_of_sqlite_is_refused_with_the_way_out(sqlite, tmp_path):
    journal = str(tmp_path / "journal.ndjson")
    run_live("export", "--database", sqlite, "--out", journal)
    assert "no backup at" in refused("restore", str(tmp_path / "none.db"), "--database", sqlite)
    assert "steadyarm live import" in refused("restore", journal, "--database", sqlite)
    assert "steadyarm live import" in refused("restore", journal, "--database", "postgresql://127.0.0.1:9/x")
    assert f"--database sqlite:///{tmp_path}/copy.db" in refused("verify", str(tmp_path / "copy.db"))


def test_a_copy_of_the_file_alone_lacks_entries_and_only_the_head_shows_it(sqlite, tmp_path):
    api = Api(sqlite)
    api.create()
    api.allocate("u1")
    api.close()
    api = Api(sqlite)
    try:
        api.allocate("u2")  # acknowledged, and in the log that `cp` leaves behind
        shutil.copy(tmp_path / "live.db", tmp_path / "copied.db")
        head = api.state()["hash"]
    finally:
        api.close()
    words = ["verify", "--database", f"sqlite:///{tmp_path}/copied.db"]
    assert "e: 3 entries, 1 decision replayed" in run_live(*words).stdout
    assert run_live(*words, "--head", head, check=False).exit_code == 1


@contextlib.contextmanager
def read_only(*files):
    """Yield a folder with these files in which nothing can be written while the block runs, by root neither."""
    folder = Path(tempfile.mkdtemp())
    for file in files:
        shutil.copy(file, folder)
        (folder / Path(file).name).chmod(0o444)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.usefixtures("filled")
def test_a_backup_on_read_only_media_is_verified_exported_copied_and_restored(tmp_path):
    run_live("verify", "--database", f"sqlite:///{tmp_path}/copy.db")  # loads what is loaded on first use
    with read_only(tmp_path / "copy.db") as folder, tempfile.TemporaryDirectory() as elsewhere:
        media = f"sqlite:///{folder}/copy.db"
        assert "e: 3 entries, 1 decision replayed" in run_live("verify", "--database", media).stdout
        run_live("export", "--database", media, "--out", f"{elsewhere}/journal.ndjson")
        run_live("backup", "--database", media, f"{elsewhere}/again.db")
        run_live("restore", f"{folder}/copy.db", "--database", f"sqlite:///{elsewhere}/live.db")
        for copy in ("again", "live"):
            assert "3 entries" in run_live("verify", "--database", f"sqlite:///{elsewhere}/{copy}.db").stdout
        assert [path.name for path in folder.iterdir()] == ["copy.db"]


def test_a_log_that_cannot_be_read_on_read_only_media_is_not_passed_over(sqlite, tmp_path):
    api = Api(sqlite)
    api.create()
    try:
        files = [tmp_path / f"live.db{end}" for end in ("", "-wal", "-shm")]
        for words in (["verify"], ["export"], ["backup", f"{tempfile.gettempdir()}/never-written.db"]):
            with read_only(*files[:2]) as folder:
                said = refused(*words, "--database", f"sqlite:///{folder}/live.db")
            assert "live.db-wal holds entries" in said
            assert "Copy live.db and live.db-wal to another folder" in said
        with read_only(*files) as folder:  # with its index SQLite reads it
            assert "2 entries" in run_live("verify", "--database", f"sqlite:///{folder}/live.db").stdout
    finally:
        api.close()
