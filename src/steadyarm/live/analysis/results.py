"""What an experiment says: its state, its arms, and its results with intervals and predictions.

Everything is computed from a `Summary`, so the service and an exported journal give the same.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from steadyarm.errors import InvalidInput
from steadyarm.live.analysis.estimates import Estimates, check_asked
from steadyarm.live.analysis.health import health_of
from steadyarm.live.analysis.noise import noise_words
from steadyarm.live.analysis.pooled import pooled
from steadyarm.live.analysis.prediction import prediction_of
from steadyarm.live.analysis.vitals import StrataVitals, Vitals
from steadyarm.live.analysis.weighted import weighted_of
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.setup.setup import Setup
from steadyarm.model import checks
from steadyarm.planning.goals import goal_of
from steadyarm.planning.promised import rounded_up
from steadyarm.policies import SLEUCB, OwnHistoryPolicy, Policy, play_from_dict
from steadyarm.theory import Estimate, Guarantee, guarantee
from steadyarm.words import amount, counted

_LATE = (
    "{outstanding} outstanding and {voided} voided. The guarantees are about rewards that come before the next round; "
    "anytime-valid intervals do not need that, unless what is missing depends on the reward."
)

_TOLD = (
    "The policy is told outcomes {when}{each} at the earliest, as was declared; {untold} for that. Means and intervals "
    "count them already. The guarantees are about rewards that are told before the next round."
)

_AMENDED = (
    "{amended} amended: means and intervals are of the amended rewards, and the allocation went on with what it was "
    "told. So the guarantees are about the rewards as told; the intervals hold if whether an outcome is amended does "
    "not depend on what it is."
)

_LAPSED = (
    "{lapsed} by silence: no outcome came within {after:,g} seconds, and that counts as {reward:g}. The means are of "
    "rewards so defined."
)

_DEFAULTED = (
    "{served} served a default while the service was away. They are no pulls of the policy; means and intervals are "
    "without them."
)

HIGHEST_LEVEL = 1.0 - 1e-9
"""Of an interval: beyond it a level for all of 1,000 arms together is no longer a number below 1."""


@lru_cache(maxsize=1024)  # its notes search for a horizon, and a policy never changes
def _promise(policy: SLEUCB, widest_gap: float) -> Guarantee:
    return guarantee(policy, widest_gap=widest_gap)


def _promise_of(summary: Summary) -> Guarantee | None:
    """Return what is guaranteed: nothing where a policy knows less noise than 0/1 rewards have."""
    policy, declared = summary.setup.policy, summary.setup.configuration
    if (
        summary.retired
        or not summary.setup.feedback.at_once
        or not isinstance(policy, SLEUCB)
        or (declared["rewards"] == "bernoulli" and policy.noise_scale < 0.5)
    ):
        return None
    return _promise(policy, summary.setup.reward_class.widest_gap)


def finite(value: Any) -> Any:
    """Return plain data with None for every number that JSON cannot carry."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def state_of(summary: Summary) -> dict[str, Any]:
    """Return the state of an experiment, without what would tell the next arm."""
    rewarded, voided = sum(summary.observed), sum(summary.voided)
    return {
        "experiment": summary.name,
        "state": summary.state,
        "state_seq": summary.state_seq,
        "moves": summary.moves,
        "configuration": summary.setup.configuration,
        "policy": summary.setup.policy.to_dict(),
        "policy_title": summary.setup.policy.title,
        "goal": _goal(summary.setup),
        "round": summary.round,
        "horizon": summary.horizon,
        "rewarded": rewarded,
        "untold": _untold(summary),
        "lapsed": sum(summary.lapsed),
        "amended": sum(summary.amended),
        "voided": voided,
        "defaulted": sum(summary.defaulted),
        "outstanding": summary.round - rewarded - voided,
        "retired": [each._asdict() for each in summary.retired],
        "retirable": list(summary.retirable),
        "holdout": _held(summary),
        "continues": summary.continues,
        "seq": summary.seq,
        "hash": summary.hash,
        "format": summary.version,
        "created_at": summary.created_at,
        "notes": _notes(summary),
    }


