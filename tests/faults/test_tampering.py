"""Flip, delete or swap any entry, in the database itself or in an exported file: `verify` names it."""

import json
from contextlib import closing

import pytest
import sqlalchemy as sql

from steadyarm.live.core.journal import Broken, canonical, digest
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.verification import verify, verify_stored
from tests.live.conftest import Api
from tests.live.server import run_live

TRIGGERS = {
    "sqlite": ["DROP TRIGGER journal_refuses_update", "DROP TRIGGER journal_refuses_delete"],
    "postgresql": ["DROP TRIGGER journal_refuses_changes ON journal"],
}


@pytest.fixture
def filled(database):
    """A store with every kind of entry; returns its URL."""
    api = Api(database)
    api.create("other")
    api.create("e")
    for number in range(6):
        api.allocate(f"u{number}")
    api.report("u1", 1)
    api.void("u0", "lost – for ever")
    api.report("u5", 0)
    api("POST", "/v1/experiments/e/pause")
    api("POST", "/v1/experiments/e/close")
    api.close()
    return database


class Vandal:
    """Somebody with the database's password, who drops the triggers and changes rows."""

    def __init__(self, url):
        with closing(Store(url)) as store:
            self.engine = sql.create_engine(store.url)
        with self.engine.begin() as connection:
            for statement in TRIGGERS[connection.dialect.name]:
                connection.exec_driver_sql(statement)
            rows = connection.execute(
                sql.text(
                    "SELECT journal.* FROM journal JOIN experiments ON id = experiment WHERE name = 'e' "
                    "ORDER BY journal.seq"
                )
            )
            self.rows = [dict(row) for row in rows.mappings()]

    def write(self, rows):
        """Have these rows in the place of the journal."""
        with self.engine.begin() as connection:
            identity = {"experiment": self.rows[0]["experiment"]}
            connection.execute(sql.text("DELETE FROM journal WHERE experiment = :experiment"), identity)
            connection.execute(
                sql.text(
                    "INSERT INTO journal (experiment, seq, kind, unit, body, hash) "
                    "VALUES (:experiment, :seq, :kind, :unit, :body, :hash)"
                ),
                rows,
            )


def named(url):
    with closing(Store(url)) as store, pytest.raises(Broken) as found:
        verify_stored(store, "e")
    return found.value.seq


def flipped(text, place):
    return text[:place] + ("x" if text[place] != "x" else "y") + text[place + 1 :]


