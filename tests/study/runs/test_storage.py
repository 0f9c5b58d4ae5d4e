"""Folders of studies: parts that are whole or not there, and manifests that tell studies apart."""

import hashlib
import json
import os
import re
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
from steadyarm.errors import InvalidInput, InvalidType, OtherStudy
from steadyarm.study.runs import keys, parts
from steadyarm.study.runs.blocks import Piece
from steadyarm.study.runs.keys import canonical, describe, digest
from steadyarm.study.runs.storage import MANIFEST, Store

DESCRIPTION = describe(sa.MOSS(n_arms=2, horizon=100), sa.equal_arms(2), 0, "prefix")
COUNTS = np.arange(40, dtype=np.int64).reshape(20, 2)


@pytest.fixture
def notes():
    return []


@pytest.fixture
def store(tmp_path, notes):
    return Store(tmp_path / "study", notes.append)


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


CONFIGURATION = {"seed": 0, "policy": {"policy": "SLEUCB", "alpha": 1.0}, "gaps": [0.1, 0.2]}


def begun(folder, configuration=CONFIGURATION, runs=100, kind="simulate"):
    store = Store(folder, pytest.fail)
    store.begin(kind, configuration, runs)
    store.announce()
    return json.loads((folder / MANIFEST).read_text())


def test_a_study_of_another_configuration_is_refused_with_what_differs(tmp_path):
    begun(tmp_path)
    with pytest.raises(OtherStudy) as refused:
        begun(
            tmp_path,
            {"seed": 3, "policy": {"policy": "SLEUCB", "alpha": 2.0, "beta": 1}, "gaps": [0.1, 0.3]},
            kind="compare",
        )
    message = str(refused.value)
    for difference in (
        'kind (stored "simulate", asked "compare")',
        "seed (stored 0, asked 3)",
        "policy.alpha (stored 1.0, asked 2.0)",
        "policy.beta (stored nothing, asked 1)",
        "gaps[1] (stored 0.2, asked 0.3)",
        "use another folder",
    ):
        assert difference in message


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ([*range(40)], [*range(41)]),
        ([0.1 * number for number in range(30)], [0.1 * number for number in range(29)]),
        ("x" * 100 + "a" + "y" * 200, "x" * 100 + "b" + "y" * 200),
        ("x" * 100, "x" * 101),
        ("x" * 58, "x" * 500),
        ([*range(40)], []),
    ],
)
def test_two_long_values_are_shown_where_they_differ(tmp_path, stored, asked):
    begun(tmp_path, {"long": stored})
    with pytest.raises(OtherStudy) as refused:
        begun(tmp_path, {"long": asked})
    first, second = re.search(r"long \(stored (.*), asked (.*)\)\. Ask", str(refused.value)).groups()
    assert first != second
    assert len(first) < 70
    assert len(second) < 70


def test_many_differences_are_counted_rather_than_listed(tmp_path):
    begun(tmp_path, {str(number): 0 for number in range(9)})
    with pytest.raises(OtherStudy, match=r"asked 1\) and 4 more\."):
        begun(tmp_path, {str(number): 1 for number in range(9)})


def test_runs_may_grow_and_shrink_and_the_manifest_keeps_the_most(tmp_path):
    first = begun(tmp_path, runs=100)
    assert begun(tmp_path, runs=50) == first
    assert begun(tmp_path, runs=400) == first | {"runs": 400}


def test_the_same_configuration_is_the_same_however_it_is_spelled(tmp_path):
    begun(tmp_path, {"b": (1, np.float64(0.5)), "a": float("nan")})
    begun(tmp_path, {"a": np.float64("nan"), "b": [1.0, 0.5]})


def test_a_call_that_fails_before_its_first_part_leaves_no_manifest(store):
    store.begin("simulate", CONFIGURATION)
    assert not store.folder.exists()


def test_two_different_studies_begun_at_once_do_not_mix(tmp_path):
    one, other = Store(tmp_path, pytest.fail), Store(tmp_path, pytest.fail)
    one.begin("simulate", CONFIGURATION)
    other.begin("simulate", CONFIGURATION | {"seed": 9})
    one.announce()
    with pytest.raises(OtherStudy, match="seed"):
        other.announce()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": "simulate"}', "\xff\x00"])
def test_a_manifest_that_cannot_be_read_is_refused_with_what_to_do(tmp_path, text):
    (tmp_path / MANIFEST).write_text(text, encoding="latin-1")
    with pytest.raises(InvalidInput, match=r"study\.json cannot be read .* delete this file"):
        begun(tmp_path)


def test_a_study_of_a_newer_format_is_refused(tmp_path):
    (tmp_path / MANIFEST).write_text(json.dumps(begun(tmp_path) | {"format": 2}))
    with pytest.raises(InvalidInput, match="has format 2"):
        begun(tmp_path)


