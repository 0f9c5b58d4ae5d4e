"""Manifests: folders of studies that tell one study from another."""

import json
import re

import numpy as np
import pytest

from steadyarm.errors import InvalidInput, OtherStudy
from steadyarm.study.runs.storage import MANIFEST, Store

CONFIGURATION = {"seed": 0, "policy": {"policy": "SLEUCB", "alpha": 1.0}, "gaps": [0.1, 0.2]}


def opened(folder, configuration=CONFIGURATION, runs=100, kind="simulate"):
    store = Store(folder, pytest.fail)
    store.begin(kind, configuration, runs)
    store.announce()
    return json.loads((folder / MANIFEST).read_text())


def test_a_study_of_another_configuration_is_refused_with_what_differs(tmp_path):
    opened(tmp_path)
    with pytest.raises(OtherStudy) as refused:
        opened(
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
    opened(tmp_path, {"long": stored})
    with pytest.raises(OtherStudy) as refused:
        opened(tmp_path, {"long": asked})
    first, second = re.search(r"long \(stored (.*), asked (.*)\)\. Ask", str(refused.value)).groups()
    assert first != second
    assert len(first) < 70
    assert len(second) < 70


def test_many_differences_are_counted_rather_than_listed(tmp_path):
    opened(tmp_path, {str(number): 0 for number in range(9)})
    with pytest.raises(OtherStudy, match=r"asked 1\) and 4 more\."):
        opened(tmp_path, {str(number): 1 for number in range(9)})


def test_runs_may_grow_and_shrink_and_the_manifest_keeps_the_most(tmp_path):
    first = opened(tmp_path, runs=100)
    assert opened(tmp_path, runs=50) == first
    assert opened(tmp_path, runs=400) == first | {"runs": 400}


def test_the_same_configuration_is_the_same_however_it_is_spelled(tmp_path):
    opened(tmp_path, {"b": (1, np.float64(0.5)), "a": float("nan")})
    opened(tmp_path, {"a": np.float64("nan"), "b": [1.0, 0.5]})


def test_a_call_that_fails_before_its_first_part_leaves_no_manifest(tmp_path):
    store = Store(tmp_path / "study", pytest.fail)
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
        opened(tmp_path)


def test_a_study_of_a_newer_format_is_refused(tmp_path):
    (tmp_path / MANIFEST).write_text(json.dumps(opened(tmp_path) | {"format": 2}))
    with pytest.raises(InvalidInput, match="has format 2"):
        opened(tmp_path)
