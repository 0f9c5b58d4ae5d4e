"""Whether an experiment is healthy: five checks, each in numbers and in a sentence.

Four of them can raise an alarm, and share a rate of false ones over the whole life of an experiment. Where the
allocation is against its prediction is information: the prediction is of first order, and has no such rate.
"""

from __future__ import annotations

import math
from typing import Any

from steadyarm.live.analysis.prediction import BAND, prediction_of
from steadyarm.live.analysis.silence import silence_of
from steadyarm.live.analysis.vitals import MISSING_AFTER_SECONDS, StrataVitals, Vitals
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.setup.setup import Setup
from steadyarm.words import counted

FALSE_ALARMS = 0.05
"""The probability, at most, that a healthy experiment ever has an alarm, however often you look."""

CHECKS = ("outcomes", "silence", "ratio", "drift")

_FOUND = {
    "outcomes": "The share of units without an outcome is not the same in all arms; {arm} stands out. Means are then "
    "of different populations: find out why before you compare them.",
    "silence": "For a long time {arm} had no outcome while other arms had theirs. It has one now, or is retired.",
    "ratio": "The share of {arm} does not fit the probabilities that are logged. If `verify` passes, ask who chose "
    "the seed.",
    "drift": "The mean reward of {arm} has changed, so no interval describes a single mean; or rewards are noisier "
    "than was declared.",
}
_FINE = {
    "outcomes": "Outcomes are missing in all arms alike, as far as can be told.",
    "silence": "Outcomes come from every arm, as far as can be told.",
    "ratio": "Arms were given with the probabilities that are logged, as far as can be told.",
    "drift": "No arm's mean has changed, as far as can be told.",
}
_REPLAYED = "This policy gives arms by its rule and not by chance: an audit tells whether it did."


def enough(n_arms: int) -> float:
    """Return the log E of one arm in one check that is an alarm: by Bonferroni over arms and checks.

    >>> round(math.exp(enough(2)))
    160
    """
    return math.log(n_arms * len(CHECKS) / FALSE_ALARMS)


def vitals_of(setup: Setup) -> Vitals | StrataVitals:
    """Return what follows a journal for `health_of`."""
    log_e = enough(len(setup.arms) * max(1, len(setup.strata)))
    if setup.strata:
        return StrataVitals({stratum.name: Vitals(setup, log_e) for stratum in setup.strata})
    return Vitals(setup, log_e)


def health_of(
    summary: Summary, vitals: Vitals | StrataVitals, prediction: dict[str, Any], now: float | None = None
) -> dict[str, Any]:
    """Return all checks; `vitals` may be a part of the journal behind. Without a time it is that of the last entry."""
    if isinstance(vitals, StrataVitals):
        return _of_strata(summary, vitals, prediction, now)
    checks = {name: _check(name, summary, vitals) for name in CHECKS}
    alarms = alarms_of(vitals)
    checks["silence"] |= silence_of(summary)
    checks["outcomes"] |= _outcomes(summary, vitals, vitals.clock if now is None else max(now, vitals.clock))
    read = f"{vitals.seq:,} of {summary.seq:,} entries were looked at so far."
    words = " ".join(checks[name]["words"] for name in alarms) or "No check has raised an alarm."
    return {
        "alarms": alarms,
        "words": words if vitals.seq >= summary.seq else f"{words} {read}",
        "false_alarm_rate": FALSE_ALARMS,
        "seq": vitals.seq,
        "allocation": _allocation(prediction),
        **checks,
    }


def _of_strata(
    summary: Summary, vitals: StrataVitals, prediction: dict[str, Any], now: float | None
) -> dict[str, Any]:
    """Return the health of each stratum, and together what has raised an alarm."""
    clock = vitals.clock if now is None else max(now, vitals.clock)
    for followed in vitals.of.values():
        followed.seq = vitals.seq  # entries of other strata were looked at too
    strata = [
        {"stratum": part.stratum} | health_of(part, vitals.of[part.stratum], prediction_of(part), clock)
        for part in summary.strata
    ]
    read = f"{vitals.seq:,} of {summary.seq:,} entries were looked at so far."
    loud = [
        f"Stratum {each['stratum']!r}: {each['words'].removesuffix(f' {read}')}"  # once is enough
        for each in strata
        if each["alarms"]
    ]
    words = " ".join(loud) or "No check has raised an alarm."
    apart = {"available": False, "words": "Each stratum is looked at on its own."}
    return {
        "alarms": alarms_of(vitals),
        "words": words if vitals.seq >= summary.seq else f"{words} {read}",
        "false_alarm_rate": FALSE_ALARMS,
        "seq": vitals.seq,
        "allocation": _allocation(prediction),
        **dict.fromkeys(CHECKS, apart),
        "strata": strata,
    }


