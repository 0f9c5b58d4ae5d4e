"""What every play is: the state of one run of a policy, moved forward by `ask` and `tell`."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from steadyarm.errors import (
    HorizonReached,
    InvalidInput,
    InvalidType,
    NotSupported,
    PlayError,
    PolicyError,
    SteadyarmError,
)
from steadyarm.model import checks
from steadyarm.model.moments import Moments, take_rewards, with_reward
from steadyarm.model.priority import check_priority, draw_priority
from steadyarm.numerics.arrays import Floats, Integers
from steadyarm.policies.core.policy import Policy

_LARGEST_REWARD = 1e140  # beyond it sums of squares could overflow


class Play(ABC):
    """One run of a policy: `ask` which arm is next, `tell` what it gave.

    Asking again before telling is legal: pulls whose reward is still to come are *outstanding*.
    """

    def __init__(self, policy: Policy, seed: int, run: int, priority: Sequence[int] | None) -> None:
        self.policy = policy
        self.seed = checks.seed(seed)
        self.run = checks.run(run)
        self.priority = (
            draw_priority(policy.n_arms, self.seed, self.run)
            if priority is None
            else check_priority(priority, policy.n_arms)
        )
        self.round = 0
        """Rounds assigned so far."""
        self.probability: float | None = None
        """Of the arm that the last `ask` gave; None where nothing is randomised on purpose: see `Mixed`."""
        self._assigned = [0] * policy.n_arms
        self._observed = [0] * policy.n_arms
        self._retired: set[int] = set()
        self._moments: list[list[float]] | None = [[0.0] * policy.n_arms for _ in Moments._fields]

    @abstractmethod
    def _choose(self) -> int:
        """Return the arm for the next round."""

    @abstractmethod
    def _assign(self, arm: int) -> None:
        """Take note that an arm was assigned one more pull."""

    @abstractmethod
    def _absorb(self, arm: int, reward: float) -> None:
        """Take in one more reward of an arm."""

    def ask(self) -> int:
        """Return the arm for the next round and count the pull."""
        if self.round == self.policy.horizon:
            raise HorizonReached(
                f"all {self.policy.horizon} rounds are assigned. Start a policy with a longer horizon."
            )
        arm = self._checked_choice()
        self._give(arm)
        return arm

    def _give(self, arm: int) -> None:
        """Count a pull of an arm."""
        self.round += 1
        self._assigned[arm] += 1
        self._assign(arm)

    def _checked_choice(self) -> int:
        """Return the arm for the next round as a whole number, or say that it is no arm."""
        arm: Any = self._choose()
        if not (type(arm) is int and 0 <= arm < self.policy.n_arms):
            try:
                arm = checks.integer(arm, "arm", at_least=0, at_most=self.policy.n_arms - 1)
            except InvalidInput:
                raise PolicyError(
                    f"in round {self.round + 1:,} of run {self.run:,}, {self.policy.title!r} chose arm {arm!r}; arms "
                    f"are numbered from 0 to {self.policy.n_arms - 1}. Let {type(self).__name__}._choose return one of "
                    "them."
                ) from None
        chosen: int = arm if arm not in self._retired else self._best_of(self._open_arms())
        return chosen

    def retire(self, arm: int) -> None:
        """Never give an arm again; again is no change. Rewards of its outstanding pulls may still be told.

        >>> import steadyarm as sa
        >>> play = sa.MOSS(n_arms=3, horizon=10).start(seed=1)
        >>> play.retire(2)
        >>> sorted({play.ask() for _ in range(10)})
        [0, 1]
        """
        arm = checks.integer(arm, "arm", at_least=0, at_most=self.policy.n_arms - 1)
        if arm in self._retired:
            return
        self._check_retirement(arm)
        self._withdraw(arm)
        self._retired.add(arm)

    @property
    def retirable(self) -> tuple[int, ...]:
        """The arms that may be retired now.

        >>> import steadyarm as sa
        >>> sa.MOSS(n_arms=3, horizon=10).start().retirable, sa.Exp3(n_arms=3, horizon=10).start().retirable
        ((0, 1, 2), ())
        """
        return tuple(filter(self._goes_on_without, self._open_arms()))

    def _goes_on_without(self, arm: int) -> bool:
        try:
            self._check_retirement(arm)
        except SteadyarmError:
            return False
        return True

    def _check_retirement(self, arm: int) -> None:  # noqa: ARG002
        """Refuse to go on without an arm."""
        if len(self._retired) == self.policy.n_arms - 1:
            raise PlayError("one arm must stay, and this one is the last.")
        if self.policy.own_pulls_only:
            raise NotSupported(
                f"{self.policy.title} learns only from pulls that it chose itself, and weighs them by the chances of "
                "all its arms; it cannot go on without one. Start another play without the arm."
            )

    def _withdraw(self, arm: int) -> None:  # noqa: B027
        """Prepare to go on without an arm."""

    def _open_arms(self) -> list[int]:
        return [arm for arm in range(self.policy.n_arms) if arm not in self._retired]

    def _best_of(self, arms: Iterable[int]) -> int:
        """Return the best of some arms by their indices, or by their means where a rule has none.

        Arms without a reward come first, the one with the fewest pulls before others; ties go by priority.
        """
        values = self.indices
        sums = self._moments[0] if self._moments is not None else [0.0] * self.policy.n_arms

        def place(arm: int) -> tuple[float, int, int]:
            seen = self._observed[arm]
            if seen == 0:
                return (-math.inf, self._assigned[arm], self.priority[arm])
            value = float(values[arm])
            return (-(sums[arm] / seen if math.isnan(value) else value), 0, self.priority[arm])

        return min(arms, key=place)

    def tell(self, arm: int, reward: float) -> None:
        """Report the reward of an outstanding pull of an arm. A refused report changes nothing."""
        if type(arm) is not int or not 0 <= arm < self.policy.n_arms:
            arm = self._checked_arm(arm)
        low, high = self._reward_range
        if type(reward) is not float or not low <= reward <= high:
            reward = self._checked_reward(reward)
        if self._observed[arm] == self._assigned[arm]:
            raise PlayError(
                f"arm {arm} has no outstanding pull: {self._assigned[arm]} assigned, "
                f"{self._observed[arm]} rewarded. Ask first."
            )
        if self._moments is not None:
            self._keep(self._moments, arm, reward)
        self._observed[arm] += 1
        self._absorb(arm, reward)

    @property
    def takes_many(self) -> bool:
        """Whether `tell_many` is compiled, and so takes a million rewards in a fraction of a second."""
        return False

    def tell_many(self, arms: Sequence[int] | Integers, rewards: Sequence[float] | Floats) -> None:
        """Report rewards of outstanding pulls, exactly as `tell` does one after the other.

        If one of them is refused nothing is changed.

        >>> import steadyarm as sa
        >>> play = sa.MOSS(n_arms=2, horizon=10).start(seed=1)
        >>> arms = [play.ask() for _ in range(4)]
        >>> play.tell_many(arms, [1.0, 0.0, 1.0, 0.5])
        >>> play.observed
        array([2, 2])
        """
        self._take_many(*self._checked_many(arms, rewards))

    def _take_many(self, arms: Integers, rewards: Floats) -> None:
        """Take in rewards that were checked; a play with compiled code of its own says so in `takes_many`."""
        for arm, reward in zip(arms.tolist(), rewards.tolist(), strict=True):
            self.tell(arm, reward)

    def _note_many(self, arms: Integers, rewards: Floats) -> None:
        """Take rewards into counts and moments, as `tell` does before a play absorbs them."""
        known = self.observed
        if self._moments is not None:
            moments = np.array(self._moments)
            take_rewards(arms, rewards, known, *moments)
            self._moments = moments.tolist()
        else:
            known += np.bincount(arms, minlength=self.policy.n_arms)
        self._observed = known.tolist()

    def _checked_many(self, arms: Any, rewards: Any) -> tuple[Integers, Floats]:
        """Return arms and rewards as arrays, if `tell` would take all of them."""
        given = _column(arms, "arms", "iu", self._checked_arm).astype(np.int64)
        values = _column(rewards, "rewards", "fiu", self._checked_reward).astype(float)
        if len(given) != len(values):
            raise InvalidInput(
                f"each reward must have its arm; got {len(given):,} arms and {len(values):,} rewards."
            )
        for wrong in given[(given < 0) | (given >= self.policy.n_arms)][:1]:
            self._checked_arm(int(wrong))
        low, high = self._reward_range
        for wrong in values[~((values >= low) & (values <= high))][:1]:
            self._checked_reward(float(wrong))
        told = np.bincount(given, minlength=self.policy.n_arms)
        for arm in np.flatnonzero(told > self.outstanding)[:1]:
            raise PlayError(
                f"arm {arm} has no outstanding pull for {told[arm]:,} rewards: {self._assigned[arm]} assigned, "
                f"{self._observed[arm]} rewarded. Ask first."
            )
        return given, values

    @property
    def _reward_range(self) -> tuple[float, float]:
        return (0.0, 1.0) if self.policy.unit_rewards else (-_LARGEST_REWARD, _LARGEST_REWARD)

    def _checked_arm(self, arm: Any) -> int:
        remedy = "Arms are numbered from 0."
        return checks.integer(arm, "arm", at_least=0, at_most=self.policy.n_arms - 1, remedy=remedy)

    def _checked_reward(self, reward: Any) -> float:
        low, high = self._reward_range
        remedy = (
            "Rescale the rewards."
            if self.policy.unit_rewards
            else "Leave the pull outstanding if it is lost."
        )
        return checks.real(reward, "reward", at_least=low, at_most=high, remedy=remedy)

    def _keep(self, moments: list[list[float]], arm: int, reward: float) -> None:
        """Take the reward itself into the moments, whatever an index makes of it."""
        sums, squares, deviations = moments
        sums[arm], squares[arm], deviations[arm] = with_reward(
            float(self._observed[arm]), sums[arm], squares[arm], deviations[arm], reward
        )

    def __repr__(self) -> str:
        return f"<play of {self.policy!r}, round {self.round}, counts {self._assigned}>"

    @property
    def counts(self) -> Integers:
        """Pulls of each arm so far, outstanding ones included."""
        return np.array(self._assigned, dtype=np.int64)

    @property
    def observed(self) -> Integers:
        """Pulls of each arm whose reward has been told."""
        return np.array(self._observed, dtype=np.int64)

    @property
    def outstanding(self) -> Integers:
        """Pulls of each arm whose reward has not been told."""
        return self.counts - self.observed

    @property
    def retired(self) -> tuple[int, ...]:
        """The arms that are never given again."""
        return tuple(sorted(self._retired))

    @property
    def moments(self) -> Moments | None:
        """Sums, squares and deviations of the rewards told; None if it was saved when plays did not keep them."""
        return None if self._moments is None else Moments(*map(np.array, self._moments))

    @property
    @abstractmethod
    def indices(self) -> Floats:
        """The index of each arm as it stands; infinite for an arm without a reward."""

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict of numbers and lists, fit for JSON."""
        state = {
            "policy": self.policy.to_dict(),
            "seed": self.seed,
            "run": self.run,
            "priority": list(self.priority),
            "counts": list(self._assigned),
            "observed": list(self._observed),
        }
        if self._moments is not None:
            state["moments"] = dict(zip(Moments._fields, map(list, self._moments), strict=True))
        if self._retired:
            state["retired"] = list(self.retired)
        return state

    def _load(self, state: dict[str, Any]) -> None:
        """Take counts and moments from a saved state."""
        self._assigned = _whole_numbers(state, "counts", self.policy.n_arms)
        self._observed = _whole_numbers(state, "observed", self.policy.n_arms)
        self.round = sum(self._assigned)
        if self.round > self.policy.horizon or any(
            observed > assigned for observed, assigned in zip(self._observed, self._assigned, strict=True)
        ):
            raise InvalidInput(
                "a saved play must have counts that add up to at most the horizon, and no more rewards than "
                f"pulls; got counts {self._assigned} and observed {self._observed}."
            )
        self._moments = _saved_moments(state.get("moments"), self.policy.n_arms)
        self._retired = _saved_arms(state.get("retired", []), self.policy.n_arms)


