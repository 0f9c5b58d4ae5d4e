"""Policies whose index of an arm depends on that arm's own history only: two curves, and nothing else to write."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from steadyarm.errors import InvalidInput, NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.numerics.compiled import compiled
from steadyarm.policies.core.curves import Curves, check_curves, tilt, tilted, upper
from steadyarm.policies.core.play import Play
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.core.tournament import Tournament


@dataclass(frozen=True, kw_only=True)
class OwnHistoryPolicy(Policy):
    """A policy whose index of an arm depends on that arm's own rewards and pull count only."""

    @property
    @abstractmethod
    def curves(self) -> Curves:
        """The numbers of the index."""

    def check_instance(self, instance: Instance, *, outside_class: bool = False) -> None:
        """Refuse an instance that this policy was not built for, and curves that are none."""
        super().check_instance(instance, outside_class=outside_class)
        check_curves(self.curves, self.title, self.unit_rewards)

    def two_armed_chances(self, pulls: tuple[int, int]) -> Floats:
        """Return one where the index of arm 0 is the larger; an envelope remembers more than counts and successes."""
        return np.greater_equal.outer(*(_indices(self, n) for n in pulls)).astype(float)

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> IndexPlay:
        """Begin a play; see `Policy.start`."""
        return IndexPlay(self, seed, run, priority)


def upper_values(curves: Curves, n: int) -> Floats:
    """Return mean + width after n rewards 0 or 1, by the number of ones; infinite before the first reward."""
    values = np.full(n + 1, math.inf)
    if n:
        ones = np.cumsum(np.full(n, min(1.0, curves.clip)))  # added up as a play adds them up
        _fill_upper(curves, np.concatenate([[0.0], ones]), float(n), values)
    return values


@lru_cache(maxsize=1024)  # each is asked for in every round of `exact`
def _indices(policy: OwnHistoryPolicy, n: int) -> Floats:
    curves = policy.curves
    if curves.envelope:
        raise NotSupported(
            f"the index of {policy.title} remembers its lowest value, which pulls and successes do not tell."
        )
    return upper_values(curves, n) + (float(tilt(curves, float(n))) if n else 0.0)


@compiled
def _fill_upper(curves: Curves, totals: Floats, n: float, values: Floats) -> None:
    for place in range(values.size):
        values[place] = upper(curves, totals[place], n)


@compiled
def _absorb_all(
    curves: Curves, arms: Integers, rewards: Floats, seen: Integers, totals: Floats, values: Floats
) -> None:
    """Do what `IndexPlay._absorb` does for many rewards, in their order."""
    for place in range(arms.size):
        arm = arms[place]
        seen[arm] += 1
        totals[arm] += min(curves.clip, max(-curves.clip, rewards[place]))
        value = upper(curves, totals[arm], float(seen[arm]))
        if not curves.envelope or value < values[arm]:
            values[arm] = value


class IndexPlay(Play):
    """A play of an own-history policy: the arm with the largest index, ties by priority.

    With outstanding pulls the index is envelope(rewards told) + tilt(pulls assigned); an arm without any
    reward comes first, the one with the fewest assigned pulls before the others, then by priority.
    """

    policy: OwnHistoryPolicy

    def __init__(
        self, policy: OwnHistoryPolicy, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None
    ) -> None:
        super().__init__(policy, seed, run, priority)
        self._curves = policy.curves
        check_curves(self._curves, policy.title, policy.unit_rewards)
        self._totals = [0.0] * policy.n_arms
        self._values = [math.inf] * policy.n_arms  # envelope, or mean + width where there is none
        self._order = Tournament([self._key(arm) for arm in range(policy.n_arms)])
        self._moved: set[int] = set()  # arms whose place in the order is asked for only when one is chosen

    def _key(self, arm: int) -> tuple[float, int, int]:
        if self._observed[arm] == 0:
            return (-math.inf, self._assigned[arm], self.priority[arm])
        return (-self._index(arm), 0, self.priority[arm])

    def _index(self, arm: int) -> float:
        if self._observed[arm] == 0:
            return math.inf
        return float(tilted(self._curves, self._values[arm], float(self._assigned[arm])))

    def _choose(self) -> int:
        while self._moved:
            arm = self._moved.pop()
            self._order.update(arm, self._key(arm))
        return self._order.winner

    def _assign(self, arm: int) -> None:
        self._moved.add(arm)

    def _withdraw(self, arm: int) -> None:
        self._moved.discard(arm)
        self._order.update(arm, self._last_key(arm))

    def _last_key(self, arm: int) -> tuple[float, int, int]:
        return (math.inf, 0, self.priority[arm])

    def _absorb(self, arm: int, reward: float) -> None:
        clip = self._curves.clip
        self._totals[arm] += min(clip, max(-clip, reward))
        value = float(upper(self._curves, self._totals[arm], float(self._observed[arm])))
        self._values[arm] = min(self._values[arm], value) if self._curves.envelope else value
        if arm not in self._retired:
            self._moved.add(arm)

    @property
    def takes_many(self) -> bool:
        """One compiled loop takes them in."""
        return True

    def _take_many(self, arms: Integers, rewards: Floats) -> None:
        seen, totals, values = self.observed, np.array(self._totals), np.array(self._values)
        _absorb_all(self._curves, arms, rewards, seen, totals, values)
        self._note_many(arms, rewards)
        self._totals, self._values = totals.tolist(), values.tolist()
        self._moved.update(set(np.unique(arms).tolist()) - self._retired)

    @property
    def indices(self) -> Floats:
        """The index of each arm as it stands; infinite for an arm without a reward."""
        return np.array([self._index(arm) for arm in range(self.policy.n_arms)])

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict; `play_from_dict` goes on exactly where it was."""
        values = [
            value if observed else None for value, observed in zip(self._values, self._observed, strict=True)
        ]
        return super().to_dict() | {"totals": list(self._totals), "values": values}

    def _load(self, state: dict[str, Any]) -> None:
        super()._load(state)
        n_arms = self.policy.n_arms
        for name in ("totals", "values"):
            if not isinstance(state.get(name), list) or len(state[name]) != n_arms:
                raise InvalidInput(
                    f"a saved play must have {name!r} as a list of {n_arms}; got {state.get(name)!r}."
                )
        self._totals = [checks.real(total, "totals") for total in state["totals"]]
        self._values = [
            checks.real(value, "values") if observed else math.inf
            for value, observed in zip(state["values"], self._observed, strict=True)
        ]
        keys = [self._last_key(arm) if arm in self._retired else self._key(arm) for arm in range(n_arms)]
        self._order, self._moved = Tournament(keys), set()
