"""General policies: a rule in one or two small functions, compiled into the step engine's kernel.

A rule belongs to a NamedTuple of parameters. It is an `index` of an arm (the largest is played, ties by
priority) or a `choose` of its own, and optionally an `update` after each reward. The functions see

    parameters   the rule's NamedTuple
    noise        where its random numbers come from, and the round (from 1): see `uniform_at`, `normal_at`
    counts       rewards seen of each arm
    totals       their sums
    state        a float array of the policy's `state_size`, zero at first, for whatever else it keeps;
                 `choose` and `update` may write to it

Randomness is a pure function of (seed, run, round, place) from a stream of its own, so rewards stay common to
all policies and a restored play goes on exactly.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import signature
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
from numba.extending import overload

from steadyarm.errors import InvalidInput, InvalidType, PolicyError
from steadyarm.model import checks
from steadyarm.model.arithmetic import gaussian_pair
from steadyarm.model.compiled import compiled, inlined
from steadyarm.model.philox import CHOICES, Words, words_at
from steadyarm.model.table import uniform
from steadyarm.policies.core.base import Play, Policy
from steadyarm.policies.core.binding import Rule, bind, bind_for_gpu, ends_explained, no_arm, place_of
from steadyarm.policies.core.fingerprints import is_ours

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Noise(NamedTuple):
    """The address of a policy's own random numbers in one round."""

    seed: np.uint64
    run: int
    round: int


NO_NOISE = Noise(np.uint64(0), 0, 0)


@inlined
def words_of(noise: Noise, place: int, attempt: int) -> Words:
    """Return four random words for a place (an arm, say) of a round; `attempt` < 250 gives fresh ones."""
    return words_at(
        noise.seed,
        np.uint64(noise.run),
        np.uint64(place),
        np.uint64(CHOICES + attempt),
        np.uint64(noise.round),
    )


@compiled
def uniform_at(noise: Noise, place: int) -> float:
    """Return a uniform number in (0, 1)."""
    return uniform(words_of(noise, place, 0)[0])


@inlined
def normal_at(noise: Noise, place: int) -> float:
    """Return a standard normal."""
    words = words_of(noise, place, 0)
    return gaussian_pair(words[0], words[1])[0]


_FEW = 6  # arms, too few for a vectorised loop to pay
_RULES: dict[type, Rule] = {}
_TAKES = {
    "index": "parameters, noise, arm, counts, totals, state",
    "choose": "parameters, noise, rank, counts, totals, state",
    "update": "parameters, noise, arm, reward, counts, totals, state",
}


def rule(
    parameters: type,
    *,
    index: Callable[..., float] | None = None,
    choose: Callable[..., int] | None = None,
    update: Callable[..., None] | None = None,
) -> None:
    """Say how policies with such parameters choose; said again for the same parameters, the last word counts.

    Args:
        parameters: a NamedTuple class of numbers.
        index: `index(parameters, noise, arm, counts, totals, state)`, or instead
        choose: `choose(parameters, noise, rank, counts, totals, state)`, the arm.
        update: `update(parameters, noise, arm, reward, counts, totals, state)`, after counts and totals
            have taken in the reward.
    """
    if not (
        isinstance(parameters, type) and issubclass(parameters, tuple) and hasattr(parameters, "_fields")
    ):
        raise InvalidType(f"a rule belongs to a NamedTuple class of numbers; got {parameters!r}.")
    if (index is None) == (choose is None):
        raise InvalidInput("a rule must have an index or a choose, and not both.")
    if any(is_ours(known) and known.__name__ == parameters.__name__ for known in _RULES):
        raise InvalidInput(
            f"a rule's parameters must have a name of their own; {parameters.__name__!r} is taken by a policy of "
            "steadyarm's, and compiled kernels are told apart by it. Write a class of another name."
        )
    functions = {"index": index, "choose": choose, "update": update}
    _RULES[parameters] = Rule(parameters, **{name: _plain(each, name) for name, each in functions.items()})


def rule_of(parameters: Any) -> Rule:
    """Return the rule for such parameters."""
    if type(parameters) not in _RULES:
        raise PolicyError(
            f"no rule is known for {type(parameters).__name__}. Call rule({type(parameters).__name__}, index=...) "
            "after the class, in the same module."
        )
    return _RULES[type(parameters)]


def has_index(parameters: Any) -> bool:
    """Whether the rule for such parameters is an index, and not a choice of its own."""
    return rule_of(parameters).index is not None


