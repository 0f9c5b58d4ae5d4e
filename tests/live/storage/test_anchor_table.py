"""Anchors in a table."""

from tests.live.storage.test_anchor_targets import anchor, heads

from steadyarm.live.storage.anchor_targets import target_of


def test_a_second_database_keeps_them(tmp_path, store, database):
    url = database if database.startswith("postgresql") else f"sqlite:///{tmp_path}/second.db"
    target = target_of(url, store)
    target.send(*anchor(4))
    target.send(*anchor(5))
    assert heads(url) == [4, 5]
