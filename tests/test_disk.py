import os

import pytest

from steadyarm.disk import sync_folder


def test_a_folder_is_synced_and_closed_even_when_the_disk_fails(tmp_path, monkeypatch):
    synced, closed, close = [], [], os.close

    def fail(handle):
        synced.append(handle)
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", fail)
    monkeypatch.setattr(os, "close", lambda handle: (closed.append(handle), close(handle)))
    with pytest.raises(OSError, match="no space left"):
        sync_folder(tmp_path)
    assert len(synced) == 1
    assert closed == synced
