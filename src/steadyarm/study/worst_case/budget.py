"""Who takes part in a search for worst cases, with how many runs: curves, their rivals, and who is left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from steadyarm.engines.choice import cheapest_engine
from steadyarm.errors import InvalidInput, InvalidType
from steadyarm.model import checks
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.registry import all_policies, make_policy
from steadyarm.study.runs.resolve_policies import refusal
from steadyarm.study.worst_case.search import Search
from steadyarm.study.worst_case.space import FAMILIES, Point, Space

FEWEST_RUNS = 32  # of a rival, however expensive
_RIVAL_SECONDS = 4.0  # of CPU time, for the final measurement of a rival's instability
_REGRET_SECONDS = 1.0  # and of its regret, whose interval is narrow sooner
_SEARCH_SECONDS = 0.7  # for its search
_ROUNDS_PER_ARM = 200  # below, a shorter horizon says nothing about the longer one
_RIVAL_FAMILIES = ("equal_gap", "two_best", "duel")
_RIVAL_GAPS = 10
_RIVAL_SEARCH_RUNS = 16
_SEARCH_RUNS = 32
_CONFIRM_RUNS = 12  # of candidates between which predictions hardly tell


@dataclass(frozen=True)
class Participant:
    """A policy on a frontier, how its worst cases are looked for, and how many runs measure them."""

    policy: Policy
    search: Search
    runs: int
    regret_runs: int
    """Of the worst regret, whose interval is narrow sooner than that of an instability."""
    seconds: float
    """About what all of it takes, in seconds of CPU time."""
    rival: bool = False
    """Whether it is a point beside the curves; SLE-UCB itself may be one, with β by hand, say."""


def curve_participant(policy: Policy, space: Space, runs: int, seed: int) -> Participant:
    """Return a point of a curve as a participant: curves are what the frontier is about, so it gets all runs."""
    search = Search(tuple(FAMILIES), 8, 12, _SEARCH_RUNS, seed, confirm_runs=_CONFIRM_RUNS)
    each = cheapest_engine(policy, _equal(space))[1]
    fewer = _fewer(runs)
    return Participant(policy, search, runs, fewer, each * (runs + fewer + 8 * _CONFIRM_RUNS))


def rival_participant(policy: Policy, space: Space, runs: int, seed: int) -> Participant:
    """Return a rival with as many runs as its share of the time allows, and a shorter search horizon if need be."""
    each = cheapest_engine(policy, _equal(space))[1]
    tries = (1 + len(_RIVAL_FAMILIES) * _RIVAL_GAPS) * _RIVAL_SEARCH_RUNS
    horizon, cost = policy.horizon, each
    while cost * tries > _SEARCH_SECONDS and horizon // 4 >= _ROUNDS_PER_ARM * policy.n_arms:
        shorter = _shortened(policy, horizon // 4)
        if shorter is None:
            break
        horizon, cost = shorter.horizon, cheapest_engine(shorter, _equal(space))[1]
    instead = horizon if horizon < policy.horizon else None
    search = Search(_RIVAL_FAMILIES, _RIVAL_GAPS, 0, _RIVAL_SEARCH_RUNS, seed, instead, _confirm_runs(each))
    runs = min(runs, max(FEWEST_RUNS, int(_RIVAL_SECONDS / each)))
    fewer = min(runs, max(_fewer(runs), int(_REGRET_SECONDS / each)))
    seconds = each * (runs + fewer + 4 * search.confirm_runs) + cost * tries
    return Participant(policy, search, runs, fewer, seconds, rival=True)


def _fewer(runs: int) -> int:
    """Return how many runs a regret needs where an instability needs so many."""
    return min(runs, max(FEWEST_RUNS, runs // 4))


def _shortened(policy: Policy, horizon: int) -> Policy | None:
    """Return the same policy for a shorter horizon; None for one that cannot be made anew so simply."""
    try:
        return policy.replace(horizon=horizon)
    except (TypeError, InvalidInput):
        return None


def _confirm_runs(each: float) -> int:
    return max(6, min(_RIVAL_SEARCH_RUNS, int(0.15 / each)))


def rivals_for(
    rivals: str | Policy | Sequence[str | Policy] | None,
    space: Space,
    horizon: int,
    mean_bound: float,
    curves: Collection[str],
) -> tuple[list[Policy], dict[str, str]]:
    """Return the rivals as records, and why policies of the registry cannot be among them.

    "all" is everybody in the registry but those that have a curve; "none", None and an empty list are nobody.
    A rival that was asked for by name or as a record and cannot play is refused.
    """
    everybody = isinstance(rivals, str) and rivals == "all"
    if everybody:
        asked: list[Any] = [name for name in all_policies() if name not in curves]
    elif rivals is None or (isinstance(rivals, str) and rivals == "none"):
        asked = []
    elif isinstance(rivals, str | Policy):
        asked = [rivals]
    elif isinstance(rivals, Sequence):
        asked = list(rivals)
    else:
        raise InvalidType(f"rivals must be 'all', 'none' or a list of names and policies; got {rivals!r}.")
    records: list[Policy] = []
    left_out: dict[str, str] = {}
    for rival in asked:
        policy = _record(rival, space, horizon, mean_bound)
        reason = refusal(policy, _equal(space))
        if reason and not everybody:
            raise InvalidInput(f"{policy.name} cannot be a rival here: {reason}")
        if reason:
            left_out[policy.name] = reason
        elif policy in records:
            raise InvalidInput(f"the rivals must differ from each other; {policy!r} is listed twice.")
        else:
            records.append(policy)
    return records, left_out


def too_expensive(policy: Policy, space: Space, patience: float) -> str:
    """Return why a rival would take too long; nothing if it would not."""
    engine, each = cheapest_engine(policy, _equal(space))
    least = 2 * FEWEST_RUNS * each
    if least <= patience:
        return ""
    return (
        f"{policy.horizon:,} rounds have to be played one by one ({engine} engine): {FEWEST_RUNS} runs on both worst "
        f"instances would take about {_duration(least)} of CPU time, more than patience = {patience:g} s."
    )


def _duration(seconds: float) -> str:
    for unit, length in (("years", 3.15e7), ("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2.0 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{seconds:.2g} s"


def _record(rival: Any, space: Space, horizon: int, mean_bound: float) -> Policy:
    if isinstance(rival, Policy):
        if (rival.n_arms, rival.horizon) != (space.n_arms, horizon):
            raise InvalidInput(
                f"a rival must have the frontier's {space.n_arms} arms and {horizon:,} rounds; {rival.name} has "
                f"{rival.n_arms} and {rival.horizon:,}."
            )
        return rival
    if not isinstance(rival, str):
        raise InvalidType(f"a rival must be a policy or a name; got {rival!r}.")
    name = checks.one_of(rival, "a rival's name", tuple(all_policies()))
    return usual_rival(name, space, horizon, mean_bound)


def usual_rival(name: str | type[Policy], space: Space, horizon: int, mean_bound: float) -> Policy:
    """Return the rival that a name or a class stands for: nothing but the frontier's own parameters is set."""
    return make_policy(
        name, n_arms=space.n_arms, horizon=horizon, mean_bound=mean_bound, noise_scale=space.noise_scale
    )


def _equal(space: Space) -> Any:
    return space.instance(Point((0.0,) * space.n_arms))
