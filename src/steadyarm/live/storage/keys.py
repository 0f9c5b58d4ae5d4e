"""The file of the key that signs anchors: made when first needed, and for its owner only."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from steadyarm.errors import InvalidInput
from steadyarm.live.core.anchors import SigningKey
from steadyarm.live.storage.store import Store


def key_path(store: Store, given: str = "") -> Path:
    """Return where a store's key is: as given, beside a SQLite store, or in the user's data folder."""
    if given:
        return Path(given)
    if store.path is not None:
        return store.path.with_name(store.path.name + ".key")
    from platformdirs import user_data_path

    return user_data_path("steadyarm") / "anchors.key"


def load_key(path: Path) -> SigningKey:
    """Return the key of a file, which is made if there is none."""
    try:
        return _made(path)
    except FileExistsError:
        return _read(path)


def rotate_key(path: Path) -> tuple[SigningKey, Path]:
    """Make a new key; returns it and the file to which the old one was moved."""
    old = load_key(path)
    kept = path.with_name(f"{path.name}.{old.id}")
    path.rename(kept)
    return _made(path), kept


def _made(path: Path) -> SigningKey:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    key = SigningKey.new()
    with open(file, "wb") as out:
        out.write(key.to_pem())
        out.flush()
        os.fsync(out.fileno())
    return key


def _read(path: Path) -> SigningKey:
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise InvalidInput(
            f"the key in {path} must be readable by its owner only, and others can read it. Make a new one with "
            "`steadyarm live keys --rotate` after `chmod 600`."
        )
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError):
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        raise InvalidInput(
            f"{path} must hold an Ed25519 key in PEM, without a password. Move it away, and a new one is made."
        )
    return SigningKey(private)
