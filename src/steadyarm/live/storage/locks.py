"""A lock on a file, held for life, so that no second server writes the same store."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from steadyarm.errors import SteadyarmError

SELF_LOCKING = sys.platform == "linux"
"""Whether a SQLite database can be locked itself: elsewhere that lock and SQLite's own get in each other's way."""


class StoreLocked(SteadyarmError):
    """Another process has the store."""


class StoreMoved(SteadyarmError):
    """The file of the store is no longer where it was."""


class FileLock:
    """An exclusive lock of the operating system; it goes when the process does, however it dies.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "store.lock"
    >>> lock = FileLock(path)
    >>> FileLock(path)
    Traceback (most recent call last):
    ...
    steadyarm.live.storage.locks.StoreLocked: another process holds ...store.lock. Stop that server first.
    >>> lock.release()
    """

    def __init__(self, path: Path) -> None:
        # The file stays when the lock goes: to delete it would let two processes lock two files of one name.
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(self._file)
        except OSError:
            # It is not closed here: to close any file of a SQLite database drops SQLite's own locks in this process.
            raise StoreLocked(f"another process holds {path}. Stop that server first.") from None

    def release(self) -> None:
        """Give the lock back."""
        os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