@pytest.mark.slow
def test_whatever_is_done_to_an_entry_of_the_database_is_named(filled):
    vandal = Vandal(filled)
    rows, count = vandal.rows, len(vandal.rows)
    assert count == 13
    try:
        for place in range(count):
            row = rows[place]
            changes = [
                {"body": flipped(row["body"], len(row["body"]) * part // 7)} for part in range(1, 7)
            ] + [{"hash": flipped(row["hash"], 5)}, {"kind": "resumed"}, {"unit": "somebody"}, {"seq": 99}]
            for change in changes:
                vandal.write([*rows[:place], row | change, *rows[place + 1 :]])
                assert named(filled) == place + 1, change
            vandal.write(rows[:place] + rows[place + 1 :])
            assert named(filled) == place + 1
            for other in range(place + 1, count):  # their contents change places
                swapped = list(rows)
                swapped[place] = rows[other] | {"seq": rows[place]["seq"]}
                swapped[other] = rows[place] | {"seq": rows[other]["seq"]}
                vandal.write(swapped)
                assert named(filled) == place + 1
        vandal.write(rows)
        with closing(Store(filled)) as store:
            assert verify_stored(store, "e")["entries"] == count
            assert verify_stored(store, "other")["entries"] == 2
    finally:
        vandal.engine.dispose()


def verdict(file, *words):
    done = run_live("verify", str(file), "--json", *words, check=False)
    said = json.loads(done.stdout)
    assert done.exit_code == (0 if said["valid"] else 1)
    return said


def test_whatever_is_done_to_a_line_of_an_exported_file_is_named(filled, tmp_path):
    file = tmp_path / "journal.ndjson"
    run_live("export", "e", "--database", filled, "--out", str(file))
    lines = file.read_text().splitlines(keepends=True)
    head = json.loads(lines[-1])["hash"]
    assert verdict(file, "--head", head)["valid"]

    def named(changed):
        file.write_text("".join(changed))
        with pytest.raises(Broken) as found:
            verify(file, "", [], head)
        return found.value.seq

    for place, line in enumerate(lines):
        for at in range(0, len(line) - 1, 1 + len(line) // 30):
            changed = flipped(line, at)
            assert named([*lines[:place], changed, *lines[place + 1 :]]) == place + 1, changed
        assert named(lines[:place] + lines[place + 1 :]) == place + 1
        other = (place + 3) % len(lines)
        swapped = list(lines)
        swapped[place], swapped[other] = lines[other], line
        assert named(swapped) == min(place, other) + 1


def test_an_entry_that_is_said_to_be_of_another_experiment_is_named(filled, tmp_path):
    file = tmp_path / "journals.ndjson"
    run_live("export", "--database", filled, "--out", str(file))
    lines = file.read_text().splitlines(keepends=True)
    assert verdict(file)["valid"]
    moved = [
        line.replace('"experiment":"e"', '"experiment":"f"') if number == 7 else line
        for number, line in enumerate(lines)
    ]
    file.write_text("".join(moved))
    said = verdict(file)
    assert (said["valid"], said["experiment"], said["seq"]) == (False, "e", 8)


@pytest.mark.parametrize(("old", "new"), [(b'"at":"2', b'"at":"\xb2'), (b'"at":', b'"at":"never","at":')])
def test_a_byte_that_is_no_text_or_a_member_twice_is_named(filled, tmp_path, old, new):
    file = tmp_path / "journal.ndjson"
    run_live("export", "e", "--database", filled, "--out", str(file))
    lines = file.read_bytes().splitlines(keepends=True)
    assert old in lines[6]
    lines[6] = lines[6].replace(old, new)
    file.write_bytes(b"".join(lines))
    assert verdict(file)["seq"] == 7


def test_a_cut_of_the_end_together_with_the_head_is_found_by_a_hash_kept_elsewhere(filled):
    vandal = Vandal(filled)
    kept = vandal.rows[-1]["hash"]
    with vandal.engine.begin() as connection:
        connection.execute(sql.text("DELETE FROM journal WHERE hash = :hash"), {"hash": kept})
        connection.execute(
            sql.text("UPDATE experiments SET seq = seq - 1, hash = :hash WHERE name = 'e'"),
            {"hash": vandal.rows[-2]["hash"]},
        )
    vandal.engine.dispose()
    words = ["verify", "--database", filled, "--experiment", "e", "--json"]
    assert json.loads(run_live(*words).stdout)["valid"]
    said = json.loads(run_live(*words, "--head", kept, check=False).stdout)
    assert (said["valid"], said["seq"]) == (False, 13)


def test_a_consistent_rewrite_of_the_whole_chain_is_found_by_a_hash_kept_elsewhere(filled, tmp_path):
    """Somebody changes the last reward, plays by the rules from there on, and computes every hash anew."""
    vandal = Vandal(filled)
    kept, previous, forged = vandal.rows[-1]["hash"], None, []
    for row in vandal.rows:
        entry = json.loads(row["body"])
        entry["previous"] = previous or entry["previous"]
        if row["unit"] == "u5" and row["kind"] == "rewarded":
            entry["reward"] = 1.0 - entry["reward"]
        body = canonical(entry)
        previous = digest(body)
        forged.append(row | {"body": body, "hash": previous})
    vandal.write(forged)
    with vandal.engine.begin() as connection:
        connection.execute(
            sql.text("UPDATE experiments SET hash = :hash WHERE name = 'e'"), {"hash": previous}
        )
    vandal.engine.dispose()
    assert previous != kept
    file = tmp_path / "forged.ndjson"
    run_live("export", "e", "--database", filled, "--out", str(file))
    for words in ([str(file)], ["--database", filled, "--experiment", "e"]):
        assert json.loads(run_live("verify", *words, "--json").stdout)["valid"]
        said = json.loads(run_live("verify", *words, "--head", kept, "--json", check=False).stdout)
        assert not said["valid"]
