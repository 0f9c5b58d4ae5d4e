"""The configuration of an experiment: checked, completed and turned into a policy with its ω.

What was asked for is kept beside what it came to, so that the same request stays the same request even if a
later version would plan another policy for it.
"""

from __future__ import annotations

import math
import re
import secrets
from dataclasses import fields
from typing import Any, Literal, get_args

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.core.names import check_text, repeated, shown
from steadyarm.live.core.problems import Problem
from steadyarm.live.core.setup import traffic
from steadyarm.live.core.setup.durations import duration
from steadyarm.live.core.setup.setup import Setup, class_named, declared_class
from steadyarm.model import checks
from steadyarm.model.feedback import feedback_of
from steadyarm.planning.goals import GOALS, policy_for_goal, recommended
from steadyarm.policies import SLEUCB, Mixed, Play, Policy, Steady, policy_from_dict, policy_named
from steadyarm.theory.reward_class import RewardClass

FEWEST_ARMS, MOST_ARMS = 2, checks.MOST_ARMS
LONGEST_ARM = 64  # characters of its name
LARGEST_HORIZON = 10**9
LARGEST_SEED = 2**53
LARGEST_BATCH = (
    2_000_000  # all its rewards are told at once, in a few seconds: PostgreSQL waits ten for a writer
)
LARGEST_BATCH_ONE_BY_ONE = 400_000  # of a play that is told them one by one, in Python
LONGEST_DELAY = 10**7
SCALES = {"alpha": 1e6, "beta": 1e9, "spread": 1e9, "mean_bound": 1e9, "noise_scale": 1e9}
"""How large these may be, and one over it how small: beyond, bounds and predictions leave the range of a double."""

Rewards = Literal["bernoulli", "bounded", "gaussian"]
REWARDS: tuple[str, ...] = get_args(Rewards)

_OWN = (
    "policy",
    "share",
    "share_decay",
    "arms",
    "horizon",
    "rewards",
    "mean_bound",
    "low",
    "high",
    "plan",
    "seed",
    "trial",
    "attribution",
    "batch",
    "delay",
    "traffic",
    "holdout",
    "strata",
    "continues",
    "description",
)
_DIGEST = re.compile("[0-9a-f]{64}")
_KNOBS: dict[str, type[Policy]] = {"alpha": SLEUCB, "beta": SLEUCB, "constants": SLEUCB, "spread": Steady}


def check_scales(given: dict[str, Any]) -> None:
    """Refuse parameters so large or small that nothing can be computed with them."""
    for name, most in SCALES.items():
        if name in given:
            checks.real(given[name], name, above=0.0, at_least=1.0 / most, at_most=most)


def requested(given: Any) -> dict[str, Any]:
    """Return a configuration in plain types, without the members that are null."""
    if not isinstance(given, dict):
        raise Problem("invalid", f"a configuration must be a JSON object; got {shown(given)}.")
    return {name: _plain(value) for name, value in given.items() if value is not None}


def resolve(given: dict[str, Any]) -> Setup:
    """Check a configuration, fill in what it leaves open, and draw ω.

    >>> setup = resolve(requested({"arms": ["a", "b"], "horizon": 300, "rewards": "bernoulli"}))
    >>> setup.policy.name, setup.policy.noise_scale, sorted(setup.priority)
    ('SLEUCB', 0.5, [0, 1])
    """
    try:
        return _resolve(given)
    except SteadyarmError as refused:
        if isinstance(refused, Problem):
            raise
        raise Problem("invalid", str(refused)) from None


