"""The configuration of an experiment: checked, completed and turned into a policy with its ω.

What was asked for is kept beside what it came to, so that the same request stays the same request even if a
later version would plan another α for it.
"""

from __future__ import annotations

import math
import re
import secrets
from dataclasses import dataclass, fields
from typing import Any

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.core.problems import Problem
from steadyarm.model import checks
from steadyarm.planning.goals import GOALS, policy_for_goal, recommended
from steadyarm.policies import SLEUCB, Policy, all_policies, policy_from_dict
from steadyarm.theory.reward_class import RewardClass, class_of

NAME_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.:@+=~-]{0,127}$"
"""Names of experiments and units: 1 to 128 letters, digits and _ . : @ + = ~ -, the first one no sign but _."""

MOST_ARMS = 1000
LARGEST_HORIZON = 10**9
LARGEST_REWARD = 1e100
FARTHEST = 40  # σ from its mean: no σ-sub-Gaussian reward comes so far, but once in 10³⁴⁷
LONGEST_TEXT = 1000
SCALES = {"alpha": 1e6, "beta": 1e9, "mean_bound": 1e9, "noise_scale": 1e9}
"""How large these may be, and one over it how small: beyond, bounds and predictions leave the range of a double."""

REWARDS = ("bernoulli", "bounded", "gaussian")

_NAME = re.compile(NAME_PATTERN[1:-1])
_OWN = ("policy", "arms", "horizon", "rewards", "low", "high", "plan", "seed", "description")


def check_name(value: Any, what: str) -> str:
    """Return the name of an experiment or a unit.

    >>> check_name("visitor-17", "unit")
    'visitor-17'
    """
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise Problem(
            "invalid",
            f"the name of {what} must be 1 to 128 letters, digits or any of _ . : @ + = ~ -, and begin with a "
            f"letter, digit or _; got {_shown(value)}.",
        )
    return value


def check_text(value: Any, what: str, shortest: int = 0) -> str:
    """Return a text that people will read: at most 1,000 characters, none of them a control character."""
    fine = isinstance(value, str) and shortest <= len(value) <= LONGEST_TEXT
    if not fine or not all(character.isprintable() or character in "\n\t" for character in value):
        raise Problem(
            "invalid",
            f"{what} must be a text of {shortest} to {LONGEST_TEXT:,} characters without control characters; "
            f"got {_shown(value)}.",
        )
    return str(value)


def check_scales(given: dict[str, Any]) -> None:
    """Refuse parameters so large or small that nothing can be computed with them."""
    for name, most in SCALES.items():
        if name in given:
            checks.real(given[name], name, above=0.0, at_least=1.0 / most, at_most=most)


