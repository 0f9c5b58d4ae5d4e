"""The chain: what was written is what is there, and whatever was tampered with is named."""

import contextlib
import json
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.live.conftest import Api, problem
from tests.live.server import CONFIGURATION

from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, canonical, digest, line, rows_of_lines
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.storage import backup

AT = "2026-01-01T00:00:00.000Z"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(JSON)
def test_canonical_text_is_a_fixed_point(value):
    assert canonical(json.loads(canonical(value))) == canonical(value)


def written(units=12):
    """A journal with every kind of entry."""
    configuration = CONFIGURATION | {"arms": ["blue", "grün", 'a "b" \\'], "seed": 7}
    experiment, first = Experiment.create(1, "e", resolve(requested(configuration)), AT)
    rows = [first, experiment.move("started", AT)]
    for number in range(units):
        row, unit = experiment.allocate(f"u{number}", AT)
        rows.append(row)
        if number % 3 == 0:
            rows.append(experiment.reward(f"u{number}", unit, float(number % 2), AT)[0])
        if number % 3 == 1:
            rows.append(experiment.void(f"u{number}", unit, "lost – for ever", AT)[0])
    rows += [experiment.move("paused", AT), experiment.move("closed", AT)]
    return rows


ROWS = written()


def test_every_entry_is_canonical_and_hashed():
    for row in ROWS:
        assert canonical(json.loads(row.body)) == row.body
        assert digest(row.body) == row.hash


def test_lines_are_read_back_as_they_were():
    assert [row for _, row in rows_of_lines(line(row) for row in ROWS)] == ROWS


def broken_at(rows, **end):
    with pytest.raises(Broken) as found:
        verify_rows("e", rows, **end)
    return found.value.seq


places = st.integers(0, len(ROWS) - 1)


def chained(entries):
    """Lines of entries as a forger would write them: with a perfect chain."""
    previous = "0" * 64
    for entry in entries:
        body = canonical(entry | {"previous": previous})
        previous = digest(body)
        yield f'{body[:-1]},"hash":"{previous}"}}'


@given(
    st.integers(1, len(ROWS) - 1),
    st.sampled_from(["kind", "unit", "arm", "round", "reward", "seq"]),
    st.sampled_from([None, [], {}, "x", -1, 1e300, ["a"], True]),
)
def test_whatever_a_forger_writes_is_a_broken_journal_and_no_defect(place, member, value):
    entries = [json.loads(row.body) for row in ROWS]
    entries[place][member] = value
    with contextlib.suppress(Broken):  # some of it is as good as what was there
        verify_rows("e", [row for _, row in rows_of_lines(chained(entries))])


def test_a_defect_of_ours_is_not_taken_for_a_broken_journal(monkeypatch):
    def wrong(*_):
        raise TypeError("a bug of ours")

    monkeypatch.setattr(Experiment, "settle", wrong)
    with pytest.raises(TypeError, match="a bug of ours"):
        verify_rows("e", ROWS)


@given(places, st.data())
def test_a_flipped_character_is_named(place, data):
    row = ROWS[place]
    at = data.draw(st.integers(0, len(row.body) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126).filter(lambda c: c != row.body[at]))
    body = row.body[:at] + other + row.body[at + 1 :]
    assert broken_at([*ROWS[:place], row._replace(body=body), *ROWS[place + 1 :]]) == place + 1
    hashed = [*ROWS[:place], row._replace(body=body, hash=digest(body)), *ROWS[place + 1 :]]
    # With its hash made anew the entry itself may pass, but then its successor does not follow on it.
    last = {"seq": len(ROWS), "hash_": ROWS[-1].hash}
    assert broken_at(hashed, **last) in (place + 1, min(place + 2, len(ROWS)))


@given(places)
def test_a_deleted_entry_is_named(place):
    last = {"seq": len(ROWS), "hash_": ROWS[-1].hash}
    assert broken_at(ROWS[:place] + ROWS[place + 1 :], **last) == place + 1


