"""What an experiment needs to begin, and to be replayed; and which rewards it takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from steadyarm.live.core.journal import canonical, moment
from steadyarm.live.core.names import shown
from steadyarm.live.core.problems import Problem
from steadyarm.model.feedback import Feedback, feedback_of
from steadyarm.policies import Policy, policy_from_dict
from steadyarm.theory.reward_class import RewardClass, class_of

LARGEST_REWARD = 1e100
FARTHEST = 40  # σ from its mean: no σ-sub-Gaussian reward comes so far, but once in 10³⁴⁷


class Attribution(NamedTuple):
    """How long an outcome is waited for, in seconds, and the reward that silence counts as after that."""

    after: float
    reward: float

    def is_over(self, since: str, at: str) -> bool:
        """Whether a unit that was allocated at one time is waited for no longer at another."""
        return moment(at) - moment(since) >= self.after


class HeldOut(NamedTuple):
    """Which share of the units is held out of an experiment, and the arm that they are stated to get, if any."""

    share: float
    arm: str | None


class Stratum(NamedTuple):
    """A stratum, declared in advance: its name, and the seed and priorities of its own play."""

    name: str
    seed: int
    priority: tuple[int, ...]


def stratum_seed(seed: int, name: str) -> int:
    """Return the seed of a stratum's play: 53 bits of the SHA-256 of [SEED,"NAME"] as JSON.

    >>> stratum_seed(7, "mobile")
    7746886067099965
    """
    return int.from_bytes(sha256(canonical([seed, name]).encode()).digest()[:8]) >> 11


@dataclass(frozen=True)
class Setup:
    """All that an experiment needs to begin, and to be replayed.

    Attributes:
        requested: the configuration as it was asked for, with types made plain.
        configuration: the same with defaults and the planned α filled in.
        policy: the policy's record.
        seed: names the policy's own random numbers.
        priority: ω, the rank of each arm; the smallest wins a tie.
        strata: declared in advance, each with a play of its own; usually none.
    """

    requested: dict[str, Any]
    configuration: dict[str, Any]
    policy: Policy
    seed: int
    priority: tuple[int, ...]
    strata: tuple[Stratum, ...] = ()

    @property
    def plays(self) -> tuple[Stratum, ...]:
        """The plays of the experiment: those of its strata, or one without a name."""
        return self.strata or (Stratum("", self.seed, self.priority),)

    @property
    def holdout(self) -> HeldOut | None:
        """Who is held out, if anybody is."""
        found = self.configuration.get("holdout")
        return None if found is None else HeldOut(found["share"], found.get("arm"))

    @property
    def arms(self) -> list[str]:
        """The arms' names."""
        names: list[str] = self.configuration["arms"]
        return names

    @property
    def feedback(self) -> Feedback:
        """When a play hears of a reward at the earliest."""
        return feedback_of(self.configuration.get("delay", 0), self.configuration.get("batch", 1))

    @property
    def attribution(self) -> Attribution | None:
        """The window after which silence counts as an outcome, if there is one."""
        found = self.configuration.get("attribution")
        return None if found is None else Attribution(found["after"], found["reward"])

    @property
    def reward_class(self) -> RewardClass:
        """What was declared of the rewards."""
        return declared_class(self.configuration)

    def check_reward(self, value: Any) -> float:
        """Return a reward of the declared kind as a float."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Problem("invalid_reward", f"a reward must be a number; got {shown(value)}.")
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
            raise Problem(
                "invalid_reward",
                f"a reward must be at most {LARGEST_REWARD:g} in size; got {reward:g}. Use larger units.",
            )
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
        } | ({"strata": [each._asdict() for each in self.strata]} if self.strata else {})

    @classmethod
    def from_entry(cls, entry: dict[str, Any]) -> Setup:
        """Make the setup that a first entry describes."""
        strata = tuple(
            Stratum(each["name"], each["seed"], tuple(each["priority"])) for each in entry.get("strata", ())
        )
        declared = [
            (name, stratum_seed(entry["seed"], name)) for name in entry["configuration"].get("strata", ())
        ]
        if [each[:2] for each in strata] != declared:
            raise ValueError("its strata are not those of the configuration, with seeds derived from its own")
        return cls(
            entry["requested"],
            entry["configuration"],
            policy_from_dict(entry["policy"]),
            entry["seed"],
            tuple(entry["priority"]),
            strata,
        )

    def is_requested_by(self, given: dict[str, Any]) -> bool:
        """Whether a configuration is the one that this was made from, or the one that it came to."""
        return given in (self.requested, self.configuration)


def declared_class(configuration: dict[str, Any]) -> RewardClass:
    """Return what a completed configuration says of the rewards.

    Without a mean_bound, which some policies do not have, means lie wherever rewards can. A configuration may name too
    little noise for 0/1 rewards.
    """
    if configuration["rewards"] == "bernoulli":
        configuration = configuration | {"noise_scale": max(0.5, configuration["noise_scale"])}
    found = class_named(configuration)
    if "mean_bound" in configuration:
        return found
    anywhere = found.mean_range._replace(low=found.mean_range.start, high=found.mean_range.end)
    return found._replace(mean_bound=math.inf, mean_range=anywhere)


def class_named(configuration: dict[str, Any]) -> RewardClass:
    """Return the class of rewards that a configuration names, or the error that there is none."""
    names = {"rewards", "mean_bound", "noise_scale", "low", "high"}
    return class_of(**{name: configuration[name] for name in names & configuration.keys()})