def alarms_of(vitals: Vitals | StrataVitals) -> list[str]:
    """Return the checks that have raised an alarm; one that was raised stays."""
    if isinstance(vitals, StrataVitals):
        raised = {name for each in vitals.of.values() for name in alarms_of(each)}
        return [name for name in CHECKS if name in raised]
    return [name for name in CHECKS if vitals.highest[name].seq is not None]


def silent_in(health: dict[str, Any]) -> set[str]:
    """Return the arms that are not heard of, in any stratum, while others are."""
    parts = health.get("strata", [health])
    return {arm for part in parts for arm in part.get("silence", {}).get("silent", [])}


def _check(name: str, summary: Summary, vitals: Vitals) -> dict[str, Any]:
    """Return a check: `chance` is how likely a healthy experiment is, at most, to ever show as much in any check."""
    if name == "ratio" and vitals.ratio is None:
        return {"available": False, "words": _REPLAYED}
    if name in ("outcomes", "drift") and vitals.lost:
        return {"available": False, "words": f"Not known: {vitals.lost}."}
    highest, arms = vitals.highest[name], summary.setup.arms
    alarm = highest.seq is not None
    most = float(highest.values.max())
    return {
        "available": True,
        "alarm": alarm,
        "since_seq": highest.seq,
        "chance": min(1.0, FALSE_ALARMS * math.exp(min(700.0, highest.enough - most))),
        "arm": arms[highest.arm] if most > 0.0 else None,
        "words": (_FOUND if alarm else _FINE)[name].format(arm=f"arm {arms[highest.arm]!r}"),
    }


def _outcomes(summary: Summary, vitals: Vitals, now: float) -> dict[str, Any]:
    if vitals.lost:
        return {}
    oldest, waiting = vitals.oldest(), [0] * len(summary.setup.arms)
    for _, arm, _ in vitals.waiting.values():
        waiting[arm] += 1
    return {
        "patience_seconds": MISSING_AFTER_SECONDS
        if vitals.window is None
        else None,  # with a window only voids are missing
        "arms": [
            {
                "arm": arm,
                "settled": int(vitals.settled[number]),
                "missing": int(vitals.missing[number]),
                "share_missing": _share(vitals.missing[number], vitals.settled[number]),
                "late": int(vitals.late[number]),
                "waiting": waiting[number],
                "oldest_waiting_seconds": now - oldest[number] if number in oldest else None,
                "median_lateness_seconds": vitals.median_lateness(number),
            }
            for number, arm in enumerate(summary.setup.arms)
        ],
    }


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole else None


def _allocation(prediction: dict[str, Any]) -> dict[str, Any]:
    """Return whether all counts are in the band of the prediction, for arms with the means seen so far."""
    if not prediction["available"]:
        return {"available": False, "words": f"No prediction: {prediction['reason']}."}
    away = [(abs(each["deviations"] or 0.0), each) for each in prediction["arms"]]
    farthest, arm = max(away, key=lambda pair: pair[0])
    outside = [each["arm"] for deviations, each in away if deviations > BAND]
    words = (
        f"Arm {arm['arm']!r} is the farthest from its prediction: {arm['count']:,} pulls, predicted "
        f"{arm['predicted']:,.0f} ± {arm['sd']:,.0f}, {farthest:.1f} standard deviations away."
    )
    if outside:
        words += f" {counted(len(outside), 'arm is', 'arms are')} outside of the band of {BAND:g}."
    return {
        "available": True,
        "inside": not outside,
        "outside": outside,
        "largest_deviations": farthest,
        "trusted": prediction["trusted"],
        "words": words,
    }