@given(places, places)
def test_swapped_entries_are_named(one, other):
    if one == other:
        return
    rows = list(ROWS)
    rows[one], rows[other] = rows[other], rows[one]
    assert broken_at(rows) == min(one, other) + 1
    contents = list(ROWS)  # the texts change places, the numbers stay
    contents[one] = ROWS[other]._replace(seq=one + 1)
    contents[other] = ROWS[one]._replace(seq=other + 1)
    assert broken_at(contents) == min(one, other) + 1


def rechained(entries):
    """A forger's journal: every hash and every link made anew."""
    previous, rows = "0" * 64, []
    for row in entries:
        entry = json.loads(row.body) | {"previous": previous}
        body = canonical(entry)
        previous = digest(body)
        rows.append(row._replace(body=body, hash=previous))
    return rows


@settings(max_examples=30)
@given(st.sampled_from([row.seq for row in ROWS if row.kind == "allocated"]))
def test_a_forged_decision_is_found_by_the_replay_even_with_a_perfect_chain(seq):
    assert verify_rows("e", rechained(ROWS))[0]["entries"] == len(ROWS)
    entry = json.loads(ROWS[seq - 1].body)
    arms = json.loads(ROWS[0].body)["configuration"]["arms"]
    entry["arm"] = next(arm for arm in arms if arm != entry["arm"])
    forged = list(ROWS)
    forged[seq - 1] = ROWS[seq - 1]._replace(body=canonical(entry))
    assert broken_at(rechained(forged)) == seq


def test_half_a_backup_is_none(sqlite, tmp_path):
    (tmp_path / "live.db").write_text("this is no database" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        backup.backup(sqlite, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


def tamper(path, statement, *values):
    """Change a SQLite journal behind the service's back."""
    with sqlite3.connect(path) as connection:
        names = [
            row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        ]
        assert len(names) == 2
        for name in names:
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(statement, values).rowcount == 1
    connection.close()


@pytest.mark.parametrize("seq", [1, 2, 4, 8, 22])
@pytest.mark.parametrize("how", ["flip", "delete"])
def test_verify_names_the_entry_that_was_tampered_with_in_the_store(sqlite, tmp_path, seq, how):
    api = Api(sqlite)
    api.create()
    for number in range(10):
        api.allocate(f"u{number}")
        api.report(f"u{number}", 1)
    assert api("GET", "/v1/experiments/e/verify").status_code == 200
    api.close()
    if how == "delete":
        tamper(tmp_path / "live.db", "DELETE FROM journal WHERE seq = ?", seq)
    else:
        tamper(
            tmp_path / "live.db", "UPDATE journal SET body = replace(body, 'Z\"', 'X\"') WHERE seq = ?", seq
        )
    api = Api(sqlite)
    try:
        assert problem(api("GET", "/v1/experiments/e/verify"), 409, "chain_broken")["seq"] == seq
    finally:
        api.close()


def test_a_damaged_experiment_takes_no_more_and_the_others_go_on(sqlite, tmp_path):
    api = Api(sqlite)
    api.create("bad")
    api.create("good")
    api.allocate("u", "bad")
    api.close()
    tamper(tmp_path / "live.db", "DELETE FROM journal WHERE experiment = 1 AND seq = 3")
    api = Api(sqlite)
    try:
        problem(api.allocate("u", "bad"), 503, "damaged")
        assert api.allocate("u", "good").status_code == 201
        states = {
            each["experiment"]: each["state"] for each in api("GET", "/v1/experiments").json()["experiments"]
        }
        assert states == {"bad": "damaged", "good": "running"}
    finally:
        api.close()


def test_half_a_character_in_a_file_is_no_entry():
    text = line(written()[4]).replace('"u1"', r'"\ud800"')
    assert r'"\ud800"' in text
    with pytest.raises(Broken, match="line 1 is not a journal entry"):
        list(rows_of_lines([text]))
