"""Anchors: what a key has signed, and journals that are not what was anchored."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyarm.errors import InvalidInput
from steadyarm.live.core.anchors import Anchors, SigningKey
from steadyarm.live.core.journal import Broken, Row, canonical

KEY, OTHER = SigningKey.new(), SigningKey.new()
AT = "2026-11-15T09:30:00.125Z"
ROWS = [Row(seq, "allocated", None, "{}", f"{seq:064x}") for seq in range(1, 8)]


def anchored(*heads, key=KEY, keys=(KEY.public,)):
    found = Anchors(keys)
    found.read(key.anchor("e", seq, hash_, AT) for seq, hash_ in heads)
    return found


def test_a_journal_goes_through_all_its_anchors():
    found = anchored((2, ROWS[1].hash), (5, ROWS[4].hash), (2, ROWS[1].hash))
    assert list(found.check("e", ROWS)) == ROWS
    assert found.covered("e", 7) == {"anchors": 3, "seq": 5, "at": AT, "key": KEY.id, "entries_after": 2}
    assert found.covered("another", 7) is None


@pytest.mark.parametrize(
    ("head", "said"), [((3, "f" * 64), "not the entry"), ((9, "f" * 64), "missing at the end")]
)
def test_a_journal_that_does_not_is_broken_there(head, said):
    with pytest.raises(Broken, match=said) as broken:
        list(anchored((2, ROWS[1].hash), head).check("e", ROWS))
    assert broken.value.seq == head[0]


def test_two_anchors_of_one_entry_cannot_both_hold():
    with pytest.raises(Broken):
        list(anchored((2, ROWS[1].hash), (2, "f" * 64)).check("e", ROWS))


def test_an_experiment_that_was_anchored_must_be_there():
    found = anchored((2, ROWS[1].hash))
    found.check_names(["e", "f"])
    with pytest.raises(Broken, match="no such experiment"):
        found.check_names(["f"])


@given(st.sampled_from(["experiment", "seq", "hash", "at", "software"]))
def test_whatever_is_changed_in_an_anchor_its_signature_no_longer_holds(member):
    said = json.loads(KEY.anchor("e", 2, ROWS[1].hash, AT))
    said[member] = 3 if member == "seq" else "changed"
    with pytest.raises(Broken, match="bad signature"):
        Anchors([KEY.public]).read([canonical(said)])


def test_anchors_of_other_keys_and_half_lines_are_counted_and_decide_nothing():
    found = Anchors([KEY.public])
    good = KEY.anchor("e", 2, ROWS[1].hash, AT)
    lines = [good, OTHER.anchor("e", 2, "f" * 64, AT), good[:50], "", "[]", "null", "1", "[" * 100_000, "{}"]
    found.read(lines)
    assert (len(found.heads["e"]), found.of_other_keys, found.unreadable) == (1, 1, 6)
    assert list(found.check("e", ROWS)) == ROWS


def test_after_a_rotation_both_keys_count():
    found = anchored((2, ROWS[1].hash), keys=(KEY.public, OTHER.public))
    found.read([OTHER.anchor("e", 4, ROWS[3].hash, AT)])
    assert found.covered("e", 7)["seq"] == 4
    assert found.covered("e", 7)["key"] == OTHER.id


def test_an_anchor_is_no_journal_entry_and_no_entry_an_anchor():
    said = json.loads(KEY.anchor("e", 2, ROWS[1].hash, AT))
    del said["kind"]
    found = Anchors([KEY.public])
    found.read([canonical(said), canonical(said | {"kind": "allocated"})])
    assert found.unreadable == 2


@pytest.mark.parametrize("wrong", ["", "abc", "zz" * 32, "ab" * 31])
def test_a_public_key_has_64_digits(wrong):
    with pytest.raises(InvalidInput, match="64 hexadecimal digits"):
        Anchors([wrong])


def test_half_a_character_in_an_anchor_makes_it_unreadable():
    found = Anchors([KEY.public])
    found.read([KEY.anchor("e", 2, ROWS[1].hash, AT).replace('"e"', r'"\ud800"')])
    assert (found.unreadable, found.heads) == (1, {})
