"""The replay: each entry after a journal's first is taken in as it was decided, and one that cannot be is refused."""

from __future__ import annotations

from typing import Any

from steadyarm.errors import SteadyarmError
from steadyarm.live.core.courses.course import Course
from steadyarm.live.core.experiment import FROM, STATES, Experiment
from steadyarm.live.core.first_entry import check_origin
from steadyarm.live.core.journal import Broken, Row


def replay(experiment: Experiment, row: Row) -> dict[str, Any]:
    """Take in the next entry of the journal, or say why it cannot be the next."""
    entry = experiment.chain.check(row)
    try:
        _take(experiment, entry)
        experiment.clock.note(entry["at"])
    except Broken:
        raise
    except SteadyarmError as error:  # anything else is a defect of ours, and not of the journal
        raise Broken(experiment.name, row.seq, f"it does not fit what came before it ({error})") from None
    return entry


def _take(experiment: Experiment, entry: dict[str, Any]) -> None:
    kind, recent = entry["kind"], experiment.version > 1
    check_origin(experiment.name, entry, experiment.version)
    if kind in FROM:
        if experiment.state not in FROM[kind]:
            raise _broken(entry, f"an experiment that is {experiment.state} cannot be {kind}")
        experiment.state, experiment.state_seq = STATES[kind], entry["seq"]
    elif kind == "allocated":
        _take_allocated(experiment, entry)
    elif kind == "held" and experiment.setup.holdout is not None:
        _take_held(experiment, entry)
    elif kind == "defaulted" and recent:
        _take_defaulted(experiment, entry)
    elif kind == "retired" and recent:
        _take_retired(experiment, entry)
    elif kind in ("rewarded", "voided") or (kind in ("lapsed", "amended") and recent):
        _take_outcome(experiment, entry)
    else:
        raise _broken(entry, f"no entry of kind {kind!r} can stand here")


def _take_allocated(experiment: Experiment, entry: dict[str, Any]) -> None:
    """Ask the play, and compare."""
    course = _running_course(experiment, entry)
    if course.holds(_unit(entry)):
        raise _broken(entry, f"unit {entry['unit']!r} is among those that are held out")
    play, arm = course.play, experiment.setup.arms[course.ask()]
    given, turn = entry.get("arm"), entry.get("round")
    if (arm, play.round) != (given, turn):
        said = (
            f"it gives arm {given!r} in round {turn}, but the policy plays arm {arm!r} in round {play.round}"
        )
        raise _broken(entry, said)
    if entry.get("probability") != play.probability:
        said = f"it gives an arm with probability {entry.get('probability')}, but the policy with {play.probability}"
        raise _broken(entry, said)


def _take_held(experiment: Experiment, entry: dict[str, Any]) -> None:
    course = _running_course(experiment, entry)
    if not course.holds(_unit(entry)):
        raise _broken(entry, f"unit {entry['unit']!r} is not among those that are held out")
    if entry.get("arm") != experiment.stated_arm:
        raise _broken(entry, f"held-out units get {experiment.stated_arm!r}, not {entry.get('arm')!r}")
    course.holdout.units += 1


def _take_retired(experiment: Experiment, entry: dict[str, Any]) -> None:
    arm, reason = experiment.setup.arms[_number(experiment, entry)], entry.get("reason")
    if experiment.state == "closed" or arm in experiment.retired:
        raise _broken(entry, f"arm {arm!r} cannot be retired any more")
    if not isinstance(reason, str):
        raise _broken(entry, "retiring an arm needs a reason")
    experiment.withdraw(arm, entry["seq"], entry["at"], reason)


def _take_defaulted(experiment: Experiment, entry: dict[str, Any]) -> None:
    """Take in an arm that was served outside the policy; whether the unit had another before the audit knows."""
    _unit(entry)
    _number(experiment, entry)
    if "holdout" in entry and "instead_of" in entry:
        raise _broken(entry, "a held-out unit has no arm of the policy's that a default could replace")
    place_before(experiment, entry)
    experiment.take_default(entry)


def _take_outcome(experiment: Experiment, entry: dict[str, Any]) -> None:
    """Take in an outcome that can be; whether it is that unit's the audit knows."""
    place_of(experiment, entry)
    kind, said = entry["kind"], entry.get("reward")
    if kind == "lapsed":
        window = experiment.setup.attribution
        if window is None:
            raise _broken(entry, f"no entry of kind {kind!r} can stand here")
        if said != window.reward:
            raise _broken(entry, f"silence counts as {window.reward!r}, not as {said!r}")
    if kind != "voided":
        entry["reward"] = experiment.setup.check_reward(said)
    if kind == "amended":
        entry["was"] = experiment.setup.check_reward(entry.get("was"))
    if experiment.waits and kind in ("rewarded", "lapsed") and "holdout" not in entry:
        turn, last = entry.get("round"), _course(experiment, entry).play.round
        if type(turn) is not int or not 1 <= turn <= last:
            raise _broken(entry, f"its round must be from 1 to {last}; it says {turn!r}")
    experiment.settle(kind, entry)


def place_of(experiment: Experiment, entry: dict[str, Any]) -> int:
    """Return a number for the stratum and the arm of an entry about a unit, or for the holdout of the stratum."""
    _course(experiment, entry)
    n_arms = len(experiment.number_of)
    held = entry["kind"] == "held" or "holdout" in entry
    if held and (experiment.setup.holdout is None or entry.get("holdout", True) is not True):
        raise _broken(entry, "there is no such holdout")
    arm = n_arms if held else _number(experiment, entry)
    return [*experiment.courses].index(entry.get("stratum", "")) * (n_arms + 1) + arm


def place_before(experiment: Experiment, entry: dict[str, Any]) -> int | None:
    """Return the same of what a unit had before a default, if it had anything."""
    if "holdout" in entry:
        return place_of(experiment, entry)
    _course(experiment, entry)
    if "instead_of" in entry:
        return place_of(experiment, entry | {"arm": entry["instead_of"]})
    return None


def _running_course(experiment: Experiment, entry: dict[str, Any]) -> Course:
    if experiment.state != "running":
        raise _broken(entry, f"a unit was allocated while the experiment was {experiment.state}")
    return _course(experiment, entry)


def _course(experiment: Experiment, entry: dict[str, Any]) -> Course:
    stratum = entry.get("stratum", "")
    if not isinstance(stratum, str) or stratum not in experiment.courses:
        raise _broken(entry, f"there is no stratum {stratum!r}")
    return experiment.courses[stratum]


def _number(experiment: Experiment, entry: dict[str, Any]) -> int:
    arm = entry.get("arm")
    if not isinstance(arm, str) or arm not in experiment.number_of:
        raise _broken(entry, f"there is no arm {arm!r}")
    return experiment.number_of[arm]


def _unit(entry: dict[str, Any]) -> str:
    if not isinstance(entry.get("unit"), str):
        raise _broken(entry, "it names no unit")
    return str(entry["unit"])


def _broken(entry: dict[str, Any], reason: str) -> Broken:
    return Broken(entry["experiment"], entry["seq"], reason)