def _column(values: Any, name: str, kinds: str, checked: Callable[[Any], Any]) -> npt.NDArray[Any]:
    """Return a flat array of numbers: one as it is, anything else item by item."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in kinds:
        return values
    if isinstance(values, str | bytes | dict | set) or not isinstance(values, Sequence | np.ndarray):
        raise InvalidType(f"{name} must be a flat list of numbers; got {values!r}.")
    return np.array([checked(value) for value in values], dtype=np.int64 if kinds == "iu" else float)


def _saved_moments(saved: Any, n_arms: int) -> list[list[float]] | None:
    if saved is None:
        return None
    if not isinstance(saved, dict) or saved.keys() != set(Moments._fields):
        raise InvalidInput(
            f"the 'moments' of a saved play must be {', '.join(Moments._fields)}; got {saved!r}."
        )
    moments = [list(checks.reals(saved[name], name)) for name in Moments._fields]
    if any(len(kept) != n_arms for kept in moments):
        raise InvalidInput(f"the 'moments' of a saved play must be lists of {n_arms} numbers; got {saved!r}.")
    return moments


def _saved_arms(saved: Any, n_arms: int) -> set[int]:
    if not isinstance(saved, list) or len(set(map(repr, saved))) not in range(n_arms):
        raise InvalidInput(
            f"the 'retired' of a saved play must be a list of some of its arms; got {saved!r}."
        )
    return {checks.integer(arm, "retired", at_least=0, at_most=n_arms - 1) for arm in saved}


def _whole_numbers(state: dict[str, Any], name: str, length: int) -> list[int]:
    values = state.get(name)
    if not isinstance(values, list):
        raise InvalidType(f"a saved play must have {name!r} as a list; got {values!r}.")
    if len(values) != length:
        raise InvalidInput(f"a saved play must have {length} {name!r}; got {len(values)}.")
    return [checks.integer(value, name, at_least=0) for value in values]
