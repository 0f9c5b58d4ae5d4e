"""The first entry of a journal is held to rules as strict as those of all others."""

import copy
import json
from contextlib import suppress

import pytest

from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, Row, canonical, digest
from steadyarm.live.core.setup.configuration import requested, resolve

AT = "2026-01-01T00:00:00.000Z"
ASKED = {
    "arms": ["a", "b", "c"],
    "horizon": 60,
    "rewards": "bounded",
    "low": 0.0,
    "high": 4.0,
    "policy": "SLEUCB",
    "seed": 7,
    "traffic": {"a": {"at_least": 0.2}},
    "holdout": {"share": 0.25, "arm": "a"},
    "strata": ["mobile", "desktop"],
    "attribution": {"after": 60, "reward": 0},
    "batch": 4,
    "delay": 2,
    "continues": "before",
    "description": "a button",
}
LINK = {"experiment": "before", "seq": 9, "hash": "ab" * 32}
ODD = [None, True, -1, 0, 3, 2**70, 1e308, "", "x", "\ud800", [], ["x"], {}, {"x": 1}, [[[]]]]


def first_entry(version=2, **more):
    asked = ASKED | more
    if version == 1:
        asked = {name: asked[name] for name in ("arms", "horizon", "policy", "seed")}
    setup = resolve(requested(asked))
    link = LINK if version > 1 else None
    _, row = Experiment.create(1, "e", setup, AT, None, version, continues=link)
    return json.loads(row.body)


def journal_of(entry):
    body = canonical(entry)
    return [Row(entry["seq"], entry["kind"], entry.get("unit"), body, digest(body))]


def places(value, path=()):
    """Every member and item of a JSON value, by its path."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inside:
        yield from places(each, (*path, name))


def changed(entry, path, value):
    other = copy.deepcopy(entry)
    *way, last = path
    found = other
    for step in way:
        found = found[step]
    if value is KeyError:
        del found[last]
    else:
        found[last] = value
    return other


def refused(entry):
    with pytest.raises(Broken) as broken:
        verify_rows("e", journal_of(entry))
    assert broken.value.seq == 1
    return broken.value.reason


@pytest.mark.parametrize("version", [1, 2])
def test_one_as_it_was_written_is_accepted(version):
    assert verify_rows("e", journal_of(first_entry(version)))[0]["entries"] == 1


@pytest.mark.parametrize("version", [1, 2])
def test_whatever_stands_in_it_the_answer_is_that_it_is_broken_and_no_defect(version):
    entry = first_entry(version)
    for path in [*places(entry)]:
        if path[0] in ("seq", "experiment", "kind"):
            continue
        for odd in [KeyError, *ODD]:
            try:
                rows = journal_of(changed(entry, path, odd))
            except UnicodeEncodeError:  # no text at all, so no entry
                continue
            with suppress(Broken):
                verify_rows("e", rows)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("at",), "yesterday"),
        (("at",), KeyError),
        (("at",), "2026-01-01"),
        (("software",), KeyError),
        (("software",), 3),
        (("actor",), 3),
        (("version",), True),
        (("version",), 2.0),
        (("unit",), "u1"),
        (("requested",), []),
        (("requested",), KeyError),
        (("seed",), -1),
        (("seed",), 7.0),
        (("seed",), True),
        (("priority",), [0, 0, 1]),
        (("priority",), [0, 1]),
        (("policy", "at_least"), [0.1, 0.0, 0.0]),
        (("policy", "of", "horizon"), 61),
        (("policy", "of", "noise_scale"), 1.0),
        (("policy", "of", "policy"), "MOSS"),
        (("configuration",), []),
        (("configuration", "arms"), ["a", "b"]),
        (("configuration", "arms"), ["a", "b", "b"]),
        (("configuration", "arms"), ["a", "b", 3]),
        (("configuration", "horizon"), 600),
        (("configuration", "noise_scale"), 1.0),
        (("configuration", "noise_scale"), KeyError),
        (("configuration", "rewards"), "any"),
        (("configuration", "rewards"), KeyError),
        (("configuration", "low"), 5.0),
        (("configuration", "high"), "x"),
        (("configuration", "traffic"), KeyError),
        (("configuration", "traffic"), {"b": {"at_least": 0.2}}),
        (("configuration", "holdout"), 0.25),
        (("configuration", "holdout", "share"), 1.5),
        (("configuration", "holdout", "arm"), "z"),
        (("configuration", "attribution"), {}),
        (("configuration", "attribution", "after"), -1.0),
        (("configuration", "attribution", "reward"), 9.0),
        (("configuration", "batch"), 0),
        (("configuration", "delay"), "soon"),
        (("configuration", "seed"), 8),
        (("configuration", "continues"), "other"),
        (("configuration", "strata"), ["mobile"]),
        (("strata", 0, "priority"), [0, 0, 1]),
        (("strata", 0, "more"), 1),
        (("continues", "seq"), 0),
        (("continues", "seq"), True),
        (("continues", "hash"), "x"),
    ],
)
def test_what_does_not_fit_together_is_refused(path, value):
    assert refused(changed(first_entry(), path, value))


def test_random_rounds_must_be_those_of_the_policy():
    without = {name: value for name, value in ASKED.items() if name != "traffic"}
    setup = resolve(requested(without | {"share": 0.2}))
    _, row = Experiment.create(1, "e", setup, AT, continues=LINK)
    entry = json.loads(row.body)
    assert verify_rows("e", [row])
    assert "policy" in refused(changed(entry, ("configuration", "share"), 0.3))


def test_a_time_that_is_none_is_refused_in_later_entries_too():
    experiment, created = Experiment.create(1, "e", resolve(requested(ASKED)), AT, continues=LINK)
    started = experiment.move("started", AT)
    entry = json.loads(started.body) | {"at": "soon"}
    body = canonical(entry)
    with pytest.raises(Broken, match="does not say when") as broken:
        verify_rows("e", [created, started._replace(body=body, hash=digest(body))])
    assert broken.value.seq == 2