def _goal(setup: Setup) -> str | None:
    """Return in words the goal that was planned for; None without one that this version knows."""
    asked = setup.configuration.get("plan")
    if asked is None:
        return None
    try:
        return goal_of(setup.reward_class, setup.policy.horizon, **asked).words
    except (InvalidInput, TypeError):  # a journal from elsewhere may hold anything here
        return None


def arms_of(summary: Summary) -> dict[str, Any]:
    """Return the arms with their indices; an arm without a reward has none, and comes first.

    The index of an own-history policy is the envelope of what was observed and the stabilizer of the count. Each
    stratum has its own.
    """
    if summary.strata:
        parts = [{"stratum": part.stratum, "arms": arms_of(part)["arms"]} for part in summary.strata]
        rows = [{"arm": arm, "count": n} for arm, n in zip(summary.setup.arms, summary.counts, strict=True)]
        return {"experiment": summary.name, "round": summary.round, "arms": rows, "strata": parts}
    play = play_from_dict(summary.play)
    indices = [float(index) for index in play.indices]
    values: list[Any] = [None] * len(indices)
    if isinstance(play.policy, OwnHistoryPolicy):
        values = summary.play["values"]
    arms = [
        {
            "arm": arm,
            "count": summary.counts[number],
            "rewarded": summary.observed[number],
            "voided": summary.voided[number],
            "mean": _mean(summary, number),
            "index": indices[number],
            "envelope": values[number],
            "stabilizer": None if values[number] is None else indices[number] - values[number],
            "priority": play.priority[number],
            "retired": number in play.retired,
        }
        for number, arm in enumerate(summary.setup.arms)
    ]
    answer: dict[str, Any] = finite({"experiment": summary.name, "round": summary.round, "arms": arms})
    return answer


def results_of(
    summary: Summary,
    level: float = 0.95,
    control: str | None = None,
    method: str = "auto",
    vitals: Vitals | StrataVitals | None = None,
    now: float | None = None,
) -> dict[str, Any]:
    """Return counts, means and differences with intervals, bounds on regret, the prediction, and health."""
    checks.real(level, "level", above=0.0, at_most=HIGHEST_LEVEL, remedy="0.95 or 0.99 are usual.")
    check_asked(summary.setup, control, method)
    if summary.strata:
        found = _of_strata(summary, level, control, method, vitals)
    else:
        found = _of_play(summary, level, control, method, vitals)
    health = None if vitals is None else health_of(summary, vitals, found["prediction"], now)
    return found | {"health": finite(health)}


def _of_play(
    summary: Summary,
    level: float,
    control: str | None,
    method: str,
    vitals: Vitals | StrataVitals | None = None,
) -> dict[str, Any]:
    policy, n_arms = summary.setup.policy, len(summary.setup.arms)
    declared = summary.setup.reward_class.mean_range
    possible = (declared.start, declared.end)
    estimates = Estimates(summary, level, method)
    best, kinds = estimates.best, {name: estimates.intervals(name) for name in estimates.methods}
    # All arms at once, by Bonferroni, for a bound that involves all of them.
    jointly = estimates.intervals("anytime", 1.0 - (1.0 - level) / n_arms)
    arms = [
        {
            "arm": arm,
            "count": summary.counts[number],
            "share": summary.counts[number] / summary.round if summary.round else None,
            "rewarded": summary.observed[number],
            "lapsed": summary.lapsed[number],
            "amended": summary.amended[number],
            "voided": summary.voided[number],
            "defaulted": summary.defaulted[number],
            "outstanding": summary.counts[number] - summary.observed[number] - summary.voided[number],
            "mean": _mean(summary, number),
            "mean_as_told": _told(summary, number),
            "retired": next((each._asdict() for each in summary.retired if each.arm == arm), None),
            "interval": _interval(best[number], possible),
            **{name: _interval(kind[number], possible) for name, kind in kinds.items()},
        }
        for number, arm in enumerate(summary.setup.arms)
    ]
    answer: dict[str, Any] = finite(
        {
            "experiment": summary.name,
            "round": summary.round,
            "horizon": policy.horizon,
            "level": level,
            "arms": arms,
            "intervals": estimates.which,
            "differences": estimates.differences(control),
            "weighted": _weighted(summary, level, control, vitals),
            "regret": _regret(summary, policy, jointly, level),
            "prediction": prediction_of(summary),
            "holdout": _held(summary),
            "notes": _notes(summary),
            "strata": [],
        }
    )
    return answer


