"""The course of one play of an experiment: the play, and what came of its units.

An experiment has one, or one for each of its strata.
"""

from __future__ import annotations

from typing import Any

from steadyarm.live.core.courses.amendments import Amendments
from steadyarm.live.core.courses.holdout import Holdout, held_out
from steadyarm.live.core.courses.updates import Updates
from steadyarm.live.core.setup.setup import Setup, Stratum
from steadyarm.policies import play_from_dict


class Course:
    """A play and its outcomes; of an arm by its number, of the holdout by None."""

    def __init__(self, setup: Setup, stratum: Stratum) -> None:
        self.seed = stratum.seed
        self.play = setup.policy.start(seed=stratum.seed, priority=list(stratum.priority))
        n_arms = len(setup.arms)
        self.observed, self.voided, self.lapsed = [0] * n_arms, [0] * n_arms, [0] * n_arms
        self.defaulted = [0] * n_arms  # units served outside the policy
        self.amendments = Amendments.none(n_arms)
        self.share = None if setup.holdout is None else setup.holdout.share
        self.holdout = Holdout()
        self.updates = None if setup.feedback.at_once else Updates(setup.feedback, n_arms)

    def holds(self, unit: str) -> bool:
        """Whether a unit gets no arm."""
        return self.share is not None and held_out(unit, self.seed, self.share)

    @property
    def remaining(self) -> int:
        """Rounds that are not assigned yet."""
        return self.play.policy.horizon - self.play.round

    def ask(self) -> int:
        """Return the arm of the next round, before which the play is told what waited for that."""
        if self.updates is not None:
            self.updates.tell(self.play)
        return self.play.ask()

    def moments(self, play: dict[str, Any]) -> dict[str, list[float]]:
        """Return those of all rewards that have come, as first told; `play` is the play's own state."""
        found: dict[str, list[float]] = play["moments"] if self.updates is None else self.updates.moments
        return found

    def reward(self, number: int | None, reward: float, turn: int = 0) -> None:
        """Take in the reward of a round; which one matters only if it waits to be told."""
        if number is None:
            self.holdout.observed += 1
            self.holdout.add(reward)
        else:
            if self.updates is None:
                self.play.tell(number, reward)
            else:
                self.updates.keep(turn, number, reward, self.observed[number])
            self.observed[number] += 1
            self.amendments.reward(number, reward)

    def void(self, number: int | None) -> None:
        """Write a unit off."""
        if number is None:
            self.holdout.voided += 1
        else:
            self.voided[number] += 1

    def lapse(self, number: int | None, reward: float, turn: int = 0) -> None:
        """Count silence as a reward."""
        self.reward(number, reward, turn)
        if number is None:
            self.holdout.lapsed += 1
        else:
            self.lapsed[number] += 1

    def amend(self, number: int | None, old: float, new: float) -> None:
        """Correct a reward; the play goes on with what it was told."""
        if number is None:
            self.holdout.amended += 1
            self.holdout.add(-old, new)
        else:
            self.amendments.add(number, old, new)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, for a snapshot."""
        found = {
            "observed": self.observed,
            "voided": self.voided,
            "lapsed": self.lapsed,
            "defaulted": self.defaulted,
            "amendments": self.amendments.to_dict(),
            "play": self.play.to_dict(),
        }
        if self.share is not None:
            found["holdout"] = self.holdout.to_dict()
        if self.updates is not None:
            found["updates"] = self.updates.to_dict()
        return found

    def load(self, state: dict[str, Any]) -> None:
        """Take over a snapshot; one of an earlier version is a KeyError or a TypeError, and of no use."""
        play = play_from_dict(state["play"])
        if play.moments is None:
            raise KeyError("moments")
        self.play = play
        self.observed, self.voided = list(state["observed"]), list(state["voided"])
        self.lapsed, self.amendments = list(state["lapsed"]), Amendments.of(state["amendments"])
        self.defaulted = list(state.get("defaulted", self.defaulted))
        if self.share is not None:
            self.holdout = Holdout.of(state["holdout"])
        if self.updates is not None:
            self.updates.load(state["updates"], play.round)
