"""Parts of studies: whole or not there, and damage is noticed."""

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steadyarm as sa
from steadyarm.study.runs import parts
from steadyarm.study.runs.blocks import Piece
from steadyarm.study.runs.keys import describe
from steadyarm.study.runs.storage import Store

DESCRIPTION = describe(sa.MOSS(n_arms=2, horizon=100), sa.equal_arms(2), 0, "prefix")
COUNTS = np.arange(40, dtype=np.int64).reshape(20, 2)


@pytest.fixture
def notes():
    return []


def part_folder_of(folder, notes=None):
    note = pytest.fail if notes is None else notes.append
    return Store(Path(folder), note).part_folder("counts", "MOSS", DESCRIPTION)


def stored(part_folder, runs=10**6):
    return [(first, last, piece.rows.tolist()) for first, last, piece in part_folder.pieces(0, runs)]


@settings(max_examples=40)
@given(data=st.data(), runs=st.integers(1, 5), arms=st.sampled_from([2, 3, 256, 257]), floats=st.booleans())
def test_a_part_gives_back_every_bit(data, runs, arms, floats):
    if floats:
        some = data.draw(st.lists(st.floats(), min_size=runs, max_size=runs))
        rows = np.outer(some, np.ones(arms)) + np.zeros((runs, arms))
    else:
        some = data.draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=runs, max_size=runs))
        rows = np.repeat(np.array(some, dtype=np.int64)[:, None], arms, axis=1)
    with tempfile.TemporaryDirectory() as folder:
        part_folder_of(folder).put(7, Piece(rows, 4, 1e-300))
        [(first, last, piece)] = part_folder_of(folder).pieces(0, 100)
    assert (first, last, piece.tolerance, piece.total_variation) == (7, 7 + runs, 4, 1e-300)
    assert piece.rows.dtype == rows.dtype
    assert piece.rows.tobytes() == rows.tobytes()


READ = """
import os, sys
import pyarrow.parquet
from steadyarm.study.runs import parts
threads = lambda: len(os.listdir("/proc/self/task"))
before = threads()
parts._from_parquet(open(sys.argv[1], "rb").read())
print(threads() - before)
"""


def test_a_part_is_read_without_threads_which_would_abort_a_process_that_ends_just_then(tmp_path):
    part_folder_of(tmp_path).put(0, Piece(np.ones((4, 2), dtype=np.int64)))
    (path,) = tmp_path.rglob("*.parquet")
    reader = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True, check=True)
    assert reader.stdout.strip() == "0"


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    path = part_folder_of(tmp_path_factory.mktemp("part")).put(0, Piece(COUNTS))
    return path, path.read_bytes()


@settings(max_examples=150)
@given(data=st.data())
def test_a_flipped_bit_anywhere_in_a_part_is_noticed(part, data):
    path, whole = part
    bit = data.draw(st.integers(0, 8 * len(whole) - 1))
    damaged = bytearray(whole)
    damaged[bit // 8] ^= 1 << bit % 8
    _is_noticed_and_set_aside(path, bytes(damaged))


@settings(max_examples=60)
@given(data=st.data())
def test_a_part_cut_short_or_drawn_out_is_noticed(part, data):
    path, whole = part
    length = data.draw(st.integers(0, len(whole) - 1))
    _is_noticed_and_set_aside(path, whole[:length])
    _is_noticed_and_set_aside(path, whole + bytes(1 + length))


def _is_noticed_and_set_aside(path, data):
    path.write_bytes(data)
    notes = []
    part_folder = part_folder_of(path.parent.parent.parent, notes)
    assert stored(part_folder) == []
    assert len(notes) == 1
    assert f"{path} was damaged and is computed again" in notes[0]
    assert path.with_suffix(".damaged").read_bytes() == data
    part_folder.put(0, Piece(COUNTS))
    assert stored(part_folder_of(path.parent.parent.parent)) == [(0, 20, COUNTS.tolist())]


def test_a_part_of_another_simulation_is_not_taken_for_this_one(tmp_path, notes):
    other = Store(tmp_path, pytest.fail).part_folder("counts", "MOSS", DESCRIPTION | {"seed": 1})
    path = other.put(0, Piece(COUNTS))
    part_folder = part_folder_of(tmp_path, notes)
    part_folder.folder.mkdir()
    path.rename(part_folder.folder / path.name)
    assert stored(part_folder) == []
    assert "damaged" in notes[0]


def test_parts_that_overlap_are_read_once_each_run(tmp_path):
    part_folder = part_folder_of(tmp_path)
    for first, last in [(0, 5), (3, 9), (0, 8), (12, 15), (14, 20)]:
        part_folder.put(first, Piece(COUNTS[first:last]))
    found = stored(part_folder)
    assert [(first, last) for first, last, _ in found] == [(0, 8), (8, 9), (12, 15), (15, 20)]
    assert all(rows == COUNTS[first:last].tolist() for first, last, rows in found)
    assert [(first, last) for first, last, _ in stored(part_folder, runs=13)] == [(0, 8), (8, 9), (12, 13)]


class PowerCut(BaseException):
    """Nothing runs after it, not even what is there to clean up."""


@pytest.mark.parametrize("moment", ["open", "fsync", "replace"])
def test_a_crash_while_writing_leaves_what_was_there(tmp_path, monkeypatch, moment):
    path = tmp_path / "study.json"
    parts.write_whole(path, b"old")

    def fail(*_arguments):
        raise PowerCut

    with monkeypatch.context() as patch:
        if moment == "open":
            patch.setattr("builtins.open", fail)
        else:
            patch.setattr(os, moment, fail)
        patch.setattr(Path, "unlink", lambda *_, **__: None)
        with pytest.raises(PowerCut):
            parts.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    parts.write_whole(path, b"new")
    assert path.read_bytes() == b"new"


def test_a_file_is_on_the_disk_before_it_gets_its_name_and_the_name_before_we_go_on(tmp_path, monkeypatch):
    steps = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(handle):
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def note_replace(*paths):
        steps.append("name")
        replace(*paths)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    parts.write_whole(tmp_path / "part", b"data")
    assert steps == ["file", "name", "folder"]


def test_what_a_killed_process_left_half_written_is_swept_away_later_and_never_read(tmp_path):
    part_folder = part_folder_of(tmp_path)
    path = part_folder.put(0, Piece(COUNTS))
    left = path.with_name(f".{path.name}.0123abcd")
    left.write_bytes(b"half")
    assert [first for first, _, _ in stored(part_folder)] == [0]
    assert left.exists()  # its writer may be at work
    long_ago = time.time() - 2 * 3600
    os.utime(left, (long_ago, long_ago))
    assert [first for first, _, _ in stored(part_folder)] == [0]
    assert not left.exists()


def test_a_part_says_what_it_is(part):
    from pyarrow import parquet

    path, whole = part
    path.write_bytes(whole)
    table = parquet.read_table(path)
    facts = json.loads(table.schema.metadata[b"steadyarm"])
    assert table.column_names == ["run", "arm_0", "arm_1"]
    assert facts["of"]["policy"]["policy"] == "MOSS"
    assert (facts["what"], facts["first"], facts["last"]) == ("counts", 0, 20)
    assert set(facts["versions"]) == {"steadyarm", "numpy", "numba"}