@dataclass(frozen=True)
class Setup:
    """All that an experiment needs to begin, and to be replayed.

    Attributes:
        requested: the configuration as it was asked for, with types made plain.
        configuration: the same with defaults and the planned α filled in.
        policy: the policy's record.
        seed: names the policy's own random numbers.
        priority: ω, the rank of each arm; the smallest wins a tie.
    """

    requested: dict[str, Any]
    configuration: dict[str, Any]
    policy: Policy
    seed: int
    priority: tuple[int, ...]

    @property
    def arms(self) -> list[str]:
        """The arms' names."""
        names: list[str] = self.configuration["arms"]
        return names

    def check_reward(self, value: Any) -> float:
        """Return a reward of the declared kind as a float."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Problem("invalid_reward", f"a reward must be a number; got {_shown(value)}.")
        try:
            reward = float(value)
        except OverflowError:
            reward = math.inf
        if not math.isfinite(reward):
            raise Problem("invalid_reward", f"a reward must be finite; got {reward}.")
        kind = self.configuration["rewards"]
        if kind == "bernoulli" and reward not in (0.0, 1.0):
            raise Problem("invalid_reward", f"a Bernoulli reward must be 0 or 1; got {reward!r}.")
        if kind == "bounded":
            low, high = self.configuration["low"], self.configuration["high"]
            if not low <= reward <= high:
                raise Problem(
                    "invalid_reward", f"a reward must lie between {low!r} and {high!r}; got {reward!r}."
                )
        if abs(reward) > LARGEST_REWARD:
            raise Problem("invalid_reward", f"a reward must be at most {LARGEST_REWARD:g} in size.")
        return reward + 0.0  # -0.0 becomes 0.0, which compares equal but prints otherwise

    def check_possible(self, reward: float) -> None:
        """Refuse a reward that cannot come from the declared class; a journal may hold one from before this rule."""
        if self.configuration["rewards"] != "gaussian" or "mean_bound" not in self.configuration:
            return
        bound, noise = self.configuration["mean_bound"], self.configuration["noise_scale"]
        if abs(reward) > bound + FARTHEST * noise:
            raise Problem(
                "invalid_reward",
                f"a reward must lie within ±{bound + FARTHEST * noise:g}: means are at most mean_bound = {bound:g} in "
                f"size, and none comes {FARTHEST} times noise_scale = {noise:g} further; got {reward!r}. Check its "
                "unit of measurement, or declare a larger mean_bound or noise_scale in a new experiment.",
            )

    def to_entry(self) -> dict[str, Any]:
        """Return what the journal's first entry holds."""
        return {
            "requested": self.requested,
            "configuration": self.configuration,
            "policy": self.policy.to_dict(),
            "seed": self.seed,
            "priority": list(self.priority),
        }

    @classmethod
    def from_entry(cls, entry: dict[str, Any]) -> Setup:
        """Make the setup that a first entry describes."""
        return cls(
            entry["requested"],
            entry["configuration"],
            policy_from_dict(entry["policy"]),
            entry["seed"],
            tuple(entry["priority"]),
        )

    def is_requested_by(self, given: dict[str, Any]) -> bool:
        """Whether a configuration is the one that this was made from, or the one that it came to."""
        return given in (self.requested, self.configuration)


def requested(given: Any) -> dict[str, Any]:
    """Return a configuration in plain types, without the members that are null."""
    if not isinstance(given, dict):
        raise Problem("invalid", f"a configuration must be a JSON object; got {_shown(given)}.")
    plain = {name: _plain(value) for name, value in given.items() if value is not None}
    plain.setdefault("policy", "SLEUCB")
    return plain


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
    kind = all_policies()[checks.one_of(given["policy"], "policy", tuple(all_policies()))]
    parameters = {field.name for field in fields(kind)} - {"n_arms"}
    unknown = given.keys() - parameters - set(_OWN)
    if unknown:
        raise InvalidInput(
            f"a configuration of {kind.__name__} has no member {', '.join(map(repr, sorted(unknown)))}. "
            f"It has {', '.join(sorted(parameters | set(_OWN)))}."
        )
    arms = _arms(given.get("arms"))
    configuration = dict(given) | {"arms": arms}
    configuration["horizon"] = checks.integer(
        given.get("horizon"), "horizon", at_least=len(arms) + 1, at_most=LARGEST_HORIZON
    )
    configuration["rewards"] = checks.one_of(given.get("rewards", "gaussian"), "rewards", REWARDS)
    if "description" in given:
        check_text(given["description"], "description")
    low, high = _range(configuration)
    half = 1.0 if configuration["rewards"] == "gaussian" else (high - low) / 2.0
    configuration.setdefault("noise_scale", half)
    if "mean_bound" in parameters:
        widest = 1.0 if configuration["rewards"] == "gaussian" else max(abs(low), abs(high))
        configuration.setdefault("mean_bound", widest)
    check_scales(configuration)
    if "mean_bound" in parameters:
        declared_class(configuration)  # refuses means that cannot be
    if "plan" in given:
        _plan(kind, configuration)
    elif kind is SLEUCB and not {"alpha", "beta", "constants"} & configuration.keys():
        configuration |= _recommended(configuration)
    policy = _policy(kind, parameters, configuration, low, high)
    seed = configuration.pop("seed", None)
    seed = (
        secrets.randbelow(2**53) if seed is None else checks.integer(seed, "seed", at_least=0, at_most=2**53)
    )
    play = policy.start(seed=seed)
    for _ in range(policy.n_arms + 1):  # what is compiled on first use is compiled now, outside the writer
        play.tell(play.ask(), low)
    for name in parameters & configuration.keys():
        configuration[name] = getattr(policy, name, configuration[name])
    configuration["rewards"] = given.get("rewards", "gaussian")
    if "seed" in given:
        configuration["seed"] = seed
    return Setup(given, configuration, policy, seed, tuple(play.priority))


