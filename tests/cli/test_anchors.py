"""`steadyarm live keys` and `verify --anchors`: a history that was rewritten by all its rules is found."""

import json

import pytest
from tests.live.conftest import Api
from tests.live.server import run_live

from steadyarm.live.core.journal import canonical, digest
from steadyarm.live.storage.keys import load_key


@pytest.fixture
def filled(tmp_path):
    """Return a store of two experiments with their anchors; of `e` entry 7 of 8 is the last that is anchored."""
    url = f"sqlite:///{tmp_path}/live.db"
    api = Api(url)
    for name in ("e", "f"):
        api.create(name)
        for number in range(3):
            api.allocate(f"u{number}", name)
            api.report(f"u{number}", 0, name)
    key, path = load_key(tmp_path / "live.db.key"), tmp_path / "anchors"
    lines = []
    for name, last in (("e", 7), ("f", 8)):
        events = api.events(name)
        heads = [(events[seq - 1]["hash"], seq, events[seq - 1]["at"]) for seq in (1, 4, last)]
        lines += [key.anchor(name, seq, hash_, at) for hash_, seq, at in heads]
    path.write_text("\n".join(lines) + "\n")
    api.close()
    return url, path, key


def verify(*words, check=True):
    return json.loads(run_live("verify", *words, "--json", check=check).stdout)


def forged(url, tmp_path):
    """Return a file of the journals, the last reward of each changed and every hash after it computed anew."""
    file = tmp_path / "forged.ndjson"
    run_live("export", "--database", url, "--out", str(file))
    lines, previous = [], None
    for line in file.read_text().splitlines():
        entry = json.loads(line)
        del entry["hash"]
        entry["previous"] = entry["previous"] if entry["seq"] == 1 else previous
        if entry["seq"] == 8:
            entry["reward"] = 1.0 - entry["reward"]
        previous = digest(canonical(entry))
        lines.append(canonical(entry)[:-1] + f',"hash":"{previous}"}}')
    file.write_text("\n".join(lines) + "\n")
    return file


def test_verify_tells_the_newest_anchored_entry_and_how_many_came_after_it(filled):
    url, path, key = filled
    said = verify("--database", url, "--anchors", str(path), "--public-key", key.public)
    first, second = (each["anchored"] for each in said["experiments"])
    assert (first["seq"], first["entries_after"], first["key"]) == (7, 1, key.id)
    assert (second["seq"], second["entries_after"]) == (8, 0)
    words = run_live("verify", "--database", url, "--anchors", str(path), "--public-key", key.public).stdout
    assert "anchored up to entry 7 (" in words
    assert "1 entry after it" in words


def test_a_rewritten_history_is_found_in_a_file_and_in_a_store(filled, tmp_path):
    url, path, key = filled
    file = forged(url, tmp_path)
    new = f"sqlite:///{tmp_path}/new.db"
    run_live("import", str(file), "--database", new)
    for words in ([str(file)], ["--database", new]):
        assert verify(*words)["valid"]  # its chain and its decisions are perfect
        said = verify(*words, "--anchors", str(path), "--public-key", key.public, check=False)
        assert (said["valid"], said["experiment"], said["seq"]) == (False, "f", 8)
        assert "anchored" in said["reason"]


def test_an_experiment_that_is_gone_is_missed_in_a_store_and_not_in_a_file_of_another(filled, tmp_path):
    url, path, key = filled
    file, new = tmp_path / "e.ndjson", f"sqlite:///{tmp_path}/new.db"
    run_live("export", "e", "--database", url, "--out", str(file))
    run_live("import", str(file), "--database", new)
    anchors = ("--anchors", str(path), "--public-key", key.public)
    assert verify(str(file), *anchors)["valid"]
    said = verify("--database", new, *anchors, check=False)
    assert (said["valid"], said["experiment"]) == (False, "f")
    assert verify("--database", new, "--experiment", "e", *anchors)["valid"]


def test_anchors_of_another_key_are_counted_and_say_nothing(filled, tmp_path):
    url, path, key = filled
    stranger = load_key(tmp_path / "stranger")
    with path.open("a") as file:
        file.write(stranger.anchor("e", 1, "0" * 64, "2026-11-15T09:30:00.125Z") + "\n")
    said = verify("--database", url, "--anchors", str(path), "--public-key", key.public)
    assert said["anchors"] == {"of_other_keys": 1, "unreadable": 0}
    assert None not in [each["anchored"] for each in said["experiments"]]


def test_anchors_of_which_none_counts_are_refused(filled, tmp_path):
    url, path, _ = filled
    stranger = load_key(tmp_path / "stranger")
    asked = ("verify", "--database", url, "--anchors", str(path), "--public-key", stranger.public)
    done = run_live(*asked, check=False)
    assert done.exit_code == 2
    assert "6 anchors of other keys" in done.stderr


def test_a_forged_anchor_is_named(filled):
    url, path, key = filled
    path.write_text(path.read_text().replace('"seq":4', '"seq":5', 1))
    said = verify("--database", url, "--anchors", str(path), "--public-key", key.public, check=False)
    assert not said["valid"]
    assert "bad signature" in said["reason"]


def test_keys_are_printed_and_rotated_and_both_verify(filled, tmp_path):
    url, path, key = filled
    assert run_live("keys", "--database", url).stdout.strip() == key.public
    new = json.loads(run_live("keys", "--database", url, "--rotate", "--json").stdout)
    assert new["key"] != key.id
    public = tmp_path / "public"
    public.write_text(key.public + "\n")
    both = ("--public-key", str(public), "--public-key", new["public_key"])
    assert verify("--database", url, "--anchors", str(path), *both)["valid"]


def test_anchors_without_a_key_and_a_key_without_anchors_are_refused(filled):
    url, path, key = filled
    for words in (["--anchors", str(path)], ["--public-key", key.public]):
        done = run_live("verify", "--database", url, *words, check=False)
        assert done.exit_code != 0
        assert "go together" in str(done.output) + str(done.exception)
