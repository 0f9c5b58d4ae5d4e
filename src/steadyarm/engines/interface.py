"""What an engine is: it says what it can play and what that costs, and prepares a player, which plays runs.

An engine has no state. A player belongs to one policy, one instance and one seed; threads share it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from steadyarm.model.feedback import AT_ONCE, Feedback
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Integers
from steadyarm.policies.core.policy import Policy

NANOSECOND = 1e-9

OF_A_CELL = 6.0 * NANOSECOND
"""About what it takes to draw one reward of the table and add it up, where many are in a row."""

ROUNDS_PER_CHECK = 1 << 16
"""Rounds that a kernel plays between two checks of the stop flag."""


class Watch(NamedTuple):
    """How a range of runs is watched from outside while it is played."""

    stop: Integers
    """(1,): not zero asks the engine to leave."""
    done: Integers
    """(1,): the rounds played so far."""


class Player(ABC):
    """Plays runs of one policy on one instance.

    Attributes:
        rounds: what `Watch.done` has gained when a run is over.
        run_cost: what a run costs; see `Engine.run_cost`.
        runs_at_once: how many runs must be played together, one batch after the other; None for any number.
        together: how many runs are played side by side: ranges are multiples of it, or less to give every thread one.
        tolerance: counts are right to this many pulls; 1 is exact.
    """

    rounds: int
    run_cost: float
    runs_at_once: int | None = None
    together: int = 1
    tolerance: int = 1

    @abstractmethod
    def play(self, first_run: int, rows: Any, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write what they give, one row a run.

        The row of a run that is played holds its counts after each of the rounds `at`: (runs, moments, arms).
        """

    @property
    def total_variation(self) -> float:
        """A bound on the distance between the law of a run played so far and the true one; 0 is exact."""
        return 0.0


class Setting(NamedTuple):
    """What is to be played: a policy on an instance under a seed, and what is noted and told on the way."""

    policy: Policy
    instance: Instance
    seed: int
    at: Integers
    """The rounds after which counts are noted, rising; the last of them is the horizon."""
    feedback: Feedback = AT_ONCE
    """When rewards are told; only an engine that goes by rounds is asked for one that is late."""


class Engine(ABC):
    """One way to the counts of a policy on an instance."""

    name: str
    """What `engine=` calls it."""
    reads_table: bool = True
    """Whether its counts belong to the rewards of the reward table, cell by cell."""
    goes_by_rounds: bool = False
    """Whether it can play what depends on the rounds themselves: rewards that come late, means that move."""

    @abstractmethod
    def refusal(self, policy: Policy, instance: Instance) -> str | None:
        """Return why it cannot play the policy on the instance, as the end of "because …"; None if it can."""

    @abstractmethod
    def run_cost(self, policy: Policy) -> float:
        """Return about how many seconds of a core a run takes.

        The figures were read off one machine once (K = 10, T from 10⁵ to 10¹²), and only their ratios matter:
        studies share out their time by them, and a clock would make results depend on the machine.
        """

    @abstractmethod
    def prepare(self, setting: Setting) -> Player:
        """Return a player for a policy and an instance that are not refused."""