@settings(max_examples=30)
@given(
    st.recursive(
        st.none() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_canonical_json_says_everything_once(value):
    assert json.loads(canonical(value)) == value
    assert canonical(json.loads(canonical(value))) == canonical(value)


def test_what_has_no_plain_form_is_refused():
    with pytest.raises(InvalidType, match="Give the policy a to_dict"):
        canonical({"x": object()})


def test_a_key_depends_on_all_that_a_run_depends_on():
    policy, instance = sa.MOSS(n_arms=2, horizon=100), sa.equal_arms(2)
    keys = [
        describe(policy, instance, 0, "prefix"),
        describe(policy.replace(horizon=101), instance, 0, "prefix"),
        describe(sa.UCB(n_arms=2, horizon=100), instance, 0, "prefix"),
        describe(policy, sa.equal_gap(2, gap=0.1), 0, "prefix"),
        describe(policy, instance, 1, "prefix"),
        describe(policy, instance, 0, "step"),
    ]
    assert len({digest(key) for key in keys}) == len(keys)


OWN = """
from dataclasses import dataclass
import steadyarm as sa

@dataclass(frozen=True, kw_only=True)
class {name}(sa.RoundRobin):
    title = "mine"
    # {comment}
"""


def test_a_policy_of_ones_own_is_told_apart_by_its_code(tmp_path, monkeypatch):
    import importlib

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    keys = []
    module = None
    for comment in ("first", "first", "changed"):
        (tmp_path / "module_of_ones_own.py").write_text(OWN.format(name="Mine", comment=comment))
        module = importlib.reload(module) if module else importlib.import_module("module_of_ones_own")
        policies = [module.Mine(n_arms=2, horizon=10), sa.Padded(module.Mine(n_arms=3, horizon=10))]
        keys.append([digest(describe(policy, sa.equal_arms(2), 0, "reference")) for policy in policies])
    assert keys[0] == keys[1]
    assert all(old != new for old, new in zip(keys[1], keys[2], strict=True))


RULED = """
from dataclasses import dataclass
from typing import NamedTuple
import steadyarm as sa
from steadyarm.policies import RulePolicy, rule
class RuledParameters(NamedTuple):
    scale: float
def first(parameters, noise, arm, counts, totals, state):
    return -float(arm)
def last(parameters, noise, arm, counts, totals, state):
    return float(arm)
rule(RuledParameters, index=first)
@dataclass(frozen=True, kw_only=True)
class Ruled(RulePolicy):
    title = "ruled"
    source = "a test"
    @property
    def parameters(self):
        return RuledParameters(1.0)
"""


def test_a_rule_of_ones_own_is_told_apart_by_its_functions(tmp_path, monkeypatch):
    import importlib

    from steadyarm.policies import rule

    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "rules_of_ones_own.py").write_text(RULED)
    module = importlib.import_module("rules_of_ones_own")

    def keys():
        policies = [module.Ruled(n_arms=2, horizon=10), sa.Padded(module.Ruled(n_arms=3, horizon=10))]
        return [digest(describe(policy, sa.equal_arms(2), 0, "step")) for policy in policies]

    before = keys()
    assert keys() == before
    rule(module.RuledParameters, index=module.last)
    assert all(old != new for old, new in zip(before, keys(), strict=True))
    rule(module.RuledParameters, index=module.first)
    assert keys() == before


RESULTS_3 = {
    "SLEUCB": "136710cf",
    "MOSS": "cd61b365",
    "UCB": "bc3ce1f7",
    "UCBf": "c1c632ff",
    "SafeUCB": "0dfe2594",
    "KLUCBpp": "1b867b06",
    "RoundRobin": "72e54e71",
    "UCB1": "04064611",
    "AsymptoticUCB": "1db2877b",
    "AnytimeMOSS": "0935fba3",
    "KLUCB": "1db2877b",
    "UCBV": "33535985",
    "AdaUCB": "5edc2674",
    "GaussianThompson": "99d96285",
    "BetaThompson": "7839178a",
    "StableThompson": "c13adf0c",
    "OptimisticThompson": "689013e2",
    "TsallisINF": "ffbcf6e0",
    "Exp3": "5f530d00",
    "EpsilonGreedy": "064fd9c6",
    "ExploreThenCommit": "1af15e8e",
    "SuccessiveElimination": "94869b71",
    "gaussian": "83805b37",
    "gaussian sums": "65dd3c9f",
    "bounded": "215274a4",
    "bounded sums": "1a4a92de",
    "leap 1e+07": "9d6d6b43",
    "leap 1e+12": "212bdad1",
}


def _digests():
    """A few bytes for everything that decides numbers."""
    coins = sa.Instance.bernoulli([0.8, 0.5, 0.2])
    for name, kind in sa.all_policies().items():
        policy = kind(n_arms=3, horizon=3000, noise_scale=0.5)
        yield name, sa.simulate(policy, coins, runs=3, seed=1).counts
    for instance in (sa.equal_gap(3, gap=0.1), sa.Instance.bounded([0.2, 0.5, 0.7])):
        policy = sa.SLEUCB(n_arms=3, horizon=400, constants="sharp")
        played = sa.simulate(policy, instance, runs=3, seed=2)
        yield instance.rewards, played.counts
        yield f"{instance.rewards} sums", sa.Laboratory().reward_sums(played)
    for horizon in (10**7, 10**12):
        policy = sa.SLEUCB(n_arms=3, horizon=horizon, constants="sharp")
        yield f"leap {horizon:.0e}", sa.simulate(policy, sa.equal_gap(3, gap=0.01), runs=3, seed=3).counts


def test_the_numbers_are_those_that_older_studies_have_stored():
    """A new policy needs a row. If an old row differs, raise RESULTS_VERSION before putting the new digest here."""
    now = {name: hashlib.sha256(rows.tobytes()).hexdigest()[:8] for name, rows in _digests()}
    assert keys.RESULTS_VERSION == 3
    assert now == RESULTS_3