def _resolve(given: dict[str, Any]) -> Setup:
    kind = _kind(given)
    planned = kind is None or "plan" in given
    parameters = {field.name for field in fields(kind or Steady)} - {"n_arms"}
    unknown = given.keys() - parameters - set(_OWN)
    if unknown:
        whose = f" of {kind.__name__}" if kind else ""
        raise InvalidInput(
            f"a configuration{whose} has no member {', '.join(map(repr, sorted(unknown)))}. "
            f"It has {', '.join(sorted(parameters | set(_OWN)))}."
        )
    arms = arms_of(given.get("arms"))
    configuration = dict(given) | {"arms": arms}
    configuration["horizon"] = checks.integer(
        given.get("horizon"), "horizon", at_least=len(arms) + 1, at_most=LARGEST_HORIZON
    )
    configuration["rewards"] = checks.one_of(given.get("rewards", "gaussian"), "rewards", REWARDS)
    if "description" in given:
        check_text(given["description"], "description")
    if "trial" in given:
        _check_digest(given["trial"])
    configuration |= _feedback(given)
    low, high = _range(configuration)
    half = 1.0 if configuration["rewards"] == "gaussian" else (high - low) / 2.0
    configuration.setdefault("noise_scale", half)
    if planned or "mean_bound" in parameters:
        widest = 1.0 if configuration["rewards"] == "gaussian" else max(abs(low), abs(high))
        configuration.setdefault("mean_bound", widest)
    check_scales(configuration)
    if "mean_bound" in configuration:
        declared_class(configuration)  # refuses means that cannot be
    if kind is None or planned:
        kind = _plan(kind, configuration)
        parameters = {field.name for field in fields(kind)} - {"n_arms"}
    policy = _policy(kind, parameters, configuration, low, high)
    seed = configuration.pop("seed", None)
    seed = (
        secrets.randbelow(LARGEST_SEED)
        if seed is None
        else checks.integer(seed, "seed", at_least=0, at_most=LARGEST_SEED)
    )
    play = steered(policy, configuration).start(seed=seed)
    _check_batch(configuration.get("batch", 1), play)
    for _ in range(policy.n_arms):  # what is compiled on first use is compiled now, outside the writer
        play.tell(play.ask(), low)
    play.tell_many([play.ask()], [low])
    for name in parameters & configuration.keys():
        configuration[name] = getattr(policy, name)
    configuration["rewards"] = given.get("rewards", "gaussian")
    if "seed" in given:
        configuration["seed"] = seed
    if "holdout" in given:
        configuration["holdout"] = traffic.holdout(given["holdout"], arms)
    if "continues" in given:
        traffic.predecessor(given["continues"])
    parts = traffic.strata(given["strata"], seed, play.policy) if "strata" in given else ()
    setup = Setup(given, configuration, play.policy, seed, tuple(play.priority), parts)
    if "attribution" in given:
        configuration["attribution"] = attribution_of(given["attribution"], setup)
    return setup


def steered(policy: Policy, configuration: dict[str, Any]) -> Policy:
    """Return the policy as it is played: with random rounds, or within quotas."""
    if "share" in configuration and "traffic" in configuration:
        raise InvalidInput(
            "share gives rounds at random and traffic gives them by quotas, so that a probability would say nothing. "
            "Leave one of them out."
        )
    if "share" in configuration:
        return Mixed(policy, configuration["share"], configuration.get("share_decay", 0.0))
    if "share_decay" in configuration:
        raise InvalidInput("share_decay lets a share of random rounds fall; there is none. Give share too.")
    if "traffic" in configuration:
        policy, configuration["traffic"] = traffic.quotas(
            configuration["traffic"], configuration["arms"], policy
        )
    return policy


def attribution_of(given: Any, setup: Setup) -> dict[str, float]:
    """Return the attribution window of a configuration in seconds, with the reward that silence counts as."""
    if not isinstance(given, dict) or given.keys() != {"after", "reward"}:
        raise InvalidInput(
            f'attribution must hold after and reward, like {{"after": "P14D", "reward": 0}}; got {shown(given)}.'
        )
    reward = setup.check_reward(given["reward"])
    setup.check_possible(reward)
    return {"after": duration(given["after"], "after"), "reward": reward}


def _feedback(given: dict[str, Any]) -> dict[str, int]:
    """Return the batch and the delay that are asked for."""
    found = {}
    if "batch" in given:
        remedy = "It is the number of units after which the policy learns; 1, or none, is after each outcome."
        found["batch"] = checks.integer(
            given["batch"], "batch", at_least=1, at_most=LARGEST_BATCH, remedy=remedy
        )
    if "delay" in given:
        remedy = (
            "It is how many units after its own an outcome counts at the earliest; 0, or none, is at once."
        )
        found["delay"] = checks.integer(
            given["delay"], "delay", at_least=0, at_most=LONGEST_DELAY, remedy=remedy
        )
    goal, feedback = given.get("plan"), feedback_of(found.get("delay"), found.get("batch", 1))
    if not feedback.at_once and isinstance(goal, dict) and goal.get("guaranteed"):
        raise InvalidInput(
            f"a guaranteed plan needs every outcome before the next unit, as its theorem does; here they are told "
            f"{feedback}. Leave batch and delay out, or guaranteed."
        )
    return found


def _check_batch(batch: int, play: Play) -> None:
    if batch > LARGEST_BATCH_ONE_BY_ONE and not play.takes_many:
        raise InvalidInput(
            f"a batch of {play.policy.title} must be at most {LARGEST_BATCH_ONE_BY_ONE:,} units, since its rewards are "
            f"told one by one in Python while everybody waits; got {batch:,}. Let it learn more often, or write it as "
            "a rule that can be compiled."
        )