def _arms(value: Any) -> list[str]:
    if not isinstance(value, list) or not 2 <= len(value) <= MOST_ARMS:
        raise InvalidInput(f"arms must be a list of 2 to {MOST_ARMS} names; got {_shown(value)}.")
    for name in value:
        if not isinstance(name, str) or not 1 <= len(name) <= 64 or not name.isprintable():
            raise InvalidInput(f"an arm's name must have 1 to 64 printable characters; got {_shown(name)}.")
    if len(set(value)) != len(value):
        raise InvalidInput("arms must have distinct names.")
    return value


def _range(configuration: dict[str, Any]) -> tuple[float, float]:
    if configuration["rewards"] != "bounded":
        if "low" in configuration or "high" in configuration:
            raise InvalidInput(f"low and high are for bounded rewards; these are {configuration['rewards']}.")
        return 0.0, 1.0
    low = checks.real(configuration.get("low", 0.0), "low")
    high = checks.real(configuration.get("high", 1.0), "high", above=low)
    configuration |= {"low": low, "high": high}
    return low, high


def declared_class(configuration: dict[str, Any]) -> RewardClass:
    """Return what a configuration says of the rewards, though it may name too little noise for 0/1 rewards."""
    if configuration["rewards"] == "bernoulli":
        configuration = configuration | {"noise_scale": max(0.5, configuration["noise_scale"])}
    return _class_of(configuration)


def _class_of(configuration: dict[str, Any]) -> RewardClass:
    names = {"rewards", "mean_bound", "noise_scale", "low", "high"}
    return class_of(**{name: configuration[name] for name in names & configuration.keys()})


def _plan(kind: type[Policy], configuration: dict[str, Any]) -> None:
    """Put the planned α into the configuration."""
    wish = configuration["plan"]
    if kind is not SLEUCB or {"alpha", "beta", "constants"} & configuration.keys():
        raise InvalidInput(
            "a plan chooses alpha of SLEUCB with sharp constants; leave alpha, beta and constants out."
        )
    if not isinstance(wish, dict) or len(wish) != 1 or not wish.keys() <= set(GOALS):
        raise InvalidInput(f"plan must hold one goal of {', '.join(GOALS)}; got {_shown(wish)}.")
    n_arms, horizon = len(configuration["arms"]), configuration["horizon"]
    policy, _ = policy_for_goal(_class_of(configuration), n_arms=n_arms, horizon=horizon, **wish)
    configuration |= {"alpha": policy.alpha, "constants": policy.constants}


def _recommended(configuration: dict[str, Any]) -> dict[str, Any]:
    """Return what a configuration without a wish and without a knob gets; it names what was chosen."""
    n_arms, horizon = len(configuration["arms"]), configuration["horizon"]
    policy, wish = recommended(_class_of(configuration), n_arms=n_arms, horizon=horizon)
    chosen: dict[str, Any] = {"alpha": policy.alpha, "constants": policy.constants}
    return chosen | ({"plan": wish} if wish else {})


def _policy(
    kind: type[Policy], parameters: set[str], configuration: dict[str, Any], low: float, high: float
) -> Policy:
    state: dict[str, Any] = {name: configuration[name] for name in parameters & configuration.keys()}
    if "rewards" in parameters:  # a law for the policy: that of coins or any other
        state["rewards"] = "bernoulli" if configuration["rewards"] == "bernoulli" else "gaussian"
    policy = policy_from_dict(state | {"policy": kind.__name__, "n_arms": len(configuration["arms"])})
    inside = configuration["rewards"] != "gaussian" and low >= 0.0 and high <= 1.0
    if policy.unit_rewards and not inside:
        raise InvalidInput(
            f"{policy.title} takes rewards between 0 and 1; declare bernoulli, or bounded with low 0 and high 1."
        )
    return policy


def _plain(value: Any) -> Any:
    """Refuse numbers that JSON cannot carry, wherever they stand."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Problem("invalid", "numbers must be finite.")
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."
