"""The replay gives the experiment again, whatever of its traffic was declared and in whatever order things came."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.live.core.setup.test_traffic import ASKED, AT, taken

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.audit import verify_rows
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.first_entry import begin
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.core.units import unit_after

LATER = "2026-01-01T01:00:00.000Z"
STRATA = ["desktop", "mobile"]
DECLARED = {
    "traffic": {"a": {"at_least": 0.2}, "b": {"at_most": 0.5}},
    "holdout": {"share": 0.3, "arm": "b"},
    "strata": STRATA,
    "attribution": {"after": 60, "reward": 0},
    "batch": 4,
    "delay": 2,
}
declared = st.sets(st.sampled_from([*DECLARED])).map(lambda names: {name: DECLARED[name] for name in names})
steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["allocate"] * 6
            + ["report"] * 3
            + ["default"] * 2
            + ["void", "lapse", "amend", "retire", "restart"]
        ),
        st.integers(0, 99),
    ),
    max_size=40,
)


def restarted(experiment, first):
    """The experiment as a snapshot gives it back."""
    again = begin(1, "e", first)
    again.restore(json.loads(experiment.snapshot()), experiment.chain.seq, experiment.chain.previous)
    again.state_seq = experiment.state_seq
    assert again.summary() == experiment.summary()
    return again


@settings(max_examples=40, deadline=None)
@given(declared, st.sampled_from(["MOSS", "UCB1", "EpsilonGreedy"]), steps)
def test_what_was_decided_is_what_a_replay_and_a_snapshot_give_back(more, policy, plan):
    setup = resolve(requested(ASKED | {"policy": policy} | more))
    experiment, created = Experiment.create(1, "e", setup, AT)
    rows, units = [created, experiment.move("started", AT)], {}
    for number, (step, choice) in enumerate(plan):
        waiting = sorted(name for name, unit in units.items() if unit.outcome is None)
        settled = sorted(name for name, unit in units.items() if unit.reward is not None)
        if step == "allocate":
            where = {"stratum": STRATA[choice % 2]} if "strata" in more else {}
            row, units[f"u{number}"] = experiment.allocate(f"u{number}", AT, **where)
            rows.append(row)
        elif step == "default":
            name = waiting[choice % len(waiting)] if waiting and choice % 2 else f"d{number}"
            known = units.get(name)
            arm = "cab"[choice % 3] if known is None else "b" if known.arm in ("", "a") else "a"
            where = {"stratum": STRATA[choice % 2]} if "strata" in more and known is None else {}
            row, units[name] = experiment.note_default(name, known, arm, LATER, **where)
            rows.append(row)
        elif step == "restart":
            experiment = restarted(experiment, created)
        elif step == "retire":
            arm = "abc"[choice % 3]
            if arm not in experiment.retired:
                try:
                    rows.append(experiment.retire(arm, "harm", AT))
                except (
                    SteadyarmError
                ):  # the last one, that of the holdout, or one that the cap of another needs
                    held = arm == "b" and "holdout" in more
                    assert held or len(experiment.retired) == 2 or "traffic" in more
        elif step == "amend" and settled:
            name = settled[choice % len(settled)]
            row, units[name] = experiment.amend(name, units[name], 1.0 - units[name].reward, "wrong", LATER)
            rows.append(row)
        elif waiting and (step != "lapse" or "attribution" in more):
            name = waiting[choice % len(waiting)]
            said = {"report": (float(choice % 2), LATER), "void": ("lost", LATER), "lapse": (LATER,)}
            if step in said:
                made = {"report": experiment.reward, "void": experiment.void, "lapse": experiment.lapse}[step]
                row, units[name] = made(name, units[name], *said[step])
                rows.append(row)
    assert taken(rows).summary() == restarted(experiment, created).summary()
    found, replayed = verify_rows("e", rows)
    assert found["entries"] == len(rows)
    assert replayed.summary() == experiment.summary()
    told = {}
    for row in rows:
        if row.unit is not None:
            told[row.unit] = unit_after(told.get(row.unit), json.loads(row.body))
    assert told == units
    assert found["defaulted"] == sum(unit.served is not None for unit in units.values())