def _check_digest(value: Any) -> None:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise InvalidInput(
            f"trial must be the digest that `sa.trial` gives, 64 hexadecimal digits; got {shown(value)}."
        )


def arms_of(value: Any) -> list[str]:
    """Return the arms' names."""
    if not isinstance(value, list) or not FEWEST_ARMS <= len(value) <= MOST_ARMS:
        raise InvalidInput(f"arms must be a list of {FEWEST_ARMS} to {MOST_ARMS} names; got {shown(value)}.")
    for name in value:
        if not isinstance(name, str) or not 1 <= len(name) <= LONGEST_ARM or not name.isprintable():
            raise InvalidInput(
                f"an arm's name must have 1 to {LONGEST_ARM} printable characters; got {shown(name)}."
            )
    if len(set(value)) != len(value):
        raise InvalidInput(
            f"arms must have distinct names; {shown(repeated(value))} appears twice. Rename one."
        )
    return value


def _range(configuration: dict[str, Any]) -> tuple[float, float]:
    if configuration["rewards"] != "bounded":
        if "low" in configuration or "high" in configuration:
            raise InvalidInput(
                f"low and high are for bounded rewards; these are {configuration['rewards']}. Leave them out."
            )
        return 0.0, 1.0
    low = checks.real(configuration.get("low", 0.0), "low")
    high = checks.real(configuration.get("high", 1.0), "high", above=low)
    configuration |= {"low": low, "high": high}
    return low, high


def _kind(given: dict[str, Any]) -> type[Policy] | None:
    """Return the policy that was asked for, by its name or by a knob of its own, or None if a plan chooses."""
    if "policy" in given:
        return policy_named(given["policy"])
    return next((kind for knob, kind in _KNOBS.items() if knob in given), None)


def _plan(asked: type[Policy] | None, configuration: dict[str, Any]) -> type[Policy]:
    """Put the planned policy into the configuration; without a goal that is the recommended one."""
    n_arms, horizon = len(configuration["arms"]), configuration["horizon"]
    named = class_named(configuration)
    if "plan" in configuration:
        knobs = sorted(_KNOBS.keys() & configuration.keys())
        if knobs:
            raise InvalidInput(f"a plan chooses the policy; leave {' and '.join(knobs)} out.")
        policy = _policy_for(configuration["plan"], named, n_arms, horizon)
    else:
        policy, goal = recommended(named, n_arms=n_arms, horizon=horizon)
        configuration |= {"plan": goal} if goal else {}
    if asked is not None and not isinstance(policy, asked):
        raise InvalidInput(
            f"this plan chooses {policy.name}, not {asked.__name__}. Leave policy out, or give its own parameters "
            "instead of a plan."
        )
    chosen = policy.to_dict()
    configuration |= {name: chosen[name] for name in chosen.keys() - {"n_arms", "horizon", "noise_scale"}}
    return type(policy)


def _policy_for(goal: Any, named: RewardClass, n_arms: int, horizon: int) -> Policy:
    members = goal.keys() - {"guaranteed"} if isinstance(goal, dict) else set()
    if len(members) != 1 or not members <= set(GOALS):
        raise InvalidInput(f"plan must hold one goal of {', '.join(GOALS)}; got {shown(goal)}.")
    return policy_for_goal(named, n_arms=n_arms, horizon=horizon, **goal)[0]


def _policy(
    kind: type[Policy], parameters: set[str], configuration: dict[str, Any], low: float, high: float
) -> Policy:
    state: dict[str, Any] = {name: configuration[name] for name in parameters & configuration.keys()}
    if "rewards" in parameters:  # a law for the policy: that of coins or any other
        state["rewards"] = "bernoulli" if configuration["rewards"] == "bernoulli" else "gaussian"
    policy = policy_from_dict(state | {"policy": kind.address(), "n_arms": len(configuration["arms"])})
    inside = configuration["rewards"] != "gaussian" and low >= 0.0 and high <= 1.0
    if policy.unit_rewards and not inside:
        raise InvalidInput(
            f"{policy.title} takes rewards between 0 and 1; declare bernoulli, or bounded with low 0 and high 1."
        )
    return policy


def _plain(value: Any) -> Any:
    """Refuse numbers that JSON cannot carry, wherever they stand."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Problem("invalid", f"numbers must be finite; got {value}. Leave out what is not known.")
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