def _plain(function: Any, name: str) -> Any:
    """Return a rule's function as plain Python, if it can be called as rules are."""
    plain = getattr(function, "py_func", function)
    if plain is None:
        return None
    if not isinstance(plain, FunctionType):
        raise InvalidType(f"the {name} of a rule must be a function; got {plain!r}.")
    try:
        signature(plain).bind(*_TAKES[name].split(", "))
    except TypeError:
        raise InvalidInput(
            f"the {name} of a rule must take ({_TAKES[name]}); {place_of(plain)} takes {signature(plain)}."
        ) from None
    return plain


def _nothing_more(
    parameters: Any, noise: Any, arm: Any, reward: Any, counts: Any, totals: Any, state: Any
) -> None:
    pass


def _largest_index(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> int:
    best, leader = -np.inf, -1
    for arm in range(counts.size):
        value = index_of(parameters, noise, arm, counts, totals, state)
        if leader < 0 or value > best or (value == best and rank[arm] < rank[leader]):
            best, leader = value, arm
    return leader


def _largest_listed_index(
    parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any, values: Any
) -> int:
    """Do as `_largest_index` does, but list the indices first: that loop compares nothing and is vectorised."""
    if counts.size < _FEW:
        return choose_by(parameters, noise, rank, counts, totals, state)
    for arm in range(counts.size):
        values[arm] = index_of(parameters, noise, arm, counts, totals, state)
    leader = 0
    for arm in range(1, counts.size):
        if values[arm] > values[leader] or (values[arm] == values[leader] and rank[arm] < rank[leader]):
            leader = arm
    return leader


def _own_choice(
    parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any, values: Any
) -> int:
    return choose_by(parameters, noise, rank, counts, totals, state)


def index_of(parameters: Any, noise: Any, arm: Any, counts: Any, totals: Any, state: Any) -> float:
    """Return an arm's index; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


def choose_by(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> int:
    """Return the arm of the next round; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


def choose_fast(
    parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any, values: Any
) -> int:
    """Return the same arm; `values`, one for each arm, is room to work in."""
    raise TypeError("call a rule from compiled code")


def update_by(
    parameters: Any, noise: Any, arm: Any, reward: Any, counts: Any, totals: Any, state: Any
) -> None:
    """Take in a reward; only compiled code can call it."""
    raise TypeError("call a rule from compiled code")


# Which functions a kernel contains follows from the type of its parameters. So one kernel in a file of its
# own serves all rules of steadyarm's and can be cached on disk, which Numba cannot do for functions passed as
# arguments. A user's rules are bound into copies of the kernels: see `binding`.


@overload(index_of, strict=False, jit_options={"forceinline": True})
def _index_of(parameters: Any, noise: Any, arm: Any, counts: Any, totals: Any, state: Any) -> Any:
    return _RULES[parameters.instance_class].index


@overload(choose_by, strict=False, jit_options={"forceinline": True})
def _choose_by(parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any) -> Any:
    return _RULES[parameters.instance_class].choose or _largest_index


@overload(choose_fast, strict=False, jit_options={"forceinline": True})
def _choose_fast(
    parameters: Any, noise: Any, rank: Any, counts: Any, totals: Any, state: Any, values: Any
) -> Any:
    return _largest_listed_index if _RULES[parameters.instance_class].index else _own_choice


@overload(update_by, strict=False, jit_options={"forceinline": True})
def _update_by(
    parameters: Any, noise: Any, arm: Any, reward: Any, counts: Any, totals: Any, state: Any
) -> Any:
    return _RULES[parameters.instance_class].update or _nothing_more


@compiled
def _indices(
    parameters: Any, noise: Noise, counts: Integers, totals: Floats, state: Floats, values: Floats
) -> None:
    for arm in range(counts.size):
        values[arm] = index_of(parameters, noise, arm, counts, totals, state)


@compiled
def choose_arm(
    parameters: Any, noise: Noise, rank: Integers, counts: Integers, totals: Floats, state: Floats
) -> int:
    """Return the arm of the next round."""
    return choose_by(parameters, noise, rank, counts, totals, state)


@compiled
def absorb_reward(
    parameters: Any,
    noise: Noise,
    arm: int,
    reward: float,
    counts: Integers,
    totals: Floats,
    state: Floats,
) -> None:
    """Take one reward into counts, totals and the rule's state."""
    counts[arm] += 1
    totals[arm] += reward
    update_by(parameters, noise, arm, reward, counts, totals, state)


def fit(kernels: list[Any], parameters: Any) -> list[Any]:
    """Return the kernels themselves for a rule of steadyarm's, and some with the rule as it is now for a user's."""
    rule = rule_of(parameters)
    if is_ours(type(parameters)):
        return kernels
    bound = bind(rule, parameters, NO_NOISE)
    return [bound.fit(kernel) for kernel in kernels]


def fit_for_gpu(parameters: Any) -> tuple[Any, Any]:
    """Return `choose_arm` and `absorb_reward` for kernels of a GPU, with the rule as it is now."""
    rule = rule_of(parameters)
    if is_ours(type(parameters)):
        return choose_arm, absorb_reward
    bound = bind_for_gpu(rule, parameters, NO_NOISE)
    return bound.fit(choose_arm), bound.fit(absorb_reward)


@dataclass(frozen=True, kw_only=True)
class RulePolicy(Policy):
    """A policy that follows a rule; it states its parameters and has nothing else to write."""

    pulls_each_arm_first: ClassVar[bool] = True
    """Whether the first K rounds pull every arm once, in order of priority, before the rule is asked."""

    @property
    @abstractmethod
    def parameters(self) -> Any:
        """The NamedTuple of numbers that the rule works with."""

    @property
    def state_size(self) -> int:
        """How many numbers the rule keeps besides counts and totals."""
        return 0

    def start(self, *, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None) -> RulePlay:
        """Begin a play; see `Policy.start`."""
        return RulePlay(self, seed, run, priority)


class RulePlay(Play):
    """A play of a general policy. The rule sees the rewards told so far and the number of the round."""

    policy: RulePolicy

    def __init__(
        self, policy: RulePolicy, seed: int = 0, run: int = 0, priority: Sequence[int] | None = None
    ) -> None:
        super().__init__(policy, seed, run, priority)
        self._parameters = policy.parameters
        kernels = fit([choose_arm, absorb_reward, _indices], self._parameters)
        self._choose_arm, self._take, self._fill = kernels
        self._rank = np.array(self.priority, dtype=np.int64)
        self._first = [int(arm) for arm in np.argsort(self._rank)] if policy.pulls_each_arm_first else []
        self._seen = np.zeros(policy.n_arms, dtype=np.int64)
        self._totals = np.zeros(policy.n_arms)
        self._state = np.zeros(policy.state_size)

    def _noise(self, number: int) -> Noise:
        return Noise(np.uint64(self.seed), self.run, number)

    def _choose(self) -> int:
        if self._first:
            waiting = [arm for arm in self._first if self._observed[arm] == 0]
            if waiting:
                return min(waiting, key=lambda arm: (self._assigned[arm], self._rank[arm]))
        noise = self._noise(self.round + 1)
        with ends_explained(self.policy):
            arm = self._choose_arm(self._parameters, noise, self._rank, self._seen, self._totals, self._state)
        if not 0 <= arm < self.policy.n_arms:
            raise no_arm(self.policy, rule_of(self._parameters), self.run, self.round + 1, arm)
        return int(arm)

    def _assign(self, arm: int) -> None:
        pass

    def _absorb(self, arm: int, reward: float) -> None:
        noise = self._noise(sum(self._observed))
        with ends_explained(self.policy):
            self._take(self._parameters, noise, arm, reward, self._seen, self._totals, self._state)

    @property
    def indices(self) -> Floats:
        """The index of each arm in the coming round; infinite for an arm without a reward.

        A rule that chooses without an index has none: NaN.
        """
        values = np.full(self.policy.n_arms, np.nan)
        if has_index(self._parameters):
            noise = self._noise(self.round + 1)
            with ends_explained(self.policy):
                self._fill(self._parameters, noise, self._seen, self._totals, self._state, values)
            if self.policy.pulls_each_arm_first:
                values[self._seen == 0] = np.inf
        return values

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a plain dict; `play_from_dict` goes on exactly where it was."""
        return super().to_dict() | {"totals": self._totals.tolist(), "state": self._state.tolist()}

    def _load(self, state: dict[str, Any]) -> None:
        super()._load(state)
        self._seen = np.array(self._observed, dtype=np.int64)
        for name, length in (("totals", self.policy.n_arms), ("state", self.policy.state_size)):
            values = checks.reals(state.get(name), name)
            if len(values) != length:
                raise InvalidInput(f"a saved play must have {length} {name!r}; got {len(values)}.")
            setattr(self, f"_{name}", np.array(values, dtype=float))
