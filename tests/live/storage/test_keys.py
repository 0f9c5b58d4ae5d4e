"""The file of the signing key: made once, for its owner only, replaced without losing the old one."""

import stat

import pytest

from steadyarm.errors import InvalidInput
from steadyarm.live.storage.keys import key_path, load_key, rotate_key
from steadyarm.live.storage.store import Store


def test_a_key_is_made_once_and_for_its_owner_only(tmp_path):
    path = tmp_path / "new" / "live.db.key"
    made = load_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_key(path).public == made.public


def test_a_rotated_key_is_another_and_the_old_one_is_kept(tmp_path):
    path = tmp_path / "key"
    old = load_key(path)
    new, kept = rotate_key(path)
    assert new.id != old.id
    assert load_key(path).id == new.id
    assert load_key(kept).id == old.id


def test_a_key_that_others_can_read_is_refused(tmp_path):
    path = tmp_path / "key"
    load_key(path)
    path.chmod(0o644)
    with pytest.raises(InvalidInput, match="chmod 600"):
        load_key(path)


@pytest.mark.parametrize("content", [b"", b"-----BEGIN PRIVATE KEY-----", b"\xff\xfe"])
def test_a_file_that_holds_no_key_is_refused_and_not_overwritten(tmp_path, content):
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(InvalidInput, match="Ed25519"):
        load_key(path)
    assert path.read_bytes() == content


def test_the_key_of_a_store_is_beside_it_unless_told_otherwise(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/live.db")
    assert key_path(store) == tmp_path / "live.db.key"
    assert key_path(store, "elsewhere").name == "elsewhere"
    assert key_path(Store("postgresql://host/name")).name == "anchors.key"
