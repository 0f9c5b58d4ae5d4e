"""An audit follows every unit: what a forger writes about silence and amendments is named, with a perfect chain."""

import json

import pytest
from tests.live.core.test_journal import chained
from tests.live.server import CONFIGURATION

from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import Broken, rows_of_lines
from steadyarm.live.core.setup.configuration import requested, resolve

AT, LATER = "2026-01-01T00:00:00.000Z", "2026-01-01T01:00:00.000Z"


def entries(version=2):
    """A journal that ends in a lapsed unit, a reward and two amendments of it."""
    asked = CONFIGURATION | {"seed": 7, "attribution": {"after": "PT1H", "reward": 0}}
    experiment, first = Experiment.create(1, "e", resolve(requested(asked)), AT, version=version)
    rows = [first, experiment.move("started", AT)]
    units = []
    for name in ("silent", "u"):
        row, unit = experiment.allocate(name, AT)
        rows.append(row)
        units.append(unit)
    rows.append(experiment.lapse("silent", units[0], LATER)[0])
    row, unit = experiment.reward("u", units[1], 1.0, LATER)
    rows.append(row)
    for reward in (0.0, 1.0):
        row, unit = experiment.amend("u", unit, reward, "looked again", LATER)
        rows.append(row)
    return [json.loads(row.body) for row in rows]


def verify(forged):
    return verify_rows("e", [row for _, row in rows_of_lines(chained(forged))])[0]


def test_what_was_written_is_verified():
    assert verify(entries())["amended"] == 2


@pytest.mark.parametrize(
    ("seq", "change", "reason"),
    [
        (
            5,
            {"at": "2026-01-01T00:59:59.999Z"},
            "an outcome is waited for 3600 seconds, and unit 'silent' had 3599.999",
        ),
        (5, {"at": None}, "it does not say when it was made"),
        (5, {"reward": 1.0}, "silence counts as 0.0, not as 1.0"),
        (5, {"unit": "nobody"}, "unit 'nobody' is not outstanding"),
        (7, {"was": 0.0}, "it does not amend the last outcome of unit 'u'"),
        (7, {"amends": 5}, "it does not amend the last outcome of unit 'u'"),
        (8, {"amends": 6}, "it does not amend the last outcome of unit 'u'"),
        (7, {"unit": "nobody"}, "unit 'nobody' is not settled"),
        (7, {"reason": None}, "an amendment must state its reason"),
        (7, {"reward": 0.5}, "a Bernoulli reward must be 0 or 1"),
        (7, {"arm": "?"}, "there is no arm"),
        (6, {"software": None}, "by which version of the software"),
        (6, {"actor": 5}, "by whom"),
    ],
)
def test_a_forged_outcome_is_named(seq, change, reason):
    forged = entries()
    forged[seq - 1] |= change
    with pytest.raises(Broken, match=reason) as found:
        verify(forged)
    assert found.value.seq == seq


@pytest.mark.parametrize(("kept", "kind"), [([1, 2, 3, 4, 5], "lapsed"), ([1, 2, 3, 4, 6, 7], "amended")])
def test_a_journal_of_the_first_format_has_no_silence_that_counts_and_no_amendments(kept, kind):
    forged = entries(version=1)
    forged = [forged[seq - 1] | {"seq": place} for place, seq in enumerate(kept, start=1)]
    with pytest.raises(Broken, match=f"no entry of kind '{kind}'") as found:
        verify(forged)
    assert found.value.seq == len(kept)


def test_a_journal_of_a_later_format_is_not_guessed_at():
    forged = entries()
    forged[0]["version"] = 3
    with pytest.raises(Broken, match="of version 1 or 2"):
        verify(forged)


@pytest.mark.parametrize("extra", [{"a": 1}, 10**30, "1"])
def test_a_member_that_a_held_out_unit_does_not_have_is_passed_over_like_any_other(extra):
    asked = CONFIGURATION | {"seed": 7, "holdout": 0.5}
    experiment, first = Experiment.create(1, "e", resolve(requested(asked)), AT)
    rows = [first, experiment.move("started", AT), *(experiment.allocate(f"u{n}", AT)[0] for n in range(9))]
    forged = [json.loads(row.body) for row in rows]
    next(entry for entry in forged if entry["kind"] == "held")["round"] = extra
    assert verify(forged)["decisions"] == sum(row.kind == "allocated" for row in rows)