def _weighted(
    summary: Summary, level: float, control: str | None, vitals: Vitals | StrataVitals | None
) -> dict[str, Any] | None:
    """Return the estimates that logged probabilities allow, in the stratum at hand; None if none were logged."""
    followed = vitals.of[summary.stratum] if isinstance(vitals, StrataVitals) else vitals
    if followed is None or followed.log is None:
        return None
    return weighted_of(summary, followed.log, level, control)


def _of_strata(
    summary: Summary,
    level: float,
    control: str | None,
    method: str,
    vitals: Vitals | StrataVitals | None,
) -> dict[str, Any]:
    """Return the results of each stratum, and what they say together."""
    parts = [_of_play(part, level, control, method, vitals) for part in summary.strata]
    together = 1.0 - (1.0 - level) / len(parts)
    jointly = [_of_play(part, together, control, "anytime") for part in summary.strata]
    found = pooled(parts, jointly)
    lost = found["regret"]
    words = _in_words(lost["guarantee_at_horizon"], lost["most_at_horizon"], summary.horizon)
    found["regret"] = lost | {"level": level, "guarantee_words": words}
    said = {"experiment": summary.name, "horizon": summary.horizon, "level": level, "holdout": _held(summary)}
    names = [{"stratum": part.stratum} for part in summary.strata]
    strata = [name | part for name, part in zip(names, parts, strict=True)]
    return said | found | {"notes": _notes(summary), "strata": strata}


def _held(summary: Summary) -> dict[str, Any] | None:
    """Return how many units are held out, and what came of them."""
    held = summary.holdout
    if held is None:
        return None
    said = {"units": held.units, "rewarded": held.observed, "lapsed": held.lapsed, "amended": held.amended}
    outstanding = held.units - held.observed - held.voided
    return said | {"voided": held.voided, "outstanding": outstanding, "mean": held.mean}


def _regret(summary: Summary, policy: Policy, jointly: list[Estimate], level: float) -> dict[str, Any]:
    """Return what was lost so far against always pulling the best arm, and what is promised for the horizon.

    The loss is the best mean times the number of rewards, less what they add up to: since that sum is known, the loss
    is as uncertain as the best mean, and never more than the largest rewards would have brought beyond it.
    """
    declared = summary.setup.reward_class.mean_range
    possible = (declared.low, declared.high)
    known, collected = sum(summary.observed), sum(summary.sums)
    lows, highs = zip(*(_clipped(estimate, possible) for estimate in jointly), strict=True)
    means = [_mean(summary, number) for number in range(policy.n_arms)]
    best = max((mean for mean in means if mean is not None), default=0.0)
    most, promise = (possible[1] - possible[0]) * policy.horizon, _promise_of(summary)

    def lost(mean: float) -> float:
        return max(0.0, known * mean - collected) if known else 0.0

    return {
        "collected": collected,
        "so_far": None if None in means else lost(best),
        "so_far_at_least": lost(max(lows)),
        "so_far_at_most": lost(max(highs)),
        "level": level,
        "guarantee_at_horizon": promise.regret if promise else None,
        "most_at_horizon": most,
        "guarantee_words": _in_words(promise.regret if promise else None, most, policy.horizon),
    }


def _in_words(bound: float | None, most: float, horizon: int) -> str:
    """Return a guarantee as a sentence; nothing if it says no more than that no more can be lost."""
    if bound is None or not bound < most:
        return ""
    return (
        f"Expected loss over all {horizon:,} rounds, guaranteed if every reward comes before the next round and is as "
        f"noisy as σ says or less: at most {amount(rounded_up(bound))}, {bound / most:.1%} of all that could be lost."
    )


