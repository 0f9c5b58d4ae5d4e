"""What is to outlast a loss of power."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on the disk too, where a folder can be opened."""
    if os.name == "nt":  # which has no way to, and does so by itself
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
