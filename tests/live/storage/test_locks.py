"""Locks of files: they go with their process."""

import subprocess
import sys

import pytest

from steadyarm.live.storage import store
from steadyarm.live.storage.locks import FileLock, StoreLocked


def test_the_lock_outlives_nothing(sqlite):
    first = store.Store(sqlite)
    first.lock()
    with pytest.raises(StoreLocked):
        store.Store(sqlite).lock()
    first.close()
    second = store.Store(sqlite)
    second.lock()
    second.close()


def test_a_lock_is_held_by_one_until_it_is_given_back(tmp_path):
    path = tmp_path / "store.lock"
    lock = FileLock(path)
    with pytest.raises(StoreLocked, match="another process holds"):
        FileLock(path)
    lock.release()
    assert path.exists()
    FileLock(path).release()


def test_a_lock_goes_with_its_process_however_that_ends(tmp_path):
    path = tmp_path / "store.lock"
    imports = "import os, pathlib, sys; from steadyarm.live.storage.locks import FileLock"
    words = f"{imports}; lock = FileLock(pathlib.Path(sys.argv[1])); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", words, str(path)], check=False).returncode == 9
    FileLock(path).release()