def _clipped(estimate: Estimate, possible: tuple[float, float]) -> tuple[float, float]:
    """Return an interval without what cannot be; one that is all beyond speaks against the declaration and stays."""
    low, high = max(estimate.low, possible[0]), min(estimate.high, possible[1])
    return (low, high) if low <= high else (estimate.low, estimate.high)


def _untold(summary: Summary) -> int:
    """Return how many rewards the policy hears of with its next update."""
    return sum(sum(each.observed) - sum(each.play["observed"]) for each in summary.strata or (summary,))


def _mean(summary: Summary, number: int) -> float | None:
    return summary.sums[number] / summary.observed[number] if summary.observed[number] else None


def _told(summary: Summary, number: int) -> float | None:
    """Return the mean of the rewards as the policy was told them, before any amendment."""
    told: list[float] = summary.play["moments"]["sums"]
    return told[number] / summary.observed[number] if summary.observed[number] else None


def _interval(estimate: Estimate, possible: tuple[float, float]) -> dict[str, float]:
    """Return an interval within the range of the rewards; infinite, and so without ends, if nothing was observed."""
    low, high = _clipped(estimate, possible) if estimate.runs else (estimate.low, estimate.high)
    return {"low": low, "high": high}


def _notes(summary: Summary) -> list[str]:
    policy = summary.setup.policy
    promise = _promise_of(summary)
    notes = [*policy.notes, *(promise.notes if promise else ())]
    declared = summary.setup.configuration
    if declared["rewards"] != "gaussian":
        half = (declared.get("high", 1.0) - declared.get("low", 0.0)) / 2.0
        if policy.noise_scale < half:
            notes.append(noise_words(policy, declared["rewards"], half))
    if not (feedback := summary.setup.feedback).at_once:
        untold = counted(_untold(summary), "outcome waits", "outcomes wait")
        each = " of its stratum" if summary.setup.strata else ""
        notes.append(_TOLD.format(when=feedback, each=each, untold=untold))
    notes += _traffic_notes(summary)
    lapsed, window = sum(summary.lapsed), summary.setup.attribution
    if lapsed and window is not None:
        came = f"{lapsed:,} {'reward is' if lapsed == 1 else 'rewards are'}"
        notes.append(_LAPSED.format(lapsed=came, after=window.after, reward=window.reward))
    if amended := sum(summary.amended):
        notes.append(
            _AMENDED.format(amended=f"{amended:,} {'outcome was' if amended == 1 else 'outcomes were'}")
        )
    if served := sum(summary.defaulted):
        notes.append(_DEFAULTED.format(served=f"{served:,} {'unit was' if served == 1 else 'units were'}"))
    voided = sum(summary.voided)
    outstanding = summary.round - sum(summary.observed) - voided
    if outstanding or voided:
        late = f"{outstanding:,} {'reward is' if outstanding == 1 else 'rewards are'}"
        lost = f"{voided:,} {'unit was' if voided == 1 else 'units were'}"
        notes.append(_LATE.format(outstanding=late, voided=lost))
    return notes


def _traffic_notes(summary: Summary) -> list[str]:
    notes = [
        f"Arm {each.arm!r} was retired by entry {each.seq:,} ({each.reason}). It is never given again, and there is no "
        "guarantee from here on; outcomes that still come count, and anytime-valid intervals hold."
        for each in summary.retired
    ]
    if summary.continues is not None:
        link = summary.continues
        notes.append(
            f"This continues {link['experiment']!r} after its entry {link['seq']:,} with a play of its own: no data of "
            "that one carries over."
        )
    if summary.holdout is not None:
        share = summary.setup.configuration["holdout"]["share"]
        notes.append(
            f"{100 * share:.6g}% of all units are held out. They are no pulls, and the policy does not learn from "
            "their rewards."
        )
    return notes
