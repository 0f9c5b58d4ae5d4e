"""Which engine plays: the tables of all engines, and what "auto" takes from them."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from steadyarm.engines.cuda.engine import OnGpu
from steadyarm.engines.interface import Engine
from steadyarm.engines.leap.engine import Leap
from steadyarm.engines.played.prefix import Prefix
from steadyarm.engines.played.step import Step
from steadyarm.engines.reference import Reference
from steadyarm.errors import NotSupported
from steadyarm.model import checks
from steadyarm.model.feedback import AT_ONCE, Feedback
from steadyarm.model.instance import Instance
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.registry import all_policies

ENGINES: dict[str, Engine] = {engine.name: engine for engine in (Leap(), Prefix(), Step(), Reference())}
"""The engines by name, the cheapest for a long horizon first."""

GPU_ENGINES: dict[str, Engine] = {name: OnGpu(ENGINES[name]) for name in ("prefix", "step")}

DEVICES: dict[str, dict[str, Engine]] = {"cpu": ENGINES, "cuda": GPU_ENGINES}

TABLE_ENGINES = tuple(name for name, engine in ENGINES.items() if engine.reads_table)
"""The engines whose counts belong to the rewards of the reward table, cell by cell."""

_LEAP_FROM = 10**6  # rounds from which leaping is clearly cheaper than playing
_LEAP_FROM_PER_ARM = 10**5
_SHORTEST_LEAP = 10**4  # rounds below which the cost of a leap is not known
_SHORTEST_LEAP_PER_ARM = 16  # rounds below which there is nothing to leap over
_LONGEST_PLAY = 10**11  # rounds that "auto" is ready to play one by one


def choose_engine(
    name: str, policy: Policy, instance: Instance, device: str = "cpu", feedback: Feedback = AT_ONCE
) -> Engine:
    """Return the engine that was asked for; for "auto" the first in the table that can, leap only if it pays."""
    checks.one_of(name, "engine", ("auto", *ENGINES))
    refusals = {
        each: refused_rounds(engine, instance, feedback) or engine.refusal(policy, instance)
        for each, engine in DEVICES[device].items()
    }
    able = [each for each, refusal in refusals.items() if refusal is None]
    if name == "auto":
        chosen = next((each for each in able if each != "leap" or leap_pays(policy)), None)
    elif name == "leap" and device == "cpu" and _nothing_to_leap(policy) and "prefix" in able:
        chosen = "prefix"
    else:
        chosen = name if name in able else None
    if chosen is None:
        raise NotSupported(_refused(name, policy, instance, device, refusals))
    if name == "auto" and device == "cpu" and chosen != "leap" and policy.horizon > _LONGEST_PLAY:
        raise NotSupported(
            f"{policy.title} on {instance.rewards} arms has to be played round by round, because "
            f"{refusals['leap']}, and {policy.horizon:,} rounds would take hours per run. Use a horizon of at most "
            f"{_LONGEST_PLAY:,}, or ask for engine={chosen!r} to insist."
        )
    return DEVICES[device][chosen]


def engines_for(policy: Policy, instance: Instance) -> tuple[str, ...]:
    """Return the names of the engines that play a policy on an instance.

    >>> import steadyarm as sa
    >>> engines_for(sa.UCB1(n_arms=2, horizon=100), sa.equal_arms(2))
    ('step', 'reference')
    """
    return tuple(name for name, engine in ENGINES.items() if engine.refusal(policy, instance) is None)


def policy_rows() -> list[dict[str, Any]]:
    """Return what can be played, one row for each policy of the registry.

    `engines` are those that play it with its defaults on 0/1 rewards, which all of them take; `parameters` are its own,
    with their defaults, None for one that is derived from others or must be given.

    >>> row = policy_rows()[2]
    >>> row["name"], row["engines"], row["parameters"]
    ('MOSS', ['leap', 'prefix', 'step', 'reference'], {'noise_scale': 1.0, 'constant': 4.0})
    """
    two_arms = Instance.bernoulli([0.5, 0.5])
    return [
        {
            "name": name,
            "title": kind.title,
            "own_history": issubclass(kind, OwnHistoryPolicy),
            "engines": list(engines_for(kind(n_arms=2, horizon=1000), two_arms)),
            "parameters": {
                field.name: None if field.default is MISSING else field.default
                for field in fields(kind)
                if field.name not in ("n_arms", "horizon")
            },
            "source": kind.source,
        }
        for name, kind in all_policies().items()
    ]


def _refused(
    name: str, policy: Policy, instance: Instance, device: str, refusals: dict[str, str | None]
) -> str:
    """Say who cannot play, why, and what can."""
    if device == "cpu":
        return (
            f"the {name} engine cannot play {policy.name} on {instance.rewards} arms: {refusals[name]}. "
            "Use engine='auto' (--engine auto)."
        )
    who = "no engine can" if name == "auto" else f"the {name} engine cannot"
    why = refusals.get("step" if name == "auto" else name, "it runs on a CPU only")
    able = [repr(each) for each, refusal in refusals.items() if refusal is None]
    others = f", or engine={' or '.join(able)}" if able else ""
    return f"{who} play {policy.name} on a GPU: {why}. Use device='cpu'{others}."


def refused_rounds(engine: Engine, instance: Instance, feedback: Feedback) -> str | None:
    """Return what depends on the rounds if an engine does not go by them, as the end of "because …"; else None."""
    if engine.goes_by_rounds or not (instance.moves or not feedback.at_once):
        return None
    what = "means move with the rounds" if instance.moves else f"rewards are told {feedback}"
    return f"it does not go from round to round, and {what}"


def leap_pays(policy: Policy) -> bool:
    """Whether leaping over the policy's rounds, where it can be done, is clearly cheaper than playing them."""
    clearly = max(_LEAP_FROM, _LEAP_FROM_PER_ARM * policy.n_arms)
    return policy.horizon >= clearly or policy.horizon > _LONGEST_PLAY


def _nothing_to_leap(policy: Policy) -> bool:
    return policy.horizon < _SHORTEST_LEAP_PER_ARM * policy.n_arms


def auto_leaps(policy: Policy, instance: Instance) -> bool:
    """Whether "auto" leaps."""
    return leap_pays(policy) and ENGINES["leap"].refusal(policy, instance) is None


def cheapest_engine(policy: Policy, instance: Instance) -> tuple[str, float]:
    """Return the engine that plays a run for the least, and about how many seconds of a core it takes.

    >>> import steadyarm as sa
    >>> cheapest_engine(sa.SLEUCB(n_arms=2, horizon=10**9), sa.equal_arms(2))[0]
    'leap'
    """
    able = [engine for engine in ENGINES.values() if engine.refusal(policy, instance) is None]
    if policy.horizon < _SHORTEST_LEAP or _nothing_to_leap(policy):
        able = [engine for engine in able if engine.name != "leap"]
    cost, name = min((engine.run_cost(policy), engine.name) for engine in able)
    return name, cost
